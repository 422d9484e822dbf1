"""How much each of many scores counts: a ridge fit of non-negative weights on rows that the scores left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.posterior import log_posterior

_BIAS_RIDGE = 1.0


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
    # single precision: the sums are over rows, and what is fitted is known to a few digits at best
    stacked = np.stack(scores).astype(np.float32).reshape(len(scores), -1)
    common = np.array(together, dtype=bool)

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        t, w, b = at[0], at[1 : 1 + len(scores)], at[1 + len(scores) :]
        joint = (w.astype(np.float32) @ stacked).reshape(rows, classes).astype(np.float64) + (log_prior + b)
        logs = log_posterior(joint, log_prior)
        mine = logs[every, y]
        excess = np.exp(logs, out=logs)
        excess[every, y] -= 1.0
        excess *= weight[:, None]
        away = w - np.where(common, t, 0.0)
        pull = ridge * away
        value = -float(weight @ mine) + 0.5 * float(pull @ away) + 0.5 * _BIAS_RIDGE * float(b @ b)
        slope = stacked @ excess.astype(np.float32).ravel()
        return value, np.concatenate([[-pull[common].sum()], slope + pull, excess.sum(axis=0) + _BIAS_RIDGE * b])

    start = np.concatenate([[0.5], np.where(common, 0.5, 0.0), np.zeros(classes)])
    bounds = [(0.0, None)] * (1 + len(scores)) + [(None, None)] * classes
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps, "ftol": 1e-7})
    return Weights(found.x[1 : 1 + len(scores)], found.x[1 + len(scores) :])
