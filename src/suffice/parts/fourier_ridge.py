"""Ridge regressions of residuals on random Fourier features of the normal scores.

With many frequencies ω drawn from a normal distribution, a ridge regression on cos(ω · z) and sin(ω · z) is one with a
Gaussian kernel (Rahimi and Recht 2007), and its sums add over rows. It is one Newton step for logistic regression with
that kernel, with the log joint of all previous scores as offset; the curvature matrix is replaced by its trace. A row
is left out in closed form. One regression is on the scores as they are, one on whitened ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from suffice.columns.stored_cells import spelling_digest
from suffice.numerics.arrays import FloatArray, SingleArray
from suffice.numerics.fourier_sums import FourierSum
from suffice.numerics.threads import parallel_map
from suffice.parts.fourier import Fourier
from suffice.parts.gain import Gain
from suffice.parts.kept_rows import KeptRows
from suffice.parts.normal_scores import LevelScores, NormalScores
from suffice.posterior import posterior

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

_FREQUENCIES = 128  # per regression
_ANGLE_DEVIATION = 1.5  # standard deviation of ω · z for standardised scores
_RIDGES = (0.03, 0.1, 0.3, 1.0, 3.0)  # λ: log odds of variance 1 / λ
_STEP_FACTOR = 4.0  # relative to Newton's step, since the trace exceeds the curvature along any direction
_MAX_REGRESSION_ROWS = 8_000
_WHITENING_SHRINKAGE = 0.01  # share of the mean variance added to each variance


@dataclass(frozen=True, eq=False)
class FourierRidge:
    """One regression; ``left_out`` are its leave-one-out scores."""

    scores: NormalScores
    frequencies: SingleArray
    coefficients: FloatArray
    left_out: FloatArray


def fourier_ridges(fitting: "Fitting", log_joint: FloatArray) -> list[FourierRidge]:
    """Regressions of the residuals of ``log_joint``; none if there is at most one normal score."""
    scores = fitting.column_scores
    if scores.width < 2:
        return []
    count = min(len(log_joint), _MAX_REGRESSION_ROWS)
    rows, z = fitting.rows.first(count), fitting.normal_scores(scores)
    if fitting.scored > len(z):
        more = fitting.kept.take(slice(len(z), fitting.scored))
        z = np.concatenate([z, scores.scores(more.tables, fitting.threads)])
    p = posterior(log_joint[:count].copy(), fitting.log_prior)
    curvature = (p * (1 - p)).sum(axis=1)
    residual = -p
    residual[np.arange(count), rows.y] += 1

    def regression(frequencies: FloatArray) -> FourierRidge:
        single = frequencies.astype(np.float32)
        angle = (z[:count].astype(np.float64) @ single.astype(np.float64)).astype(np.float32)
        features = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
        coefficients, left_out = _fitted(features, residual, curvature, rows)
        others = FourierSum(single, coefficients).scores(z[count:])
        return FourierRidge(scores, single, coefficients, np.concatenate([left_out, others]))

    plain, other = np.split(_sample_frequencies(scores, fitting), 2, axis=1)
    return parallel_map(regression, [plain, _whitening(z[:count], rows.weight) @ other], fitting.threads)


def summed(ridges: Sequence[tuple[FourierRidge, float]], gain: Gain) -> Fourier:
    """The weighted sum of regressions on the same scores, as one part."""
    halves = [np.split(weight * ridge.coefficients, 2) for ridge, weight in ridges]
    coefficients = np.concatenate([half[k] for k in (0, 1) for half in halves])
    frequencies = np.concatenate([ridge.frequencies for ridge, _ in ridges], axis=1)
    return Fourier(ridges[0][0].scores, frequencies, coefficients, gain)


def _fitted(
    features: SingleArray, residual: FloatArray, curvature: FloatArray, rows: KeptRows
) -> tuple[FloatArray, FloatArray]:
    """B = (Σ w v φφᵀ + λ)⁻¹ Σ w φ rᵀ for features φ of unit length, and the leave-one-out scores; both times the step
    factor.

    λ minimises the quadratic loss Σ w (½ v f² − r · f) of the leave-one-out scores f, each λ at its optimal step.
    """
    unit = features / np.float32(np.sqrt(features.shape[1] / 2))
    root = unit * np.sqrt(rows.weight * curvature).astype(np.float32)[:, None]
    size, axes = linalg.eigh((root.T @ root).astype(np.float64), driver="evd")
    along = unit @ axes.astype(np.float32)
    slope = (along.T @ (rows.weight[:, None] * residual).astype(np.float32)).astype(np.float64)
    inverses = 1 / (np.maximum(size, 0.0) + np.array(_RIDGES)[:, None])
    # all ridges at once, since the time is spent on reading the features
    leverages = rows.left_out_weight * ((along * along) @ inverses.T.astype(np.float32)).T
    steps = np.concatenate([inverse[:, None] * slope for inverse in inverses], axis=1).astype(np.float32)
    every = np.split(along @ steps, len(_RIDGES), axis=1)
    most = -1.0
    for inverse, each, leverage in zip(inverses, every, leverages, strict=True):
        each = (each - leverage[:, None] * residual) / np.maximum(1 - leverage * curvature, 0.01)[:, None]
        steep = max(float(rows.weight @ (residual * each).sum(axis=1)), 0.0)
        gain = steep**2 / max(float((rows.weight * curvature) @ (each * each).sum(axis=1)), 1e-300)
        if gain > most:
            most, left_out, chosen = gain, each, inverse
    coefficients = axes @ (chosen[:, None] * slope) / np.sqrt(features.shape[1] / 2)
    return _STEP_FACTOR * coefficients, _STEP_FACTOR * left_out


def _sample_frequencies(scores: NormalScores, fitting: "Fitting") -> FloatArray:
    """Frequencies, (scores, waves of both), drawn from hashes of the names of column and level, so their order has no
    effect."""
    seeds = _seeds(scores, fitting)
    drawn = np.stack([np.random.default_rng(seed).normal(size=2 * _FREQUENCIES) for seed in seeds])
    return np.asarray(drawn * (_ANGLE_DEVIATION / np.sqrt(scores.width)))


def _seeds(scores: NormalScores, fitting: "Fitting") -> Iterator[list[int]]:
    for block, cells in zip(scores.blocks, fitting.kept.tables, strict=True):
        columns = [spelling_digest(cells.names[j]) for j in block.owners]
        if isinstance(block, LevelScores):
            levels = (spelling_digest(level) for each in block.levels for level in each)
            yield from ([column, level] for column, level in zip(columns, levels, strict=True))
        else:
            yield from ([column] for column in columns)


def _whitening(z: SingleArray, weight: FloatArray) -> FloatArray:
    """The symmetric inverse root of the covariance, which does not depend on the order of the columns."""
    centred = z - weight @ z / weight.sum()
    covariance = (centred * weight[:, None]).T @ centred / weight.sum()
    variance, axes = linalg.eigh(covariance)
    shrunk = np.maximum(variance, 0.0) + _WHITENING_SHRINKAGE * max(variance.mean(), 1e-300)
    return np.asarray((axes / np.sqrt(shrunk)) @ axes.T)
