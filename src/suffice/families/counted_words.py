"""Scores of the words of each row, with all rows counted or leave-one-out."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from suffice.columns.blocks import Numbers
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import Rule
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class OccurringWords:
    """The word occurrences of ``rows`` rows: counts, words and rows."""

    x: FloatArray
    column: IntArray
    row: IntArray
    rows: int

    @classmethod
    def of(cls, block: Numbers) -> "OccurringWords":
        if isinstance(block.values, np.ndarray):
            row, column = np.nonzero(np.nan_to_num(block.values))
            return cls(block.values[row, column].astype(np.float64), column, row, block.rows)
        row = np.repeat(np.arange(block.rows), np.diff(block.values.indptr))
        x = np.nan_to_num(block.values.data.astype(np.float64))
        return cls(x, block.values.indices.astype(np.int64), row, block.rows)

    def summed(self, values: AnyArray) -> FloatArray:
        """Over the words of each row."""
        return np.asarray(np.bincount(self.row, values, minlength=self.rows), dtype=np.float64)


def dirichlet_multinomial(words: OccurringWords, a: FloatArray, total: FloatArray | float) -> FloatArray:
    """log p of each row under θ ~ Dirichlet integrated out; ``a`` are the pseudo-counts of its words, ``total`` of all."""
    with np.errstate(over="ignore", invalid="ignore"):
        length = words.summed(words.x)
        score = (
            words.summed(special.gammaln(words.x + a) - special.gammaln(a))
            + special.gammaln(total)
            - special.gammaln(total + length)
        )
    return np.where(np.isnan(score), -np.inf, score)  # intermediate overflow: probability zero


def without(counts: FloatArray, words: OccurringWords, weight: FloatArray, gone: BoolArray) -> FloatArray:
    """The counts of each word of each row in one class, without the row itself where ``gone``."""
    had = counts[words.column]
    left = had - np.where(gone[words.row], weight[words.row] * words.x, 0.0)
    return np.where(left > 1e-12 * had, left, 0.0)


def log_theta(
    counts: FloatArray, alpha: FloatArray, rule: Rule, words: OccurringWords, left: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """log θ of each word of each row in one class, estimated from the ``left`` counts; and a mask of the rows without
    which the class is empty."""
    before = pseudo.strengths(counts, alpha, rule)
    after = pseudo.strengths(left, alpha[words.column], rule)
    total = before.sum() + words.summed(after - before[words.column])
    nothing = total <= 1e-12 * before.sum()
    return pseudo.log(after) - np.log(np.where(nothing, 1.0, total))[words.row], nothing
