"""Linear regression on one-hot targets, used as a classifier."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import assert_all_finite

from suffice.columns.inputs import TableLike
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.estimators.one_family import OneFamily
from suffice.families import MultivariateNormal
from suffice.families.class_prior import ClassPrior, Empirical
from suffice.families.settings import number
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.covariances.base import EIGENVALUE_ROUNDING


class LeastSquaresClassifier(ClassifierMixin, OneFamily):
    """Linear regression of class indicators on the columns; predicts the class with the largest fitted value.

    It uses the same scatter matrix as Gaussian discriminant analysis: with T the scatter of all rows, n_c and μ_c the rows and
    mean of class c, w_c = (T + alpha I)⁻¹ n_c (μ_c − mean). The fitted values sum to one but are no probabilities: they
    leave [0, 1], rows far on the correct side of the boundary move it, and of three classes whose means lie on a line the
    middle one may never be predicted. There is therefore no ``predict_proba``.

    ``alpha`` is the ridge penalty on the weights. Collinear columns share their weight.

    Parameters
    ----------
    alpha : float, default=0.0
        Ridge penalty on the weights.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_ : ndarray of shape (n_classes, n_features)
        Weights.
    intercept_ : ndarray of shape (n_classes,)
        Intercepts.

    Examples
    --------
    >>> from suffice.linear_model import LeastSquaresClassifier
    >>> LeastSquaresClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]).predict([[1.4], [1.6]]).tolist()
    ['a', 'b']
    """

    _sparse = False

    def __init__(self, *, alpha: float = 0.0) -> None:
        self.alpha = alpha

    def _family(self) -> MultivariateNormal:
        number("LeastSquaresClassifier", "alpha", self.alpha)
        return MultivariateNormal()

    def _class_prior(self) -> ClassPrior:
        return Empirical()

    def _open(self, X: TableLike, *, reset: bool) -> Table:
        table = super()._open(X, reset=reset)
        assert isinstance(table, MatrixTable)
        assert_all_finite(table.values, input_name="X")
        return table

    def fitted_values(self, X: TableLike) -> FloatArray:
        """w_c · x + b_c, (rows, classes). They sum to one over the classes."""
        self._check_not_empty()
        table = self._open(X, reset=False)
        coef, intercept = self._weights()
        return np.asarray(table.numbers(table.names).dense @ coef.T + intercept)

    def decision_function(self, X: TableLike) -> FloatArray:
        """The fitted values; for two classes that of the second minus ½, (rows,)."""
        values = self.fitted_values(X)
        return np.asarray(values[:, 1] - 0.5) if values.shape[1] == 2 else values

    def predict(self, X: TableLike) -> AnyArray:
        """The class with the largest fitted value, the first of equals."""
        best = self.fitted_values(X).argmax(axis=1)
        answers: AnyArray = self.classes_.take(best)
        return answers

    def _weights(self) -> tuple[FloatArray, FloatArray]:
        statistic = self._statistic
        n, mean = statistic.weight, statistic.mean
        centre = n @ mean / n.sum()
        total = statistic.matrix(0)
        for c in range(1, len(n)):
            total = total.plus(statistic.matrix(c))
        toward = np.sqrt(n)[:, None] * (mean - centre)
        for row in toward:
            total = total.plus_outer(row)
        if self.alpha > 0:
            total = total.plus_diagonal(np.full(len(centre), float(self.alpha)))
        coef = total.dropping(EIGENVALUE_ROUNDING).solved(np.sqrt(n)[:, None] * toward)
        return coef, n / n.sum() - coef @ centre

    @property
    def coef_(self) -> FloatArray:
        """Weights, (classes, columns)."""
        return self._weights()[0].astype(self._dtype)

    @property
    def intercept_(self) -> FloatArray:
        """Constants, one per class."""
        return self._weights()[1].astype(self._dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags
