"""Declared words of a vocabulary, which exist without any document."""

from collections.abc import Collection

import scipy.sparse as sp

from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.arrays import SparseRows
from suffice.statistics import WordCounts


def with_words(counts: WordCounts, words: Collection[str]) -> WordCounts:
    """Counts extended by the declared words that do not occur, with counts of zero."""
    vocabulary, _ = counts.vocabulary.extended(Vocabulary.of(sorted(words))[0])
    more = len(vocabulary) - len(counts.vocabulary)
    return WordCounts(counts.documents, vocabulary, tuple(_longer(table, more) for table in counts.tables))


def _longer(table: SparseRows, rows: int) -> SparseRows:
    empty = sp.csr_array((rows, table.shape[1]), dtype=table.dtype)
    longer: SparseRows = sp.vstack([table, empty], format="csr")
    return longer
