"""What a database computes is what the model answers."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from families.cases import CASES, rules
from sql.same import as_table, check_same
from suffice import (
    A1DE,
    TAN,
    BayesClassifier,
    Bernoulli,
    Categorical,
    Density,
    Gaussian,
    Histogram,
    MultivariateNormal,
)
from suffice.errors import NoSqlError, ParameterError
from suffice.naive_bayes import CategoricalNB, GaussianNB

REFUSED = (A1DE,)
"""A mean over what columns say: not a sum."""


@pytest.mark.parametrize(
    ("case", "rule"),
    [(case, rule) for case in CASES if not isinstance(case.family, REFUSED) for rule in rules(case.family)],
    ids=str,
)
def test_every_family_under_every_rule(case, rule, database, rng):
    x, y = case.rows(rng, case.enough)
    model = BayesClassifier(case.family, estimate=rule).fit(x, np.array(["no", "so-so", "yes"])[y])
    new = case.rows(rng, 40)[0]
    check_same(model, as_table(new), database, new)


@pytest.mark.parametrize("family", REFUSED)
def test_families_without_a_form_are_refused(family):
    model = BayesClassifier(family()).fit([["a", "x"], ["b", "y"]] * 4, [0, 1] * 4)
    with pytest.raises(NoSqlError, match=f"Column 0, 1 is modelled by {family.__name__}"):
        model.to_sql()


def test_a_tree_with_holes_and_unknown_levels(database, rng):
    def drawn(rows, levels):
        first = rng.choice(levels, rows)
        second = np.where(rng.random(rows) < 0.8, first, rng.choice(levels, rows))
        third = np.where(rng.random(rows) < 0.8, second == levels[0], rng.random(rows) < 0.5)
        columns = {"first": first, "second": second, "third": third}
        return pa.table({
            name: pa.array([None if rng.random() < 0.1 else v for v in values.tolist()]) for name, values in columns.items()
        })  # fmt: skip

    model = BayesClassifier(TAN()).fit(drawn(200, ["O'Neil", "a\\b", "x"]), rng.integers(0, 3, 200))
    assert sorted(model.model_.densities[0].parents >= 0) == [False, True, True]
    check_same(model, drawn(80, ["O'Neil", "new", "x"]), database)


MODELS = ["naive", "weighted", "additive"]

JOBS = ["cook", "smith", "O'Neil", "Ärztin", "", "a\\b", '"', "line\nbreak"]


def mixed(rng, rows=200) -> pa.Table:
    def holes(values, kind):
        return pa.array([None if rng.random() < 0.1 else v for v in values], kind)

    return pa.table({
        "größe": holes(rng.normal(170, 10, rows).tolist(), pa.float64()),
        "count": holes(rng.integers(0, 5, rows).tolist(), pa.int64()),
        "smokes": holes((rng.random(rows) < 0.3).tolist(), pa.bool_()),
        "job": holes(rng.choice(JOBS, rows).tolist(), pa.string()),
    })  # fmt: skip


@pytest.mark.parametrize(
    ("model", "estimate"), [("naive", "mean"), ("naive", "mle"), ("naive", "predictive"), ("weighted", "mean")]
)
def test_a_mixed_table_with_holes(model, estimate, database, rng):
    table = mixed(rng)
    model = BayesClassifier(model=model, estimate=estimate, class_weight="balanced").fit(table, rng.random(200) < 0.4)
    check_same(model, mixed(rng), database)


def test_levels_that_are_numbers_truth_and_unknown(database, rng):
    table = mixed(rng)
    jobs = Categorical(levels=["cook", "\0", "\udcff"])  # the last two cannot be in any database
    model = BayesClassifier(
        {"count": Categorical(), "smokes": Categorical(alpha=0.1), "größe": Gaussian(), "job": jobs}, model="naive"
    )
    known = table.slice(0, 60).set_column(3, "job", pa.array(["cook"] * 60))
    check_same(model.fit(known, rng.integers(0, 3, 60)), table, database)


def test_impossible_rows_get_the_prior(database):
    model = BayesClassifier({0: Categorical(), 1: Bernoulli()}, estimate="mle", prior=[0.3, 0.7], model="naive")
    model.fit(np.array([[0, 0], [0, 0], [1, 1], [1, 1]]), ["a", "b", "a", "b"])
    model.fit(np.array([[0, 0], [1, 1]]), ["a", "b"])
    x = np.array([[0, 1], [1, 0], [0, 0], [1, 1]])
    table = as_table(x)
    check_same(model, table, database, x)
    assert model.predict_proba(x)[0].tolist() == [0.3, 0.7]


def test_far_rows_do_not_underflow(database):
    model = GaussianNB().fit(np.array([[0.0], [1.0], [1e5], [1e5 + 1]]), [0, 0, 1, 1])
    x = np.array([[0.5], [1e5], [5e4], [-1e6]])
    check_same(model, as_table(x), database, x)


def test_drop_ins_and_blocks(database, rng):
    x = rng.integers(0, 4, (90, 6))
    check_same(CategoricalNB().fit(x, rng.integers(0, 2, 90)), as_table(x), database, x)
    pairs = BayesClassifier(
        {(0, 1): MultivariateNormal(), (2, 3, 4, 5): MultivariateNormal("tied", shrinkage="oas")}, model="naive"
    )
    holes = np.where(rng.random((90, 6)) < 0.2, np.nan, rng.normal(size=(90, 6)))
    check_same(pairs.fit(holes, rng.integers(0, 2, 90)), as_table(holes), database, holes)


def test_many_correlated_columns_need_complete_rows(database, rng):
    x = rng.normal(size=(60, 9))
    model = BayesClassifier(MultivariateNormal()).fit(x, rng.integers(0, 2, 60))
    check_same(model, as_table(x), database, x)
    x[0, 0] = np.nan
    found = database.answers(as_table(x[:1]), model.to_sql(database.dialect))
    assert found[0]["p(0)"] in (None, "")


@pytest.mark.parametrize("model", ["naive", "weighted"])  # beside so many columns, parts are refused
def test_many_columns(model, database, rng):
    x = rng.normal(size=(30, 400))
    check_same(BayesClassifier(model=model).fit(x, rng.integers(0, 2, 30)), as_table(x), database, x)


HOSTILE = [
    'x"; DROP TABLE rows; --', "'; DROP TABLE rows; --", "\\'; DROP TABLE rows; --",
    "a\"b'c\\d$$e--/*", "E'\\047", "%s %(x)s :x ?",
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_and_levels_cannot_break_out(hostile, model, database, rng):
    table = pa.table({hostile: pa.array([hostile, "b", None, "c"] * 10), "victim": pa.array([*range(20)] * 2)})
    model = BayesClassifier(model=model).fit(table, [hostile, "other"] * 20)
    check_same(model, table, database, name=hostile)


def test_what_has_no_sql_is_named():
    outside = BayesClassifier({0: Density({0: GaussianMixtureLike(), 1: GaussianMixtureLike()})}, model="naive")
    with pytest.raises(NoSqlError, match="Column 0"):
        outside.fit(np.arange(8.0)[:, None], [0, 1] * 4).to_sql()
    mixed_levels = BayesClassifier({"a": Categorical(levels=[1, "b"])}, model="naive").fit(
        [{"a": "b"}, {"a": "b"}], [0, 1]
    )
    with pytest.raises(NoSqlError, match="'a' has levels that are int and str"):
        mixed_levels.to_sql()
    plain = BayesClassifier(model="naive").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ParameterError, match="dialect"):
        plain.to_sql("oracle")
    for bad in ("", "a\0b", "\udcff", "x" * 64):
        with pytest.raises(NoSqlError):
            plain.to_sql("postgres", bad)


class GaussianMixtureLike:
    def score_samples(self, x):
        return np.zeros(len(x))


def test_split_dates_are_refused_by_name():
    days = pd.date_range("2024-01-01", periods=400)
    y = np.where(days.day_of_week > 4, "rest", "work")
    model = BayesClassifier(model="additive").fit(pd.DataFrame({"bought": days}), y)
    with pytest.raises(NoSqlError, match=r"Column 'bought' is a date .* families=\{'bought': Histogram\(\)\}"):
        model.to_sql()
    assert (
        "bought"
        in BayesClassifier({"bought": Histogram()}, model="additive").fit(pd.DataFrame({"bought": days}), y).to_sql()
    )
