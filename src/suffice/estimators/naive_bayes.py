"""scikit-learn's naive Bayes classifiers: its constructor arguments, attributes and answers over our statistics.

Beyond scikit-learn they take NaN for a missing cell, merge, forget and decay, and ``partial_fit`` gives what ``fit`` gives.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.columns.blocks import Levels
from suffice.columns.kinds import Level
from suffice.columns.labels import Label
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.errors import DataError, NegativeError, ParameterError
from suffice.estimators.base import SufficeClassifier, check_declared
from suffice.estimators.intake import check_unnamed, check_width
from suffice.families import Bernoulli, Categorical, Complement, Family, Gaussian, Multinomial, Poisson
from suffice.families.assignment import Assigned
from suffice.families.base import Rule
from suffice.families.class_prior import ClassPrior, Empirical, Given, Uniform
from suffice.families.forms import LevelTable
from suffice.families.gaussian import Normal, normal
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.statistics import Counts, Moments

_LEAST_ALPHA = 1e-10


class NaiveBayes(SufficeClassifier):
    """What the drop-ins share: one family for all columns of one matrix, and scikit-learn's contract around it."""

    _sparse = True

    def _family(self) -> Family:
        raise NotImplementedError

    def _class_prior(self) -> ClassPrior:
        raise NotImplementedError

    def _settings(self) -> dict[str, Any]:
        return {"prior": self._class_prior(), "rule": "mean"}

    def _blocks(self, table: Table) -> tuple[Assigned, ...]:
        family = self._family()
        return (Assigned(table.names, family, family.reads),)

    def _open(self, X: Any, *, reset: bool) -> Table:
        simple = type(X) is np.ndarray and X.ndim == 2 and X.dtype.char in "fdlqi" and X.size > 0
        if simple and not reset:
            check_width(self, X.shape[1])
            check_unnamed(self)
        elif simple:
            self.n_features_in_ = X.shape[1]
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        else:
            sparse = "csr" if self._sparse else False
            X = validate_data(self, X, accept_sparse=sparse, ensure_all_finite="allow-nan", reset=reset)
        return MatrixTable(X)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a matrix and its labels, starting afresh."""
        with self._in_their_words():
            return super().fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows. ``classes``, all that may turn up, is needed on the first call."""
        first = not hasattr(self, "model_")
        declared = check_declared(classes)
        if first and not declared:
            raise ParameterError("classes must be passed on the first call to partial_fit")
        if not first and classes is not None and sorted(classes) != list(self.classes_):
            raise ParameterError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        with self._all_or_nothing(), self._in_their_words():
            table, labels, weight = self._rows(X, y, sample_weight, reset=first)
            allowed = declared if first else self.model_.classes
            unknown = [c for c in labels.classes if c not in allowed]
            if unknown:
                raise DataError(
                    f"The target label(s) {unknown} in y do not exist in the initial classes {list(allowed)}"
                )
            if first:
                return self._take(self._start(table, labels, weight, declared))
            self._label_dtype = self.classes_.dtype
            return self._take(self.model_.learn(table, labels, weight, self._threads()))

    @contextmanager
    def _in_their_words(self) -> Iterator[None]:
        """Say what scikit-learn says of negative values."""
        try:
            yield
        except NegativeError as error:
            raise self._negative(error) from None

    def _negative(self, error: NegativeError) -> DataError:
        return DataError(f"Negative values in data passed to {type(self).__name__} (input X). {error}")

    @property
    def _statistic(self) -> Any:
        self._check_fitted()
        return self.model_.tally.statistics[0]

    @property
    def _density(self) -> Any:
        self._check_fitted()
        return self.model_.densities[0]

    @property
    def class_count_(self) -> FloatArray:
        """Weight of the rows of each class."""
        return self.model_.tally.weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.input_tags.allow_nan = True
        return tags


@dataclass(frozen=True)
class SmoothedGaussian(Gaussian):
    """Maximum likelihood, plus a share of the largest variance of any column added to every variance."""

    var_smoothing: float = 1e-9

    def estimate(self, statistic: Moments, rule: Rule, classes: Sequence[Label]) -> Normal:
        variance = np.divide(
            statistic.m2, statistic.weight, out=np.zeros_like(statistic.m2), where=statistic.weight > 0
        )
        return normal(statistic.mean, variance + self.added(statistic), np.zeros(variance.shape, dtype=bool))

    def added(self, statistic: Moments) -> float:
        pooled = statistic.pooled()
        return float(self.var_smoothing * (pooled.m2 / np.maximum(pooled.weight, 1e-300)).max(initial=0.0))


class GaussianNB(NaiveBayes):
    """Gaussian naive Bayes, as ``sklearn.naive_bayes.GaussianNB``.

    >>> from suffice.naive_bayes import GaussianNB
    >>> GaussianNB().fit([[-1.0], [-2.0], [1.0], [2.0]], [1, 1, 2, 2]).predict([[-0.8]])
    array([1])
    """

    _sparse = False

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _family(self) -> SmoothedGaussian:
        if not isinstance(self.var_smoothing, Real) or not 0 <= float(self.var_smoothing) < np.inf:
            raise ParameterError(f"var_smoothing is {self.var_smoothing!r}", "it must be a number ≥ 0")
        return SmoothedGaussian(var_smoothing=float(self.var_smoothing))

    def _class_prior(self) -> ClassPrior:
        return Empirical() if self.priors is None else Given(self.priors)

    def _open(self, X: Any, *, reset: bool) -> Table:
        table = super()._open(X, reset=reset)
        if reset:
            assert isinstance(table, MatrixTable)
            self._dtype = np.float32 if table.values.dtype == np.float32 else np.float64
        return table

    @property
    def theta_(self) -> FloatArray:
        """Mean of each column in each class."""
        return self._statistic.mean.astype(self._dtype)  # type: ignore[no-any-return]

    @property
    def var_(self) -> FloatArray:
        """Variance of each column in each class, smoothing included."""
        return self._density.variance.astype(self._dtype)  # type: ignore[no-any-return]

    @property
    def epsilon_(self) -> float:
        """What is added to every variance."""
        return self._family().added(self._statistic)

    @property
    def class_prior_(self) -> FloatArray:
        """Probability of each class."""
        return np.exp(self.model_.log_prior).astype(self._dtype)


class DiscreteNaiveBayes(NaiveBayes):
    """What the drop-ins with pseudo-counts share."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _class_prior(self) -> ClassPrior:
        if self.class_prior is not None:
            given = np.asarray(self.class_prior, dtype=np.float64)
            return Given(given / given.sum())
        return Empirical() if self.fit_prior else Uniform()

    def _check_alpha(self) -> Any:
        alpha: Any = self.alpha if isinstance(self.alpha, Real) else np.asarray(self.alpha, dtype=np.float64)
        if isinstance(alpha, np.ndarray):
            if alpha.shape[0] != self.n_features_in_:
                raise ParameterError(
                    "When alpha is an array, it should contains `n_features`: "
                    f"it has {alpha.shape[0]} elements, not {self.n_features_in_}"
                )
            if alpha.min() < 0:
                raise ParameterError("All values in alpha must be greater than 0")
        if np.min(alpha) < _LEAST_ALPHA and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {_LEAST_ALPHA:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.",
                stacklevel=2,
            )
            return np.maximum(alpha, _LEAST_ALPHA)
        return alpha

    @property
    def class_log_prior_(self) -> FloatArray:
        """Logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            if self.class_prior is not None:
                return np.log(np.asarray(self.class_prior, dtype=np.float64))
            return np.log(self._class_prior().probabilities(self.class_count_, self.model_.classes, "mle"))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class BernoulliNB(DiscreteNaiveBayes):
    """Naive Bayes on binary columns, as ``sklearn.naive_bayes.BernoulliNB``."""

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _family(self) -> Bernoulli:
        return Bernoulli(alpha=self._check_alpha(), threshold=0.0 if self.binarize is None else self.binarize)

    @property
    def feature_count_(self) -> FloatArray:
        """How often each column was one in each class."""
        return self._statistic.total  # type: ignore[no-any-return]

    @property
    def feature_log_prob_(self) -> FloatArray:
        """log p(x_j = 1 | class)."""
        return self._density.above  # type: ignore[no-any-return]


class MultinomialNB(DiscreteNaiveBayes):
    """Naive Bayes on word counts, as ``sklearn.naive_bayes.MultinomialNB``."""

    def __init__(
        self, *, alpha: Any = 1.0, force_alpha: bool = True, fit_prior: bool = True, class_prior: Any = None
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _family(self) -> Multinomial:
        return Multinomial(alpha=self._check_alpha())

    @property
    def feature_count_(self) -> FloatArray:
        """Total of each column in each class."""
        return self._statistic.total  # type: ignore[no-any-return]

    @property
    def feature_log_prob_(self) -> FloatArray:
        """log p(word j | class)."""
        return self._density.slope  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class ComplementNB(MultinomialNB):
    """Complement naive Bayes, as ``sklearn.naive_bayes.ComplementNB``: the class prior plays no part in its scores."""

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        super().__init__(alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.norm = norm

    def _family(self) -> Complement:
        return Complement(alpha=self._check_alpha(), norm=self.norm)

    def _settings(self) -> dict[str, Any]:
        return {"prior": Uniform(), "rule": "mean"}

    def _take(self, model: Model) -> Self:
        self._class_prior().probabilities(model.tally.weight, model.classes, "mle")  # refuses one that does not fit
        return super()._take(model)

    def predict_joint_log_proba(self, X: Any) -> FloatArray:
        """The score of each class, (rows, classes)."""
        return super().predict_joint_log_proba(X) - self.model_.log_prior

    @property
    def feature_all_(self) -> FloatArray:
        """Total of each column in all classes."""
        return self.feature_count_.sum(axis=0)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Ordinals(Categorical):
    """Levels 0, 1, …, up to the largest seen or the number promised for a column."""

    at_least: tuple[int, ...] = field(default=())

    def observe(self, block: Levels, y: CodeArray, n_classes: int, weight: FloatArray | None, threads: int) -> Counts:
        if any(_ends(levels)[0] < 0 for levels in block.levels):
            raise NegativeError("There are negative values", "categories are numbered 0, 1, 2, …", "Use OrdinalEncoder")
        return super().observe(block, y, n_classes, weight, threads)

    def estimate(self, statistic: Counts, rule: Rule, classes: Sequence[Label]) -> LevelTable:
        density = super().estimate(statistic, rule, classes)
        return OrdinalTable(density.table, density.levels)

    def all_levels(self, statistic: Counts) -> tuple[Sequence[Level], ...]:
        sizes = [_ends(levels)[1] + 1 if levels else 0 for levels in statistic.levels]
        least = self.at_least or (0,) * len(sizes)
        return tuple(range(max(size, most)) for size, most in zip(sizes, least, strict=True))


class OrdinalTable(LevelTable):
    """The densities of numbered categories. Numbers not seen in training are missing; negative ones are mistakes."""

    def meet_unknown(self, block: Levels) -> None:
        as_they_are = all(isinstance(levels, range) for levels in block.levels)  # else −1 is the code of a missing cell
        lowest = block.codes.min(initial=0) if as_they_are else min(_ends(levels)[0] for levels in block.levels)
        if lowest < 0:
            raise DataError(
                "Negative values in data passed to CategoricalNB (input X)", "categories are numbered 0, 1, 2, …"
            )


def _ends(levels: Sequence[Any]) -> tuple[int, int]:
    """Smallest and largest of some numbers in order."""
    return (int(levels[0]), int(levels[-1])) if len(levels) else (0, 0)


class CategoricalNB(DiscreteNaiveBayes):
    """Naive Bayes on categories numbered 0, 1, …, as ``sklearn.naive_bayes.CategoricalNB``.

    Names instead of numbers, and levels that nobody numbered, are what ``BayesClassifier`` and ``Categorical`` are for.
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

    def _open(self, X: Any, *, reset: bool) -> Table:
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
    if np.isinf(values).any():
        raise DataError("Input X contains infinity", "categories are numbered 0, 1, 2, …")
    if np.isnan(values).any():
        return np.trunc(values)
    return values.astype(np.int64)


class PoissonNB(DiscreteNaiveBayes):
    """Naive Bayes on independent Poisson counts. ``alpha`` events in ``beta`` rows are added to each class.

    With the default ``alpha=None`` they are as many as the column has on average.
    """

    def __init__(
        self,
        *,
        alpha: float | None = None,
        beta: float = 1.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _family(self) -> Poisson:
        return Poisson(shape=self.alpha, rate=self.beta)

    @property
    def feature_count_(self) -> FloatArray:
        """Total of each column in each class."""
        return self._statistic.total  # type: ignore[no-any-return]

    @property
    def rate_(self) -> FloatArray:
        """λ of each column in each class."""
        return self._density.rate  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "PoissonNB"]
