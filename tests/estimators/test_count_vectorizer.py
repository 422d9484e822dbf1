"""What our ``CountVectorizer`` does beyond scikit-learn's, and with documents that nobody would wish for."""

import io
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer as Theirs
from sklearn.pipeline import make_pipeline

from suffice.errors import DataError, ParameterError
from suffice.estimators.text import raw_documents
from suffice.naive_bayes import MultinomialNB
from suffice.text import CountVectorizer, FoldAccents, Stem, StopWords

DOCS = ["The cat sat on the mat", "Dogs and cats", "A dog's life — naïve café", "", "The END of the cat"]


def same(ours, theirs):
    return ours.shape == theirs.shape and (ours != theirs).nnz == 0


def test_normalise_is_applied_to_each_distinct_word_once():
    calls = []

    def shout(word):
        calls.append(word)
        return word.upper()

    vectorizer = CountVectorizer(normalise=shout)
    assert "CAT" in vectorizer.fit(DOCS).vocabulary_
    assert sorted(calls) == sorted(set(calls))


def test_normalisers_in_a_row():
    vectorizer = CountVectorizer(
        stop_words=["the"], normalise=[FoldAccents(), Stem("english"), StopWords(["and", "on"])]
    )
    names = vectorizer.fit(DOCS).get_feature_names_out().tolist()
    assert names == ["cafe", "cat", "dog", "end", "life", "mat", "naiv", "of", "sat"]
    assert vectorizer.transform(["cats CAT cat’s"]).toarray()[0].tolist() == [0, 3, 0, 0, 0, 0, 0, 0, 0]
    assert pickle.loads(pickle.dumps(vectorizer)).vocabulary_ == vectorizer.vocabulary_
    assert clone(vectorizer).fit(DOCS).vocabulary_ == vectorizer.vocabulary_


@pytest.mark.parametrize("own", [{"analyzer": "char"}, {"tokenizer": str.split}, {"token_pattern": "[a-z]+"}])
def test_normalise_needs_the_tokenisers_words(own):
    with pytest.raises(ParameterError, match="normalise is given with a custom analyzer"):
        CountVectorizer(normalise=str.upper, **own).fit(DOCS)


def test_the_result_does_not_depend_on_threads():
    docs = [" ".join(f"w{i * j % 9973}" for j in range(60)) for i in range(2000)]
    runs = [CountVectorizer(n_jobs=n, ngram_range=(1, 2)).fit_transform(docs) for n in (1, 2, 5)]
    for other in runs[1:]:
        for part in ("data", "indices", "indptr"):
            assert getattr(runs[0], part).tobytes() == getattr(other, part).tobytes()


@pytest.mark.parametrize("form", [tuple, iter, np.array, pd.Series, pa.array, lambda d: (x for x in d)])
def test_documents_of_any_form(form):
    ours, theirs = CountVectorizer(), Theirs()
    assert same(ours.fit_transform(form(DOCS)), theirs.fit_transform(DOCS))
    assert same(ours.transform(form(DOCS[::-1])), theirs.transform(DOCS[::-1]))


def test_a_stream_is_read_in_batches(monkeypatch):
    monkeypatch.setattr(raw_documents, "_BATCH_CHARACTERS", 1000)
    docs = [f"word{i % 7} other{i}" for i in range(100)]
    ours, theirs = CountVectorizer(), Theirs()
    assert same(ours.fit_transform(iter(docs)), theirs.fit_transform(docs))
    assert ours.vocabulary_ == theirs.vocabulary_
    assert same(ours.transform(iter(docs)), theirs.transform(docs))


def test_bytes_and_files(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("Café au lait".encode("latin-1"))
    expected = Theirs().fit(["Café au lait"]).vocabulary_
    assert CountVectorizer(encoding="latin-1").fit([path.read_bytes()]).vocabulary_ == expected
    for name in (path, str(path)):
        assert CountVectorizer(encoding="latin-1", input="filename").fit([name]).vocabulary_ == expected
    assert CountVectorizer().fit(np.array(["Café au lait".encode()], dtype=object)).vocabulary_ == expected
    assert CountVectorizer(input="file").fit([io.StringIO("Café au lait")]).vocabulary_ == expected
    assert CountVectorizer(decode_error="ignore").fit([path.read_bytes()]).vocabulary_ == {"caf": 1, "au": 0, "lait": 2}


@pytest.mark.parametrize("settings", [{}, {"analyzer": "char"}, {"strip_accents": "ascii"}])
def test_bytes_in_another_encoding_are_named(settings):
    with pytest.raises(UnicodeDecodeError, match=r"document 1; give the encoding .* or decode_error='replace'"):
        CountVectorizer(**settings).fit([b"fine", "café".encode("latin-1")])


@pytest.mark.parametrize("stranger", [None, np.nan, 3, ["a", "b"], pd.NA])
@pytest.mark.parametrize("settings", [{}, {"analyzer": "char_wb"}, {"preprocessor": lambda d: d}])
def test_what_is_no_document_is_named(stranger, settings):
    with pytest.raises(ValueError, match=r"Document 2 is|np\.nan is an invalid document"):
        CountVectorizer(**settings).fit(["one", "two", stranger])
    fitted = CountVectorizer(**settings).fit(["one", "two"])
    with pytest.raises(ValueError, match=r"Document 1 is|np\.nan is an invalid document"):
        fitted.transform(["one", stranger])


def test_missing_documents_in_a_column_are_named():
    for column in (pa.array(["a b", None]), pd.Series(["a b", None])):
        with pytest.raises(DataError, match=r"Document 1 is None; text is needed. Replace it by text, or drop it"):
            CountVectorizer().fit(column)


def test_nothing_to_learn():
    for docs in ([], [""], ["! ?"], ["a b c"]):
        with pytest.raises(ValueError, match="empty vocabulary"):
            CountVectorizer().fit(docs)
    with pytest.raises(NotFittedError, match="not fitted"):
        CountVectorizer().transform(DOCS)
    with pytest.raises(AttributeError, match="no vocabulary_"):
        _ = CountVectorizer().vocabulary_
    assert CountVectorizer().fit(DOCS).transform([]).shape[0] == 0


def test_a_failed_fit_leaves_what_was_known():
    vectorizer = CountVectorizer().fit(DOCS)
    known = vectorizer.get_feature_names_out().tolist()
    with pytest.raises(DataError):
        vectorizer.fit(["a", None])
    assert vectorizer.get_feature_names_out().tolist() == known


def test_a_vocabulary_can_be_assigned():
    vectorizer = CountVectorizer().fit(DOCS)
    vectorizer.vocabulary_ = {"cat": 1, "mat": 0}
    assert vectorizer.transform(["cat cat mat"]).toarray().tolist() == [[1, 2]]
    assert vectorizer.get_feature_names_out().tolist() == ["mat", "cat"]
    vectorizer.vocabulary_ = {"cat": 0, ("mat",): 1}  # not all strings: scikit-learn's affair
    assert vectorizer.transform(["cat cat mat"]).toarray().tolist() == [[2, 0]]
    assert vectorizer.get_feature_names_out().tolist() == ["cat", ("mat",)]


def test_with_a_classifier_after_it():
    model = make_pipeline(CountVectorizer(), MultinomialNB()).fit(["cheap pills", "see you at noon"], ["spam", "ham"])
    assert model.predict(["cheap cheap", "noon?"]).tolist() == ["spam", "ham"]


STRANGE = [
    "\x00", "a\x00bc\x00\x00de", "\ud800 ab\udfffcd", "\ud83d\ude00 pair", "\ufeffbom", " " * 100, "a" * 70_000,
    "שלום עולם", "مرحبا بالعالم", "👩\u200d👧 family 😀😀", "e\u0301le\u0300ve", "ﬁne ﬂy", "İSTANBUL ΟΔΟΣ",
    "ａｂｃ １２３", "Ⅷ ⅷ ²³",
]  # fmt: skip


class TestHugeAndStrange:
    def test_one_document_of_fifty_megabytes(self):
        words = [f"w{i:05d}" for i in range(1000)]
        doc = " ".join(words * 7200)
        matrix = CountVectorizer().fit_transform([doc, "w00000"])
        assert len(doc) > 50_000_000
        assert matrix.toarray()[0].tolist() == [7200] * 1000

    def test_one_word_of_fifty_megabytes(self):
        names = CountVectorizer().fit(["é" * 25_000_000, "x" * 9]).get_feature_names_out()
        assert [len(name) for name in names] == [9, 25_000_000]

    def test_a_million_documents_of_one_word(self):
        docs = ["tea", "milk", "", "and"] * 250_000
        matrix = CountVectorizer().fit_transform(docs)
        assert matrix.shape == (1_000_000, 3)
        assert np.ravel(matrix.sum(axis=0)).tolist() == [250_000] * 3
        assert matrix[:4].toarray().tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 0], [1, 0, 0]]

    @pytest.mark.parametrize("text", STRANGE)
    @pytest.mark.parametrize(
        "settings", [{}, {"analyzer": "char", "ngram_range": (1, 3)}, {"token_pattern": r"\w+|[^\w\s]"}]
    )
    def test_strange_text(self, text, settings):
        docs = [text, "and plain words", text * 3]
        ours, theirs = CountVectorizer(**settings), Theirs(**settings)
        assert same(ours.fit_transform(docs), theirs.fit_transform(docs))
        assert ours.vocabulary_ == theirs.vocabulary_
        assert same(pickle.loads(pickle.dumps(ours)).transform(docs), theirs.transform(docs))
