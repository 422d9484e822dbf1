"""The decision as an estimator, on top of any classifier with probabilities."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.decision import (
    Chow,
    Costs,
    Decision,
    DensityFloor,
    PriorEstimate,
    conformal,
    decide,
    estimate_priors,
    expected_cost,
)
from suffice.decision.budgets import BUDGETS, Novelty, learned
from suffice.decision.calibration import check_method
from suffice.decision.costs import CostsLike, aligned
from suffice.decision.held_out import HeldOut
from suffice.decision.intake import check_posterior, check_prior, logarithm
from suffice.decision.reject import RULES, as_rules
from suffice.errors import ParameterError
from suffice.estimators.decision.calibrated_posteriors import CalibratedPosteriors
from suffice.estimators.decision.trained_prior import trained_prior
from suffice.estimators.decision.training import train, train_and_hold_out
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray
from suffice.numerics.random_state import RandomState

_HELD_OUT_SHARE = 0.2


def _random_state(random_state: RandomState) -> np.random.RandomState:
    """``random_state`` in a form that scikit-learn's splitters accept."""
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    return check_random_state(random_state)


class BayesDecision(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier that predicts the action of least expected cost, or rejects the row.

    ``costs``, ``reject`` and ``priors`` may be changed after ``fit`` (by ``set_params`` or as attributes): no
    retraining is needed, and limits that depend on them are recomputed from the held-out rows.

    Parameters
    ----------
    estimator : classifier with predict_proba
    costs : (classes, actions), mapping, frame, Costs, Utilities or None, default=None
        As in ``suffice.decision.decide``. Costs that differ by row are passed to ``predict(X, costs=...)``.
    reject : rule, sequence of rules or None, default=None
        ``Chow``, ``ConfidenceFloor``, ``RiskLimit`` and ``DensityFloor`` have fixed limits; ``Workload``, ``ErrorBudget`` and
        ``Novelty`` learn theirs from held-out rows. A row is rejected if any rule rejects it.
    priors : mapping, (classes,) or None, default=None
        The true class prior, where it differs from that of the training rows.
    calibrate : None, "temperature", "platt", "vector" or "isotonic", default=None
        How posteriors are calibrated on held-out rows, when fitting. Limits and sets are then learned from the other half
        of these rows.
    trained : mapping, (classes,) or None, default=None
        The prior contained in the classifier's posteriors. None is the prior of a generative classifier, or else the
        (weighted) label frequencies.
    cv : float, int, splitter, "prefit" or None, default=None
        Which rows are held out. A float is a share that the classifier never learns from, so that guarantees are exact.
        A number of folds, or a splitter, gives out-of-fold posteriors, and a classifier that learns from all rows:
        guarantees are then approximate, as the classifiers of the folds differ from it. With "prefit" the classifier is
        fitted already, and all rows of ``fit`` are held out. None is 0.2 if ``calibrate`` or ``reject`` need it, else
        nothing.
    random_state : int, RandomState, Generator or None, default=None
        Which rows are held out, and which of them calibrate. A splitter in ``cv`` has its own.

    Attributes
    ----------
    estimator_ : the fitted classifier
    classes_ : (classes,)
    costs_ : the costs in use, with the names of classes and actions
    reject_ : the rules in use, with their limits
    trained_prior_ : (classes,), the prior in the classifier's posteriors
    calibration_ : the map from posteriors to calibrated ones, or None
    held_out_ : calibrated posteriors and labels from which limits are learned, or None

    Examples
    --------
    >>> from suffice import BayesClassifier, BayesDecision
    >>> from suffice.decision import Chow
    >>> model = BayesDecision(BayesClassifier(model="naive"), reject=Chow(0.1))
    >>> model = model.fit([[1.0], [1.2], [3.1], [2.9]], ["a", "a", "b", "b"])
    >>> model.predict([[1.0], [2.0], [3.0]]).tolist()
    ['a', 'reject', 'b']
    >>> model.set_params(reject=None, costs={("a", "b"): 10, ("b", "a"): 1}).predict([[2.0]]).tolist()
    ['a']
    """

    def __init__(
        self,
        estimator: Any,
        *,
        costs: CostsLike = None,
        reject: Any = None,
        priors: Any = None,
        calibrate: str | None = None,
        trained: Any = None,
        cv: Any = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.reject = reject
        self.priors = priors
        self.calibrate = calibrate
        self.trained = trained
        self.cv = cv
        self.random_state = random_state

    # — learning —

    def fit(self, X: TableLike, y: LabelsLike, **params: Any) -> Self:
        """Train the classifier, hold out what is needed, and calibrate.

        ``params`` are passed to the classifier's ``fit`` (by metadata routing, if enabled). Sample weights apply to training
        and to the trained prior; every held-out row counts once.
        """
        if not hasattr(self.estimator, "predict_proba"):
            raise ParameterError(
                f"{type(self.estimator).__name__} has no predict_proba",
                "decisions are made on probabilities",
                "Wrap it, for instance in sklearn.calibration.CalibratedClassifierCV",
            )
        routed = sklearn.get_config()["enable_metadata_routing"]
        params = process_routing(self, "fit", **params).estimator.fit if routed else params
        rng, cv = _random_state(self.random_state), self._cv()
        done = (
            train(self.estimator, X, y, params)
            if cv is None
            else train_and_hold_out(self.estimator, X, y, params, cv, rng)
        )
        classes, held = done.classifier.classes_, done.held_out
        trained = (
            trained_prior(done.classifier, done.labels, done.weight)
            if self.trained is None
            else check_prior("trained", self.trained, classes)
        )
        beliefs = CalibratedPosteriors(trained, trained)
        if self.calibrate is not None and held is not None:
            beliefs, held = CalibratedPosteriors.calibrated_on(held, trained, self.calibrate, classes, rng)
        self.estimator_, self.classes_, self.held_out_ = done.classifier, classes, held
        self._calibrated_posteriors, self.trained_prior_, self.calibration_ = beliefs, trained, beliefs.calibration
        self._limits: dict[Any, Any] = {}
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(done.classifier, name):
                setattr(self, name, getattr(done.classifier, name))
        return self

    def _cv(self) -> Any:
        if self.calibrate is not None:
            check_method(self.calibrate)
        learns = self.calibrate is not None or any(isinstance(rule, BUDGETS) for rule in self._rules())
        if isinstance(self.cv, str) and self.cv != "prefit":
            raise ParameterError(f"cv is {self.cv!r}", "it must be a share, a number of folds, a splitter or 'prefit'")
        return _HELD_OUT_SHARE if self.cv is None and learns else self.cv

    # — settings in use —

    def _rules(self) -> tuple[Any, ...]:
        return as_rules(self.reject, (*RULES, *BUDGETS))

    @property
    def costs_(self) -> Costs:
        """The costs in use, in the order of the classes."""
        check_is_fitted(self)
        return aligned(self.costs, self.classes_)

    @property
    def reject_(self) -> tuple[Any, ...]:
        """The rules in use, with the limits that were learned from held-out rows."""
        check_is_fitted(self)
        rules = self._rules()
        if not any(isinstance(rule, BUDGETS) for rule in rules):
            return rules
        table, prior = self.costs_, self._true_prior()
        key = (rules, table.values.tobytes(), *table.actions.tolist(), None if prior is None else prior.tobytes())
        if key not in self._limits:
            held = self._held_out_under_prior()
            self._limits.clear()
            self._limits[key] = tuple(
                learned(rule, held.posterior, held.codes, table, held.log_density) for rule in rules
            )
        return tuple(self._limits[key])

    def _true_prior(self) -> FloatArray | None:
        return None if self.priors is None else check_prior("true", self.priors, self.classes_)

    def _held_out_under_prior(self) -> HeldOut:
        """The held-out rows, subsampled to the current priors, with corrected posteriors."""
        if self.held_out_ is None:
            raise ParameterError(
                "No rows were held out when fitting",
                "limits and sets are learned from such rows",
                "Fit again with cv=0.2",
            )
        prior = self._true_prior()
        if prior is None:
            return self.held_out_
        resampled = self.held_out_.resampled(prior, self.classes_)
        return replace(resampled, posterior=self._calibrated_posteriors.under(prior, resampled.posterior))

    def _calibrated(self, X: TableLike) -> FloatArray:
        check_is_fitted(self)
        return self._calibrated_posteriors.calibrated(check_posterior(self.estimator_.predict_proba(X)))

    # — prediction —

    def predict_proba(self, X: TableLike) -> FloatArray:
        """p(class | x), calibrated, under the true prior."""
        calibrated = self._calibrated(X)
        return self._calibrated_posteriors.under(self._true_prior(), calibrated)

    def predict_log_proba(self, X: TableLike) -> FloatArray:
        """The logarithm of :meth:`predict_proba`."""
        return logarithm(self.predict_proba(X))

    def decide(self, X: TableLike, costs: CostsLike = None) -> Decision:
        """The action of each row with its risk. ``costs``, one set per row, override those of the estimator."""
        posterior, rules = self.predict_proba(X), self.reject_
        if costs is not None and any(isinstance(r, BUDGETS) and not isinstance(r, Novelty) for r in self._rules()):
            raise ParameterError(
                f"Costs were given with {self.reject!r}",
                "its limit was learned under the costs of the estimator",
                "Use Chow(cost), or learn_reject with the costs of the held-out rows",
            )
        has_floor = any(isinstance(rule, DensityFloor) for rule in rules) and hasattr(self.estimator_, "score_samples")
        density = self.estimator_.score_samples(X) if has_floor else None
        given = self.costs if costs is None else costs
        return decide(posterior, given, reject=rules, classes=self.classes_, log_density=density)

    def predict(self, X: TableLike, costs: CostsLike = None) -> AnyArray:
        """The actions, ``REJECT`` where the row is rejected; by default the most probable classes."""
        return self.decide(X, costs).actions

    def predict_set(self, X: TableLike, coverage: float = 0.9, *, per_class: bool = False) -> BoolArray:
        """Which classes are in the smallest set that contains the true one with probability ``coverage``, (rows,
        classes)."""
        posterior, held = self.predict_proba(X), self._held_out_under_prior()
        labels = self.classes_[held.codes]
        return conformal(held.posterior, labels, coverage, per_class=per_class, classes=self.classes_)(posterior)

    def estimate_priors(self, X: TableLike) -> PriorEstimate:
        """The class prior of unlabelled rows, to be set as ``priors`` if it has changed."""
        return estimate_priors(self._calibrated(X), self._calibrated_posteriors.prior, classes=self.classes_)

    def score(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None, costs: CostsLike = None) -> float:
        """One minus the mean cost; under 0-1 costs, the accuracy. Rejection needs a cost."""
        given = self.costs if costs is None else costs
        if given is None and self.reject is None:
            return float(super().score(X, y, sample_weight))
        price = next((rule.cost for rule in self._rules() if isinstance(rule, Chow)), None)
        taken = self.predict(X, costs)
        cost = expected_cost(y, taken, given, classes=self.classes_, reject_cost=price, sample_weight=sample_weight)
        return 1.0 - cost

    # — scikit-learn —

    def get_metadata_routing(self) -> MetadataRouter:
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add_self_request(self).add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        theirs = get_tags(self.estimator)
        tags.input_tags = theirs.input_tags
        tags.classifier_tags = theirs.classifier_tags
        return tags
