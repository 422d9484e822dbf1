"""Held-out posteriors and their scores."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from suffice.columns.labels import Label
from suffice.evaluate.losses import brier_losses, hits, log_losses
from suffice.evaluate.ranking import auc_and_influence
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray


class Score(NamedTuple):
    """A mean over the rows and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.4f} ± {self.error:.4f}"


@dataclass(frozen=True, eq=False)
class Assessment:
    """Held-out posteriors with the true classes.

    The scores are means over the rows by their weight. Their standard errors count the rows as independent; the models
    share most training rows, which makes the errors slightly too small.
    """

    classes: tuple[Label, ...]
    log_posterior: FloatArray
    """log p(class | row), (rows, classes)."""
    codes: CodeArray
    """The class code of each row."""
    weight: FloatArray | None = None
    fold: CodeArray | None = None
    """The fold of each row."""
    rows: IntArray | None = None
    """The indices of the rows in the table, if not all rows were scored."""

    @cached_property
    def posterior(self) -> FloatArray:
        """p(class | row), (rows, classes)."""
        return np.exp(self.log_posterior)

    @property
    def accuracy(self) -> Score:
        """Share of the rows whose true class is the most probable."""
        return self._mean(hits(self.codes, self.log_posterior))

    @property
    def log_loss(self) -> Score:
        """Mean of −log p(true class), in nats; infinite if the true class of a row has probability zero."""
        return self._mean(log_losses(self.codes, self.log_posterior))

    @property
    def brier_score(self) -> Score:
        """Mean squared distance between posterior and truth, from 0 to 2."""
        return self._mean(brier_losses(self.codes, self.posterior))

    @property
    def auc(self) -> Score:
        """Area under the ROC curve; of more than two classes, the mean over the classes, each against all others.

        Classes without rows are ignored; NaN if fewer than two have rows.
        """
        w = np.ones(len(self.codes)) if self.weight is None else self.weight
        present = np.flatnonzero(np.bincount(self.codes, w, minlength=len(self.classes)) > 0)
        if len(present) < 2:
            return Score(np.nan, np.nan)
        asked = present[1:] if len(self.classes) == 2 else present
        found = [auc_and_influence(self.codes == c, self.log_posterior[:, c], w) for c in asked]
        influence = np.mean([moves for _, moves in found], axis=0)
        return Score(float(np.mean([area for area, _ in found])), float(np.sqrt(influence @ influence)))

    def less(self, other: "Assessment", score: Literal["log_loss", "accuracy"] = "log_loss") -> Score:
        """The paired difference of a score to that of another assessment of the same rows, with its standard error.

        Losses of the same row are correlated, so this error is smaller than the errors of the two scores suggest.
        """
        of_rows = log_losses if score == "log_loss" else hits
        ours, theirs = (of_rows(a.codes, a.log_posterior) for a in (self, other))
        both = np.isposinf(ours) & np.isposinf(theirs)
        return self._mean(np.where(both, 0.0, ours) - np.where(both, 0.0, theirs))

    def by_fold(self, name: str) -> FloatArray:
        """A score, such as ``"log_loss"``, of the rows of each fold."""
        return np.array([getattr(self._only(k), name).value for k in range(int(self._folds.max()) + 1)])

    @property
    def _folds(self) -> CodeArray:
        return np.arange(len(self.codes), dtype=np.int32) if self.fold is None else self.fold

    def _only(self, fold: int) -> "Assessment":
        rows = np.flatnonzero(self._folds == fold)
        weight = None if self.weight is None else self.weight[rows]
        return Assessment(self.classes, self.log_posterior[rows], self.codes[rows], weight)

    def _mean(self, losses: FloatArray) -> Score:
        w = np.ones(len(losses)) if self.weight is None else self.weight
        mean = float(w @ losses / w.sum())
        if not np.isfinite(mean):
            return Score(mean, np.inf)
        return Score(mean, float(np.sqrt((w**2) @ (losses - mean) ** 2) / w.sum()))

    def __str__(self) -> str:
        return (
            f"{len(self.codes)} rows of {len(self.classes)} classes: "
            f"log-loss {self.log_loss}, Brier score {self.brier_score}, accuracy {self.accuracy}"
        )
