"""Contrasts of class scores as kernels take them: one for each class, or a single one of two classes.

The posterior of two classes depends on the difference of their scores alone, which is half the work.
"""

import numpy as np

from suffice.numerics.arrays import FloatArray


def contrast_count(classes: int) -> int:
    return 1 if classes == 2 else classes


def to_contrasts(scores: FloatArray) -> FloatArray:
    """(…, classes) as (…, contrasts)."""
    return scores[..., 1:] - scores[..., :1] if scores.shape[-1] == 2 else scores


def from_contrasts(found: FloatArray, classes: int) -> FloatArray:
    """(…, contrasts) as (…, classes): those of two classes are as far above zero as below.

    >>> from_contrasts(np.array([3.0]), 2)
    array([-1.5,  1.5])
    """
    return np.concatenate([-found, found], axis=-1) / 2 if classes == 2 else found


def contrast_ridge(ridge: float, classes: int) -> float:
    """The ridge of a contrast that equals this ridge of each class: a contrast of two classes is shared by both."""
    return ridge / 2 if classes == 2 else ridge
