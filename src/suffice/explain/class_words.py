"""The most characteristic words of a class."""

from typing import NamedTuple

import numpy as np

from suffice.statistics import WordCounts

_CANDIDATES_PER_WORD = 4  # if punctuation is excluded


class ClassWord(NamedTuple):
    """A word, its share of a class's counts, and that of all counts."""

    word: str
    share: float
    everywhere: float


def class_words(counts: WordCounts, most: int, *, spelled: bool = False) -> list[list[ClassWord]]:
    """The most characteristic words of each class, ranked by p(word | class) log p(word | class) / p(word).

    With ``spelled``, only words with a letter or a digit.
    """
    table = counts.tables[0].tocsc()
    everywhere = np.asarray(table.sum(axis=1)).ravel() / max(float(table.data.sum()), 1e-300)
    out = []
    for c in range(table.shape[1]):
        of_class = slice(table.indptr[c], table.indptr[c + 1])
        words, share = table.indices[of_class], table.data[of_class] / max(float(table.data[of_class].sum()), 1e-300)
        gain = share * np.log(share / everywhere[words])
        best = np.argsort(-gain, kind="stable")[: most * (_CANDIDATES_PER_WORD if spelled else 1)]
        best = best[gain[best] > 0]
        names = counts.vocabulary.take(words[best]).strings()
        kept = [(n, i) for n, i in zip(names, best, strict=True) if not spelled or any(map(str.isalnum, n))]
        out.append([ClassWord(n, float(share[i]), float(everywhere[words[i]])) for n, i in kept[:most]])
    return out
