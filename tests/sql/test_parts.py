"""Models whose columns are scored together: missing cells, correlated normals, and pairs."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris, load_wine

from sql.databases import DuckDB, ReadBack
from sql.same import answers, as_table, check_same, column
from suffice import BayesClassifier, Bernoulli, Gaussian, Poisson
from suffice.errors import NoSqlError
from suffice.parts.forest import ForestPart
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs

TOWNS = [f"town {i}" for i in range(60)]  # more than pairs keep apart
JOBS = ["cook", "smith", "O'Neil", "Ärztin", "", "a\\b", '"', "line\nbreak"]
SIZE = 'size "in" cm'


def drawn(rng, rows=1_500, unseen=False, holes=0.1):
    """A table in which missing cells, pairs and correlations all tell something, and its classes."""

    def some(values, kind, share=holes):
        return pa.array([None if rng.random() < share else v for v in values], kind)

    z = rng.normal(size=(rows, 2)) @ [[1.0, 0.8], [0.0, 0.6]]
    job = rng.integers(0, len(JOBS), rows)
    age = rng.integers(18, 90, rows)
    town = (rng.random(rows) ** 2 * len(TOWNS)).astype(int)
    smokes = rng.random(rows) < 0.3
    odds = z[:, 0] - z[:, 1] + np.where((job < 4) ^ (age > 45), 1.5, -1.5) + 0.03 * (town - 20) + smokes
    y = np.where(odds + rng.logistic(size=rows) > 0, "yes", np.where(rng.random(rows) < 0.3, "so-so", "no"))
    jobs = np.array([*JOBS, "new"])[np.where(unseen & (rng.random(rows) < 0.1), len(JOBS), job)]
    towns = np.array([*TOWNS, "nowhere"])[np.where(unseen & (rng.random(rows) < 0.1), len(TOWNS), town)]
    table = pa.table({
        SIZE: some((170 + 10 * z[:, 0]).tolist(), pa.float64()),
        "weight": some(np.exp(4 + z[:, 1] / 3).tolist(), pa.float64()),
        "age": some(age.tolist(), pa.int64()),
        "smokes": some(smokes.tolist(), pa.bool_(), holes / 2),
        "job": pa.array([None if c == "yes" and rng.random() < 4 * holes else str(v) for v, c in zip(jobs, y, strict=True)]),
        "town": some([str(v) for v in towns], pa.string()),
    })  # fmt: skip
    return table, y


def kinds(model):
    return {type(part) for part in model.model_.weighted_parts.parts}


@pytest.mark.parametrize(
    "settings",
    [{}, {"class_weight": "balanced", "missing": "ignore"}, {"prior": [0.2, 0.3, 0.5], "keep_rows": 0}],
    ids=str,
)
def test_the_additive_default_with_holes_and_unseen_levels(settings, database, rng):
    table, y = drawn(rng)
    model = BayesClassifier(model="additive", **settings).fit(table, y)
    assert kinds(model) >= {NormalsPart, Pairs}
    assert (MissingIndicators in kinds(model)) == (settings.get("missing") != "ignore")
    check_same(model, drawn(rng, unseen=True)[0], database)


def test_normals_with_a_covariance_each(database, rng):
    y = rng.integers(0, 3, 1_500)
    x = rng.normal(size=(1_500, 3))
    x[:, 1] += np.array([-1.0, 0.0, 1.0])[y] * x[:, 0]
    table = as_table(np.where(rng.random(x.shape) < 0.05, np.nan, x))
    model = BayesClassifier(model="additive").fit(table, y)
    assert model.model_.weighted_parts.part(NormalsPart).discriminant.pooling is not None
    check_same(model, table, database)


def test_families_that_were_named_beside_parts(database, rng):
    table, y = drawn(rng)
    named = {SIZE: Gaussian(), "smokes": Bernoulli(), "age": Poisson()}
    model = BayesClassifier(named, model="additive").fit(table, y)
    assert kinds(model) & {NormalsPart, Pairs}
    check_same(model, drawn(rng, unseen=True)[0], database)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_the_full_default_where_no_forest_helps_and_the_additive_one(load, database):
    x, y = load(return_X_y=True)
    table = as_table(x)
    for model in ("additive", "full"):
        fitted = BayesClassifier(model=model).fit(x, y)
        if ForestPart not in kinds(fitted):
            check_same(fitted, table, database, x)


def test_rows_learned_after_the_plan_was_made(database, rng):
    table, y = drawn(rng, 3_000)
    model = BayesClassifier(model="additive", keep_rows=1_000).fit(table.slice(0, 2_000), y[:2_000])
    more = table.slice(2_000)
    towns = pa.array(["elsewhere" if i % 3 else None for i in range(1_000)])
    model.partial_fit(more.set_column(5, "town", towns), y[2_000:])
    check_same(model, more.set_column(5, "town", towns), database)


def test_weighted_rows_and_a_class_seen_once(database, rng):
    table, y = drawn(rng, 1_000)
    y[7] = "once"
    model = BayesClassifier(model="additive").fit(table, y, sample_weight=rng.integers(1, 4, 1_000))
    check_same(model, drawn(rng, 1_000, unseen=True)[0], database)


def test_numbers_far_out_and_not_numbers_at_all(rng):
    table, y = drawn(rng)
    model = BayesClassifier(model="additive").fit(table, y)
    far = table.slice(0, 4).set_column(0, SIZE, pa.array([1e300, -1e300, np.nan, None]))
    check_same(model, far, DuckDB())
    infinite = far.set_column(0, SIZE, pa.array([np.inf, -np.inf, np.nan, None]))  # Python refuses these
    there = [answers(model, each, DuckDB()) for each in (far, infinite)]
    assert column(there[0], "p(yes)")[:2].tolist() == column(there[1], "p(yes)")[:2].tolist()


def check_evidence(found, names, parts, classes):
    """For each class against the first: what is the same for every class is nobody's evidence."""
    for j, name in enumerate(names):
        first, *others = (column(found, f"evidence({name} | {label})") for label in classes)
        for c, own in enumerate(others, start=1):
            np.testing.assert_allclose(own - first, parts[:, j, c] - parts[:, j, 0], rtol=0, atol=1e-9)


def test_evidence_is_that_of_the_model_and_adds_up(database, rng):
    table, y = drawn(rng)
    model = BayesClassifier(model="additive").fit(table, y)
    new = drawn(rng, 1_000, unseen=True)[0]
    found = answers(model, new, database, evidence=True)
    names, parts = model.model_.evidence(model._open(new, reset=False))
    check_evidence(found, names, parts, model.classes_)
    for label in model.classes_:
        mine = {name: column(found, f"evidence({name} | {label})") for name in names}
        total = sum(mine.values()) + column(found, f"evidence((prior) | {label})")
        np.testing.assert_allclose(total, column(found, f"log_joint({label})"), rtol=0, atol=1e-9)


@pytest.mark.parametrize("model", ["naive", "weighted"])
def test_evidence_by_column_of_other_models(model, database, rng):
    table, y = drawn(rng)
    fitted = BayesClassifier({"weight": Gaussian()}, model=model).fit(table, y)
    found = answers(fitted, table, database, evidence=True)
    names, parts = fitted.model_.evidence(fitted._open(table, reset=False))
    assert {SIZE, "job"} <= set(names)
    check_evidence(found, names, parts, fitted.classes_)


def test_forests_are_refused_and_the_setting_that_works_is_named(rng):
    x = rng.normal(size=(2_000, 3))
    y = np.sin(3 * x[:, 0]) * np.sin(3 * x[:, 1]) * np.sin(3 * x[:, 2]) > 0
    model = BayesClassifier().fit(x, y)
    assert ForestPart in kinds(model)
    with pytest.raises(
        NoSqlError, match=r"The model has forests;.*Fit with model='additive' \(suffice train --model additive\)"
    ):
        model.to_sql()


def test_so_many_covariances_that_no_database_would_take_them_are_refused(rng):
    x = rng.normal(size=(300, 200))
    y = rng.integers(0, 2, 300)
    x[y == 1] = x[y == 1].cumsum(axis=1)
    model = BayesClassifier(model="additive").fit(x, y)
    assert model.model_.weighted_parts.part(NormalsPart).discriminant.pooling is not None
    with pytest.raises(
        NoSqlError, match=r"200 scores and a covariance for each of 2 classes; that is 40,200 .*weighted"
    ):
        model.to_sql()


def test_the_size_of_a_query(rng):
    table, y = drawn(rng)
    model = BayesClassifier(model="additive").fit(table, y)
    pairs = model.model_.weighted_parts.part(Pairs)
    sizes = {dialect: len(model.to_sql(dialect)) for dialect in ("duckdb", "postgres", "sqlite")}
    assert sizes["duckdb"] < 150_000 + 20 * pairs.cell_count * 3
    assert sizes["sqlite"] < 4 * sizes["duckdb"]


def test_a_warehouse_by_way_of_sqlglot(rng):
    table, y = drawn(rng, 1_000)
    few = [SIZE, "smokes", "job"]
    for model in ("additive", "naive"):
        fitted = BayesClassifier(model=model).fit(table.select(few), y)
        check_same(fitted, drawn(rng, 1_000, unseen=True)[0].select(few), ReadBack())
