"""Estimators through skops, the format for sharing scikit-learn's."""

import numpy as np
import pandas as pd
import pytest

from suffice import A1DE, TAN, BayesClassifier, BayesDecision, Categorical, CategoricalNB, GaussianNB, PooledCategorical
from suffice.linear_model import LogisticRegression


def again(model):
    skops = pytest.importorskip("skops.io")  # takes a second, which the other workers need not wait
    data = skops.dumps(model)
    return skops.loads(data, trusted=skops.get_untrusted_types(data=data))


@pytest.fixture
def table(rng):
    """Two thousand subscribers. Whether one pays is known of most."""
    pays = rng.random(2000) < 0.6
    known = pd.Series(np.where(rng.random(2000) < 0.1, None, pays), dtype=object)
    rows = pd.DataFrame(
        {
            "new": rng.random(2000) < 0.3,
            "pays": known,
            "code": pd.Categorical(rng.integers(0, 5, 2000)),
            "age": rng.normal(40, 12, 2000),
            "note": np.where(pays, "happy with the service so far", "will stop at the end of the year"),
        }
    )
    return rows, (pays ^ (rng.random(2000) < 0.2)) & ~rows["new"].to_numpy()


def assert_same(model, rows):
    before = model.predict_proba(rows)  # what is kept for the next rows goes along
    loaded = again(model)
    np.testing.assert_array_equal(loaded.predict_proba(rows), before)
    assert loaded.classes_.dtype == model.classes_.dtype


@pytest.mark.parametrize(
    "model",
    [
        BayesClassifier(),
        BayesClassifier(model="naive"),
        BayesDecision(BayesClassifier(), calibrate="temperature", random_state=0),
    ],
    ids=["default", "naive", "decision"],
)
@pytest.mark.parametrize("names", [np.array([False, True]), np.array(["no", "yes"])], ids=["booleans", "strings"])
def test_a_table_with_booleans(table, model, names):
    rows, leaves = table
    assert_same(model.fit(rows, names[leaves.astype(int)]), rows)


@pytest.mark.parametrize("family", [Categorical(), PooledCategorical(), A1DE(), TAN()], ids=str)
def test_families_of_levels(table, family):
    rows, leaves = table
    rows = rows[["new", "pays", "code"]]
    model = BayesClassifier(family).fit(rows, leaves)
    assert_same(model, rows)
    more = again(model).partial_fit(rows[:500], leaves[:500])
    np.testing.assert_array_equal(
        more.predict_proba(rows), model.partial_fit(rows[:500], leaves[:500]).predict_proba(rows)
    )


@pytest.mark.parametrize("model", [GaussianNB(), CategoricalNB(), LogisticRegression()], ids=lambda m: type(m).__name__)
def test_drop_ins(table, model):
    rows, leaves = table
    numbers = rows[["new", "code", "age"]].to_numpy(dtype=float).round()
    assert_same(model.fit(np.maximum(numbers, 0), leaves), np.maximum(numbers, 0))
