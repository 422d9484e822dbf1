"""Isotonic calibration, one-versus-rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from suffice.decision.intake import check_posterior, logarithm
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.posterior import posterior


@dataclass(frozen=True, eq=False)
class Isotonic:
    """An increasing piecewise linear curve through ``knots`` (probabilities before, after) for each class, normalised.

    A row in which every class has zero has the posterior ``prior``, the class frequencies of the held-out rows.
    """

    knots: tuple[tuple[FloatArray, FloatArray], ...]
    prior: FloatArray

    def __call__(self, posteriors: ArrayLike) -> FloatArray:
        p = check_posterior(posteriors, width=len(self.knots))
        curves = [np.interp(p[:, c], before, after) for c, (before, after) in enumerate(self.knots)]
        return posterior(logarithm(np.column_stack(curves)), logarithm(self.prior), thread_count())


def fit_isotonic(p: FloatArray, codes: CodeArray) -> Isotonic:
    """Isotonic regression for each class against the rest."""
    classes = p.shape[1]
    knots = tuple(_curve(p[:, c], codes == c) for c in range(classes))
    return Isotonic(knots, np.bincount(codes, minlength=classes) / len(codes))


def _curve(before: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    levels, place, count = np.unique(before, return_inverse=True, return_counts=True)
    after = optimize.isotonic_regression(np.bincount(place, weights=right) / count, weights=count).x
    # of a constant segment, only the ends are needed
    bend = np.ones(len(levels), dtype=bool)
    bend[1:-1] = (after[1:-1] != after[:-2]) | (after[1:-1] != after[2:])
    return levels[bend], after[bend]
