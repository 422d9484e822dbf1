"""Shapley values of the two columns of a pair, by cell."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PairShares:
    """Concatenated tables of all pairs; the first row and the first column of a table are for missing cells."""

    columns: IntArray
    """(pairs, 2)"""
    base: FloatArray
    """The mean score of all pairs, (classes)."""
    shares: FloatArray
    """Shapley values (2, cells, classes) of the first and of the second column of each pair."""
    steps: IntArray
    """Offsets (2, pairs, codes) into the tables for a missing cell, then for each code, of the two columns of each
    pair."""

    @classmethod
    def of(
        cls, columns: IntArray, groups: CodeArray, sizes: IntArray, counts: FloatArray, scores: FloatArray, seen: float
    ) -> "PairShares":
        """The Shapley values of ``scores`` (cells, classes), with ``counts`` (cells) of pairs of ``sizes`` (pairs, 2)
        among ``seen`` rows.

        A column outside a coalition is averaged over the other rows: the score of a cell (u, v) becomes its mean over
        u, over v, or over both. A pair that lacks one of its cells scores 0; so does a row that was not counted in it.
        """
        start = np.concatenate([[0], np.cumsum(sizes.prod(axis=1))])
        parts, base = [], np.zeros(scores.shape[1])
        for (m, n), (first, end) in zip(sizes, pairwise(start), strict=True):
            score = np.zeros((m + 1, n + 1, scores.shape[1]))
            score[1:, 1:] = scores[first:end].reshape(m, n, -1)
            share = np.zeros((m + 1, n + 1))
            share[1:, 1:] = counts[first:end].reshape(m, n) / seen
            over_first = np.tensordot(share.sum(axis=1), score, axes=1)[None]
            over_second = np.tensordot(share.sum(axis=0), score, axes=(0, 1))[:, None]
            mean = np.tensordot(share, score, axes=2)
            base += mean
            one = 0.5 * (over_second - mean + score - over_first)
            parts.append(np.stack([one, score - mean - one]).reshape(2, -1, len(mean)))
        begin = np.concatenate([[0], np.cumsum((sizes + 1).prod(axis=1))])[:-1]
        nothing = np.zeros((2, len(sizes), 1), dtype=np.int64)
        steps = np.concatenate([nothing, groups + np.int64(1)], axis=2)
        steps[0] = steps[0] * (sizes[:, 1:] + 1) + begin[:, None]
        return cls(columns, base, np.concatenate(parts, axis=1), steps)

    def by_column(self, codes: CodeArray) -> FloatArray:
        """(rows, columns, classes) of rows by their ``codes`` (rows, columns), −1 where one has none."""
        left, right = self.columns.T
        each = np.arange(len(left))
        at = self.steps[0, each, codes[:, left] + 1] + self.steps[1, each, codes[:, right] + 1]
        first, second = (np.eye(codes.shape[1])[:, own] for own in (left, right))
        return np.asarray(first @ self.shares[0][at] + second @ self.shares[1][at])
