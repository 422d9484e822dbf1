"""Contrasts of class scores: one per class, or a single one for two classes.

The posterior of two classes depends only on the difference of their scores, which halves the work of the kernels.
"""

import numpy as np

from suffice.numerics.arrays import FloatArray


def contrast_count(classes: int) -> int:
    return 1 if classes == 2 else classes


def to_contrasts(scores: FloatArray) -> FloatArray:
    """(…, classes) as (…, contrasts)."""
    return scores[..., 1:] - scores[..., :1] if scores.shape[-1] == 2 else scores


def from_contrasts(found: FloatArray, classes: int) -> FloatArray:
    """(…, contrasts) as (…, classes); scores of two classes are symmetric about zero.

    >>> from_contrasts(np.array([3.0]), 2)
    array([-1.5,  1.5])
    """
    return np.concatenate([-found, found], axis=-1) / 2 if classes == 2 else found


def contrast_ridge(ridge: float, classes: int) -> float:
    """The ridge of contrasts that is equivalent to this ridge per class: two classes share one contrast."""
    return ridge / 2 if classes == 2 else ridge
