"""Scores in JavaScript equal those in Python, and what has no such form is refused by name."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.neighbors import KernelDensity

import suffice
from export.families_taken import REFUSED, TAKEN
from export.nodes import answers, needs_node, probabilities, records
from export.tables import mixed, others
from suffice import (
    A1DE,
    BayesClassifier,
    Bernoulli,
    Categorical,
    Density,
    Gaussian,
    MultivariateNormal,
    Poisson,
    Terms,
    Text,
    naive_bayes,
)
from suffice.discriminant_analysis import QuadraticDiscriminantAnalysis
from suffice.errors import ModelFileError, NotExportableError
from suffice.families import FAMILIES

pytestmark = needs_node


def objects(x):
    return [{str(j): None if np.isnan(v) else float(v) for j, v in enumerate(row)} for row in x]


def worst(model, path, rows, given):
    model.to_scorer(path)
    return np.abs(probabilities(path, given) - model.predict_proba(rows)).max()


def test_every_family_is_scored_or_refused():
    assert {type(case.family) for case, _ in TAKEN} | set(REFUSED) == set(FAMILIES)


@pytest.mark.parametrize(("case", "rule"), TAKEN)
def test_families(case, rule, tmp_path):
    rng = np.random.default_rng(4)
    x, y = case.rows(rng, 1200)
    model = BayesClassifier(case.family, estimate=rule, model="naive").fit(x, y)
    new, _ = case.rows(rng, 1000)
    assert worst(model, tmp_path / "a.scorer", new, objects(new)) < 1e-9


@pytest.mark.parametrize("kind", ["naive", "weighted", "additive", "full"])
def test_models_of_mixed_tables(kind, tmp_path):
    model = BayesClassifier(model=kind).fit(*mixed(1500, 1))
    rows = others(1000, 2)
    assert worst(model, tmp_path / "a.scorer", rows, records(rows)) < 1e-9
    assert answers(tmp_path / "a.scorer", records(rows))["predicted"] == model.predict(rows).tolist()
    names = (
        {type(part).__name__ for part in model.model_.weighted_parts.parts} if model.model_.weighted_parts else set()
    )
    assert names == {
        "additive": {"MissingIndicators", "NormalsPart", "Pairs"},
        "full": {"MissingIndicators", "NormalsPart", "Pairs", "ForestPart"},
    }.get(kind, set())


def test_levels_never_seen_by_their_first_characters(tmp_path):
    rng = np.random.default_rng(5)
    areas = [f"{area:02d}" for area in range(30)]
    odds = rng.normal(size=30)

    def drawn(n, ends):
        area = rng.integers(0, 30, n)
        code = [areas[a] + f"{end:03d}" for a, end in zip(area, rng.choice(ends, n), strict=True)]
        return pd.DataFrame({"zip": code}), np.where(rng.random(n) < 1 / (1 + np.exp(-3 * odds[area])), "b", "a")

    model = BayesClassifier().fit(*drawn(3000, np.arange(0, 300, 2)))
    assert any(model.model_.densities[0].prefixes)
    rows, _ = drawn(500, np.arange(1, 300, 2))
    rows.loc[:4, "zip"] = ["9", "zz", None, "0", "00"]
    assert worst(model, tmp_path / "a.scorer", rows, records(rows)) < 1e-9
    assert np.ptp(model.predict_proba(rows)[5:, 0]) > 0.5
    with pytest.raises(NotExportableError, match="Column 'zip' scores unknown levels by their prefixes"):
        model.to_onnx(tmp_path / "a.onnx")


def test_split_dates_are_refused(tmp_path):
    rng = np.random.default_rng(5)
    days = pd.date_range("2024-01-01", periods=600)
    model = BayesClassifier().fit(pd.DataFrame({"bought": days}), rng.integers(0, 2, 600))
    with pytest.raises(NotExportableError, match="Column 'bought' is a date that the model splits"):
        model.to_scorer(tmp_path / "a.scorer")


@pytest.mark.parametrize("two", [False, True])
def test_forests_over_axes(two, tmp_path):
    digits = load_digits()
    x, y = digits.data, digits.target % 2 if two else digits.target
    model = BayesClassifier().fit(x[::2], y[::2])
    assert any(getattr(getattr(part, "codes", None), "axes", None) for part in model.model_.weighted_parts.parts)
    rng = np.random.default_rng(0)
    new = np.where(rng.random(x[1::2].shape) < 0.03, np.nan, x[1::2] + rng.normal(size=x[1::2].shape) / 3)
    assert worst(model, tmp_path / "a.scorer", new, objects(new)) < 1e-9


@pytest.mark.parametrize("kind", ["additive", "full"])
def test_named_families_among_weighed_ones(kind, tmp_path):
    families = {"größe": Gaussian(), "visits": Poisson(), "member": Bernoulli(), "code": Categorical()}
    model = BayesClassifier(families, model=kind).fit(*mixed(1500, 3))
    rows = others(1000, 4)
    assert worst(model, tmp_path / "a.scorer", rows, records(rows)) < 1e-9


@pytest.mark.parametrize("rule", ["mean", "predictive"])
def test_correlated_columns_with_holes(rule, tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1200, 6)) @ rng.normal(size=(6, 6))
    y = np.where(x[:, 0] + rng.normal(size=1200) > 0, "a", "b")
    model = BayesClassifier(MultivariateNormal(), estimate=rule).fit(x, y)
    new = np.where(rng.random(x.shape) < 0.2, np.nan, x + 0.1)
    assert worst(model, tmp_path / "a.scorer", new, objects(new)) < 1e-9


def test_almost_singular_columns_with_holes_are_refused(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 2))
    x = np.column_stack([x, x.sum(axis=1)])
    y = np.where(x[:, 0] > 0, "a", "b")
    model = BayesClassifier(MultivariateNormal(), estimate="mle").fit(x, y)
    model.to_scorer(tmp_path / "a.scorer")
    assert "nearly collinear" in answers(tmp_path / "a.scorer", [{"0": 1.0, "1": None, "2": 2.0}])["error"]


@pytest.mark.parametrize(
    "model",
    [naive_bayes.GaussianNB(), naive_bayes.MultinomialNB(), naive_bayes.ComplementNB(), naive_bayes.BernoulliNB(),
     naive_bayes.CategoricalNB(), QuadraticDiscriminantAnalysis()],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_drop_ins(model, tmp_path):
    rng = np.random.default_rng(0)
    x, y = rng.poisson(3, (1500, 5)), rng.integers(0, 3, 1500)
    x[:, 0] += y
    x = np.minimum(x, 6)
    model.fit(x, y)
    assert worst(model, tmp_path / "a.scorer", x, [dict(enumerate(row)) for row in x.tolist()]) < 1e-9


def test_numbered_categories_that_are_no_numbers_are_refused(tmp_path):
    x, y = np.array([[0, 2], [1, 0], [2, 1], [1, 1]]), [0, 1, 0, 1]
    model = naive_bayes.CategoricalNB().fit(x, y)
    model.to_scorer(tmp_path / "a.scorer")
    for bad in ("dog", -1, -1.5):
        assert 'Column "0" is' in answers(tmp_path / "a.scorer", [{"0": bad, "1": 1}])["error"]
        with pytest.raises(ValueError, match=r"CategoricalNB|numeric"):
            model.predict([[bad, 1]])
    new = [[7, 1], [1.8, 0]]  # unknown, and cut to a whole number
    found = answers(tmp_path / "a.scorer", [dict(enumerate(row)) for row in new])["p"]
    np.testing.assert_allclose(found, model.predict_proba(new), rtol=0, atol=1e-9)


def test_levels_of_equal_spelling_are_one(tmp_path):
    levels = [1, 2.5, 0.00001234, 10**17, 3]
    rng = np.random.default_rng(0)
    at = rng.integers(0, 5, 2000)
    y = np.where((at < 2) ^ (rng.random(2000) < 0.2), "a", "b")
    model = BayesClassifier({"x": Categorical()}, model="naive").fit(pd.DataFrame({"x": np.array(levels)[at]}), y)
    model.to_scorer(tmp_path / "a.scorer")
    as_numbers = probabilities(tmp_path / "a.scorer", [{"x": level} for level in levels])
    as_text = probabilities(tmp_path / "a.scorer", [{"x": str(level)} for level in levels])
    assert np.abs(as_numbers - model.predict_proba(pd.DataFrame({"x": levels}))).max() < 1e-9
    np.testing.assert_array_equal(as_numbers, as_text)


def test_a_row_that_no_class_could_have_made_gets_the_prior(tmp_path):
    model = BayesClassifier(Poisson(), estimate="mle").fit([[0.0], [0.0], [0.0]], ["a", "a", "b"])
    model.to_scorer(tmp_path / "a.scorer")
    np.testing.assert_allclose(probabilities(tmp_path / "a.scorer", [{"0": 3}])[0], model.predict_proba([[3.0]])[0])


def test_columns_that_rows_lack(tmp_path):
    frame, y = mixed(1500, 5)
    rows, path = others(200, 6).drop(columns="größe"), tmp_path / "a.scorer"
    model = BayesClassifier().fit(frame, y)
    model.to_scorer(path)
    assert '"größe"' in answers(path, records(rows))["error"]
    model = BayesClassifier(missing_columns="marginalise").fit(frame, y)
    assert worst(model, path, rows, records(rows)) < 1e-9


@pytest.mark.parametrize(
    ("cell", "said"),
    [({"x": "many"}, 'Column "x" is "many"; a number ≥ 0'), ({"x": -1}, "is -1"), ({"x": [1]}, "is [1]"), (3, "Row 1")],
)
def test_bad_cells_are_named(cell, said, tmp_path):
    model = BayesClassifier({"x": Poisson()}, model="naive").fit(
        pd.DataFrame({"x": [1.0, 2, 3, 4]}), ["a", "a", "b", "b"]
    )
    model.to_scorer(tmp_path / "a.scorer")
    assert said in answers(tmp_path / "a.scorer", [cell] if isinstance(cell, dict) else cell)["error"]


def test_files_that_are_no_scoring_files(tmp_path):
    frame, y = mixed(300, 7)
    model = BayesClassifier(model="naive").fit(frame, y)
    model.save(tmp_path / "a.model")
    assert "suffice export" in answers(tmp_path / "a.model", [])["error"]
    model.to_scorer(tmp_path / "a.scorer")
    whole = (tmp_path / "a.scorer").read_bytes()
    for some in (whole[:3], whole[:100], whole[:-20], b"no file at all, but long enough"):
        (tmp_path / "b.scorer").write_bytes(some)
        assert "scoring file" in answers(tmp_path / "b.scorer", [])["error"]
    with pytest.raises(ModelFileError, match="scoring file"):
        suffice.load(tmp_path / "a.scorer")


@pytest.mark.parametrize(
    ("model", "rows", "said"),
    [
        (BayesClassifier(A1DE()), [["a", "x"], ["b", "y"]] * 4, r"modelled by A1DE.*Use TAN\(\)"),
        (BayesClassifier(Density(KernelDensity())), [[1.0], [2.0]] * 4, "modelled by Density"),
        (
            BayesClassifier({0: Text()}),
            [["some words here"], ["other words there"]] * 4,
            "modelled by Text.*text column",
        ),
        (BayesClassifier(Terms()), [[1.0, 0.0], [0.0, 2.0]] * 4, r"modelled by Terms.*Multinomial\(\)"),
    ],
    ids=["A1DE", "Density", "Text", "Terms"],
)
def test_refusals(model, rows, said, tmp_path):
    model.fit(rows, ["a", "b"] * 4)
    with pytest.raises(NotExportableError, match=said):
        model.to_scorer(tmp_path / "a.scorer")
    assert not (tmp_path / "a.scorer").exists()


def test_columns_that_only_python_tells_apart(tmp_path):
    frame = pd.DataFrame({1: [1.0, 2.0, 3.0], "1": [2.0, 1.0, 2.0]})
    with pytest.raises(NotExportableError, match="spelled alike"):
        BayesClassifier(Gaussian()).fit(frame, ["a", "b", "a"]).to_scorer(tmp_path / "a.scorer")
