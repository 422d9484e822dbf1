"""``LinearDiscriminantAnalysis``."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from suffice.columns.inputs import TableLike
from suffice.columns.labels import Label, Labels
from suffice.errors import DataError, ParameterError
from suffice.estimators.discriminant_analysis.base import DiscriminantAnalysis
from suffice.estimators.discriminant_analysis.class_covariances import (
    FromRows,
    check_settings,
    class_covariance,
    shrunk,
)
from suffice.families.base import Family, Rule
from suffice.families.class_prior import ClassPrior, Empirical, Given
from suffice.families.multivariate_normal import MultivariateNormal, NormalDensities
from suffice.families.multivariate_normal.axes import discriminant_axes
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.covariances import Covariance
from suffice.numerics.covariances.base import EIGENVALUE_ROUNDING
from suffice.statistics import Scatter, WideScatter


@dataclass(frozen=True)
class SharedNormal(MultivariateNormal):
    """One covariance for all classes; directions of zero variance are ignored.

    ``by_rows`` it is the pooled scatter divided by the number of rows; otherwise the class covariances are averaged
    with weights ``priors``.
    """

    by_rows: bool = True
    priors: ClassPrior = field(default_factory=Empirical)
    share: float | None = None
    from_rows: FromRows | None = None
    cut: float = EIGENVALUE_ROUNDING

    left_out = Family.left_out  # covariances are computed differently

    def estimate(self, statistic: Scatter | WideScatter, rule: Rule, classes: Sequence[Label]) -> NormalDensities:
        weights = statistic.weight if self.by_rows else self.priors.probabilities(statistic.weight, classes, rule)
        within = self.averaged(statistic, weights / max(float(weights.sum()), 1e-300))
        return NormalDensities(statistic.mean, (within.dropping(self.cut),), None)

    def averaged(self, statistic: Scatter | WideScatter, weights: FloatArray) -> Covariance:
        """Σ weight · covariance of the class."""
        total = statistic.matrix(0).scaled(0.0)
        for c, weight in enumerate(weights):
            own = class_covariance(statistic.matrix(c), float(statistic.weight[c]), c, self.share, self.from_rows)
            total = total.plus(own.scaled(float(weight)))  # type: ignore[arg-type]
        return total


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, DiscriminantAnalysis):
    """Gaussian classes with one covariance, as ``sklearn.discriminant_analysis.LinearDiscriminantAnalysis``.

    The three solvers use the same statistics. As in scikit-learn, they differ in the fitted attributes and in the treatment
    of singular covariances; unlike scikit-learn's, the ``eigen`` solver does not fail on these.

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
        Accepted as in scikit-learn.
    shrinkage : "auto", float or None, default=None
        Shrinkage of the covariance, by the Ledoit-Wolf lemma or given.
    priors : array-like of shape (n_classes,), default=None
        Given class priors.
    n_components : int or None, default=None
        Number of components of ``transform``.
    store_covariance : bool, default=False
        Whether to set ``covariance_``.
    tol : float, default=1e-4
        Threshold below which a singular value counts as zero.
    covariance_estimator : estimator, default=None
        An estimator with ``fit`` and ``covariance_``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        Weights.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        Intercepts.
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    priors_ : ndarray of shape (n_classes,)
        Class priors.

    Examples
    --------
    >>> from suffice.discriminant_analysis import LinearDiscriminantAnalysis
    >>> X, y = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], [1, 1, 1, 2, 2, 2]
    >>> LinearDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _check(self, labels: Labels, columns: int) -> None:
        if len(labels.codes) < 2:
            raise DataError(f"Found array with {len(labels.codes)} sample(s) while a minimum of 2 is required")
        if len(labels.codes) == len(labels.classes):
            raise DataError("The number of samples must be more than the number of classes")
        most = min(len(labels.classes) - 1, columns)
        wanted = self.n_components
        if wanted is not None and (isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1):
            raise ParameterError(f"n_components is {wanted!r}", "it must be None or a whole number ≥ 1")
        if wanted is not None and wanted > most:
            raise ParameterError("n_components cannot be larger than min(n_features, n_classes - 1)")

    def _family(self) -> SharedNormal:
        check_settings(
            "LinearDiscriminantAnalysis",
            self.solver,
            ("svd", "lsqr", "eigen"),
            self.shrinkage,
            self.covariance_estimator,
            self.tol,
        )
        if self.solver == "svd":
            if self.covariance_estimator is not None:
                raise ParameterError("covariance estimator is not supported with svd solver. Try another solver")
            # eigenvalues: the squares of the singular values that scikit-learn compares with tol
            return SharedNormal(cut=max(float(self.tol) ** 2, EIGENVALUE_ROUNDING))
        share = None if self._reads_rows else self.shrinkage
        return SharedNormal(by_rows=False, priors=self._class_prior(), share=share, from_rows=self._given)

    def _class_prior(self) -> ClassPrior:
        if self.priors is None:
            return Empirical()
        given = np.asarray(self.priors, dtype=np.float64)
        if (given < 0).any():
            raise ParameterError("priors must be non-negative")
        if abs(given.sum() - 1) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=5)
        return Given(given / given.sum())

    # — prediction —

    def decision_function(self, X: TableLike) -> FloatArray:
        """coef_ · x + intercept_, (rows, classes), the log posterior up to a constant per row; for two classes the
        log-odds of the second, (rows,)."""
        self._check_not_empty()
        x = self._matrix(X)
        centre, slope, constant = self._line
        scores = np.zeros((len(x), len(slope)))
        kernels.add_affine_scores(x, centre, slope, constant, scores, self._threads())
        holes = np.flatnonzero(np.isnan(scores[:, 0]))
        if len(holes):  # rows with a missing cell have a posterior but no linear score
            scores[holes] = self.predict_joint_log_proba(x[holes])
        if len(slope) == 2:
            return np.asarray(scores[:, 1] - scores[:, 0])
        return scores

    def _matrix(self, X: TableLike) -> AnyArray:
        table = self._open(X, reset=False)
        return table.numbers(table.names).dense

    @property
    def _line(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """A centre, and slopes and constants of the linear scores relative to it."""
        mean, covariance = self._normals.mean, self._normals.covariances[0]
        prior = np.exp(self.model_.log_prior)
        xbar = prior @ mean
        centre = xbar if self.solver == "svd" else np.zeros_like(xbar)
        slope = covariance.solved(mean - centre)
        constant = self.model_.log_prior - 0.5 * (slope * (mean - centre)).sum(axis=1)
        return centre, slope, constant

    def transform(self, X: TableLike) -> FloatArray:
        """The rows projected on the directions that best separate the classes."""
        if self.solver == "lsqr":
            raise NotImplementedError("transform not implemented for 'lsqr' solver (use 'svd' or 'eigen').")
        self._check_not_empty()
        x = self._matrix(X)
        return np.asarray((x - self.xbar_ if self.solver == "svd" else x) @ self.scalings_[:, : self._n_features_out])

    @property
    def _n_features_out(self) -> int:
        if self.n_components is not None:
            return self.n_components
        return min(len(self.classes_) - 1, self.n_features_in_)

    # — scikit-learn's attributes —

    @property
    def coef_(self) -> FloatArray:
        """Weights (classes, columns); of two classes their difference, (1, columns)."""
        self._check_fitted()
        slope = self._line[1]
        return (slope[1:] - slope[:1] if len(slope) == 2 else slope).astype(self._dtype)

    @property
    def intercept_(self) -> FloatArray:
        """Constants of the linear scores."""
        self._check_fitted()
        centre, slope, constant = self._line
        at_zero = constant - slope @ centre
        return (at_zero[1:] - at_zero[:1] if len(slope) == 2 else at_zero).astype(self._dtype)

    @property
    def covariance_(self) -> FloatArray:
        """Covariance within the classes, weighted by their priors."""
        if self.solver == "svd" and not self.store_covariance:
            raise AttributeError("covariance_ needs store_covariance=True or another solver")
        family, weights = self._family(), np.exp(self.model_.log_prior)
        return family.averaged(self._statistic, weights).full().astype(self._dtype)

    @property
    def xbar_(self) -> FloatArray:
        """Mean of the class means, weighted by their priors."""
        if self.solver != "svd":
            raise AttributeError("xbar_ needs the svd solver")
        self._check_fitted()
        return (np.exp(self.model_.log_prior) @ self._normals.mean).astype(self._dtype)

    @property
    def scalings_(self) -> FloatArray:
        """Directions that separate the classes, strongest first, as columns."""
        return self._directions()[0].astype(self._dtype)

    @property
    def explained_variance_ratio_(self) -> FloatArray:
        """Share of the variance between the classes along each direction."""
        between = self._directions()[1]
        most = len(between) if self.solver == "svd" else self._n_features_out
        ratio = between / between.sum() if between.sum() > 0 else between
        return ratio[: min(most, self._n_features_out)].astype(self._dtype)

    def _directions(self) -> tuple[FloatArray, FloatArray]:
        """Directions, and the variance between classes along each."""
        if self.solver == "lsqr":
            raise AttributeError("the lsqr solver computes no directions")
        self._check_fitted()
        covariance = self._normals.covariances[0]
        if self.solver == "svd":
            prior = np.exp(self.model_.log_prior)
            _, axes, strength = discriminant_axes(self._normals.mean, prior, covariance, float(self.tol))
            return axes, strength**2
        white = covariance.whitened(np.eye(self.n_features_in_))  # any root of the inverse
        values, turn = np.linalg.eigh(white.T @ self._between() @ white)
        return np.asarray(white @ turn)[:, ::-1], np.asarray(values[::-1], dtype=np.float64)

    def _between(self) -> FloatArray:
        """Between-class covariance: total minus within-class."""
        statistic, within = self._statistic, self._normals.covariances[0].full()
        if self._given is not None:
            return self._given.total - within
        n = statistic.weight
        centre = n @ statistic.mean / n.sum()
        total = statistic.matrix(0)
        for c in range(1, len(n)):
            total = total.plus(statistic.matrix(c))
        for c in range(len(n)):
            total = total.plus_outer(np.sqrt(n[c]) * (statistic.mean[c] - centre))
        return np.asarray(shrunk(total.scaled(1 / n.sum()), self.shrinkage or 0.0).full() - within)
