"""Words as columns of a matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.vocabulary import Vocabulary
from suffice.estimators.text.count_vectorizer import CountVectorizer
from suffice.numerics.arrays import FloatArray

_MAX_WORDS = 50_000


@dataclass(frozen=True, eq=False)
class WordWeights:
    """tf-idf: words weighted by inverse document frequency, each text normalised to length one."""

    vocabulary: Vocabulary
    rarity: FloatArray

    @classmethod
    def of(cls, texts: list[str]) -> "WordWeights":
        counter = CountVectorizer(min_df=2 if len(texts) > 200 else 1, max_features=_MAX_WORDS)
        counts = counter.fit_transform(texts)
        occurs = np.bincount(counts.indices, minlength=counts.shape[1])
        vocabulary = counter._known_terms()
        assert vocabulary is not None  # words are text
        return cls(vocabulary, np.log((1.0 + len(texts)) / (1.0 + occurs)) + 1.0)

    def weighted(self, texts: list[str]) -> Any:
        """The tf-idf matrix (rows, words), sparse."""
        counter = CountVectorizer()
        counter._learn(self.vocabulary)
        found = sp.csr_matrix(counter.transform(texts).astype(np.float64).multiply(self.rarity))
        length = np.sqrt(np.asarray(found.multiply(found).sum(axis=1))).ravel()
        return sp.diags(1.0 / np.where(length > 0, length, 1.0)) @ found
