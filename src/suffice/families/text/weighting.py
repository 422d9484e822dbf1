"""Weights of words within a document."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from suffice.columns.bags import Bags
from suffice.numerics.arrays import AnyArray, FloatArray

Norm = Literal["l1", "l2"]


@dataclass(frozen=True)
class Weighting:
    """The amount of a word in a document: its count, or 1 + log of it, divided by the length of the document. Amounts
    add over documents.

    ``norm="l1"`` divides by the sum of the amounts in the document, ``"l2"`` by the root of the sum of their squares.
    """

    sublinear_tf: bool = False
    norm: Norm | None = None

    def __call__(self, bags: Bags, whole: Bags | None = None) -> FloatArray:
        """The amounts, in the order of ``bags``. If ``bags`` has only some words of the documents, ``whole`` has all."""
        amounts = self._raw(bags.counts)
        if self.norm is None:
            return amounts
        return amounts / np.repeat(self._lengths(bags if whole is None else whole), np.diff(bags.indptr))

    def _raw(self, counts: AnyArray) -> FloatArray:
        amounts = counts.astype(np.float64)
        return 1 + np.log(amounts) if self.sublinear_tf else amounts

    def _lengths(self, bags: Bags) -> FloatArray:
        amounts = self._raw(bags.counts)
        row = np.repeat(np.arange(bags.rows), np.diff(bags.indptr))
        power = 1 if self.norm == "l1" else 2
        return np.asarray(np.bincount(row, amounts**power, bags.rows) ** (1 / power), dtype=np.float64)


def inverse_document_frequency(documents: AnyArray, total: float) -> FloatArray:
    """log((1 + documents) / (1 + those with the word)) + 1, as in scikit-learn: bounded and never zero.

    >>> inverse_document_frequency(np.array([3.0, 1.0]), 3.0).round(3).tolist()
    [1.0, 1.693]
    """
    return np.asarray(np.log((1 + total) / (1 + np.minimum(documents, total))) + 1)
