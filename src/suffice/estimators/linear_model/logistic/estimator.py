"""``LogisticRegression``."""

import importlib
import warnings
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import assert_all_finite, check_consistent_length, validate_data

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.schema import Schema
from suffice.errors import DataError, ParameterError
from suffice.estimators.intake import check_labels, check_weights, set_names
from suffice.estimators.learner import all_or_nothing, label_array
from suffice.estimators.linear_model.logistic.arguments import check_arguments, class_factors
from suffice.estimators.linear_model.logistic.batches import Opened, Rows, Stream, in_memory
from suffice.estimators.linear_model.logistic.linear_predictor import LinearPredictor
from suffice.estimators.linear_model.logistic.problem import LogisticProblem
from suffice.estimators.linear_model.logistic.solve import NotFiniteError, Solution, is_separated, solve
from suffice.estimators.linear_model.logistic.start import warm_table
from suffice.estimators.sourced import SourcePredictorMixin
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.descent import Point
from suffice.numerics.random_state import RandomState
from suffice.numerics.threads import thread_count
from suffice.sources import as_source, kernel_csr, open_source, open_table
from suffice.sources.source import Source


class LogisticRegression(SourcePredictorMixin, LinearPredictor):
    """Softmax regression with the L2 penalty, as ``sklearn.linear_model.LogisticRegression``.

    It minimises C Σ w (−log p(y | x)) + ½ |coef|², as scikit-learn does; ``C=np.inf`` leaves the weights unpenalised. The
    intercept is never penalised, except by ``solver="liblinear"``, as there. ``solver`` has no other effect: few
    weights are fitted by Newton's method, started from a shared-covariance Gaussian model, many by L-BFGS.

    Each step is a sum over rows, so ``fit_batches`` trains on rows that do not fit into memory. L1 and elastic net are
    not implemented.

    Parameters are scikit-learn's, but ``n_jobs`` is the number of threads (``None``: all cores), and ``random_state`` has no
    effect. Further attributes are ``loss_``, the penalised loss divided by the weight of the rows,
    and ``gradient_size_``, its largest derivative, which is compared with ``tol``.

    Parameters
    ----------
    penalty : deprecated
        Set ``C=np.inf`` for no penalty.
    C : float, default=1.0
        Inverse of the penalty.
    l1_ratio : float, default=0.0
        Accepted at 0 only.
    dual : bool, default=False
        Accepted as in scikit-learn.
    tol : float, default=1e-4
        Largest derivative at which iterations stop.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    intercept_scaling : float, default=1
        For ``solver="liblinear"``, as in scikit-learn.
    class_weight : mapping, "balanced" or None, default=None
        Weights of the classes.
    random_state : int, RandomState or None, default=None
        Has no effect.
    solver : str, default="lbfgs"
        Accepted as in scikit-learn.
    max_iter : int, default=100
        Largest number of iterations.
    verbose : int, default=0
        Accepted as in scikit-learn.
    warm_start : bool, default=False
        Whether to start from the last solution.
    n_jobs : int or None, default=None
        Threads; ``None`` is all cores.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        Weights.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        Intercepts.
    n_iter_ : ndarray of shape (1,)
        Iterations.
    loss_ : float
        Penalised loss divided by the weight of the rows.
    gradient_size_ : float
        Largest derivative, compared with ``tol``.

    Examples
    --------
    >>> from suffice.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict_proba([[1.5]]).round(3)
    array([[0.5, 0.5]])
    """

    n_iter_: AnyArray
    loss_: float
    gradient_size_: float
    schema_: Schema | None
    """The schema of the training files, applied to later files."""

    def __init__(
        self,
        penalty: Any = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: RandomState = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    # — learning —

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to a matrix and its labels, or to a source (a file, a query, a cluster frame …) and the names of the label
        and weight columns."""
        source = as_source(X) if isinstance(y, str) else open_source(X)
        if source is not None:
            return self._fit_source(source, y, sample_weight)
        with all_or_nothing(self):
            strength, threads = check_arguments(self), thread_count(self.n_jobs)
            rows = in_memory(self._opened(X, y, sample_weight, reset=True, finite=False), threads)
            try:
                return self._learned(rows, strength, threads)
            except NotFiniteError:
                assert_all_finite(X, input_name="X")  # raises scikit-learn's NotFittedError
                raise

    def fit_batches(self, batches: Any) -> Self:
        """Learn from batches ``(X, y)`` or ``(X, y, sample_weight)`` that need not fit into memory together.

        ``batches`` is read once to find the classes, and at least once per step: an iterable that can be iterated again, or
        a function that returns an iterator.

        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> model = LogisticRegression().fit_batches([(X[:100], y[:100]), (X[100:], y[100:])])
        >>> bool(np.allclose(model.coef_, LogisticRegression().fit(X, y).coef_))
        True
        """
        with all_or_nothing(self):
            strength, threads = check_arguments(self), thread_count(self.n_jobs)
            stream = Stream(batches, lambda batch, first: self._opened(*batch, reset=first, finite=True), threads)
            return self._learned(stream.rows(), strength, threads)

    def _fit_source(self, source: Source, label: Any, weight: Any) -> Self:
        """Fit to a source, with one sum over its rows per step."""
        with all_or_nothing(self):
            strength, threads = check_arguments(self), thread_count(self.n_jobs)
            opened = importlib.import_module("suffice.estimators.linear_model.logistic.from_source")  # loads Arrow
            with opened.rows_of(source, label, weight, threads) as (rows, names):
                set_names(self, names)
                self._learned(rows, strength, source.threads(threads))
            self.schema_ = source.schema
            return self

    def _of_batch(self, table: Any) -> Any:
        return table.only(list(self.feature_names_in_)).table  # scikit-learn checks its names

    def _opened(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, *, reset: bool, finite: bool
    ) -> Opened:
        """Validated rows, labels and weights. Whether dense rows are finite is checked at the first step."""
        sparse = sp.issparse(X)
        X = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=[np.float64, np.float32] if sparse else "numeric",  # numeric arrays are read in place
            ensure_all_finite=finite or sparse,
            reset=reset,
        )
        if y is not None:
            check_consistent_length(X, y)
        table = MatrixTable(kernel_csr(X)) if sparse else open_table(X)
        assert isinstance(table, MatrixTable)
        return table.values, check_labels(y, table.rows), check_weights(sample_weight, table.rows)

    def _learned(self, rows: Rows, strength: float, threads: int) -> Self:
        classes = label_array(rows.classes, rows.label_dtype)
        if len(classes) < 2:
            raise DataError(
                "This solver needs samples of at least 2 classes in the data, but the data contains only one class: "
                f"{rows.classes[0]!r}"
            )
        if self.solver == "liblinear" and len(classes) > 2:
            raise ParameterError(
                "The 'liblinear' solver does not support multiclass classification (n_classes >= 3)",
                "all other solvers do",
            )
        factors = class_factors(self.class_weight, classes, rows.totals)
        totals = factors * rows.totals
        ridge = np.full(rows.features + 1, 1.0 / (strength * totals.sum()))
        ridge[-1] *= 1.0 / self.intercept_scaling**2 if self.solver == "liblinear" else 0.0
        problem = LogisticProblem(
            rows.batches,
            rows.count,
            rows.features,
            totals,
            factors,
            ridge,
            bool(self.fit_intercept),
            threads,
            rows.scatter,
        )
        solution = solve(
            problem, self._warm(problem), tol=float(self.tol), max_steps=int(self.max_iter), report=self._report
        )
        self._warn(problem, solution)
        self.classes_, self.schema_ = classes, None
        self._set_solution(solution, np.float32 if rows.single else np.float64)
        return self

    def _warm(self, problem: LogisticProblem) -> FloatArray | None:
        """The weights of the last fit, for a warm start."""
        if not self.warm_start or not hasattr(self, "coef_"):
            return None
        coef = self.coef_ if isinstance(self.coef_, np.ndarray) else self.coef_.toarray()
        expected = (1 if problem.classes == 2 else problem.classes, problem.features)
        if coef.shape != expected:
            raise DataError(
                f"The weights to start from have shape {coef.shape}, expected shape {expected}",
                "warm_start needs the classes and columns of the last fit",
                "Set warm_start=False",
            )
        return warm_table(coef, self.intercept_ if self.fit_intercept else np.zeros_like(self.intercept_))

    def _report(self, step: int, point: Point) -> None:
        if self.verbose:
            print(f"step {step}: loss {point.value:.10g}, largest derivative {point.size:.3g}", flush=True)

    def _warn(self, problem: LogisticProblem, solution: Solution) -> None:
        if not solution.converged:
            warnings.warn(
                f"{self.solver} failed to converge after {solution.steps} iteration(s): the largest derivative is "
                f"{solution.size:.3g}, and tol is {self.tol:g}. Increase the number of iterations (max_iter), or scale "
                "the columns.",
                ConvergenceWarning,
                stacklevel=4,
            )
        elif not problem.ridge.any() and is_separated(problem, solution.table):
            warnings.warn(
                "The classes are separated by the columns, so the unpenalised loss has no finite minimum. "
                "The fit stopped where the gradient fell below tol. Use a finite C.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _set_solution(self, solution: Solution, dtype: Any) -> None:
        table = solution.table
        if table.shape[1] > 1:  # the weights with these differences and a sum of zero
            table = np.insert(table, 0, 0.0, axis=1)
            table -= table.mean(axis=1, keepdims=True)
        self.coef_ = np.ascontiguousarray(table[:-1].T, dtype=dtype)
        self.intercept_ = table[-1].astype(dtype)
        self.n_iter_ = np.array([solution.steps], dtype=np.int32)
        self.loss_, self.gradient_size_ = solution.value, solution.size

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        if self.solver == "liblinear":
            tags.classifier_tags.multi_class = False
        return tags
