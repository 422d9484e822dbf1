"""The fitted vocabulary of a vectorizer: tokens, and scikit-learn's dict on demand."""

from typing import Any

import numpy as np

from suffice.columns.vocabulary import Vocabulary
from suffice.numerics.arrays import AnyArray


class LazyVocabulary:
    """Stores ``vocabulary_`` as tokens in the order of the columns; the dict of strings is built on demand.

    To be mixed into a vectorizer of scikit-learn.
    """

    _terms: Vocabulary | None = None
    _columns: dict[Any, int] | None = None

    @property
    def vocabulary_(self) -> dict[Any, int]:
        """The column of each token."""
        if self._columns is None:
            if self._terms is None:
                raise AttributeError(f"{type(self).__name__} is not fitted, so it has no vocabulary_")
            self._columns = {term: column for column, term in enumerate(self._terms.strings())}
        return self._columns

    @vocabulary_.setter
    def vocabulary_(self, columns: dict[Any, int]) -> None:
        self._columns, self._terms = columns, None

    def _learn(self, terms: Vocabulary) -> None:
        self._columns, self._terms = None, terms

    def _known_terms(self) -> Vocabulary | None:
        """The tokens in the order of the columns; None if they are no strings, or some column has none."""
        if self._terms is None and self._columns is not None:
            terms = sorted(self._columns, key=self._columns.__getitem__)
            regular = all(self._columns[term] == column for column, term in enumerate(terms))
            if regular and all(isinstance(term, str) for term in terms):
                self._terms = Vocabulary.of(terms)[0]
        return self._terms

    def _check_vocabulary(self) -> None:
        if self._terms is None or not len(self._terms):
            super()._check_vocabulary()  # type: ignore[misc]  # scikit-learn's

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """The tokens, in the order of the columns."""
        self._check_vocabulary()
        terms = self._known_terms()
        if terms is None:
            return super().get_feature_names_out()  # type: ignore[misc]  # scikit-learn's
        return np.array(terms.strings(), dtype=object)
