"""scikit-learn's ``CountVectorizer`` with the compiled tokeniser."""

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.feature_extraction import text as theirs

from suffice.columns.analyser import Analyser
from suffice.columns.bags import Bags
from suffice.columns.inputs import LabelsLike
from suffice.columns.normalisers import Normaliser
from suffice.estimators.text.native import is_plain, native_analyser
from suffice.estimators.text.raw_documents import view_batches
from suffice.estimators.text.terms import LazyVocabulary
from suffice.numerics.arrays import SparseRows
from suffice.numerics.threads import thread_count


class CountVectorizer(LazyVocabulary, theirs.CountVectorizer):
    r"""Documents to a matrix of token counts: scikit-learn's arguments, vocabulary and matrix, at the speed of a kernel.

    Settings without native support (a custom tokenizer or analyzer, token patterns other than ``\w+``, ``\w\w+`` and
    ``\w+|[^\w\s]``, with or without ``\b``) use scikit-learn's implementation. A ``preprocessor`` and ``strip_accents``
    are called once per document. To change the fitted vocabulary, assign another ``vocabulary_``; changes of the dict in
    place have no effect.

    Parameters are those of scikit-learn, and two more.

    Parameters
    ----------
    normalise : callable, ``Stem``, ``StopWords``, ``FoldAccents``, a sequence of them, or None, default=None
        Applied to each distinct word, once, after ``stop_words`` and before n-grams: a function from a word to another,
        or to None to drop it. For ``analyzer="word"`` only.
    n_jobs : int or None, default=None
        Threads; None means all cores. The result does not depend on it.

    Examples
    --------
    >>> counts = CountVectorizer().fit(["Machine learning is fun", "Is it?"])
    >>> counts.get_feature_names_out().tolist()
    ['fun', 'is', 'it', 'learning', 'machine']
    >>> counts.transform(["fun, fun, fun"]).toarray().tolist()
    [[3, 0, 0, 0, 0]]
    """

    _parameter_constraints: dict[str, Any] = {  # noqa: RUF012  # scikit-learn's own convention
        **theirs.CountVectorizer._parameter_constraints,
        "normalise": [callable, Normaliser, list, tuple, None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        input: str = "content",
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: Any = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], str] | None = None,
        tokenizer: Callable[[str], Iterable[str]] | None = None,
        stop_words: Any = None,
        token_pattern: str | None = r"(?u)\b\w\w+\b",
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Any = "word",
        max_df: float | int = 1.0,
        min_df: float | int = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
        normalise: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            analyzer=analyzer,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
        )
        self.normalise = normalise
        self.n_jobs = n_jobs

    def fit_transform(self, raw_documents: Any, y: LabelsLike = None) -> SparseRows:
        """Learn the vocabulary, and count."""
        analyser = native_analyser(self)
        if analyser is None or self.vocabulary is not None:
            return super().fit_transform(raw_documents, y)
        if isinstance(raw_documents, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        self._validate_params()
        self._warn_for_unused_params()
        self._validate_vocabulary()
        threads = thread_count(self.n_jobs)
        bags = self._bags(analyser, raw_documents, threads)
        if not len(bags.vocabulary):
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        bags = self._limited(bags.sorted(threads), threads)
        self._learn(bags.vocabulary)
        return self._matrix(bags)

    def _count_vocab(self, raw_documents: Any, fixed_vocab: bool) -> tuple[Any, SparseRows]:
        """scikit-learn's counting method, called for a fixed vocabulary and for settings that need Python code."""
        analyser = native_analyser(self)
        terms = self._known_terms() if fixed_vocab else None
        if analyser is None or terms is None:
            return super()._count_vocab(raw_documents, fixed_vocab)
        threads = thread_count(self.n_jobs)
        return None, self._matrix(self._bags(analyser, raw_documents, threads).within(terms, threads))

    def _bags(self, analyser: Analyser, raw_documents: Any, threads: int) -> Bags:
        self.build_analyzer()  # validates the settings and warns
        preprocess = None if is_plain(self) else self.build_preprocessor()
        batches = view_batches(raw_documents, self.decode, preprocess, is_content=self.input == "content")
        bags = [analyser.bags(views, threads) for views in batches]
        return bags[0] if len(bags) == 1 else Bags.stacked(bags, threads)

    def _limited(self, bags: Bags, threads: int) -> Bags:
        """Bags without too rare or too common tokens, limited to the most frequent."""
        most, least = (float(n if isinstance(n, Integral) else n * bags.rows) for n in (self.max_df, self.min_df))
        if most < least:
            raise ValueError("max_df corresponds to < documents than min_df")
        if most >= bags.rows and least <= 1 and self.max_features is None:
            return bags
        frequency = bags.document_frequency
        kept = np.flatnonzero((frequency <= most) & (frequency >= least))
        if self.max_features is not None and len(kept) > self.max_features:
            total = np.asarray(self._matrix(bags).sum(axis=0)).ravel()
            kept = np.sort(kept[(-total[kept]).argsort()[: self.max_features]])
        if not len(kept):
            raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        return bags.selected(kept, threads)

    def _matrix(self, bags: Bags) -> SparseRows:
        # array or matrix, by the configuration of scikit-learn
        kind = sp.csr_array if sklearn.get_config().get("sparse_interface") == "sparray" else sp.csr_matrix
        matrix = bags.matrix(self.dtype, kind)
        if self.binary:
            matrix.data.fill(1)
        return matrix
