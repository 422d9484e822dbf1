"""``QuadraticDiscriminantAnalysis``."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.labels import Label, Labels
from suffice.errors import DataError, ParameterError, SingularError
from suffice.estimators.discriminant_analysis.base import DiscriminantAnalysis, check_two_classes
from suffice.estimators.discriminant_analysis.class_covariances import FromRows, check_settings, class_covariance
from suffice.families.base import Family, Rule
from suffice.families.class_prior import ClassPrior, Empirical, Given
from suffice.families.multivariate_normal import MultivariateNormal, NormalDensities
from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance, FullCovariance
from suffice.statistics import Scatter, WideScatter


@dataclass(frozen=True)
class OwnNormal(MultivariateNormal):
    """One covariance per class, each of full rank."""

    solver: str = "svd"
    share: float | None = None
    from_rows: FromRows | None = None
    reg_param: float = 0.0
    tol: float = 1e-4

    left_out = Family.left_out  # covariances are computed differently

    def estimate(self, statistic: Scatter | WideScatter, rule: Rule, classes: Sequence[Label]) -> NormalDensities:
        made = tuple(FullCovariance(self._own(statistic, c).full(), cut=1e-15) for c in range(len(classes)))
        for c, covariance in enumerate(made):
            least = float(np.linalg.eigvalsh(covariance.matrix)[0])
            if least <= self.tol:
                met = f": its smallest eigenvalue is {least:.3g}, and tol is {self.tol:g}"
                raise singular(classes[c], self.solver, float(statistic.weight[c]), len(covariance.matrix), met)
        return NormalDensities(statistic.mean, made, None)

    def _own(self, statistic: Scatter | WideScatter, klass: int) -> Covariance:
        own = class_covariance(
            statistic.matrix(klass), float(statistic.weight[klass]), klass, self.share, self.from_rows
        )
        if self.reg_param == 0:
            return own
        return own.scaled(1 - self.reg_param).plus_diagonal(np.full(len(own.variances), self.reg_param))


def singular(label: Label, solver: str, rows: float, columns: int, met: str = "") -> SingularError:
    """scikit-learn's error for a class with a singular covariance; ``met`` describes the eigenvalue and the
    tolerance."""
    found = f"The covariance matrix of class {label} is not full rank{met}"
    if solver == "svd" and rows <= columns:
        return SingularError(
            f"{found}. When using `solver='svd'` the number of samples in each class should be more than the number "
            f"of features, but class {label} has {rows:g} samples and {columns} features",
            "",
            "Try `solver='eigen'` with `shrinkage`, or BayesClassifier(MultivariateNormal()), which needs neither",
        )
    remedy = "shrinkage" if solver == "eigen" else "reg_param"
    return SingularError(
        found,
        "the columns must be linearly independent, with variances above tol",
        f"Increase `{remedy}` to reduce the collinearity, or use BayesClassifier(MultivariateNormal())",
    )


class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """Gaussian classes, each with its own covariance, as ``sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis``.

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
        Accepted as in scikit-learn.
    shrinkage : "auto", float or None, default=None
        Shrinkage of the covariance, by the Ledoit-Wolf lemma or given.
    priors : array-like of shape (n_classes,), default=None
        Given class priors.
    reg_param : float, default=0.0
        Share by which a covariance is shrunk toward the identity.
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
    means_ : ndarray of shape (n_classes, n_features)
        Class means.
    priors_ : ndarray of shape (n_classes,)
        Class priors.

    Examples
    --------
    >>> from suffice.discriminant_analysis import QuadraticDiscriminantAnalysis
    >>> X, y = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], [1, 1, 1, 2, 2, 2]
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _check(self, labels: Labels, columns: int) -> None:
        check_two_classes(labels)
        single = np.flatnonzero(labels.counts == 1)
        if len(single):
            raise DataError(
                f"y has only 1 sample in class {labels.classes[int(single[0])]}, covariance is ill defined",
                "each class needs at least two rows",
                "Use BayesClassifier(MultivariateNormal()), whose prior replaces missing rows",
            )
        few = np.flatnonzero(labels.counts < columns)
        if self.solver == "svd" and len(
            few
        ):  # even with reg_param, the rank of scikit-learn's solver is limited by the number of rows
            c = int(few[0])
            raise singular(labels.classes[c], self.solver, float(labels.counts[c]), columns)

    def _family(self) -> OwnNormal:
        check_settings(
            "QuadraticDiscriminantAnalysis",
            self.solver,
            ("svd", "eigen"),
            self.shrinkage,
            self.covariance_estimator,
            self.tol,
        )
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ParameterError("covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead")
        if not isinstance(self.reg_param, Real) or not 0 <= float(self.reg_param) <= 1:
            raise ParameterError(f"reg_param is {self.reg_param!r}", "it must be a number from 0 to 1")
        return OwnNormal(
            solver=self.solver,
            share=None if self._reads_rows else self.shrinkage,
            from_rows=self._given,
            reg_param=float(self.reg_param) if self.solver == "svd" else 0.0,
            tol=float(self.tol),
        )

    def _class_prior(self) -> ClassPrior:
        return Empirical() if self.priors is None else Given(np.array(self.priors, dtype=np.float64))

    def decision_function(self, X: TableLike) -> FloatArray:
        """Log posterior up to a constant per row, (rows, classes); for two classes the log-odds of the second, (rows,)."""
        scores = self.predict_joint_log_proba(X) + 0.5 * self.n_features_in_ * np.log(2 * np.pi)
        return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

    @property
    def covariance_(self) -> list[FloatArray]:
        """Covariance of each class."""
        if not self.store_covariance:
            raise AttributeError("covariance_ needs store_covariance=True")
        return [c.full() for c in self._normals.covariances]

    @property
    def rotations_(self) -> list[FloatArray]:
        """Principal axes of each class, as columns, the widest first."""
        return [vectors for _, vectors in self._axes()]

    @property
    def scalings_(self) -> list[FloatArray]:
        """Variance along each principal axis of each class."""
        return [values for values, _ in self._axes()]

    def _axes(self) -> list[tuple[FloatArray, FloatArray]]:
        pairs = [np.linalg.eigh(c.full()) for c in self._normals.covariances]
        return [(np.asarray(values)[::-1], np.asarray(vectors)[:, ::-1]) for values, vectors in pairs]
