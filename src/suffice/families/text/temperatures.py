"""How much each score is worth: non-negative weights and a bias a class, by conditional likelihood on left-out scores."""

import numpy as np
from scipy import optimize

from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.blas import one_blas_thread


def fit_temperatures(
    parts: FloatArray, y: CodeArray, weight: FloatArray | None, log_prior: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """θ ≥ 0 and b that make the classes most likely under softmax(log prior + Σ θ part + b), each with a unit normal prior:
    a few documents, however well they are told apart, leave room for doubt.

    ``parts`` (scores, rows, classes) must be those of rows left out of what was learned; on scores of rows that were learned
    the weights would be far too sure.
    """
    n_parts, rows, classes = parts.shape
    w = np.ones(rows) if weight is None else weight
    total = float(w.sum())
    each = np.arange(rows)
    # measured in standard deviations, all parts have about the same slope
    width = np.maximum((parts - parts.mean(axis=2, keepdims=True)).std(axis=(1, 2)), 1e-12)
    flat = np.ascontiguousarray(parts.reshape(n_parts, -1) / width[:, None])

    def loss(at: FloatArray) -> tuple[float, FloatArray]:
        theta, bias = at[:n_parts], at[n_parts:]
        joint = (theta @ flat).reshape(rows, classes)
        joint += log_prior + bias
        log_p = kernels.normalise(joint, log_prior, log=True, threads=1)
        natural = theta / width
        value = -(w * log_p[each, y]).sum() + 0.5 * ((bias**2).sum() + (natural**2).sum())
        residual = np.exp(log_p)
        residual[each, y] -= 1
        residual *= w[:, None]
        gradient = np.concatenate([flat @ residual.ravel() + natural / width, residual.sum(axis=0) + bias])
        return value / total, gradient / total

    start = np.concatenate([np.full(n_parts, 0.3), np.zeros(classes)])
    bounds = [(0.0, None)] * n_parts + [(None, None)] * classes
    with one_blas_thread():
        found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 60}).x
    return found[:n_parts] / width, found[n_parts:]
