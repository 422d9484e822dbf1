"""A number as a linear function of the columns with Gaussian noise."""

from typing import Any, Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.errors import DataError, MergeError
from suffice.estimators.intake import check_weights
from suffice.estimators.savable import Savable
from suffice.families import MultivariateNormal
from suffice.families.settings import number
from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance
from suffice.numerics.covariances.base import EIGENVALUE_ROUNDING
from suffice.numerics.threads import thread_count

_BATCH_CELLS = 1 << 20  # 8 MiB of doubles


class LinearGaussianRegressor(Savable, RegressorMixin, BaseEstimator):
    """p(y | x) = N(w · x + b, σ²), by maximum likelihood in closed form from the scatter of (x, y).

    The scatter is additive, so ``partial_fit``, ``merge`` and ``forget`` are exact. ``alpha`` is a ridge penalty: the prior
    w ~ N(0, σ² / alpha). ``predict_interval`` integrates the parameters out (flat prior on b and log σ, and on w where
    alpha is 0), which gives the Student t interval.

    Parameters
    ----------
    alpha : float, default=0.0
        Ridge penalty: the prior w ~ N(0, σ² / alpha).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Weights w.
    intercept_ : float
        Intercept b.

    Examples
    --------
    >>> from suffice.linear_model import LinearGaussianRegressor
    >>> line = LinearGaussianRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> line.coef_.round(6).tolist(), round(line.intercept_, 6)
    ([2.0], 1.0)
    """

    statistic_: Any  # Scatter, or WideScatter where there are very many columns

    def __init__(self, *, alpha: float = 0.0) -> None:
        self.alpha = alpha

    # — learning —

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to the rows, discarding what was learned before."""
        self.statistic_ = self._counted(X, y, sample_weight, reset=True)
        return self

    def partial_fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Learn more rows."""
        if not hasattr(self, "statistic_"):
            return self.fit(X, y, sample_weight)
        self.statistic_ = self.statistic_ + self._counted(X, y, sample_weight, reset=False)
        return self

    def forget(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Forget rows, exactly."""
        check_is_fitted(self)
        self.statistic_ = self.statistic_ - self._counted(X, y, sample_weight, reset=False)
        return self

    def merge(self, other: "LinearGaussianRegressor") -> Self:
        """Add the statistics of another model."""
        check_is_fitted(self)
        check_is_fitted(other)
        if self.n_features_in_ != other.n_features_in_:
            raise MergeError(
                f"One was fitted with {self.n_features_in_} columns and the other with {other.n_features_in_}",
                "the same columns are needed to merge",
            )
        self.statistic_ = self.statistic_ + other.statistic_
        return self

    def _counted(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike, *, reset: bool) -> Any:
        number("LinearGaussianRegressor", "alpha", self.alpha)
        X, y = validate_data(self, X, y, reset=reset, y_numeric=True)
        weight = check_weights(sample_weight, len(X))
        family, names = MultivariateNormal(), range(X.shape[1] + 1)
        total: Any = None
        step = max(1, _BATCH_CELLS // len(names))
        for start in range(0, len(X), step):  # joined with y in batches
            rows = slice(start, start + step)
            joined = Numbers(names, np.column_stack([X[rows], y[rows]]))
            one = np.zeros(len(joined.dense), dtype=np.int32)
            part = family.observe(
                joined, ClassCodes(one, 1, None if weight is None else weight[rows]), thread_count(None)
            )
            total = part if total is None else total + part
        return total

    # — fitted attributes —

    @property
    def _scatter(self) -> Covariance:
        check_is_fitted(self)
        return self.statistic_.matrix(0)

    @property
    def _inner(self) -> Covariance:
        """Scatter of x, ridge added."""
        inner = self._scatter.columns(np.arange(self.n_features_in_))
        if self.alpha > 0:
            inner = inner.plus_diagonal(np.full(self.n_features_in_, float(self.alpha)))
        return inner.dropping(EIGENVALUE_ROUNDING)

    @property
    def coef_(self) -> FloatArray:
        """w."""
        cross = self._scatter.row(self.n_features_in_)[:-1]
        return np.asarray(self._inner.solved(cross[None])[0])

    @property
    def intercept_(self) -> float:
        """b."""
        mean = self.statistic_.mean[0]
        return float(mean[-1] - mean[:-1] @ self.coef_)

    @property
    def sigma_(self) -> float:
        """Standard deviation around the line, by maximum likelihood: √(Σ residual² / n)."""
        return float(np.sqrt(self._residual(penalised=False) / self.statistic_.weight[0]))

    def _residual(self, *, penalised: bool) -> float:
        scatter, coef = self._scatter, self.coef_
        cross = scatter.row(self.n_features_in_)
        explained = float(coef @ cross[:-1])
        # w minimises Σ residual² + alpha |w|²; the residual sum alone is smaller by the penalty
        squares = float(cross[-1]) - explained
        penalty = 0.0 if penalised else float(self.alpha) * float(coef @ coef)
        return max(squares - penalty, 0.0)

    # — prediction —

    def predict(self, X: TableLike, return_std: bool = False) -> Any:
        """w · x + b; with ``return_std`` also the standard deviation of y, given the parameters."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        line = np.asarray(X @ self.coef_ + self.intercept_)
        return (line, np.full(len(line), self.sigma_)) if return_std else line

    def log_density(self, X: TableLike, y: LabelsLike) -> FloatArray:
        """log p(y | x) of each row, given the parameters."""
        return np.asarray(stats.norm.logpdf(np.asarray(y, dtype=np.float64), self.predict(X), max(self.sigma_, 1e-300)))

    def predict_interval(self, X: TableLike, coverage: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Lower and upper bounds that contain y with this probability, parameter uncertainty included."""
        number("predict_interval", "coverage", coverage, most=1.0)
        centre = self.predict(X)
        inner, n = self._inner, float(self.statistic_.weight[0])
        dof = n - 1 - (inner.rank if self.alpha == 0 else 0)
        if dof <= 0:
            raise DataError(
                f"There are {n:g} rows for {self.n_features_in_} columns",
                "an interval needs at least two more rows than columns",
                "Set alpha > 0, or learn more rows",
            )
        away = np.asarray(validate_data(self, X, reset=False), dtype=np.float64) - self.statistic_.mean[0, :-1]
        spread = 1 + 1 / n + (inner.whitened(away) ** 2).sum(axis=1)
        half = stats.t.ppf(0.5 + coverage / 2, dof) * np.sqrt(self._residual(penalised=True) / dof * spread)
        return centre - half, centre + half
