"""The estimators that have a model file, and the families that only they use, with their tags in the file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from suffice.errors import NotSavableError, quoted
from suffice.estimators import discriminant_analysis as da
from suffice.estimators import linear_model as lm
from suffice.estimators import naive_bayes as nb
from suffice.estimators.bayes import BayesClassifier
from suffice.estimators.checkpoint import Checkpoint, Pane
from suffice.estimators.designed import Design, DesignMatrixClassifier
from suffice.estimators.designed.words import WordWeights
from suffice.estimators.discriminant_analysis.class_covariances import FromRows
from suffice.estimators.discriminant_analysis.linear import SharedNormal
from suffice.estimators.discriminant_analysis.quadratic import OwnNormal
from suffice.estimators.held_out_kind import HELD_OUT_KIND
from suffice.estimators.naive_bayes.categorical import Ordinals
from suffice.estimators.naive_bayes.gaussian import SmoothedGaussian
from suffice.estimators.saved_bayes_classifier import (
    FITTED_ATTRIBUTES,
    check_attributes,
    check_consistency,
    fits_its_model,
)
from suffice.persist.consistency import check_tally
from suffice.persist.kinds import SavedKind
from suffice.persist.model_kinds import KINDS
from suffice.persist.shapes import Sizes, invalid_field
from suffice.statistics import Scatter, WideScatter

_SAVED_ATTRIBUTES: dict[str, Any] = {
    **FITTED_ATTRIBUTES,
    "_was_single": bool,
    "_given": FromRows | None,
    "coef_": Any,
    "intercept_": np.ndarray,
    "n_iter_": np.ndarray,
    "loss_": float,
    "gradient_size_": float,
    "statistic_": Scatter | WideScatter,
    "design_": Design,
    "classifier_": lm.LogisticRegression,
    "class_prior_": np.ndarray,
}
"""The fitted attributes that are saved, with their types; other attributes are not saved."""


@dataclass(frozen=True)
class EstimatorKind(SavedKind):
    """An estimator: its constructor parameters and fitted attributes."""

    coherent: Callable[[Any], bool] = lambda estimator: True

    def to_fields(self, value: Any) -> dict[str, Any]:
        check_is_fitted(value)
        state = vars(value)
        return {name: state[name] for name in (*self._parameters, *_SAVED_ATTRIBUTES) if name in state}

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        check_attributes(self.type.__name__, parts, self._parameters, _SAVED_ATTRIBUTES)
        made = self.type(**{name: parts[name] for name in self._parameters if name in parts})
        vars(made).update({name: value for name, value in parts.items() if name in _SAVED_ATTRIBUTES})
        check_is_fitted(made)
        check_consistency(self.type.__name__, made, self.coherent)
        return made

    @property
    def _parameters(self) -> list[str]:
        return list(self.type._get_param_names())


class DesignMatrixKind(EstimatorKind):
    """A fitted design with its fitted classifier."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        return {name: part for name, part in super().to_fields(value).items() if name != "classifier"}

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        return super().from_fields({**parts, "classifier": clone(parts["classifier_"])})


def _linear(estimator: Any) -> bool:
    """An estimator with weights only."""
    classes, width = len(estimator.classes_), estimator.n_features_in_
    scores = 1 if classes == 2 else classes
    return estimator.coef_.shape == (scores, width) and estimator.intercept_.shape == (scores,)


def _designed(estimator: Any) -> bool:
    """An estimator with weights for the columns of a design."""
    inner, classes = estimator.classifier_, estimator.classes_
    same = inner.classes_.tolist() == classes.tolist() and estimator.class_prior_.shape == classes.shape
    return same and inner.n_features_in_ == estimator.design_.width


def _check_design(design: Design, sizes: Sizes) -> None:
    holes = design.holes
    if len(design.numbers) != sizes["m"] or (len(holes) and not 0 <= holes.min() <= holes.max() < sizes["m"]):
        raise invalid_field("numbers", "are inconsistent with their scales")


def _check_words(words: WordWeights, sizes: Sizes) -> None:
    if len(words.vocabulary) != sizes["w"]:
        raise invalid_field("rarity", f"has {sizes['w']} entries for {len(words.vocabulary)} words")


def _regressor(estimator: Any) -> bool:
    """A regressor with one scatter of all columns and the target."""
    return bool(estimator.statistic_.mean.shape == (1, estimator.n_features_in_ + 1))


def _check_checkpoint(found: Checkpoint, sizes: Sizes) -> None:
    if type(found.estimator) not in {kind.type for kind in ESTIMATORS.values()} or min(found.position) < 0:
        raise invalid_field("estimator", f"is a {type(found.estimator).__name__} at {found.position}")
    for pane in found.panes:
        check_tally(pane.tally, KINDS)


def _additive_kind(estimator: type[Any]) -> EstimatorKind:
    return EstimatorKind(lambda: estimator, coherent=fits_its_model)


ESTIMATORS = {
    **{
        one.__name__: _additive_kind(one)
        for one in (
            BayesClassifier, nb.BernoulliNB, nb.CategoricalNB, nb.ComplementNB, nb.GaussianNB, nb.MultinomialNB, nb.PoissonNB,
            da.LinearDiscriminantAnalysis, da.QuadraticDiscriminantAnalysis, lm.LeastSquaresClassifier,
        )
    },
    "LogisticRegression": EstimatorKind(lambda: lm.LogisticRegression, coherent=_linear),
    "LinearGaussianRegressor": EstimatorKind(lambda: lm.LinearGaussianRegressor, coherent=_regressor),
    "Designed": DesignMatrixKind(lambda: DesignMatrixClassifier, coherent=_designed),
}  # fmt: skip

KINDS_WITH_ESTIMATORS = KINDS.extended(
    {
        **ESTIMATORS,
        **HELD_OUT_KIND,
        "checkpoint": SavedKind(lambda: Checkpoint, check=_check_checkpoint),
        "pane": SavedKind(lambda: Pane),
        "design": SavedKind(lambda: Design, {"centre": "m", "scale": "m", "holes": "h:i8"}, _check_design),
        "word weights": SavedKind(lambda: WordWeights, {"rarity": "w"}, _check_words),
        "covariances from rows": SavedKind(lambda: FromRows, {"classes": ("c", "kk"), "total": "kk"}),
        "ordinals": SavedKind(lambda: Ordinals),
        "own normal": SavedKind(lambda: OwnNormal),
        "shared normal": SavedKind(lambda: SharedNormal),
        "smoothed gaussian": SavedKind(lambda: SmoothedGaussian),
    }
)


def check_savable(estimator: object) -> None:
    """Refuse an estimator without a model file."""
    if KINDS_WITH_ESTIMATORS.tag_of(estimator) is None:
        known = quoted(tuple(ESTIMATORS), most=20)
        raise NotSavableError(f"A {type(estimator).__name__} has no model file", f"those that have one are {known}")
