"""A category that comes as text here and as a number there is one category: when asked, learned, merged and forgotten."""

from copy import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice import TAN, BayesClassifier, Categorical
from suffice.columns.labels import encode_labels
from suffice.columns.records_table import RecordsTable
from suffice.columns.spelling import level_indices, level_text, merged_levels, normalise_level, unified_levels
from suffice.columns.stored_cells import spelling_digest
from suffice.sources import open_table

LEVELS = st.one_of(
    st.integers(-5, 12), st.booleans(), st.floats(-2, 2).map(lambda v: round(v, 1)), st.text("1T.5", max_size=3)
)
COLUMN = st.lists(LEVELS, max_size=6).map(unified_levels)
N = 1200


@given(COLUMN, COLUMN)
def test_what_both_have_has_the_levels_of_each(mine, theirs):
    both = merged_levels(mine, theirs)
    assert len({str(v) for v in both}) == len(both)
    for levels in (mine, theirs):
        found = level_indices(levels, both)
        assert -1 not in found
        assert len(set(found)) == len(levels)
    if -1 not in level_indices(theirs, mine):
        assert both == mine


@given(LEVELS)
def test_a_level_has_the_hash_of_its_spelling(level):
    assert spelling_digest(normalise_level(level)) == spelling_digest(level_text(level))


def test_large_numbers_keep_their_hash():
    for number in (2**53 + 1, 10**18 + 7, -(10**9)):
        assert spelling_digest(number) == spelling_digest(str(number))
    assert spelling_digest("1e400") != spelling_digest("9" * 400)


def coded(values, as_what):
    """A table of two columns of categories, in one spelling."""
    spelled = [as_what(v) for v in values]
    return pd.DataFrame({"code": pd.Series(spelled, dtype="category"), "other": np.array(list("uvw"))[values % 3]})


SPELLINGS = {"text": lambda v: str(int(v)), "integers": int, "floats": float}
MODELS = {
    "default": BayesClassifier,
    "naive": lambda: BayesClassifier(model="naive"),
    "declared": lambda: BayesClassifier({"code": Categorical(levels=range(1, 8), alpha={"1": 3.0})}),
    "tree": lambda: BayesClassifier({("code", "other"): TAN()}),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("first", SPELLINGS)
@pytest.mark.parametrize("then", SPELLINGS)
def test_codes_meet_again(model, first, then, rng):
    y = rng.integers(0, 3, N)
    values = np.where(rng.random(N) < 0.6, 2 * y + 1, rng.integers(1, 8, N))
    mine, theirs = (coded(values, SPELLINGS[name]) for name in (first, then))
    half = N // 2
    whole = MODELS[model]().fit(mine, y)
    expected = whole.predict_proba(mine)
    np.testing.assert_array_equal(whole.predict_proba(theirs), expected)
    batches = MODELS[model]().fit(mine[:half], y[:half])
    of_half = batches.predict_proba(mine)
    shards = copy(batches).merge(MODELS[model]().fit(theirs[half:], y[half:]))
    batches.partial_fit(theirs[half:], y[half:])
    for other in (shards, batches):
        np.testing.assert_allclose(other.predict_proba(theirs), expected, atol=1e-9)
        other.forget(mine[half:], y[half:])  # as they were not spelled when they were learned
        np.testing.assert_allclose(other.predict_proba(theirs), of_half, atol=1e-9)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, lambda columns: columns])
def test_truths_meet_their_spelling(form, rng):
    y = rng.integers(0, 2, N)
    truth = rng.random(N) < 0.3 + 0.4 * y
    tables = [form({"paid": cells.tolist()}) for cells in (truth, np.where(truth, "True", "False"))]
    for mine, theirs in (tables, tables[::-1]):
        model = BayesClassifier().fit(mine, y)
        np.testing.assert_array_equal(model.predict_proba(theirs), model.predict_proba(mine))
        assert len(np.unique(model.predict_proba(theirs)[:, 0])) == 2
    np.testing.assert_array_equal(model.predict_proba(form({"paid": truth.tolist()})), model.predict_proba(mine))


def test_an_array_of_integers_meets_texts(rng):
    y = rng.integers(0, 2, N)
    codes = np.column_stack([y + rng.integers(0, 3, N), rng.integers(0, 4, N)])
    for first, then in ((codes, codes.astype(str)), (codes.astype(str), codes), (codes.astype(str), codes * 1.0)):
        model = BayesClassifier(Categorical()).fit(first, y)
        np.testing.assert_array_equal(model.predict_proba(then), model.predict_proba(first))


def test_a_new_level_of_another_kind_turns_all_names_into_texts(rng):
    y = rng.integers(0, 2, N)
    codes = rng.integers(0, 3, N)
    model = BayesClassifier(Categorical()).fit({"code": codes}, y)
    model.partial_fit({"code": ["1", "n/a"]}, [0, 1])
    assert model.model_.tally.statistics[0].levels == (("0", "1", "2", "n/a"),)
    assert model.model_.tally.statistics[0].table.sum() == N + 2
    model.partial_fit({"code": codes}, y)
    assert model.model_.tally.statistics[0].table.sum() == 2 * N + 2


def test_rows_of_messages_mix_kinds():
    model = BayesClassifier(Categorical()).fit({"code": [1, 2, 1, 2]}, [0, 1, 0, 1]).model_
    rows = RecordsTable(["code"], [("1",), (1,), (1.0,), ("2",), (None,), ("x",)])
    joint = np.empty((6, 2))
    list(model.log_joints(rows, joint, 1))
    assert (joint[:3] == joint[0]).all()
    assert joint[3, 1] > joint[3, 0]
    np.testing.assert_array_equal(joint[4], joint[5])
    learned = model.learn(rows, encode_labels(np.array([0, 0, 0, 1, 1, 1])), None, 1)
    assert learned.tally.statistics[0].levels == (("1", "2", "x"),)
    assert learned.tally.statistics[0].table.tolist() == [[5, 0, 0], [0, 3, 1]]
    apart = open_table({"code": ["1", "1", "1", "2", None, "x"]})
    assert model.learn(apart, encode_labels(np.array([0, 0, 0, 1, 1, 1])), None, 1).tally.statistics[
        0
    ].table.tolist() == [
        [5, 0, 0],
        [0, 3, 1],
    ]
