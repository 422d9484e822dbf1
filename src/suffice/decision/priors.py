"""Prior correction of posteriors, and estimation of the true prior from unlabelled rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from suffice.columns.inputs import LabelsLike
from suffice.decision.intake import (
    check_posterior,
    check_prior,
    check_prior_support,
    class_labels,
    log_probabilities,
    logarithm,
)
from suffice.errors import DataError
from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.posterior import log_posterior
from suffice.posterior import posterior as normalised

_TOLERANCE = 1e-10
_MAX_ITERATIONS = 500


def correct_priors(
    posterior: ArrayLike, trained: Any, true: Any, *, classes: LabelsLike = None, log: bool = False
) -> FloatArray:
    """p(class | x) under the ``true`` prior, from that under the ``trained`` one: the scaled likelihood p / trained times
    the true prior.

    Priors are mappings from labels or numbers in the order of the classes. A class whose true prior is zero gets a posterior
    of zero; a row for which only such classes are possible gets the true prior. With
    ``log``, inputs (``predict_log_proba``) and outputs are logarithms, which avoids underflow.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    trained : mapping or array-like of shape (n_classes,)
        The prior of the posteriors.
    true : mapping or array-like of shape (n_classes,)
        The new prior.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.
    log : bool, default=False
        Whether posteriors are given and returned as logarithms.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Posteriors under the true prior.

    Examples
    --------
    >>> correct_priors([[0.1, 0.9]], trained=[0.5, 0.5], true=[0.999, 0.001]).round(4)
    array([[0.9911, 0.0089]])
    """
    joint = log_probabilities(posterior, log=log)
    names = class_labels(posterior, classes, joint.shape[1])
    before, after = check_prior("trained", trained, names), check_prior("true", true, names)
    check_prior_support(joint, before, names, "trained")
    joint += np.where(before > 0, logarithm(after) - np.log(np.where(before > 0, before, 1.0)), -np.inf)
    return (log_posterior if log else normalised)(joint, logarithm(after), thread_count())


@dataclass(frozen=True, eq=False)
class PriorEstimate:
    """The prior of unlabelled rows, with its standard error and a test."""

    priors: FloatArray
    standard_error: FloatArray
    """By the observed information, ignoring bounds at zero; infinite if the posteriors do not separate classes."""
    statistic: float
    """Twice the log likelihood ratio against the trained prior."""
    p_value: float
    """p-value of the hypothesis of no change; χ² with one degree of freedom less than classes."""


def estimate_priors(posterior: ArrayLike, trained: Any, *, classes: LabelsLike = None) -> PriorEstimate:
    """The class prior under which unlabelled rows are most probable, from posteriors made with the ``trained`` one.

    The EM of Saerens, Latinne and Decaestecker, q ← the mean of the posteriors corrected to q, increases the concave
    likelihood Σ log Σ_c q_c p_c / trained_c. A Newton step replaces it if it increases the likelihood more, so that about
    twelve iterations suffice. Error and test assume calibrated posteriors: calibrate the classifier first.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    trained : mapping or array-like of shape (n_classes,)
        The prior of the posteriors.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    PriorEstimate
        The estimate, its standard error and a test of change.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(np.where(rng.random(4000) < 0.2, 2.0, 0.0))
    >>> p = 1 / (1 + np.exp(2.0 - 2.0 * x))
    >>> found = estimate_priors(np.column_stack([1 - p, p]), trained=[0.5, 0.5])
    >>> found.priors.round(2).tolist(), found.standard_error.round(3).tolist(), found.p_value < 0.001
    ([0.79, 0.21], [0.009, 0.009], True)
    """
    p = check_posterior(posterior)
    names = class_labels(posterior, classes, p.shape[1])
    if not len(p):
        raise DataError("There are no rows", "at least one is needed")
    before = check_prior("trained", trained, names)
    check_prior_support(logarithm(p), before, names, "trained")
    known = before > 0
    ratio = p[:, known] / before[known]
    q = _most_likely(ratio, before[known])
    statistic = max(0.0, 2.0 * float((np.log(ratio @ q) - np.log(ratio @ before[known])).sum()))
    freedom = int(known.sum()) - 1
    return PriorEstimate(
        _spread(q, known),
        _spread(_standard_error(ratio / (ratio @ q)[:, None]), known),
        statistic,
        float(special.chdtrc(freedom, statistic)) if freedom else 1.0,
    )


def _most_likely(ratio: FloatArray, start: FloatArray) -> FloatArray:
    q = start
    for _ in range(_MAX_ITERATIONS):
        responsibilities = ratio / (ratio @ q)[:, None]
        gradient = responsibilities.mean(axis=0)
        if gradient.max() - 1.0 <= _TOLERANCE:  # the likelihood is concave: no prior gains more per row
            break
        q = max(_newton(responsibilities, gradient), q * gradient, key=lambda candidate: _mean_log(ratio, candidate))
    return np.asarray(q / q.sum())


def _mean_log(ratio: FloatArray, q: FloatArray) -> float:
    return float(logarithm(ratio @ q).mean())


def _newton(responsibilities: FloatArray, gradient: FloatArray) -> FloatArray:
    """The best q ≥ 0 for the quadratic that touches mean log Σ ratio q − Σ q at the present q: since H q = gradient there, it
    is ½ qᵀHq − (2 gradient − 1)ᵀ q. (That function has its maximum where Σ q = 1.)"""
    curvature = responsibilities.T @ responsibilities / len(responsibilities)
    curvature += 1e-12 * np.trace(curvature) * np.eye(len(curvature))
    lower = np.linalg.cholesky(curvature)
    q = optimize.nnls(lower.T, np.linalg.solve(lower, 2.0 * gradient - 1.0))[0]
    return np.asarray(q / q.sum())


def _standard_error(responsibilities: FloatArray) -> FloatArray:
    """√ of the inverse information, among directions that keep the sum at one."""
    classes = responsibilities.shape[1]
    tangent = np.linalg.svd(np.ones((1, classes)))[2][1:].T
    seen = responsibilities @ tangent
    values, vectors = np.linalg.eigh(seen.T @ seen)
    flat = values <= 1e-10 * max(float((responsibilities * responsibilities).sum()), 1.0)
    loading = (tangent @ vectors) ** 2
    variance = (loading / np.where(flat, np.inf, values)).sum(axis=1)
    unknown = (loading[:, flat] > 1e-12).any(axis=1)
    return np.where(unknown, np.inf, np.sqrt(variance))


def _spread(values: FloatArray, known: BoolArray) -> FloatArray:
    """Values of the known classes, zero for all others."""
    out = np.zeros(len(known))
    out[known] = values
    return out
