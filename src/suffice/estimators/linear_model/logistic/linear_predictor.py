"""Predictions from linear scores."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from suffice import posterior
from suffice.columns.inputs import TableLike
from suffice.estimators.savable import Savable
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.threads import thread_count


class LinearPredictor(Savable, ClassifierMixin, BaseEstimator):
    """A classifier whose scores coef_ · x + intercept_ are log posteriors up to a constant per row."""

    n_jobs: int | None
    classes_: AnyArray
    coef_: Any  # an array, or a sparse matrix after ``sparsify``
    intercept_: AnyArray

    def decision_function(self, X: TableLike) -> AnyArray:
        """coef_ · x + intercept_, (rows, classes); for two classes the log-odds of the second, (rows,)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        scores = np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: TableLike) -> AnyArray:
        """The most probable class of each row; ties go to the first."""
        scores = self.decision_function(X)
        best = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        answers: AnyArray = self.classes_.take(best)
        return answers

    def predict_proba(self, X: TableLike) -> FloatArray:
        """p(class | x), (rows, classes), in the order of ``classes_``."""
        joint = self._joint(X)
        return posterior.posterior(joint, np.zeros(joint.shape[1]), thread_count(self.n_jobs))

    def predict_log_proba(self, X: TableLike) -> FloatArray:
        """log p(class | x), (rows, classes)."""
        joint = self._joint(X)
        return posterior.log_posterior(joint, np.zeros(joint.shape[1]), thread_count(self.n_jobs))

    def _joint(self, X: TableLike) -> FloatArray:
        """Log posteriors up to a constant per row."""
        scores = np.asarray(self.decision_function(X), dtype=np.float64)
        return np.column_stack([np.zeros_like(scores), scores]) if scores.ndim == 1 else np.ascontiguousarray(scores)

    def sparsify(self) -> Self:
        """Keep ``coef_`` as a sparse matrix."""
        check_is_fitted(self)
        self.coef_ = sp.csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Keep ``coef_`` as an array, as ``fit`` does."""
        check_is_fitted(self)
        if not isinstance(self.coef_, np.ndarray):
            self.coef_ = self.coef_.toarray()
        return self
