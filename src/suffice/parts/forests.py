"""The second stage: forests, and Fourier ridge regressions on their residuals, with the first stage as offset.

All are weighted on left-out scores, and kept if the log-loss falls.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.contrasts import to_contrasts
from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.forest_growth import ForestGrowth, over_axes, over_columns
from suffice.parts.fourier_ridge import FourierRidge, fourier_ridges, summed
from suffice.parts.gain import Gain
from suffice.parts.weighted_parts import WeightedParts
from suffice.parts.weights import MIN_LOG_PRIOR, Weights, fit_second_stage, second_stage_without_folds
from suffice.posterior import log_posterior

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

_MIN_FOREST_ROWS = 50
_TREES, _TRIAL_TREES = 100, 30  # trees of a forest, and of the first trial
_RIDGE = 10.0
_FOLDS = 5
_MIN_TRIAL_GAIN, _MIN_GAIN = -0.5, 1.0  # minimum gain in standard errors, of the trial and of the forest
_MAX_ROWS_WITHOUT_FORESTS = 2_000  # with more rows, regressions are tried only if forests gain


def with_forests(
    weighted_parts: WeightedParts, fitting: "Fitting", offset: FloatArray, left_out: FloatArray
) -> tuple[WeightedParts, FloatArray]:
    """Add the second stage, softmax(b + w₀ · offset + Σ w · score), to the parts and to the ``left_out`` log joint of
    all rows. Its scores are those of forests and of regressions on their residuals.

    ``offset`` is the out-of-fold log joint of the rows that weights are fitted to.
    """
    if fitting.kept.count < _MIN_FOREST_ROWS:
        return weighted_parts, left_out
    second_stage = _SecondStage(fitting, offset[: fitting.rows.count])
    grown, forest_scores = _forests(fitting, second_stage)
    ridges, everything = _ridges(fitting, second_stage, forest_scores)
    if not everything.scores:
        return weighted_parts, left_out
    found, w = everything.weights, everything.weights.scores
    gain = second_stage.gain_from(np.zeros(second_stage.count), forest_scores.gain)
    forests = [g.forest.weighted(float(own), gain) for g, own in zip(grown, w[1:], strict=False) if own > 0]
    weighted = [(ridge, float(own)) for ridge, own in zip(ridges, w[1 + len(grown) :], strict=True) if own > 0]
    smooth = [summed(weighted, second_stage.gain_from(forest_scores.gain, everything.gain))] if weighted else []
    weighted_parts = weighted_parts.tempered(float(w[0]))
    # tempering scaled the prior too
    bias = weighted_parts.bias + found.bias + (w[0] - 1) * np.maximum(fitting.log_prior, MIN_LOG_PRIOR)
    for own, score in zip(w, [left_out, *everything.scores], strict=True):
        left_out = own * score if score is left_out else left_out + own * score
    return replace(weighted_parts, bias=bias, parts=(*weighted_parts.parts, *forests, *smooth)), left_out + found.bias


@dataclass(frozen=True, eq=False)
class _WeightedScores:
    """Left-out scores, the weights of offset and scores, and the gain of each row under cross-fitted weights."""

    scores: Sequence[FloatArray]
    weights: Weights
    gain: FloatArray


def _forests(fitting: "Fitting", second_stage: "_SecondStage") -> tuple[list[ForestGrowth], _WeightedScores]:
    """The forests that lower the log-loss by their out-of-bag scores."""
    grown = [
        growth
        for growth in (over_columns(fitting, _TRIAL_TREES), over_axes(fitting, _TRIAL_TREES))
        if growth is not None
    ]
    first = second_stage.weighted([growth.left_out() for growth in grown])
    if _in_errors(first.gain) <= _MIN_TRIAL_GAIN:
        return [], second_stage.no_scores
    grown = [growth for growth, own in zip(grown, first.weights.scores[1:], strict=True) if own > 0]
    found = second_stage.weighted([growth.up_to(growth.equivalent_count(_TREES)).left_out() for growth in grown])
    return ([], second_stage.no_scores) if _in_errors(found.gain) <= _MIN_GAIN else (grown, found)


def _ridges(
    fitting: "Fitting", second_stage: "_SecondStage", forests: _WeightedScores
) -> tuple[list[FourierRidge], _WeightedScores]:
    """Fourier regressions on the residuals of offset and forests, if they lower the log-loss; and all scores with their
    weights."""
    if not forests.scores and second_stage.count > _MAX_ROWS_WITHOUT_FORESTS:
        return [], forests
    found = fourier_ridges(fitting, second_stage.joint(forests))
    scores = [*forests.scores, *(ridge.left_out for ridge in found)]
    weights = second_stage.weights(scores)
    if not weights.scores[1 + len(forests.scores) :].any():
        return [], forests
    both = second_stage.weighted(scores, weights)
    return ([], forests) if _in_errors(both.gain - forests.gain) <= _MIN_GAIN else (found, both)


def _in_errors(gain: FloatArray) -> float:
    """The total gain in standard errors."""
    return float(gain.sum() / max(gain.std() * np.sqrt(len(gain)), 1e-300))


class _SecondStage:
    """The rows that weights are fitted to, with the log joint of the first stage as offset."""

    def __init__(self, fitting: "Fitting", offset: FloatArray) -> None:
        self._fitting, self._offset = fitting, offset
        self._rows = fitting.rows.first(len(offset))
        self._before = self._log_p(self._scored([]), self.no_scores.weights)

    @property
    def no_scores(self) -> _WeightedScores:
        return _WeightedScores([], Weights(1.0, np.ones(1), np.zeros(len(self._fitting.classes))), np.zeros(self.count))

    def weights(self, scores: Sequence[FloatArray]) -> Weights:
        return fit_second_stage(self._scored(scores), _RIDGE, self._fitting.threads)

    def weighted(self, scores: Sequence[FloatArray], weights: Weights | None = None) -> _WeightedScores:
        """Scores with their weights, fitted unless given, and the gains by cross-fitted weights, which start from
        them."""
        whole = self.weights(scores) if weights is None else weights
        scored = self._scored(scores)
        fold: CodeArray = self._rows.folds(_FOLDS)
        gain = np.zeros(len(fold))
        for k, found in enumerate(second_stage_without_folds(scored, fold, _RIDGE, whole, self._fitting.threads)):
            here = np.flatnonzero(fold == k)
            gain[here] = self._log_p(scored.take(here), found) - self._before[here]
        return _WeightedScores(scores, whole, gain * self._rows.weight)

    def joint(self, weighted: _WeightedScores) -> FloatArray:
        """The log joint of offset and weighted scores, up to a constant per row."""
        return self._scored(weighted.scores).joint(weighted.weights.scores, to_contrasts(weighted.weights.bias))

    def gain_from(self, before: FloatArray, after: FloatArray) -> Gain:
        """The gain in log-loss from the scores with row gains ``before`` to those with row gains ``after``."""
        weight = self._rows.weight
        loss, total = -float(weight @ self._before), float(weight.sum())
        return Gain(self.count, (loss - float(before.sum())) / total, (loss - float(after.sum())) / total)

    @property
    def count(self) -> int:
        return len(self._offset)

    def _scored(self, scores: Sequence[FloatArray]) -> ScoredRows:
        rows, count = self._rows, len(self._offset)
        return ScoredRows.of(
            [self._offset, *(s[:count] for s in scores)], rows.y, rows.weight, len(self._fitting.classes)
        )

    def _log_p(self, rows: ScoredRows, weights: Weights) -> FloatArray:
        joint = rows.joint(weights.scores, to_contrasts(weights.bias))
        return np.asarray(log_posterior(joint, self._fitting.log_prior)[np.arange(len(rows.y)), rows.y])
