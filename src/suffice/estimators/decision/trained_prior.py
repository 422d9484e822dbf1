"""The class prior that a fitted classifier has in its posteriors."""

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.class_weight import compute_class_weight

from suffice.errors import DataError, quoted
from suffice.estimators.base import SufficeClassifier
from suffice.numerics.arrays import AnyArray, FloatArray


def trained_prior(estimator: Any, labels: AnyArray, weight: FloatArray | None) -> FloatArray:
    """The prior attribute of a generative classifier; otherwise the frequencies of its training labels, weighted by the
    row weights and by its ``class_weight``."""
    if isinstance(estimator, Pipeline):
        estimator = estimator[-1]
    if isinstance(estimator, SufficeClassifier):
        return np.exp(estimator.model_.log_prior)
    for name in ("class_prior_", "priors_"):
        if getattr(estimator, name, None) is not None:
            return np.asarray(getattr(estimator, name), dtype=np.float64)
    if hasattr(estimator, "class_log_prior_"):
        return np.exp(estimator.class_log_prior_)
    classes, codes = np.unique(labels, return_inverse=True)
    class_weight = compute_class_weight(getattr(estimator, "class_weight", None), classes=classes, y=labels)
    counts = np.bincount(codes, weights=weight) * class_weight
    if not counts.all():
        raise DataError(
            f"All rows of class {quoted(classes[counts == 0].tolist())} have weight zero",
            "sample_weight and class_weight must leave rows of every class",
        )
    return np.asarray(counts / counts.sum())
