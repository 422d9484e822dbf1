"""``CategoricalNB``: categories numbered 0, 1, …."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.class_codes import ClassCodes
from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Level, Name
from suffice.columns.labels import Label
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.errors import DataError, NegativeError, ParameterError
from suffice.estimators.naive_bayes.discrete import DiscreteNaiveBayes
from suffice.families import Categorical
from suffice.families.base import Rule
from suffice.families.forms import LevelTable
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray
from suffice.statistics import Counts

_MAX_CATEGORIES = 10_000_000  # categories index the table directly: each further number is one more cell per class


@dataclass(frozen=True)
class Ordinals(Categorical):
    """Levels 0, 1, …, up to the largest seen or the declared number of a column."""

    at_least: tuple[int, ...] = field(default=())

    def observe(self, block: Levels, y: ClassCodes, threads: int) -> Counts:
        if any(_ends(levels)[0] < 0 for levels in block.levels):
            raise NegativeError("There are negative values", "categories are numbered 0, 1, 2, …", "Use OrdinalEncoder")
        return super().observe(block, y, threads)

    def estimate(self, statistic: Counts, rule: Rule, classes: Sequence[Label]) -> LevelTable:
        density = super().estimate(statistic, rule, classes)
        return OrdinalTable(density.table, density.levels)

    def all_levels(self, statistic: Counts) -> tuple[Sequence[Level], ...]:
        sizes = [_ends(levels)[1] + 1 if levels else 0 for levels in statistic.levels]
        least = self.at_least or (0,) * len(sizes)
        return tuple(range(max(size, most)) for size, most in zip(sizes, least, strict=True))

    def persistent_levels(self, levels: Sequence[Sequence[Level]]) -> BoolArray:
        least = self.at_least or (0,) * len(levels)
        # only the largest level is dropped with its last row, unless ``min_categories`` includes it
        return np.array(
            [
                v + 1 < len(column) or v < most
                for column, most in zip(levels, least, strict=True)
                for v in range(len(column))
            ],
            dtype=bool,
        )

    def check(self, statistic: Counts, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        for name, levels in zip(columns, statistic.levels, strict=True):
            if levels and _ends(levels)[1] > _MAX_CATEGORIES:
                raise DataError(
                    f"Column {name!r} has category number {_ends(levels)[1]}",
                    f"categories are numbered 0, 1, 2, … up to {_MAX_CATEGORIES}",
                    "Use OrdinalEncoder, or BayesClassifier(Categorical()), which takes any names",
                )


class OrdinalTable(LevelTable):
    """The densities of numbered categories. Numbers not seen in training are missing; negative ones raise an error."""

    numbered = True

    def handle_unknown(self, block: Levels) -> None:
        are_codes = all(isinstance(levels, range) for levels in block.levels)  # else −1 is the code of a missing cell
        lowest = block.codes.min(initial=0) if are_codes else min(_ends(levels)[0] for levels in block.levels)
        if lowest < 0:
            raise DataError(
                "Negative values in data passed to CategoricalNB (input X)", "categories are numbered 0, 1, 2, …"
            )


def _ends(levels: Sequence[Any]) -> tuple[int, int]:
    """Smallest and largest of some numbers in order."""
    return (int(levels[0]), int(levels[-1])) if len(levels) else (0, 0)


class CategoricalNB(DiscreteNaiveBayes):
    """Naive Bayes on categories numbered 0, 1, …, as ``sklearn.naive_bayes.CategoricalNB``.

    For categories that are not numbered, use ``BayesClassifier`` with ``Categorical``.

    Parameters
    ----------
    alpha : float, default=1.0
        Pseudo-count of each category.
    force_alpha : bool, default=True
        If False, ``alpha`` below 1e-10 is set to 1e-10.
    fit_prior : bool, default=True
        Whether to estimate class priors; if False, they are uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Given class priors.
    min_categories : int or array-like, default=None
        Least number of categories of each feature.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        Weighted rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Log prior of each class.
    category_count_ : list of ndarray
        Weighted count of each category in each class, by feature.

    Examples
    --------
    >>> from suffice.naive_bayes import CategoricalNB
    >>> CategoricalNB().fit([[0, 1], [1, 0], [0, 0]], ["a", "b", "a"]).predict([[1, 0]]).tolist()
    ['b']
    """

    _sparse = False

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _family(self) -> Ordinals:
        least = self.min_categories
        if least is None:
            return Ordinals(alpha=self._check_alpha())
        sizes = np.asarray(least)
        if sizes.dtype.kind not in "iu":
            raise ParameterError(f"'min_categories' should have integral type. Got {sizes.dtype} instead")
        if sizes.shape not in ((), (self.n_features_in_,)):
            raise ParameterError(
                f"'min_categories' should have shape ({self.n_features_in_},) when an array-like is provided. "
                f"Got {sizes.shape} instead"
            )
        each = np.broadcast_to(sizes, (self.n_features_in_,))
        return Ordinals(alpha=self._check_alpha(), at_least=tuple(int(v) for v in each))

    def _open(self, X: TableLike, *, reset: bool) -> Table:
        table = super()._open(X, reset=reset)
        assert isinstance(table, MatrixTable)
        assert isinstance(table.values, np.ndarray)
        return MatrixTable(_whole(table.values)) if table.values.dtype.kind == "f" else table

    @property
    def category_count_(self) -> list[FloatArray]:
        """How often each category of each column occurred in each class."""
        levels = self._density.levels
        ends = np.cumsum([len(column) for column in levels])[:-1]
        return np.split(self._statistic.over(levels), ends, axis=1)

    @property
    def feature_log_prob_(self) -> list[FloatArray]:
        """log p(category | class), a column at a time."""
        ends = np.cumsum([len(column) for column in self._density.levels])[:-1]
        return np.split(self._density.table, ends, axis=1)

    @property
    def n_categories_(self) -> AnyArray:
        """Number of categories of each column."""
        return np.array([len(column) for column in self._density.levels])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def _whole(values: AnyArray) -> AnyArray:
    """Floats cut to whole numbers, as scikit-learn does; as integers unless a cell is missing."""
    if (np.abs(values) > 2**53).any():
        raise DataError("Input X contains infinity, or numbers beyond 2⁵³", "categories are numbered 0, 1, 2, …")
    if np.isnan(values).any():
        return np.trunc(values)
    return values.astype(np.int64)
