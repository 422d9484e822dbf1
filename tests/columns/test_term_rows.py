"""Rows of a document-term matrix as bags of words, and as rows that are kept."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from suffice.columns.stored_cells import StoredTerms, stack_cells, store_cells
from suffice.columns.term_rows import TermRows


@pytest.fixture
def counts(rng):
    return sp.csr_array(rng.poisson(0.2, (1000, 40)))


def test_bags_are_the_rows(counts):
    rows = TermRows.of(range(40), counts)
    bags = rows.bags()
    columns = [int(word) for word in bags.vocabulary.strings()]
    np.testing.assert_array_equal(bags.matrix().toarray(), counts.toarray()[:, columns])
    np.testing.assert_array_equal(bags.lengths, counts.sum(axis=1))
    some = np.array([5, 900, 5])
    few = rows.take(some).bags()
    columns = [int(word) for word in few.vocabulary.strings()]
    np.testing.assert_array_equal(few.matrix().toarray(), counts.toarray()[some][:, columns])
    assert not rows.views.missing.any()


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.float32])
def test_cells_of_any_type(counts, dtype):
    cells = counts.toarray().astype(dtype)
    for values in (cells, sp.csr_array(cells)):
        rows = TermRows.of(range(40), values)
        np.testing.assert_array_equal(rows.counts, cells[cells > 0].astype(int))


def test_cells_that_are_zero_or_missing_are_no_words():
    cells = sp.csr_array((np.array([0.0, np.nan, 2.0, 1.0]), ([0, 0, 0, 2], [0, 1, 2, 1])), shape=(3, 3))
    rows = TermRows.of(["a", "b", "c"], cells)
    assert rows.indptr.tolist() == [0, 1, 1, 2]
    assert rows.bags().vocabulary.strings() == ["b", "c"]


def test_counts_beyond_32_bits_are_cut():
    assert TermRows.of(["a"], np.array([[1e12]])).counts.tolist() == [2**31 - 1]


def test_shares_of_a_document_are_counts_again():
    texts = ["tea and milk and tea and sugar", "a cup of tea", "milk milk sugar"]
    counted = CountVectorizer().fit_transform(texts)
    shares = TfidfVectorizer(use_idf=False, norm="l1").fit_transform(texts)
    names = range(counted.shape[1])
    np.testing.assert_array_equal(TermRows.of(names, shares).counts, TermRows.of(names, counted).counts)


def test_weights_of_words_count_at_least_once():
    texts = ["tea and milk and tea and sugar", "a cup of tea", "milk milk sugar", "and"]
    rows = TermRows.of(range(6), TfidfVectorizer().fit_transform(texts))
    assert rows.counts.min() == 1
    assert rows.counts.max() > 1


def test_kept_rows_know_each_other_by_their_words(counts):
    kept = store_cells(TermRows.of(range(40), counts))
    salts = np.random.default_rng(0).integers(0, 2**63, 40).tolist()
    equal = np.unique(counts.toarray(), axis=0, return_inverse=True)[1].ravel()
    keys, codes = kept.hashes(salts), next(kept.cell_codes())
    assert len(np.unique(keys)) == len(np.unique(equal)) == len(np.unique(codes))
    order = np.random.default_rng(1).permutation(40)
    moved = kept.permuted_columns(np.argsort(order))
    np.testing.assert_array_equal(moved.hashes([salts[j] for j in order]), keys)
    np.testing.assert_array_equal(
        store_cells(TermRows.of(range(40), counts[:, order])).hashes([salts[j] for j in order]), keys
    )


def test_kept_rows_stack_and_are_taken(counts):
    parts = [store_cells(TermRows.of(range(40), counts[a : a + 250])) for a in range(0, 1000, 250)]
    whole = stack_cells(parts)
    assert isinstance(whole, StoredTerms)
    back = whole.take(np.arange(999, -1, -1)).block(range(40))
    np.testing.assert_array_equal(
        sp.csr_array((back.counts, back.columns, back.indptr), shape=(1000, 40)).toarray(), counts.toarray()[::-1]
    )
    assert whole.fits(40)
    assert not whole.fits(39)
    np.testing.assert_array_equal(whole.row_bytes, 8 + 8 * np.diff(counts.indptr))
