"""The expected cost saved by measuring a missing cell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.missing import is_missing
from suffice.decision.costs import CostsLike, aligned
from suffice.decision.decide import least_risk
from suffice.decision.intake import label_array
from suffice.errors import DataError, ParameterError
from suffice.model import Model
from suffice.model.cells import CellValues, cell_values, panel_nodes
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.posterior import log_sum_exp
from suffice.sources import open_table

_MAX_BISECTIONS = 30  # of panels in which the best action changes
_END_OFFSET = 1e-9  # relative offset of a panel's ends, since a density may be undefined at the end of its range
_NEGLIGIBLE = 1e-16  # relative probability below which points are ignored
_SUM_TOLERANCE = 1e-6  # relative, of the sum over a cell's values and the row without the cell


@dataclass(frozen=True)
class CellValue:
    """The value of measuring a missing cell."""

    column: Name
    saved: float
    """The reduction of the expected cost of the best action if the cell is known; never negative."""
    exact: bool
    """Whether it is computed by a sum over levels, counts or bins, not by quadrature."""


@dataclass(frozen=True)
class ValueOf:
    """The best ``action`` now, its expected cost (``risk``), and the missing ``cells``, the most valuable first."""

    action: Any
    risk: float
    cells: tuple[CellValue, ...]

    def __str__(self) -> str:
        lines = [f"{self.action!r} now, at an expected cost of {self.risk:.4g}"]
        return "\n".join([*lines, *(f"knowing {c.column}: {c.saved:.4g} less" for c in self.cells)])


def value_of(model: Any, row: Any, costs: CostsLike = None) -> ValueOf:
    """For each missing cell of a row, the expected cost saved by measuring it.

    E = min_a Σ_c costs[c, a] p(c | row) − Σ_v p(v | row) min_a Σ_c costs[c, a] p(c | row, v), over the values v of the cell,
    with p(v | row) = Σ_c p(c | row) p(v | c, row). Levels, counts and bins are summed; continuous families are integrated by
    Gauss–Legendre quadrature on panels that are bisected where the best action changes. The sum over the values must equal the
    row without the cell to 1e-6.

    Parameters
    ----------
    model : fitted classifier
        A textbook model (``model="naive"``, ``GaussianNB`` …). A model with fitted weights raises an error: it has no
        distribution of a cell.
    row : mapping, or a table of one row
        Absent columns are missing.
    costs : array-like, mapping, frame, Costs, Utilities or None, default=None
        As in ``decide``; ``REJECT`` may be one of the actions.

    Returns
    -------
    ValueOf
        The best action, and the missing cells by expected saving.

    Examples
    --------
    >>> from suffice import BayesClassifier, Categorical
    >>> rows = [{"fever": f, "rash": r} for f, r in (("yes", "no"), ("yes", "yes"), ("no", "no"), ("no", "no"))]
    >>> model = BayesClassifier(Categorical()).fit(rows, ["flu", "measles", "well", "well"])
    >>> found = value_of(model, {"rash": "no"})
    >>> found.action, found.cells[0].column, round(found.cells[0].saved, 4)
    ('well', 'fever', 0.0768)
    """
    inner: Model = getattr(model, "model_", model)
    if inner.fits_weights:
        raise ParameterError(
            f"The model has fitted weights ({inner.weighing!r})",
            "such a model has no distribution of a missing cell",
            "Fit one with model='naive'",
        )
    known = _known_cells(inner, row)
    classes = label_array(list(inner.classes))
    table = aligned(costs, classes)
    if table.values.ndim != 2:
        raise ParameterError("The costs differ by row", "there is one row", "Give (classes, actions)")
    scored = replace(inner, marginalise=True)
    now = _joint(scored, [known] if known else [{inner.names[0]: None}])
    base = float(log_sum_exp(now)[0])
    if not np.isfinite(base):
        raise DataError("The row is impossible in every class", "a posterior is needed", "Correct its cells")
    p = np.exp(now - base)
    index, risk = least_risk(p, table.values)
    cells = []
    for name in (n for n in inner.names if n not in known):
        values = cell_values(inner, name)

        def joint(at: list[Any], name: Name = name) -> FloatArray:
            return np.exp(_joint(scored, [{**known, name: v} for v in at]) - base)

        after, mass = _after(joint, values, table.values)
        if not np.allclose(mass, p[0], rtol=_SUM_TOLERANCE, atol=_SUM_TOLERANCE * p.max()):
            raise ParameterError(
                f"Column {name!r} is modelled by {_family(inner, name)}, whose values do not add up to the row without it",
                f"they have {mass.sum():.6g} of its probability",
                "Give the column a textbook family, such as Gaussian() or Categorical()",
            )
        cells.append(CellValue(name, max(float(risk[0]) - after, 0.0), values.kind != "smooth"))
    action: Any = np.asarray(table.actions)[index[0]]
    return ValueOf(
        action.item() if isinstance(action, np.generic) else action,
        float(risk[0]),
        tuple(sorted(cells, key=lambda cell: -cell.saved)),
    )


def _known_cells(model: Model, row: Any) -> dict[Name, Any]:
    """The present cells of one row."""
    if isinstance(row, Mapping) and not row:
        return {}
    table = open_table([dict(row)] if isinstance(row, Mapping) else row)
    if table.rows != 1:
        raise DataError(f"There are {table.rows} rows", "the value of a cell is that of one row")
    if list(table.names) == list(range(len(table.names))) and len(table.names) == len(model.names):
        table = table.renamed(model.names)
    cells = {name: np.asarray(table.column(name), dtype=object)[0] for name in table.names if name in model.names}
    return {name: value for name, value in cells.items() if not is_missing(value)}


def _joint(model: Model, rows: list[dict[Name, Any]]) -> FloatArray:
    return model.log_joint(open_table(rows))


def _family(model: Model, name: Name) -> str:
    return next(type(block.family).__name__ for block in model.blocks if name in block.columns)


def _after(joint: Callable[[list[Any]], FloatArray], values: CellValues, costs: FloatArray) -> tuple[float, FloatArray]:
    """Sums over the values: the cost of the best action, and the joint probability of each class."""
    if values.kind != "smooth":
        levels, width = values.nodes
        p = joint(levels) * np.exp(width)[:, None]
        return float((p @ costs).min(axis=1).sum()), p.sum(axis=0)
    edges = np.array(values.at)
    low, high = edges[:-1], edges[1:]
    risk, mass = 0.0, np.zeros(len(costs))
    for left in range(_MAX_BISECTIONS, -1, -1):
        at, log_width = panel_nodes(low, high)
        ends = np.stack([low, high], axis=1) + _END_OFFSET * np.stack([high - low, low - high], axis=1)
        density = joint(np.concatenate([ends, at], axis=1).ravel().tolist()).reshape(len(low), -1, len(costs))
        changes = _changes(density, costs, high - low) if left else np.zeros(len(low), dtype=bool)
        p = density[~changes, 2:] * np.exp(log_width[~changes])[:, :, None]
        risk += float((p @ costs).min(axis=2).sum())
        mass += p.sum(axis=(0, 1))
        if not changes.any():
            break
        middle = (low[changes] + high[changes]) / 2
        low, high = np.concatenate([low[changes], middle]), np.concatenate([middle, high[changes]])
    return risk, mass


def _changes(density: FloatArray, costs: FloatArray, width: FloatArray) -> AnyArray:
    """Whether the best action changes within a panel, ignoring points of negligible weight."""
    best, weight = (density @ costs).argmin(axis=2), density.sum(axis=2)
    usual = np.take_along_axis(best, weight.argmax(axis=1)[:, None], axis=1)
    return np.asarray(((best != usual) & (weight * width[:, None] > _NEGLIGIBLE)).any(axis=1))
