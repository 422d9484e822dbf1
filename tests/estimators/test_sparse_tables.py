"""A sparse matrix of ordinary width is a table: the same model as of the array it stands for."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from suffice import BayesClassifier, Gaussian, Multinomial
from suffice.errors import NegativeError


@pytest.fixture(scope="module")
def customers():
    """Encoded as one does for linear models: one-hot towns, scaled amounts, most of which are the same."""
    rng = np.random.default_rng(5)
    n = 1500
    table = pd.DataFrame(
        {
            "town": rng.choice([f"town {i}" for i in range(40)], n),
            "plan": rng.choice(["basic", "family", "firm"], n, p=[0.6, 0.3, 0.1]),
            "calls": rng.poisson(1.0, n).astype(float),
            "amount": rng.gamma(2.0, 30.0, n),
        }
    )
    log_odds = table["calls"] - 0.02 * table["amount"] + 2.0 * (table["plan"] == "firm")
    return table, (log_odds + rng.logistic(size=n) > 0).to_numpy().astype(int)


@pytest.fixture(scope="module")
def rows(customers):
    encode = make_column_transformer(
        (OneHotEncoder(), ["town", "plan"]), (StandardScaler(), ["calls", "amount"]), sparse_threshold=1.0
    )
    encoded = encode.fit_transform(customers[0])
    assert sp.issparse(encoded)
    assert encoded.min() < 0
    return encoded


def test_the_model_of_the_array(customers, rows):
    y = customers[1]
    dense = BayesClassifier().fit(rows.toarray(), y)
    expected = dense.predict_proba(rows.toarray())
    for make in (sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix):
        sparse = BayesClassifier().fit(make(rows), y)
        np.testing.assert_allclose(sparse.predict_proba(make(rows)), expected, atol=1e-9)
        np.testing.assert_allclose(sparse.predict_proba(rows.toarray()), expected, atol=1e-9)
    np.testing.assert_allclose(dense.predict_proba(rows), expected, atol=1e-9)


def test_a_column_of_a_sparse_frame(customers, rows):
    frame = pd.DataFrame.sparse.from_spmatrix(rows)
    expected = BayesClassifier().fit(rows.toarray(), customers[1]).predict_proba(rows.toarray())
    np.testing.assert_allclose(BayesClassifier().fit(frame, customers[1]).predict_proba(frame), expected, atol=1e-9)


def test_in_a_pipeline_it_is_better_than_knowing_nothing(customers):
    table, y = customers
    encode = make_column_transformer((OneHotEncoder(), ["town", "plan"]), (StandardScaler(), ["calls", "amount"]))
    model = make_pipeline(encode, BayesClassifier()).fit(table[:1000], y[:1000])
    loss = -np.log(model.predict_proba(table[1000:])[np.arange(500), y[1000:]]).mean()
    assert loss < 0.9 * np.log(2)


def test_missing_cells_are_stored_nans(customers, rows):
    holes = rows.toarray()
    holes[::7, -1] = np.nan
    dense = BayesClassifier().fit(holes, customers[1]).predict_proba(holes)
    sparse = sp.csr_array(holes)
    np.testing.assert_allclose(BayesClassifier().fit(sparse, customers[1]).predict_proba(sparse), dense, atol=1e-9)


def test_batches_parts_and_forgotten_rows(customers, rows):
    y, rows = customers[1], sp.csr_array(rows)
    whole = BayesClassifier().fit(rows, y).predict_proba(rows)
    batches = BayesClassifier()
    for start in range(0, 1500, 400):
        batches.partial_fit(rows[start : start + 400], y[start : start + 400])
    merged = BayesClassifier().fit(rows[:700], y[:700]).merge(BayesClassifier().fit(rows[700:], y[700:]))
    more = sp.vstack([rows, rows[:100]], format="csr")
    forgot = BayesClassifier().fit(more, np.append(y, y[:100])).forget(rows[:100], y[:100])
    for model in (batches, merged, forgot):
        np.testing.assert_allclose(model.predict_proba(rows), whole, atol=1e-9)


def test_rows_are_filled_up_a_few_at_a_time():
    rng = np.random.default_rng(2)
    rows = sp.random_array((150_000, 200), density=2e-3, format="csr", random_state=rng)
    y = np.asarray(rows.sum(axis=1) > np.median(rows.sum(axis=1))).astype(int)
    tracemalloc.start()
    BayesClassifier(keep_rows=300).fit(rows, y).predict_proba(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * rows.shape[0] * rows.shape[1]  # half of what the array itself would take


def test_the_textbook_takes_sparse_columns_for_counts(rng):
    counts = sp.csr_array(rng.poisson(0.5, (1000, 30)).astype(float))
    y = rng.integers(0, 2, 1000)
    expected = BayesClassifier(Multinomial()).fit(counts, y).predict_proba(counts)
    np.testing.assert_allclose(BayesClassifier(model="naive").fit(counts, y).predict_proba(counts), expected)


def test_the_textbook_refuses_negative_counts_and_says_what_to_do(customers, rows):
    with pytest.raises(
        NegativeError, match=r"Column 43 .* negative values; Multinomial needs counts ≥ 0.*Gaussian\(\)"
    ):
        BayesClassifier(model="naive").fit(rows, customers[1])
    as_numbers = BayesClassifier(Gaussian()).fit(rows, customers[1]).predict_proba(rows)
    np.testing.assert_allclose(
        as_numbers, BayesClassifier(Gaussian()).fit(rows.toarray(), customers[1]).predict_proba(rows.toarray())
    )
