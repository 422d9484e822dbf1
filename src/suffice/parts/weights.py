"""The weigher: a ridge fit of non-negative weights on left-out scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray
from suffice.numerics.bounded_newton import bounded_step, minimise
from suffice.numerics.contrasts import contrast_ridge, from_contrasts, to_contrasts
from suffice.numerics.scored_rows import ScoredRows

_BIAS_RIDGE = 1.0
_PRIOR_TEMPERATURE = 0.5  # mean of the temperature's prior, which has the weight of one observation
_MAX_STEPS, _MAX_NEWTON_UNKNOWNS = 20, 512  # of Newton's method; with more unknowns, L-BFGS-B
_DAMPING = 16.0  # relative to the curvature, for a single Newton step
MIN_LOG_PRIOR = -700.0
"""Lower bound of a log prior in fitting."""


@dataclass(frozen=True)
class Weights:
    """A non-negative weight for each score, the shared weight of columns, and a bias for each class."""

    common: float
    scores: FloatArray
    bias: FloatArray


def fit_weights(
    rows: ScoredRows,
    ridge: FloatArray,
    together: BoolArray,
    log_prior: FloatArray,
    start: Weights | None,
    threads: int,
    tol: float = 5e-4,
) -> Weights:
    """Weights w ≥ 0 and biases b that maximise Σ log softmax(log prior + b + Σ w · score) of the rows' classes.

    The weights of the scores marked ``together`` are shrunk toward a shared temperature, which is fitted too; the
    others toward zero. The search starts from ``start``, which may have fewer scores.
    """
    parts = rows.parts
    penalty, linear = _first_stage_penalty(rows, ridge, together)
    first = np.concatenate(
        [[_PRIOR_TEMPERATURE], np.where(together, _PRIOR_TEMPERATURE, 0.0), np.zeros(rows.contrasts)]
    )
    if start is not None:
        first[0], first[1 + parts :] = start.common, to_contrasts(start.bias)
        first[1 : 1 + len(start.scores)] = start.scores
    found = _minimum(rows, to_contrasts(np.maximum(log_prior, MIN_LOG_PRIOR)), penalty, linear, first, 1, tol, threads)
    return Weights(float(found[0]), found[1 : 1 + parts], from_contrasts(found[1 + parts :], rows.classes))


def without_folds(
    rows: ScoredRows, fold: CodeArray, ridge: FloatArray, together: BoolArray, log_prior: FloatArray, whole: Weights,
    threads: int,
) -> list[Weights]:  # fmt: skip
    """The weights of ``fit_weights`` without each fold."""
    at = np.concatenate([[whole.common], whole.scores, to_contrasts(whole.bias)])
    prior, penalised = to_contrasts(np.maximum(log_prior, MIN_LOG_PRIOR)), _first_stage_penalty(rows, ridge, together)
    return [
        Weights(float(found[0]), found[1 : 1 + rows.parts], from_contrasts(found[1 + rows.parts :], rows.classes))
        for found in _without_each(rows, fold, prior, *penalised, at, 1, threads)
    ]


def _first_stage_penalty(rows: ScoredRows, ridge: FloatArray, together: BoolArray) -> tuple[FloatArray, FloatArray]:
    """The quadratic penalty on temperature, weights and biases, and its linear term."""
    parts = rows.parts
    penalty = np.diag(np.concatenate([[1.0 + ridge[together].sum()], ridge, _bias_ridges(rows)]))
    penalty[0, 1 : 1 + parts] = penalty[1 : 1 + parts, 0] = np.where(together, -ridge, 0.0)
    linear = np.zeros(len(penalty))
    linear[0] = _PRIOR_TEMPERATURE
    return penalty, linear


def fit_second_stage(rows: ScoredRows, ridge: float, threads: int, tol: float = 1e-4) -> Weights:
    """Weights w ≥ 0 and biases b that maximise Σ log softmax(b + Σ w · score) of the rows' classes.

    The first score is a log joint, whose weight is shrunk toward one; the other weights are shrunk toward zero.
    """
    penalty, linear = _second_stage_penalty(rows, ridge)
    first = np.where(np.arange(len(penalty)) == 0, 1.0, 0.0)
    found = _minimum(rows, np.zeros(rows.contrasts), penalty, linear, first, 0, tol, threads)
    return Weights(1.0, found[: rows.parts], from_contrasts(found[rows.parts :], rows.classes))


def second_stage_without_folds(
    rows: ScoredRows, fold: CodeArray, ridge: float, whole: Weights, threads: int
) -> list[Weights]:
    """The weights of ``fit_second_stage`` without each fold."""
    at = np.concatenate([whole.scores, to_contrasts(whole.bias)])
    return [
        Weights(1.0, found[: rows.parts], from_contrasts(found[rows.parts :], rows.classes))
        for found in _without_each(
            rows, fold, np.zeros(rows.contrasts), *_second_stage_penalty(rows, ridge), at, 0, threads
        )
    ]


def _second_stage_penalty(rows: ScoredRows, ridge: float) -> tuple[FloatArray, FloatArray]:
    penalty = np.diag(np.concatenate([np.full(rows.parts, ridge), _bias_ridges(rows)]))
    linear = np.zeros(len(penalty))
    linear[0] = ridge
    return penalty, linear


def _bias_ridges(rows: ScoredRows) -> FloatArray:
    return np.full(rows.contrasts, contrast_ridge(_BIAS_RIDGE, rows.classes))


def _minimum(
    rows: ScoredRows, prior: FloatArray, penalty: FloatArray, linear: FloatArray, first: FloatArray, temperatures: int,
    tol: float, threads: int,
) -> FloatArray:  # fmt: skip
    """Minimise the loss of the rows plus ½ x · penalty · x − linear · x; x has temperatures and weights, which are
    non-negative, and biases."""
    parts = rows.parts
    bias = temperatures + parts

    def split(at: FloatArray) -> tuple[FloatArray, FloatArray]:
        return at[temperatures:bias], prior + at[bias:]

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        value, slope = rows.loss(*split(at), threads)
        penalised = penalty @ at - linear
        return value + 0.5 * float(at @ (penalised - linear)), np.append(np.zeros(temperatures), slope) + penalised

    def curvature(at: FloatArray, care: float) -> FloatArray:
        out = penalty.copy()
        out[temperatures:, temperatures:] += rows.curvature(*split(at), care, threads)
        return out

    bounded = np.arange(len(first)) < bias
    if len(first) <= _MAX_NEWTON_UNKNOWNS:
        return minimise(loss, curvature, first, bounded, tol=tol, max_steps=_MAX_STEPS)
    # a full curvature is not worth its cost
    bounds = [(0.0, None) if b else (None, None) for b in bounded]
    options: Any = {"maxiter": 3 * _MAX_STEPS, "ftol": tol / 100}
    return np.asarray(optimize.minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)


def _without_each(
    rows: ScoredRows, fold: CodeArray, prior: FloatArray, penalty: FloatArray, linear: FloatArray, whole: FloatArray,
    temperatures: int, threads: int,
) -> Iterator[FloatArray]:  # fmt: skip
    """The minimum without each fold: one Newton step from the minimum of all rows."""
    bias = temperatures + rows.parts
    at = whole[temperatures:bias], prior + whole[bias:]
    bounded = np.arange(len(whole)) < bias
    curved = rows.curvature(*at, _DAMPING, threads)
    folds = [rows.take(np.flatnonzero(fold == k)) for k in range(int(fold.max(initial=0)) + 1)]
    slopes = [np.append(np.zeros(temperatures), here.loss(*at, threads)[1]) for here in folds]
    slope = sum(slopes, penalty @ whole - linear)
    for here, own in zip(folds, slopes, strict=True):
        curvature = penalty.copy()
        left = 1.0 - float(here.weight.sum() / max(rows.weight.sum(), 1e-300))
        curvature[temperatures:, temperatures:] += left * curved
        yield whole + bounded_step(curvature, slope - own, whole, bounded)
