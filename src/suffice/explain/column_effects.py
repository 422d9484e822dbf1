"""Effects: mean log-odds along one or two columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import ParameterError, quoted
from suffice.explain.background import Background, FittedClassifier, FoldModels
from suffice.explain.evidence import MAX_EVIDENCE
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray

_MAX_POINTS, _MAX_PAIR_POINTS = 40, 12  # values of a column alone, and of each column of a pair
AVERAGED_ROWS = 128
"""Number of rows over which an effect is averaged."""
_TAIL = 0.005  # share of the rows beyond the values at either end


@dataclass(frozen=True, eq=False)
class Effect:
    """Mean log-odds of classes over rows in which the cell of a column is replaced by each of ``values``.

    Each curve is centred at the mean of the unchanged rows. If columns are independent given the class, a curve is the
    column's log density ratio, up to a constant.
    """

    column: Name
    values: AnyArray
    is_number: bool
    of: AnyArray
    """The classes, one per curve."""
    against: Label | None
    """The reference class; None for the mean of all classes."""
    log_odds: FloatArray
    """(values, curves)"""
    error: FloatArray | None
    """Standard errors by a jackknife over folds; None if the model stores no rows."""
    share: FloatArray
    """Share of the rows nearest to each value."""


@dataclass(frozen=True, eq=False)
class PairEffect:
    """The effect of two columns on one class: ``log_odds`` (values of the first, values of the second)."""

    columns: tuple[Name, Name]
    values: tuple[AnyArray, AnyArray]
    is_number: tuple[bool, bool]
    of: Label
    against: Label | None
    log_odds: FloatArray


def effect(
    estimator: FittedClassifier, column: Name, X: TableLike = None, *, of: Label = None, against: Label = None
) -> Effect:
    """Mean log-odds along a column of numbers or categories, over the stored rows of the model or over ``X``.

    By default, of two classes the second against the first, of more each against the mean of all.

    >>> import numpy as np
    >>> from suffice import BayesClassifier
    >>> x = np.linspace(-3, 3, 400)[:, None]
    >>> found = effect(BayesClassifier().fit(x, x[:, 0] > 0), 0)
    >>> bool(found.log_odds[0, 0] < 0 < found.log_odds[-1, 0])
    True
    """
    return effects(estimator, [column], X, of=of, against=against)[0]


def effects(
    estimator: FittedClassifier,
    columns: Sequence[Name],
    X: TableLike = None,
    *,
    of: Label = None,
    against: Label = None,
) -> list[Effect]:
    """Effects of several columns, with the same folds."""
    if not columns:
        return []
    background, odds = Background.of(estimator, X), _Odds.named(estimator, of, against)
    left_out = FoldModels.of(estimator)
    return [_effect(background, column, odds, left_out) for column in columns]


def pair_effect(
    estimator: FittedClassifier,
    columns: tuple[Name, Name],
    X: TableLike = None,
    *,
    of: Label = None,
    against: Label = None,
) -> PairEffect:
    """Mean log-odds of one class along two columns jointly."""
    background = Background.of(estimator, X)
    odds = _Odds.named(estimator, estimator.classes_[-1] if of is None else of, against)
    first, second = (_Grid.of(background, column, _MAX_PAIR_POINTS) for column in columns)
    at_first, at_second = (g.ravel() for g in np.meshgrid(first.codes, second.codes, indexing="ij"))
    some = background.take(slice(0, AVERAGED_ROWS))
    found = odds.mean(some, {columns[0]: at_first, columns[1]: at_second}, background.model)
    return PairEffect(
        columns, (first.values, second.values), (first.is_number, second.is_number), odds.of[0], odds.against,
        found.reshape(len(first.codes), len(second.codes)),
    )  # fmt: skip


def _effect(background: Background, column: Name, odds: "_Odds", left_out: FoldModels | None) -> Effect:
    points = _Grid.of(background, column, _MAX_POINTS)
    some = background.take(slice(0, AVERAGED_ROWS))
    curves = odds.mean(some, {column: points.codes}, background.model)
    error = None
    if left_out is not None:
        each = np.stack([odds.mean(some, {column: points.codes}, model) for model in left_out.models])
        error = left_out.scale * np.sqrt((len(each) - 1) * each.var(axis=0))
    return Effect(
        column, points.values, points.is_number, odds.of, odds.against, curves, error,
        points.share,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Grid:
    """Values of a column: all if they are few, otherwise quantiles; for categories, the most frequent."""

    codes: AnyArray
    values: AnyArray
    is_number: bool
    share: FloatArray

    @classmethod
    def of(cls, background: Background, column: Name, most: int) -> "_Grid":
        cells, levels = background.codes(column), background.levels(column)
        known = cells[cells >= 0] if levels is not None else cells[np.isfinite(cells)]
        if not len(known):
            raise ParameterError(f"All cells of column {column!r} are missing", "an effect needs values")
        if levels is not None:
            count = np.bincount(known, minlength=len(levels))
            codes = np.argsort(-count, kind="stable")[:most]
            codes = codes[count[codes] > 0]
            values = np.empty(len(codes), dtype=object)
            values[:] = [levels[int(code)] for code in codes]
            return cls(codes, values, False, count[codes] / len(known))
        numbers: FloatArray = np.unique(known)
        if len(numbers) > most:
            numbers = _between_tails(known, numbers, most)
        near = np.searchsorted((numbers[1:] + numbers[:-1]) / 2, known)
        return cls(numbers, numbers, True, np.bincount(near, minlength=len(numbers)) / len(known))


def _between_tails(known: FloatArray, distinct: FloatArray, most: int) -> FloatArray:
    """Quantiles of the rows; if many are equal, for example 0, also quantiles of the distinct values."""
    of_rows = np.unique(np.quantile(known, np.linspace(_TAIL, 1 - _TAIL, most), method="nearest"))
    there = distinct[(distinct >= of_rows[0]) & (distinct <= of_rows[-1])]
    if len(of_rows) > most // 2 or len(there) == len(of_rows):
        return of_rows
    of_values = np.quantile(there, np.linspace(0, 1, most - len(of_rows)), method="nearest")
    return np.union1d(of_rows, of_values)


@dataclass(frozen=True, eq=False)
class _Odds:
    """Log-odds of some classes against one, or against the mean of all."""

    labels: AnyArray
    places: Sequence[int]
    versus: int | None

    @classmethod
    def named(cls, estimator: FittedClassifier, of: Label, against: Label) -> "_Odds":
        known = estimator.model_.classes
        for label in (of, against):
            if label is not None and label not in known:
                raise ParameterError(f"There is no class {label!r}", f"the classes are {quoted(known)}")
        if len(known) < 2:
            raise ParameterError(f"The model has only one class, {quoted(known)}", "log-odds need two")
        versus = None if against is None else known.index(against)
        if of is not None:
            places = [known.index(of)]
            versus = 1 - places[0] if versus is None and len(known) == 2 else versus
        else:
            versus = 0 if versus is None and len(known) == 2 else versus
            places = [c for c in range(len(known)) if c != versus]
        return cls(estimator.classes_, places, versus)

    @property
    def of(self) -> AnyArray:
        return self.labels[list(self.places)]

    @property
    def against(self) -> Any:
        return None if self.versus is None else self.labels[self.versus]

    def mean(self, rows: Background, cells: Mapping[Name, AnyArray], model: Model) -> FloatArray:
        """Mean over rows with their cell replaced by each of ``cells``, (cells, classes), minus the mean of unchanged rows."""
        points = len(next(iter(cells.values())))
        changed = rows.take(np.repeat(np.arange(rows.rows), points))
        for column, codes in cells.items():
            changed = changed.with_column(column, np.tile(codes, rows.rows))
        found = self._between(changed.log_joint(model)).reshape(rows.rows, points, -1)
        return np.asarray((found - self._between(rows.log_joint(model))[:, None]).mean(axis=0))

    def _between(self, joint: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            reference = joint.mean(axis=1) if self.versus is None else joint[:, self.versus]
            found = joint[:, list(self.places)] - reference[:, None]
        return np.nan_to_num(found, nan=0.0, posinf=MAX_EVIDENCE, neginf=-MAX_EVIDENCE)
