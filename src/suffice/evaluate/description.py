"""What a model made of each column: what it was taken for, what else was considered, and how much it counts."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from suffice.columns.kinds import Name
from suffice.evaluate.alternatives import Judged, judged
from suffice.families.base import Family
from suffice.model import Model
from suffice.numerics.arrays import FloatArray

_PARTNERS = 3
_LEAST = 0.005


@dataclass(frozen=True)
class ColumnDescription:
    """One column."""

    name: Name
    family: Family
    loss: float | None
    """The mean of −log p(class | this column alone) over rows left out; None where its counts do not tell."""
    considered: tuple[Judged, ...]
    """The other families it could have been, the best first."""
    weight: float | None
    """How much what it says alone counts for; None where nothing is weighed."""
    partners: tuple[tuple[Name, float], ...]
    """The columns it says something with, and how much that counts for, most first."""


@dataclass(frozen=True)
class Description:
    """``columns``, and the loss of knowing nothing but how frequent the classes are."""

    columns: tuple[ColumnDescription, ...]
    prior_loss: float
    together: float
    """How much all columns, taken as correlated normals, count for."""
    corrected: bool
    """Whether the cells of pairs were corrected by what they left to be said."""

    def __str__(self) -> str:
        rows = [("column", "taken as", "alone", "considered", "counts for", "with")]
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
                    "" if c.weight is None else f"{c.weight:.2f}",
                    partners,
                )
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, f"Knowing nothing but the classes' frequencies: {self.prior_loss:.3f}.", *self.notes])

    @property
    def notes(self) -> list[str]:
        """What is to be said of all columns."""
        found = []
        if self.together:
            found.append(f"All columns together, as correlated normals, count for {self.together:.2f}.")
        if self.corrected:
            found.append("What pairs of columns say was corrected by what they left to be said.")
        return found


def describe(model: Model) -> Description:
    """From what was counted and fitted; no rows are needed."""
    found = dict(judged(model))
    weights, partners = _weights(model)
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
                    partners.get(name, ()),
                )
            )
    order = {name: i for i, name in enumerate(model.names)}
    blending = model.blending
    return Description(
        tuple(sorted(columns, key=lambda column: order[column.name])),
        _prior_loss(model),
        0.0 if blending is None else blending.discriminant_weight,
        blending is not None and len(blending.correction) > 0,
    )


def _weights(model: Model) -> tuple[dict[Name, float], dict[Name, tuple[tuple[Name, float], ...]]]:
    """How much each column counts for alone, and with which others."""
    blending = model.blending
    if blending is None:
        return {}, {}
    names = [name for block in model.tables(model.blocks) for name in block.columns]
    shared: dict[Name, dict[Name, float]] = defaultdict(lambda: defaultdict(float))
    for (i, j), weight in zip(blending.pairs.columns.tolist(), blending.pair_weights.tolist(), strict=True):
        shared[names[i]][names[j]] += weight
        shared[names[j]][names[i]] += weight
    partners = {
        name: tuple(sorted(((n, w) for n, w in with_.items() if w >= _LEAST), key=lambda one: -one[1]))
        for name, with_ in shared.items()
    }
    return dict(zip(names, blending.column_weights.tolist(), strict=True)), partners


def _prior_loss(model: Model) -> float:
    seen: FloatArray = model.tally.weight
    there = seen > 0
    return -float(seen[there] @ model.log_prior[there] / seen.sum()) if there.any() else float(np.nan)
