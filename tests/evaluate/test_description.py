"""What a model says about its columns: the choice among families is by rows left out, read off the counts alone."""

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier, Categorical, Gaussian, Histogram, LogNormal, Poisson
from suffice.evaluate import describe, leave_one_out


@pytest.fixture
def table(rng):
    y = rng.integers(0, 2, 400)
    return pd.DataFrame(
        {
            "normal": rng.normal(y, 1.0),
            "skewed": np.exp(rng.normal(0.7 * y, 1.0)),
            "count": rng.poisson(2 + 2 * y).astype(float),
            "name": rng.choice(["a", "b", "c"], 400),
        }
    ), y


def test_losses_are_those_of_leaving_rows_out(table):
    """To the rounding of the grid that numbers are counted on."""
    frame, y = table
    found = {c.name: c for c in BayesClassifier().fit(frame, y).describe().columns}
    for name, family in (
        ("normal", Gaussian()),
        ("skewed", LogNormal()),
        ("count", Poisson()),
        ("name", Categorical()),
    ):
        others = {type(o.family): o.loss for o in found[name].considered}
        expected = leave_one_out(BayesClassifier(family), frame[[name]], y).log_loss.value
        assert others[type(family)] == pytest.approx(expected, abs=2e-3)
    # bins and strengths are those of all rows: few values leave little to cut anew, many a little more
    for name, error in (("count", 2e-3), ("normal", 1e-2)):
        expected = leave_one_out(BayesClassifier(Histogram()), frame[[name]], y).log_loss.value
        assert found[name].loss == pytest.approx(expected, abs=error)


def test_the_right_family_is_the_best_of_those_considered(table):
    frame, y = table
    best = {c.name: type(c.considered[0].family) for c in BayesClassifier().fit(frame, y).describe().columns}
    assert best["normal"] is Gaussian
    assert best["skewed"] is LogNormal
    assert best["count"] is Poisson


def test_what_a_column_says_and_with_which(rng):
    a, b = rng.integers(0, 2, (2, 500)).astype(float)
    rows = pd.DataFrame({"a": a, "b": b, "noise": rng.normal(size=500)})
    model = BayesClassifier().fit(rows, np.where(a != b, "odd", "even"))
    said = {c.name: c for c in model.describe().columns}
    assert said["a"].loss == pytest.approx(model.describe().prior_loss, abs=0.02)
    assert said["a"].partners[0][0] == "b"
    text = str(model.describe())
    assert text.splitlines()[1].startswith("a ")
    assert f"Loss of the class shares: {model.describe().prior_loss:.3f}." in text


def test_models_whose_counts_do_not_tell(table):
    frame, y = table
    plain = BayesClassifier(model="naive").fit(frame, y).describe()
    assert [(c.loss, c.weight, c.considered) for c in plain.columns] == [(None, None, ())] * 4
    text = BayesClassifier().fit(["milk tea", "salt sea"] * 5, [0, 1] * 5).describe()
    assert "Text" in str(text)


def test_a_loaded_and_an_empty_column(table, tmp_path):
    frame, y = table
    frame["empty"] = np.nan
    model = BayesClassifier().fit(frame, y)
    assert next(c for c in model.describe().columns if c.name == "empty").considered == ()
    model.save(tmp_path / "m.model")
    from suffice import load

    assert str(load(tmp_path / "m.model").describe()) == str(model.describe())
    assert str(describe(model.model_)) == str(model.describe())
