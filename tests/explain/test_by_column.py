"""Evidence by column adds up to the log-odds and is, but for forests, the Shapley value against the training rows."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import suffice
from suffice import BayesClassifier, Gaussian
from suffice.errors import ParameterError


def mixed(rng, n=1200, holes=0):
    """Numbers and categories that tell the class alone, in pairs and by their correlation."""
    y = rng.integers(3, size=n)
    x = pd.DataFrame({f"n{i}": rng.normal(size=n) + 0.4 * (y == i) for i in range(4)})
    x["n1"] += np.where(y == 1, x["n0"], -x["n0"])
    x["c0"] = rng.choice(["red", "green", "blue", "grey"], size=n)
    x["c1"] = np.where((x["c0"] == "red") ^ (y == 2) ^ (rng.random(n) < 0.2), "up", "down")
    x["c2"] = rng.choice([True, False], size=n)
    x.loc[rng.permutation(n)[:holes], "n2"] = np.nan
    x.loc[rng.permutation(n)[:holes], "c0"] = None
    return x, np.array(["a", "b", "c"])[y]


def odds(model, rows, of, against):
    log_p = model.predict_log_proba(rows)
    classes = list(model.classes_)
    return log_p[:, classes.index(of)] - log_p[:, classes.index(against)]


def shapley_by_enumeration(model, row, background, of, against, weight=None):
    """Over all coalitions: columns outside of one have the cells of a background row; the mean over those rows."""
    columns = list(background.columns)
    value = {}
    for size in range(len(columns) + 1):
        for some in combinations(columns, size):
            rows = background.copy()
            for column in some:
                rows[column] = pd.Series([row[column].iloc[0]] * len(rows), rows.index, dtype=background[column].dtype)
            value[frozenset(some)] = np.average(odds(model, rows, of, against), weights=weight)
    found = {}
    for column in columns:
        others = [c for c in columns if c != column]
        found[column] = sum(
            factorial(size) * factorial(len(others) - size) / factorial(len(columns))
            * (value[frozenset({*some, column})] - value[frozenset(some)])
            for size in range(len(others) + 1)
            for some in combinations(others, size)
        )  # fmt: skip
    return found, value[frozenset()]


@pytest.mark.parametrize("holes", [0, 300])
def test_brute_force(rng, holes):
    """Missing cells included, where they are common enough to have a code in pairs."""
    x, y = mixed(rng, holes=holes)
    model = BayesClassifier(model="additive").fit(x, y)
    kinds = {type(part).__name__ for part in model.model_.weighted_parts.parts}
    assert {"NormalsPart", "Pairs"} <= kinds
    for i in (3, 17):
        row = x.iloc[[i]]
        why = model.explain(row, of="b", against="c")
        expected, mean = shapley_by_enumeration(model, row, x, "b", "c")
        found = dict(zip(why.features, why.evidence[0], strict=True))
        assert found.pop("(calibration)") + why.prior[0] == pytest.approx(mean, abs=1e-9)
        assert found == pytest.approx(expected, abs=1e-9)


def test_brute_force_under_weights(rng):
    """The background has the weights of the training rows, in units of their class."""
    x, y = mixed(rng, 800)
    x, weight = x[["n0", "n1", "c0", "c1"]], rng.random(800)
    model = BayesClassifier(model="additive").fit(x, y, sample_weight=weight)
    why = model.explain(x.iloc[[5]], of="a", against="c")
    units = weight / model.model_.weighted_parts.unit[np.searchsorted(model.classes_, y)]
    expected, _ = shapley_by_enumeration(model, x.iloc[[5]], x, "a", "c", units)
    found = dict(zip(why.features, why.evidence[0], strict=True))
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("load", "columns"), [pytest.param(load_wine, 6, marks=pytest.mark.slow), (load_breast_cancer, 4)]
)
def test_shap(load, columns):
    """The same as what a package computes by enumeration that has no idea of the model."""
    import shap  # takes seconds

    x, y = load(return_X_y=True)
    x = x[:, :columns]
    model = BayesClassifier(model="additive").fit(x, y)
    rows = x[:: len(x) // 4]
    why = model.explain(rows, of=1, against=0)
    explainer = shap.explainers.Exact(
        lambda table: odds(model, table, 1, 0), shap.maskers.Independent(x, max_samples=len(x))
    )
    theirs = explainer(rows)
    np.testing.assert_allclose(why.evidence[:, :columns], theirs.values, atol=1e-9)
    np.testing.assert_allclose(why.prior + why.evidence[:, columns], theirs.base_values, atol=1e-9)


@pytest.mark.parametrize("kind", ["full", "additive", "naive"])
def test_evidence_adds_up_with_one_number_a_column(rng, kind):
    x, y = mixed(rng, 2000, holes=50)
    model = BayesClassifier(model=kind).fit(x, y)
    rows = x.iloc[:300].copy()
    rows.loc[:50, "c0"] = "never seen"
    why = model.explain(rows, of="a", against="b")
    assert set(why.features) - {"(calibration)"} == set(x.columns)
    np.testing.assert_allclose(why.log_odds, odds(model, rows, "a", "b"), atol=1e-9)


def test_interactions_are_one_level_down(rng):
    x, y = mixed(rng, 2000)
    model = BayesClassifier().fit(x, y)
    columns, parts = model.explain(x[:200]), model.explain(x[:200], interactions=True)
    assert "(correlated normals)" in parts.features
    assert any(" × " in name for name in parts.features)
    assert not any(" × " in name for name in columns.features)
    np.testing.assert_allclose(columns.log_odds, parts.log_odds, atol=1e-9)


@pytest.mark.parametrize("kind", ["naive", "weighted"])
def test_columns_that_are_scored_one_by_one_have_no_interactions(kind):
    x, y = load_iris(return_X_y=True)
    model = BayesClassifier(model=kind).fit(x, y)
    with pytest.raises(ParameterError, match=rf"interactions is True for a '{kind}' model.*model='full' or 'additive'"):
        model.explain(x, interactions=True)


def test_stripped_models_and_files_explain_alike(rng, tmp_path):
    x, y = mixed(rng)
    model = BayesClassifier().fit(x, y)
    model.save(tmp_path / "a.model")
    stripped = BayesClassifier(keep_rows=0).fit(x, y)
    why = model.explain(x[:50], of="a", against="b")
    for other in (suffice.load(tmp_path / "a.model"), stripped):
        np.testing.assert_allclose(other.explain(x[:50], of="a", against="b").evidence, why.evidence, atol=1e-9)


def test_a_family_that_was_named_counts_from_zero(rng):
    x, y = mixed(rng)
    model = BayesClassifier({"n0": Gaussian()}, model="additive").fit(x, y)
    why = model.explain(x[:100], of="a", against="b")
    np.testing.assert_allclose(why.log_odds, odds(model, x[:100], "a", "b"), atol=1e-9)
    assert set(why.features) - {"(calibration)"} == set(x.columns)


def test_long_tables_are_explained_in_runs(rng, monkeypatch):
    x, y = mixed(rng)
    model = BayesClassifier().fit(x, y)
    whole = model.explain(x)
    monkeypatch.setattr("suffice.explain.evidence._BATCH_CELLS", 1000)
    runs = model.explain(x)
    np.testing.assert_allclose(runs.evidence, whole.evidence, atol=1e-12)
    assert (runs.of == whole.of).all()
    assert (runs.against == whole.against).all()
