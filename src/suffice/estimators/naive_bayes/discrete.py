"""``BernoulliNB``, ``MultinomialNB``, ``ComplementNB`` and ``PoissonNB``: the drop-ins on counts."""

import warnings
from numbers import Real
from typing import Any, Never, Self

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.errors import ParameterError
from suffice.estimators.base import SufficeClassifier
from suffice.estimators.one_family import OneFamily
from suffice.families import Bernoulli, Complement, Multinomial, Poisson
from suffice.families.class_prior import ClassPrior, Empirical, Given, Uniform
from suffice.model import Model
from suffice.numerics.arrays import FloatArray

_MIN_ALPHA = 1e-10


class DiscreteNaiveBayes(OneFamily, SufficeClassifier):
    """Base of the drop-ins with pseudo-counts."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _class_prior(self) -> ClassPrior:
        if self.class_prior is not None:
            given = np.asarray(self.class_prior, dtype=np.float64)
            total = given.sum()
            return Given(given / total if total > 0 else given)
        return Empirical() if self.fit_prior else Uniform()

    def _check_alpha(self) -> Any:
        alpha: Any = self.alpha if isinstance(self.alpha, Real) else np.asarray(self.alpha, dtype=np.float64)
        if isinstance(alpha, np.ndarray):
            if alpha.ndim != 1:
                raise ParameterError(f"alpha is {self.alpha!r}", "it must be a number ≥ 0, or one a feature")
            if alpha.shape[0] != self.n_features_in_:
                raise ParameterError(
                    "When alpha is an array, it should contains `n_features`: "
                    f"it has {alpha.shape[0]} elements, not {self.n_features_in_}"
                )
            if alpha.min() < 0:
                raise ParameterError("All values in alpha must be greater than 0")
        if np.min(alpha) < _MIN_ALPHA and not self.force_alpha:
            warnings.warn(
                f"alpha too small will result in numeric errors, setting alpha = {_MIN_ALPHA:.1e}. "
                "Use `force_alpha=True` to keep alpha unchanged.",
                stacklevel=2,
            )
            return np.maximum(alpha, _MIN_ALPHA)
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
    """Naive Bayes on binary columns, as ``sklearn.naive_bayes.BernoulliNB``.

    Parameters
    ----------
    alpha : float or array-like, default=1.0
        Pseudo-count of each feature.
    force_alpha : bool, default=True
        If False, ``alpha`` below 1e-10 is set to 1e-10.
    binarize : float or None, default=0.0
        Threshold above which a feature is 1; ``None`` expects binary features.
    fit_prior : bool, default=True
        Whether to estimate class priors; if False, they are uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Given class priors.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        Weighted rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Log prior of each class.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weighted count of each feature in each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Log probability of each feature given the class.

    Examples
    --------
    >>> from suffice.naive_bayes import BernoulliNB
    >>> BernoulliNB().fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"]).predict([[0, 2]]).tolist()
    ['b']
    """

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
        return self._statistic.total

    @property
    def feature_log_prob_(self) -> FloatArray:
        """log p(x_j = 1 | class)."""
        return self._density.above


class MultinomialNB(DiscreteNaiveBayes):
    """Naive Bayes on word counts, as ``sklearn.naive_bayes.MultinomialNB``.

    Parameters
    ----------
    alpha : float or array-like, default=1.0
        Pseudo-count of each feature.
    force_alpha : bool, default=True
        If False, ``alpha`` below 1e-10 is set to 1e-10.
    fit_prior : bool, default=True
        Whether to estimate class priors; if False, they are uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Given class priors.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        Weighted rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Log prior of each class.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weighted count of each feature in each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Log probability of each feature given the class.

    Examples
    --------
    >>> from suffice.naive_bayes import MultinomialNB
    >>> MultinomialNB().fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"]).predict([[0, 2]]).tolist()
    ['b']
    """

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
        return self._statistic.total

    @property
    def feature_log_prob_(self) -> FloatArray:
        """log p(word j | class)."""
        return self._density.slope

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class ComplementNB(MultinomialNB):
    """Complement naive Bayes, as ``sklearn.naive_bayes.ComplementNB``: scores do not include the class prior.

    Parameters
    ----------
    alpha : float or array-like, default=1.0
        Pseudo-count of each feature.
    force_alpha : bool, default=True
        If False, ``alpha`` below 1e-10 is set to 1e-10.
    fit_prior : bool, default=True
        Whether to estimate class priors; if False, they are uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Given class priors.
    norm : bool, default=False
        Whether to normalise the weights of each class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        Weighted rows of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        Log prior of each class.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weighted count of each feature in each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Log probability of each feature given the class.

    Examples
    --------
    >>> from suffice.naive_bayes import ComplementNB
    >>> ComplementNB().fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"]).predict([[0, 2]]).tolist()
    ['b']
    """

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

    def _set_model(self, model: Model) -> Self:
        self._class_prior().probabilities(
            model.tally.weight, model.classes, "mle"
        )  # raises for a prior of other classes
        return super()._set_model(model)

    def predict_joint_log_proba(self, X: TableLike) -> FloatArray:
        """The score of each class, (rows, classes)."""
        return super().predict_joint_log_proba(X) - self.model_.log_prior

    @property
    def score_samples(self) -> Never:
        """Not available, as in scikit-learn: complement scores are not a density."""
        raise AttributeError(
            "ComplementNB scores classes and has no density of rows. Use MultinomialNB for score_samples."
        )

    @property
    def feature_all_(self) -> FloatArray:
        """Total of each column in all classes."""
        return self.feature_count_.sum(axis=0)


class PoissonNB(DiscreteNaiveBayes):
    """Naive Bayes on independent Poisson counts. ``alpha`` events in ``beta`` rows are added to each class.

    By default (``alpha=None``) these are ``beta`` rows at the mean of the column.

    Parameters
    ----------
    alpha : float or None, default=None
        Events of the prior; ``None`` is ``beta`` rows at the column's mean.
    beta : float, default=1.0
        Rows of the prior.
    fit_prior : bool, default=True
        Whether to estimate class priors; if False, they are uniform.
    class_prior : array-like of shape (n_classes,), default=None
        Given class priors.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        Weighted rows of each class.

    Examples
    --------
    >>> from suffice.naive_bayes import PoissonNB
    >>> PoissonNB().fit([[2, 0], [0, 1], [3, 1]], ["a", "b", "a"]).predict([[0, 2]]).tolist()
    ['b']
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
        return self._statistic.total

    @property
    def rate_(self) -> FloatArray:
        """λ of each column in each class."""
        return self._density.rate

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
