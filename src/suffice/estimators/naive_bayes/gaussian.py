"""``GaussianNB``."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from suffice.errors import ParameterError
from suffice.estimators.base import SufficeClassifier
from suffice.estimators.one_family import OneFamily
from suffice.families import Gaussian
from suffice.families.base import Rule
from suffice.families.class_prior import ClassPrior, Empirical, Given
from suffice.families.gaussian import Normal, normal
from suffice.numerics.arrays import FloatArray
from suffice.statistics import Moments


@dataclass(frozen=True)
class SmoothedGaussian(Gaussian):
    """Maximum likelihood, plus a share of the largest variance of any column added to every variance."""

    var_smoothing: float = 1e-9

    def from_statistics(self, statistic: Moments, pooled: Moments, rule: Rule) -> Normal:
        variance = np.divide(
            statistic.m2, statistic.weight, out=np.zeros_like(statistic.m2), where=statistic.weight > 0
        )
        # NaN is a missing cell: a class without any cell of a column gets the pooled estimate
        empty = (statistic.weight <= 0) & (statistic.weight.max(axis=1, keepdims=True) > 0)
        mean = np.where(empty, pooled.mean, statistic.mean)
        variance = np.where(empty, pooled.m2 / np.maximum(pooled.weight, 1e-300), variance)
        variance = variance + self.added(pooled)
        return normal(mean, variance, np.zeros(variance.shape, dtype=bool))

    def added(self, pooled: Moments) -> FloatArray:
        """The constant added to every variance, (…, 1)."""
        variance = pooled.m2 / np.maximum(pooled.weight, 1e-300)
        return np.asarray(self.var_smoothing * variance.max(axis=1, keepdims=True, initial=0.0))


class GaussianNB(OneFamily, SufficeClassifier):
    """Gaussian naive Bayes, as ``sklearn.naive_bayes.GaussianNB``.

    Parameters
    ----------
    priors : array-like of shape (n_classes,), default=None
        Given class priors.
    var_smoothing : float, default=1e-9
        Share of the largest column variance that is added to all variances.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_prior_ : ndarray of shape (n_classes,)
        Probability of each class.
    theta_ : ndarray of shape (n_classes, n_features)
        Mean of each feature given the class.
    var_ : ndarray of shape (n_classes, n_features)
        Variance of each feature given the class.

    Examples
    --------
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

    @property
    def theta_(self) -> FloatArray:
        """Mean of each column in each class."""
        return self._statistic.mean.astype(self._dtype)

    @property
    def var_(self) -> FloatArray:
        """Variance of each column in each class, smoothing included."""
        return self._density.variance.astype(self._dtype)

    @property
    def epsilon_(self) -> float:
        """The constant added to every variance."""
        return float(self._family().added(self._statistic.pooled())[0, 0])

    @property
    def class_prior_(self) -> FloatArray:
        """Probability of each class."""
        return np.exp(self.model_.log_prior).astype(self._dtype)
