"""How much each of many scores counts: a ridge fit of non-negative weights on rows that the scores left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.blas import one_blas_thread
from suffice.posterior import log_posterior

_BIAS_RIDGE = 1.0
_USUAL = 0.5  # temperature, which counts as one observation of it
_MANY = 100_000  # scores


@dataclass(frozen=True)
class Weights:
    """A non-negative weight for each score, and a bias for each class."""

    scores: FloatArray
    bias: FloatArray


def fit_weights(
    scores: Sequence[FloatArray],
    ridge: FloatArray,
    together: Sequence[bool],
    y: CodeArray,
    weight: FloatArray,
    log_prior: FloatArray,
    steps: int,
) -> Weights:
    """Weights w ≥ 0 and biases b that maximise Σ log softmax(log prior + b + Σ w · score) of the rows' classes.

    The weights of scores that go ``together`` are drawn to a temperature they share, which is fitted too; the others to zero.
    """
    classes, rows, every = len(log_prior), len(y), np.arange(len(y))
    # many scores in single precision and few steps: what is fitted to so many is known to a few digits at best
    many = len(scores) * rows * classes > _MANY
    real: Any = np.float32 if many else np.float64
    stacked: AnyArray = np.empty((len(scores), rows * classes), dtype=real)
    for row, score in zip(stacked, scores, strict=True):
        row[:] = score.ravel()
    common = np.array(together, dtype=bool)

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        t, w, b = at[0], at[1 : 1 + len(scores)], at[1 + len(scores) :]
        joint = (w.astype(real) @ stacked).reshape(rows, classes).astype(np.float64) + (log_prior + b)
        logs = log_posterior(joint, log_prior)
        mine = logs[every, y]
        excess = np.exp(logs, out=logs)
        excess[every, y] -= 1.0
        excess *= weight[:, None]
        away = w - np.where(common, t, 0.0)
        pull = ridge * away
        value = -float(weight @ mine) + 0.5 * (float(pull @ away) + _BIAS_RIDGE * float(b @ b) + (t - _USUAL) ** 2)
        slope = stacked @ excess.astype(real).ravel()
        return value, np.concatenate(
            [[t - _USUAL - pull[common].sum()], slope + pull, excess.sum(axis=0) + _BIAS_RIDGE * b]
        )

    start = np.concatenate([[_USUAL], np.where(common, _USUAL, 0.0), np.zeros(classes)])
    bounds = [(0.0, None)] * (1 + len(scores)) + [(None, None)] * classes
    options: Any = (
        {"maxiter": steps, "ftol": 1e-6} if many else {"maxiter": 500, "maxfun": 2000, "ftol": 1e-15, "gtol": 1e-9}
    )
    with one_blas_thread():
        found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return Weights(found.x[1 : 1 + len(scores)], found.x[1 + len(scores) :])
