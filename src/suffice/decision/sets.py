"""Prediction sets with guaranteed coverage (split conformal prediction)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision.intake import check_posterior, check_proportion, labelled
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class ConformalSets:
    """A class is in the set if its posterior is at least ``least``, a limit for each class."""

    least: FloatArray
    classes: AnyArray

    def __call__(self, posterior: ArrayLike) -> BoolArray:
        """Whether each class is in the set, (rows, classes). A set may be empty."""
        return check_posterior(posterior, width=len(self.least)) >= self.least

    def labels(self, posterior: ArrayLike) -> list[list[Any]]:
        """The sets by name, the most probable class first."""
        p = check_posterior(posterior)
        order = np.argsort(-p, axis=1, kind="stable")
        inside = np.take_along_axis(self(p), order, axis=1)
        names = self.classes.tolist()
        return [[names[c] for c in row[keep]] for row, keep in zip(order, inside, strict=True)]


def conformal(
    posterior: ArrayLike,
    labels: LabelsLike,
    coverage: float = 0.9,
    *,
    per_class: bool = False,
    classes: LabelsLike = None,
) -> ConformalSets:
    """Sets that contain the true class with probability at least ``coverage``, from held-out posteriors and their
    labels.

    The probability is over the draw of the held-out rows and of one exchangeable row, for any classifier; better classifiers
    have smaller sets. ``per_class`` guarantees it within each class, with larger sets. With too few rows for a guarantee, the
    sets contain every class.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    coverage : float, default=0.9
        Minimum probability that a set contains the true class.
    per_class : bool, default=False
        Whether coverage holds within each class.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    ConformalSets
        A callable that maps posteriors to sets.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.dirichlet([1, 1, 1], 500)
    >>> y = (p.cumsum(axis=1) > rng.random((500, 1))).argmax(axis=1)
    >>> sets = conformal(p, y, 0.8, classes=[0, 1, 2])
    >>> sets.labels([[0.9, 0.07, 0.03], [0.3, 0.4, 0.3]])
    [[0], [1]]
    """
    check_proportion("conformal", "coverage", coverage)
    p, codes, names = labelled(posterior, labels, classes)
    own = p[np.arange(len(p)), codes]
    groups = [own[codes == c] for c in range(len(names))] if per_class else [own] * len(names)
    return ConformalSets(np.array([_limit(group, coverage) for group in groups]), names)


def _limit(own: FloatArray, coverage: float) -> float:
    """The (n + 1) · coverage-th largest of the posteriors of the true class; zero if there are not so many."""
    rank = int(np.ceil((len(own) + 1) * coverage - 1e-9))
    return float(np.sort(own)[len(own) - rank]) if rank <= len(own) else 0.0
