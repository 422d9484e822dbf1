"""A classifier evaluated along some of its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice import posterior
from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Kind, Name
from suffice.columns.table import Table
from suffice.errors import ParameterError, quoted
from suffice.estimators.base import SufficeClassifier
from suffice.explain import Marginals
from suffice.families.histogram import Histogram
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sources import open_table

_TAIL = 0.01  # share of values in a tail, at either end
_LONG = 4.0  # ratio of the ranges with and without tails that counts as long


@dataclass(frozen=True, eq=False)
class ClassifierView:
    """A classifier restricted to some columns, and its scores at points along them.

    Other columns are marginalised by a classifier of suffice. Any other classifier must have only these columns.
    """

    estimator: Any
    columns: tuple[Name, ...]
    """Names of the columns in the classifier."""
    names: tuple[str, ...]
    """Names of the columns as displayed."""
    table: Table
    _frame: Any

    @property
    def classes(self) -> AnyArray:
        return np.asarray(self.estimator.classes_)

    @property
    def has_densities(self) -> bool:
        return isinstance(self.estimator, SufficeClassifier)

    @property
    def is_binned(self) -> bool:
        """Whether a column's density is binned: discontinuous, and undefined outside the range of the rows."""
        names = set(self.columns)
        return any(isinstance(b.family, Histogram) and names & set(b.columns) for b in self.model.blocks)

    @property
    def model(self) -> Model:
        """The fitted model with densities."""
        return model_of(self.estimator)

    @cached_property
    def _densities(self) -> Marginals:
        """The unweighted densities: weighted scores classify better, but are not normalised."""
        return Marginals(self.model.unweighted)

    @cached_property
    def _weighted(self) -> Marginals:
        return Marginals(self.model)

    def cells(self, column: int) -> AnyArray:
        """The cells of a column: numbers, or else objects."""
        name = self.columns[column]
        if self.is_numeric(column):
            return np.asarray(self.table.numbers([name]).dense[:, 0], dtype=np.float64)
        return np.array(self.table.objects(name).values, dtype=object)

    def is_numeric(self, column: int) -> bool:
        kind = self.table.kinds[list(self.table.names).index(self.columns[column])]
        return kind not in (Kind.CATEGORY, Kind.TEXT, Kind.EMPTY)

    def log_density(self, *cells: AnyArray) -> FloatArray:
        """log p(cells | class), (points, classes)."""
        return self._densities.log_density(self._table(cells))

    def log_joint(self, *cells: AnyArray) -> FloatArray:
        """log p(cells, class)."""
        return np.asarray(self.log_density(*cells) + self.model.log_prior)

    def log_score(self, *cells: AnyArray) -> FloatArray:
        """log p(class | cells), up to a constant per point."""
        return np.asarray(self._weighted.log_density(self._table(cells)) + self.model.log_prior)

    def posterior(self, *cells: AnyArray) -> FloatArray:
        """p(class | cells)."""
        if self.has_densities:
            return posterior.posterior(self.log_score(*cells), self.model.log_prior)
        return np.asarray(self.estimator.predict_proba(self._rows(cells)), dtype=np.float64)

    def _table(self, cells: Sequence[AnyArray]) -> Table:
        if all(c.dtype.kind in "fiub" for c in cells):
            return open_table(np.column_stack(cells).astype(np.float64)).renamed(self.columns)
        return open_table(dict(zip(self.columns, cells, strict=True)))

    def _rows(self, cells: Sequence[AnyArray]) -> Any:
        """Points in the format of X."""
        if self._frame is None:
            return np.column_stack(cells)
        return self._frame(dict(zip(self.columns, cells, strict=True)))


def classifier_view(estimator: Any, X: TableLike, columns: Sequence[Name] | None, width: int) -> ClassifierView:
    """A view of ``width`` columns of X; ``columns`` is optional if X has no others."""
    table, names = aligned_table(estimator, X)
    known = list(names)
    chosen = known if columns is None else list(columns)
    unknown = [c for c in chosen if c not in known]
    if unknown:
        raise ParameterError(f"There is no column {quoted(unknown)}", f"the columns are {quoted(known, most=10)}")
    if len(chosen) != width:
        example = repr(known[0]) if width == 1 else repr(tuple(known[:width]))
        raise ParameterError(
            f"X has {len(known)} columns" if columns is None else f"{len(chosen)} columns are given",
            f"this picture shows {width}",
            f"Give {'column' if width == 1 else 'columns'}={example}",
        )
    if not isinstance(estimator, SufficeClassifier) and len(chosen) != len(known):
        raise ParameterError(
            f"A {type(estimator).__name__} needs all {len(known)} columns of X",
            "only classifiers of suffice can marginalise columns",
            "Fit it to the columns to be shown",
        )
    frame = type(X) if hasattr(X, "columns") else None
    labels = tuple(label_of(c) for c in chosen)
    return ClassifierView(estimator, tuple(names[c] for c in chosen), labels, table, frame)


def aligned_table(estimator: Any, X: TableLike) -> tuple[Table, dict[Name, Name]]:
    """The rows with the classifier's names of the columns, which may be positions, and those names by displayed name."""
    table = open_table(X)
    shown = list(table.names)
    if not isinstance(estimator, SufficeClassifier) or len(shown) != len(model_of(estimator).names):
        return table, dict(zip(shown, shown, strict=True))
    inner = list(estimator.model_.names)
    if set(inner) == set(shown):
        return table, dict(zip(shown, shown, strict=True))
    if shown == list(range(len(shown))):  # an array in place of a frame
        shown = inner
    return table.renamed(inner), dict(zip(shown, inner, strict=True))


def model_of(estimator: Any) -> Model:
    """The fitted model of a classifier with densities."""
    if not isinstance(estimator, SufficeClassifier):
        raise ParameterError(
            f"{type(estimator).__name__} has no densities",
            "a Bayes classifier of suffice is needed for this picture",
        )
    estimator._check_not_empty()
    return estimator.model_


def visible_range(known: FloatArray) -> tuple[float, float]:
    """The range of values without tails several times as long as the rest.

    >>> visible_range(np.append(np.linspace(0, 1, 1001), 50.0))[1] < 1.0
    True
    """
    if not len(known):
        return 0.0, 1.0
    ends = float(known.min()), float(known.max())
    low, high = (float(q) for q in np.quantile(known, (_TAIL, 1 - _TAIL)))
    return ends if high == low or ends[1] - ends[0] < _LONG * (high - low) else (low, high)


def grid(values: FloatArray, points: int, margin: float = 0.08) -> FloatArray:
    """Evenly spaced points over the range of values, with a margin."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    room = margin * (high - low) if high > low else max(1.0, abs(low)) * 0.5
    return np.linspace(low - room, high + room, points)


def levels(cells: AnyArray) -> AnyArray:
    """The distinct values, sorted."""
    known = {v for v in cells.tolist() if v is not None and v == v}
    found = sorted(known, key=lambda v: (isinstance(v, str), v))
    return np.array(found) if cells.dtype.kind == "f" else np.array(found, dtype=object)


def cell(row: Table, column: Name) -> str:
    """The cell of a one-row table in a column, as text."""
    if row.kinds[list(row.names).index(column)] is Kind.TEXT:
        return "…"
    value = row.objects(column).values[0]
    if value is None or value != value:
        return "missing"
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


def label_of(name: Name) -> str:
    """A column's name, or its position."""
    return name if isinstance(name, str) else f"column {name}"
