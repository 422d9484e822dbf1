"""ROC, precision-recall and lift curves of one class against all others, from one sort."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label
from suffice.errors import DataError, quoted
from suffice.evaluate.scores import checked_scores
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray


@dataclass(frozen=True, eq=False)
class Ranking:
    """Points of the ROC, precision-recall and lift curves, one per distinct score, in decreasing order.

    At each threshold, rows with at least this score are predicted positive.
    """

    threshold: FloatArray
    """The lowest score of a row predicted positive."""
    recall: FloatArray
    """True positive rate: share of the rows of the class that are predicted positive."""
    false_positive_rate: FloatArray
    """Share of the other rows that are predicted positive."""
    precision: FloatArray
    """Share of the rows predicted positive that are of the class."""
    predicted_positive_rate: FloatArray
    """Share of all rows that are predicted positive."""

    @property
    def false_alarms(self) -> FloatArray:
        """Deprecated name of ``false_positive_rate``."""
        warnings.warn("false_alarms is deprecated: use false_positive_rate.", FutureWarning, stacklevel=2)
        return self.false_positive_rate

    @property
    def taken(self) -> FloatArray:
        """Deprecated name of ``predicted_positive_rate``."""
        warnings.warn("taken is deprecated: use predicted_positive_rate.", FutureWarning, stacklevel=2)
        return self.predicted_positive_rate

    @property
    def lift(self) -> FloatArray:
        """Ratio of the share of the class among rows predicted positive to that among all rows."""
        return self.recall / self.predicted_positive_rate

    @property
    def auc(self) -> float:
        """Area under the ROC curve: the probability that a row of the class scores above another row, ties counting half."""
        recall, alarms = np.append(0.0, self.recall), np.append(0.0, self.false_positive_rate)
        return float(np.diff(alarms) @ (recall[1:] + recall[:-1]) / 2)

    @property
    def average_precision(self) -> float:
        """Area under the precision-recall curve, as steps."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)


def ranking(y: LabelsLike, scores: Any, of: Any, classes: LabelsLike) -> Ranking:
    """Rank rows by their score for one class, against all others.

    ``scores`` are (rows, classes), probabilities or any others that grow with them; ``classes`` names their columns.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        The true classes.
    scores : array-like of shape (n_rows, n_classes)
        Probabilities, or any scores that increase with them.
    of : label
        The class.
    classes : sequence of labels
        Names of the columns.

    Returns
    -------
    Ranking
        Points of the ROC, precision-recall and lift curves.

    Examples
    --------
    >>> found = ranking(["a", "b", "a", "b"], [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.2, 0.8]], "a", ["a", "b"])
    >>> found.auc, found.recall.tolist(), found.false_positive_rate.tolist(), found.precision.round(3).tolist()
    (0.875, [0.5, 1.0, 1.0], [0.0, 0.5, 1.0], [1.0, 0.667, 0.5])
    """
    codes, table = checked_scores(y, scores, classes)
    names = np.asarray(classes).tolist()
    if of not in names:
        raise DataError(f"There is no class {of!r}", f"the classes are {quoted(names)}")
    place = names.index(of)
    return ranked(codes == place, table[:, place], of)


def ranked(own: BoolArray, score: FloatArray, of: Label, weight: FloatArray | None = None) -> Ranking:
    """``ranking`` from a mask of the rows of the class."""
    found = _Ranks(own, score, np.ones(len(own)) if weight is None else weight)
    if not found.positives or not found.others:
        raise DataError(
            f"{'No' if not found.positives else 'Every'} row is of class {of!r}",
            "both this and other classes are needed",
        )
    return found.curve


def auc_and_influence(own: BoolArray, score: FloatArray, weight: FloatArray) -> tuple[float, FloatArray]:
    """Area under the ROC curve, and the influence of each row, whose squares sum to its variance (DeLong)."""
    found = _Ranks(own, score, weight)
    area = found.curve.auc
    below = np.where(own, found.others_below / found.others, found.own_above / found.positives)
    share = np.where(own, found.positives, found.others)
    return area, weight * (below - area) / share


@dataclass(frozen=True, eq=False)
class _Ranks:
    own: BoolArray
    score: FloatArray
    weight: FloatArray

    @cached_property
    def positives(self) -> float:
        return float(self.weight[self.own].sum())

    @cached_property
    def others(self) -> float:
        return float(self.weight[~self.own].sum())

    @cached_property
    def _groups(self) -> tuple[FloatArray, AnyArray, FloatArray, FloatArray]:
        """Distinct scores from above, the group of each row, and the weight of the class and of others in each group."""
        values, which = np.unique(-self.score, return_inverse=True)
        each = [np.where(self.own == own, self.weight, 0.0) for own in (True, False)]
        mine, theirs = (np.asarray(np.bincount(which, w), dtype=np.float64) for w in each)
        return -values, which, mine, theirs

    @property
    def curve(self) -> Ranking:
        values, _, mine, theirs = self._groups
        hits, alarms = np.cumsum(mine), np.cumsum(theirs)
        positive = hits + alarms
        return Ranking(values, hits / self.positives, alarms / self.others, hits / positive, positive / positive[-1])

    @property
    def others_below(self) -> FloatArray:
        """For each row, the weight of other classes at lower scores, and half of that at its own."""
        _, which, _, theirs = self._groups
        return np.asarray((self.others - np.cumsum(theirs) + theirs / 2)[which])

    @property
    def own_above(self) -> FloatArray:
        """For each row, the weight of the class at higher scores, and half of that at its own."""
        _, which, mine, _ = self._groups
        return np.asarray((np.cumsum(mine) - mine / 2)[which])
