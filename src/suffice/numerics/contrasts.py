"""Scores of classes as kernels take them: a contrast for each class, or one if there are two.

What is added to one of two classes may as well be taken from the other, so what the second has more than the first says it
all, at half the work.
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
    """What draws a contrast to zero as much as this draws each class: two classes that move apart are drawn once each."""
    return ridge / 2 if classes == 2 else ridge
