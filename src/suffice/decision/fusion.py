"""Fusion of the posteriors of models trained separately on different features."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike
from suffice.decision.intake import (
    check_prior,
    check_prior_support,
    class_labels,
    log_probabilities,
    logarithm,
)
from suffice.errors import DataError, ParameterError
from suffice.families.settings import number
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.posterior import log_posterior
from suffice.posterior import posterior as normalised


def fuse(
    posteriors: Sequence[Any],
    prior: Any,
    *,
    weights: Sequence[float] | None = None,
    classes: LabelsLike = None,
    log: bool = False,
) -> FloatArray:
    """p(class | x₁, x₂, …) ∝ prior · Π_k (p(class | x_k) / prior), for features that are independent given the class.

    All sources must have the same ``prior`` (see ``correct_priors``), by which each posterior is divided. ``weights`` are
    exponents, one per source: 1 uses the source in full, less than 1 discounts it (for example for dependence on the others),
    0 ignores it. A row of NaN is a missing source. A row without a source, or whose sources together rule out every class, has
    the prior. With ``log``, inputs and outputs are logarithms.

    Parameters
    ----------
    posteriors : sequence of array-like
        Posteriors of each source, (n_rows, n_classes).
    prior : mapping or array-like of shape (n_classes,)
        The prior of all sources.
    weights : sequence of float or None, default=None
        Exponent of each source.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.
    log : bool, default=False
        Whether posteriors are given and returned as logarithms.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        The fused posteriors.

    Examples
    --------
    >>> fuse([[[0.6, 0.4]], [[0.3, 0.7]]], prior=[0.8, 0.2]).round(4)
    array([[0.1385, 0.8615]])
    """
    sources = list(posteriors)
    if not sources:
        raise DataError("There is no posterior", "at least one source is needed")
    exponents = _weights(weights, len(sources))
    first = np.shape(sources[0])
    names = class_labels(sources[0], classes, first[-1] if first else 0)
    p = check_prior("shared", prior, names)
    joint = np.tile(logarithm(p), (first[0], 1))
    for k, (source, weight) in enumerate(zip(sources, exponents, strict=True)):
        if np.shape(source) != first:
            raise DataError(
                f"Source {k} has shape {np.shape(source)}, but source 0 has {first}",
                "all need the same rows and classes",
                "Give a row of NaN for a missing source",
            )
        _add(joint, np.asarray(source, dtype=np.float64), weight, p, names, k, log=log)
    return (log_posterior if log else normalised)(joint, logarithm(p), thread_count())


def _add(
    joint: FloatArray, source: FloatArray, weight: float, prior: FloatArray, names: AnyArray, k: int, *, log: bool
) -> None:
    missing = np.isnan(source).all(axis=1, keepdims=True)
    uninformative = logarithm(prior) if log else prior  # the prior alone
    evidence = log_probabilities(np.where(missing, uninformative, source), log=log, what=f"Source {k}")
    check_prior_support(evidence, prior, names, "shared")
    if weight > 0:
        joint += weight * (evidence - np.log(np.where(prior > 0, prior, 1.0)))


def _weights(weights: Sequence[float] | None, sources: int) -> list[float]:
    if weights is None:
        return [1.0] * sources
    if len(weights) != sources:
        raise ParameterError(f"There are {len(weights)} weights for {sources} sources", "one a source is needed")
    for k, weight in enumerate(weights):
        number("fuse", f"weight of source {k}", weight)
    return [float(w) for w in weights]
