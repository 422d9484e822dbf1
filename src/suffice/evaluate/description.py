"""The family of each column, the alternatives considered, and its weight."""

import warnings
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import quoted
from suffice.evaluate.alternatives import FamilyLoss, family_losses
from suffice.families.base import AnyFamily
from suffice.families.weights import ColumnWeights
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.parts.forest import ForestPart
from suffice.parts.fourier import Fourier
from suffice.parts.gain import Gain
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs

_PARTNERS = 3
_MIN_WEIGHT = 0.005  # smaller weights round to zero


@dataclass(frozen=True)
class ColumnDescription:
    """The family, alternatives and weights of a column."""

    name: Name
    family: AnyFamily
    loss: float | None
    """Leave-one-out mean of −log p(class | this column alone), with the bins and strengths of all rows; None if it
    cannot be computed from counts."""
    considered: tuple[FamilyLoss, ...]
    """Alternative families, the best first."""
    weight: float | None
    """The weight of its score; None in a model without weights."""
    missing: float | None
    """The weight of its missing indicator; None without one."""
    partners: tuple[tuple[Name, float], ...]
    """The columns it is paired with, and the weights of the pairs, largest first."""


@dataclass(frozen=True)
class Description:
    """The columns and parts of a model; ``prior_loss`` is the log-loss of the class shares."""

    columns: tuple[ColumnDescription, ...]
    prior_loss: float
    together: float
    """The weight of the correlated normals over all columns."""
    corrected: bool
    """Whether a correction was added to the tables of pairs."""
    informative_missing: tuple[Name, ...]
    """The columns whose missing cells are evidence: alone, in pairs or in forests."""
    forests: tuple[ForestPart, ...]
    """The forests: over the columns, and over the columns with their principal axes."""
    smooth: Fourier | None
    """The ridge regression on random Fourier features of all columns."""

    def __str__(self) -> str:
        rows = [("column", "family", "alone", "considered", "weight", "pairs")]
        for c in self.columns:
            others = ", ".join(f"{type(o.family).__name__} {o.loss:.3f}" for o in c.considered)
            partners = ", ".join(f"{name} {w:.2f}" for name, w in c.partners[:_PARTNERS])
            alone = "" if c.loss is None else f"{c.loss:.3f}"
            rows.append(
                (
                    str(c.name),
                    type(c.family).__name__,
                    alone,
                    others,
                    _weight_text(c),
                    partners,
                )
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, f"Loss of the class shares: {self.prior_loss:.3f}.", *self.notes])

    @property
    def holes(self) -> tuple[Name, ...]:
        """Deprecated name of ``informative_missing``."""
        warnings.warn("holes is deprecated: use informative_missing.", FutureWarning, stacklevel=2)
        return self.informative_missing

    @property
    def notes(self) -> list[str]:
        """Sentences about all columns."""
        found = []
        if self.together:
            found.append(f"The correlated normals over all columns have weight {self.together:.2f}.")
        if self.corrected:
            found.append("A cross-validated ridge correction was added to the pair tables.")
        if self.forests:
            found.append(_forest_note(self.forests))
        if self.smooth is not None:
            waves, gain = self.smooth.frequencies.shape[1], self.smooth.gain
            found.append(f"{waves} random Fourier features over all columns are added: {_effect(gain, 'they change')}.")
        if self.informative_missing:
            found.append(f"Missing cells are evidence in {quoted(list(self.informative_missing), most=20)}.")
        return found


def _forest_note(forests: tuple[ForestPart, ...]) -> str:
    """Size, weights and held-out gain of the forests."""
    trees, nodes = sum(f.trees.count for f in forests), sum(f.trees.nodes for f in forests)
    size = sum(f.trees.nbytes for f in forests) / 1e6
    weights = " and ".join(f"{f.weight:.2f}" for f in forests)
    note = f"{trees} trees ({nodes:,} nodes, {size:.1f} MB) have weights {weights}"
    gain = forests[0].gain
    if gain is None:
        return f"{note}."
    return f"{note}: {_effect(gain, 'they change')}."


def _effect(gain: Gain, change: str) -> str:
    return f"on {gain.rows:,} held-out rows {change} the log-loss from {gain.before:.4f} to {gain.after:.4f}"


def _weight_text(column: ColumnDescription) -> str:
    alone = "" if column.weight is None else f"{column.weight:.2f}"
    return alone if column.missing is None else f"{alone}, missing {column.missing:.2f}"


def describe(model: Model) -> Description:
    """Describe a model, from its counts and weights.

    Parameters
    ----------
    model : Model
        The fitted model, ``model_`` of an estimator.

    Returns
    -------
    Description
        Family, weight and alternatives of each column.
    """
    found = dict(family_losses(model))
    weights, missing, partners = column_weights(model), _missing_weights(model), _partners(model)
    columns = []
    for block in model.blocks:
        for name in block.columns:
            own, *others = found.get(name, [None])
            columns.append(
                ColumnDescription(
                    name,
                    block.family,
                    None if own is None else own.loss,
                    tuple(other for other in others if other is not None),
                    weights.get(name),
                    missing.get(name),
                    partners.get(name, ()),
                )
            )
    order = {name: i for i, name in enumerate(model.names)}
    order |= {name: order[date] for name, (date, _) in model.calendar.items()}
    normals, pairs = (
        (None, None)
        if model.weighted_parts is None
        else (model.weighted_parts.part(NormalsPart), model.weighted_parts.part(Pairs))
    )
    return Description(
        tuple(sorted(columns, key=lambda column: order[column.name])),
        _prior_loss(model),
        0.0 if normals is None else normals.weight,
        pairs is not None and len(pairs.correction) > 0,
        tuple(informative_missing_columns(model)),
        _forests(model),
        None if model.weighted_parts is None else model.weighted_parts.part(Fourier),
    )


def column_weights(model: Model) -> dict[Name, float]:
    """The weight of each column's own score."""
    if model.weighted_parts is None:
        return {}
    found: dict[Name, float] = {}
    for block, weights in zip(model.weighted(model.blocks), model.weighted_parts.weights, strict=True):
        if isinstance(weights, ColumnWeights):
            found.update(zip(block.columns, np.broadcast_to(weights.values, len(block.columns)).tolist(), strict=True))
    return found


def _columns(model: Model) -> list[Name]:
    """The columns that parts score."""
    return [name for block in model.tables(model.blocks) for name in block.columns]


def _missing_weights(model: Model) -> dict[Name, float]:
    indicators, names = (
        None if model.weighted_parts is None else model.weighted_parts.part(MissingIndicators),
        _columns(model),
    )
    if indicators is None:
        return {}
    return {
        names[j]: weight for j, weight in zip(indicators.columns.tolist(), indicators.weights.tolist(), strict=True)
    }


def _forests(model: Model) -> tuple[ForestPart, ...]:
    return (
        ()
        if model.weighted_parts is None
        else tuple(part for part in model.weighted_parts.parts if isinstance(part, ForestPart))
    )


def informative_missing_columns(model: Model) -> list[Name]:
    """The columns whose missing cells are evidence: alone, in pairs or in forests."""
    names, weighted_parts = _columns(model), model.weighted_parts
    indicators, pairs = (
        (None, None) if weighted_parts is None else (weighted_parts.part(MissingIndicators), weighted_parts.part(Pairs))
    )
    found = set() if indicators is None else set(indicators.columns.tolist())
    if pairs is not None:
        found |= set(pairs.columns.ravel().tolist()) & set(pairs.coding.holes.tolist())
    for forest in _forests(model):
        found |= set(forest.holes.tolist())
    return [names[j] for j in sorted(found)]


def _partners(model: Model) -> dict[Name, tuple[tuple[Name, float], ...]]:
    """The columns that each column is paired with."""
    pairs, names = None if model.weighted_parts is None else model.weighted_parts.part(Pairs), _columns(model)
    shared: dict[Name, dict[Name, float]] = defaultdict(lambda: defaultdict(float))
    for (i, j), weight in () if pairs is None else zip(pairs.columns.tolist(), pairs.weights.tolist(), strict=True):
        shared[names[i]][names[j]] += weight
        shared[names[j]][names[i]] += weight
    return {
        name: tuple(sorted(((n, w) for n, w in with_.items() if w >= _MIN_WEIGHT), key=lambda one: -one[1]))
        for name, with_ in shared.items()
    }


def _prior_loss(model: Model) -> float:
    weight: FloatArray = model.tally.weight
    there = weight > 0
    return -float(weight[there] @ model.log_prior[there] / weight.sum()) if there.any() else float(np.nan)
