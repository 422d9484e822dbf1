"""Tables of few distinct rows: each row is an observation, however often it repeats."""

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier


@pytest.mark.parametrize("model", ["weighted", "additive", "full"])
@pytest.mark.parametrize("share", [1000, 1013])
def test_equal_rows_are_observations(model, share):
    """Two counts have a common divisor often; 1,000 and 2,000 equal rows are not one and two."""
    table = pd.DataFrame({"a": ["x"] * 3000, "b": ["u"] * 3000})
    labels = np.repeat(["p", "q"], [share, 3000 - share])
    p = BayesClassifier(model=model).fit(table, labels).predict_proba(table[:1])[0, 0]
    assert p == pytest.approx(share / 3000, abs=1e-3)


@pytest.mark.parametrize("model", ["weighted", "additive", "full"])
def test_one_column_of_two_values_is_its_counts(model):
    rng = np.random.default_rng(0)
    a = rng.choice(["x", "y"], 3000)
    labels = np.where(rng.random(3000) < np.where(a == "x", 0.3, 0.8), "p", "q")
    fitted = BayesClassifier(model=model).fit(pd.DataFrame({"a": a}), labels)
    p = fitted.predict_proba(pd.DataFrame({"a": ["x", "y"]}))[:, 0]
    np.testing.assert_allclose(p, [(labels[a == v] == "p").mean() for v in "xy"], atol=0.01)
