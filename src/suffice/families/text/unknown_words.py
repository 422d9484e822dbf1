"""The unknown word, which represents all words outside the vocabulary.

It is computed when probabilities are estimated, and the counts are unchanged. Its count is that of all words that are
too rare, or else the expected number of occurrences of words that would have been unknown if a share of the documents
had been held out.
"""

import numpy as np
import scipy.sparse as sp

from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows
from suffice.statistics import WordCounts


def unseen_share(documents: AnyArray, held_out: float) -> FloatArray:
    """The probability that an occurrence of a word is unknown: all documents with the word are held out.

    >>> unseen_share(np.array([1.0, 2.0, 3.0]), 0.1).round(3).tolist()
    [1.0, 0.1, 0.01]
    """
    return np.asarray(held_out ** np.maximum(documents - 1, 0.0))


def with_unknown(counts: WordCounts, unknown: str, share: FloatArray) -> WordCounts:
    """Counts with a share of the occurrences of each word moved to the unknown word; words without occurrences are
    dropped."""
    kept = np.flatnonzero(share < 1)
    vocabulary, numbers = counts.vocabulary.take(kept).extended(Vocabulary.of([unknown])[0])
    tables = tuple(_moved(table, kept, share, int(numbers[0]), len(vocabulary)) for table in counts.tables)
    return WordCounts(counts.documents, vocabulary, tables)


def _moved(table: SparseRows, kept: AnyArray, share: FloatArray, place: int, words: int) -> SparseRows:
    cells = table.tocoo()
    to = np.full(table.shape[0], place)
    to[kept] = np.arange(len(kept))
    gone = cells.data * share[cells.row]
    values = np.concatenate([cells.data - gone, gone])
    rows = np.concatenate([to[cells.row], np.full(len(gone), place)])
    # cells that share a place are added up
    moved: SparseRows = sp.csr_array((values, (rows, np.tile(cells.col, 2))), shape=(words, table.shape[1]))
    moved.eliminate_zeros()
    return moved
