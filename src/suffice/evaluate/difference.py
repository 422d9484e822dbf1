"""The difference between two models, by class and by column."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import ParameterError
from suffice.evaluate.description import column_weights
from suffice.model import Model
from suffice.model.cells import CellValues, cell_log_density, cell_values
from suffice.numerics.arrays import FloatArray
from suffice.parts.forest import ForestPart
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.posterior import log_sum_exp


@dataclass(frozen=True)
class ClassDifference:
    """One class: the weight of its rows and its prior in each model; None for a model without the class."""

    label: Label
    rows: tuple[float | None, float | None]
    prior: tuple[float | None, float | None]


@dataclass(frozen=True)
class ColumnDifference:
    """One column: its family and weight in each model, and the divergence of its distributions in each common class."""

    name: Name
    family: tuple[str | None, str | None]
    """None for a model without the column."""
    weight: tuple[float | None, float | None]
    """None for a model without column weights."""
    divergence: dict[Label, float] | None
    """Jensen–Shannon divergence of p(cell | class) in nats, from 0 to log 2; None if they cannot be compared."""
    exact: bool
    """Whether it is computed by a sum over levels, counts or bins, not by quadrature."""
    levels_added: tuple[object, ...] = ()
    levels_removed: tuple[object, ...] = ()

    @property
    def moved(self) -> float:
        """The largest divergence."""
        return max((self.divergence or {}).values(), default=0.0)


@dataclass(frozen=True)
class Difference:
    """``classes`` in the order of the first model, new ones last; ``columns`` in decreasing order of divergence."""

    classes: tuple[ClassDifference, ...]
    columns: tuple[ColumnDifference, ...]
    parts: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Total weight of each kind of part, before and after."""

    def __str__(self) -> str:
        lines = [f"class {c.label}: rows {_two(c.rows)}, prior {_two(c.prior)}" for c in self.classes]
        for c in self.columns:
            changes = [f"moved by {c.moved:.4f}" if c.divergence is not None else "not compared"]
            changes += [f"family {_two(c.family)}"] if c.family[0] != c.family[1] else []
            changes += [f"weight {_two(c.weight)}"] if c.weight != (None, None) else []
            changes += [f"new {', '.join(map(repr, c.levels_added[:5]))}"] if c.levels_added else []
            changes += [f"gone {', '.join(map(repr, c.levels_removed[:5]))}"] if c.levels_removed else []
            lines.append(f"column {c.name}: {', '.join(changes)}")
        return "\n".join([*lines, *(f"{name}: weight {_two(both)}" for name, both in self.parts.items())])


def _two(both: tuple[object, object]) -> str:
    return " → ".join("none" if v is None else f"{v:.4g}" if isinstance(v, float) else str(v) for v in both)


def difference(before: Model, after: Model) -> Difference:
    """The difference between two models.

    Columns are compared by their marginal p(cell | class) in every common class, normalised over the cell's values. This covers
    a textbook model completely; for a model with fitted weights, the weights of columns and parts are listed too, but not the
    tables of parts.

    Parameters
    ----------
    before : Model
        The first model.
    after : Model
        The second model.

    Returns
    -------
    Difference
        Changes of classes, columns and parts.
    """
    labels = dict.fromkeys((*before.classes, *after.classes))
    classes = tuple(
        ClassDifference(label, _both(before, after, label, _rows_of), _both(before, after, label, _prior_of))
        for label in labels
    )
    names = dict.fromkeys((*before.names, *after.names))
    weights = column_weights(before), column_weights(after)
    columns = [_column(before, after, name, (weights[0].get(name), weights[1].get(name))) for name in names]
    kinds = dict.fromkeys((*_parts(before), *_parts(after)))
    parts = {kind: (_parts(before).get(kind, 0.0), _parts(after).get(kind, 0.0)) for kind in kinds}
    return Difference(classes, tuple(sorted(columns, key=lambda c: -c.moved)), parts)


def _parts(model: Model) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in () if model.weighted_parts is None else model.weighted_parts.parts:
        if isinstance(part, (MissingIndicators, Pairs)):
            found["missing cells" if isinstance(part, MissingIndicators) else "pairs"] = float(part.weights.sum())
        elif isinstance(part, (NormalsPart, ForestPart)):
            name = "correlated normals" if isinstance(part, NormalsPart) else "forests"
            found[name] = found.get(name, 0.0) + part.weight
    return found


def _rows_of(model: Model, place: int) -> float:
    return float(model.tally.weight[place])


def _prior_of(model: Model, place: int) -> float:
    return float(np.exp(model.log_prior[place]))


def _both(
    before: Model, after: Model, label: Label, of: Callable[[Model, int], float]
) -> tuple[float | None, float | None]:
    was, now = (of(m, m.classes.index(label)) if label in m.classes else None for m in (before, after))
    return was, now


def _column(before: Model, after: Model, name: Name, weight: tuple[float | None, float | None]) -> ColumnDifference:
    family = _family(before, name), _family(after, name)
    was, now = _known_values(before, name), _known_values(after, name)
    every = None if was is None or now is None else was.joined(now)
    if was is None or now is None or every is None:
        return ColumnDifference(name, family, weight, None, exact=False)
    added: tuple[object, ...] = ()
    removed: tuple[object, ...] = ()
    if was.kind == now.kind == "levels":
        added = tuple(v for v in now.at if v not in set(was.at))
        removed = tuple(v for v in was.at if v not in set(now.at))
    one, other = _log_masses(before, name, was, every), _log_masses(after, name, now, every)
    shared = [label for label in before.classes if label in after.classes]
    divergence = {
        label: jensen_shannon(one[:, before.classes.index(label)], other[:, after.classes.index(label)])
        for label in shared
    }
    return ColumnDifference(name, family, weight, divergence, every.kind != "smooth", added, removed)


def _family(model: Model, name: Name) -> str | None:
    return next((type(block.family).__name__ for block in model.blocks if name in block.columns), None)


def _known_values(model: Model, name: Name) -> CellValues | None:
    try:
        return cell_values(model, name)
    except ParameterError:  # a text, or an absent column
        return None


def _log_masses(model: Model, name: Name, own: CellValues, every: CellValues) -> FloatArray:
    """log p(value | class), (values, classes), normalised over the values; −∞ for impossible values."""
    values, width = every.nodes
    if own.kind == "levels":
        here = [v in set(own.at) for v in values]
    elif own.kind == "steps":
        here = [own.at[0] <= v < own.at[-1] for v in values]
    else:
        here = [True] * len(values)
    out = np.full((len(values), len(model.classes)), -np.inf)
    some = np.flatnonzero(here)
    out[some] = cell_log_density(model, name, [values[i] for i in some]) + width[some, None]
    return np.asarray(out - log_sum_exp(np.ascontiguousarray(out.T))[None])


def jensen_shannon(log_p: FloatArray, log_q: FloatArray) -> float:
    """½ KL(p ‖ m) + ½ KL(q ‖ m), m = (p + q) / 2, in nats.

    >>> round(jensen_shannon(np.log([1.0, 1e-300]), np.log([1e-300, 1.0])), 4)  # disjoint
    0.6931
    """
    middle = np.logaddexp(log_p, log_q) - np.log(2)
    total = 0.0
    for own in (log_p, log_q):
        there = np.isfinite(own)
        total += 0.5 * float(np.exp(own[there]) @ (own[there] - middle[there]))
    return max(total, 0.0)
