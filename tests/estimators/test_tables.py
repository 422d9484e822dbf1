"""Every kind of table that BayesClassifier reads gives the same model."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from suffice import BayesClassifier, Bernoulli, Categorical, Density, Gaussian, Multinomial, Poisson
from suffice.errors import DataError, ParameterError

ROWS = [
    {"age": 30, "income": 1200.5, "job": "clerk", "member": True, "since": dt.date(2020, 1, 1), "buys": "yes"},
    {"age": 41, "income": None, "job": "smith", "member": False, "since": dt.date(2021, 6, 1), "buys": "no"},
    {"age": None, "income": 900.0, "job": None, "member": None, "since": None, "buys": "yes"},
    {"age": 25, "income": 3100.0, "job": "clerk", "member": True, "since": dt.date(2019, 3, 1), "buys": "no"},
    {"age": 58, "income": 2500.0, "job": "nurse", "member": False, "since": dt.date(2022, 9, 1), "buys": "yes"},
    {"age": 36, "income": 1800.0, "job": "smith", "member": True, "since": dt.date(2018, 2, 1), "buys": "no"},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}

FORMS = {
    "list of dicts": lambda rows: rows,
    "pandas": pd.DataFrame,
    "pandas nullable": lambda rows: pd.DataFrame(rows).convert_dtypes(),
    "pandas categories": lambda rows: pd.DataFrame(rows).astype({"job": "category"}),
    "polars": pl.DataFrame,
    "polars categories": lambda rows: pl.DataFrame(rows).with_columns(pl.col("job").cast(pl.Categorical)),
    "arrow": lambda rows: pa.table({k: [r[k] for r in rows] for k in rows[0]}),
    "arrow in chunks": lambda rows: pa.concat_tables(
        [
            pa.Table.from_pylist(rows[start:stop], schema=pa.Table.from_pylist(rows).schema)
            for start, stop in ((0, 2), (2, 3), (3, 6))
        ]
    ),
    "dict of columns": lambda rows: {k: [r[k] for r in rows] for k in rows[0]},
}


@pytest.fixture(scope="module")
def expected():
    return BayesClassifier().fit(ROWS, "buys").predict_proba(ROWS)


@pytest.mark.parametrize("form", FORMS)
def test_one_model_from_every_form(form, expected):
    table = FORMS[form](ROWS)
    model = BayesClassifier().fit(table, "buys")
    np.testing.assert_allclose(model.predict_proba(table), expected, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(ROWS), expected, atol=1e-12)
    assert model.feature_names_in_.tolist() == ["age", "income", "job", "member", "since"]


@pytest.mark.parametrize("form", FORMS)
def test_labels_beside_the_table(form, expected):
    rows = [{k: v for k, v in row.items() if k != "buys"} for row in ROWS]
    table = FORMS[form](rows)
    for labels in (COLUMNS["buys"], np.array(COLUMNS["buys"]), pd.Series(COLUMNS["buys"]), pl.Series(COLUMNS["buys"])):
        np.testing.assert_allclose(BayesClassifier().fit(table, labels).predict_proba(table), expected, atol=1e-12)


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow", "list of dicts"])
def test_samples_come_in_the_form_of_the_table(form):
    table = FORMS[form](ROWS)
    drawn, labels = BayesClassifier().fit(table, "buys").sample(5, random_state=1)
    assert type(drawn) is type(table)
    assert len(labels) == 5
    assert len(drawn) == 5


def test_columns_are_matched_by_name():
    table = pd.DataFrame(ROWS)
    model = BayesClassifier().fit(table, "buys")
    turned = table.iloc[:, ::-1].assign(extra=1)
    np.testing.assert_array_equal(model.predict_proba(turned), model.predict_proba(table))


def test_a_missing_column_is_named_or_marginalised():
    table = pd.DataFrame(ROWS)
    with pytest.raises(DataError, match=r"Column 'age', 'job' is missing.*marginalise"):
        BayesClassifier().fit(table, "buys").predict(table.drop(columns=["age", "job"]))
    lenient = BayesClassifier(missing_columns="marginalise").fit(table, "buys")
    without = lenient.predict_proba(table.drop(columns=["age", "job"]))
    np.testing.assert_allclose(without, lenient.predict_proba(table.assign(age=np.nan, job=None)))
    more = lenient.partial_fit(table.drop(columns=["age"]), "buys")
    assert more.model_.tally.weight.sum() == 12


def test_families_by_column_tuple_and_for_all():
    table = pd.DataFrame({"a": [1, 0, 2, 1], "b": [0, 3, 1, 1], "c": [1.0, 2.0, 3.0, 5.0], "d": list("xyxy")})
    y = [0, 1, 0, 1]
    model = BayesClassifier({("a", "b"): Multinomial(), "d": Categorical(alpha=0.5)}, model="naive").fit(table, y)
    families = {tuple(b.columns): type(b.family) for b in model.model_.blocks}
    assert families == {("a", "b"): Multinomial, ("c",): Gaussian, ("d",): Categorical}
    grouped = BayesClassifier({"a": Poisson(), "b": Poisson()}, model="naive").fit(table, y)
    assert ("a", "b") in [tuple(b.columns) for b in grouped.model_.blocks]
    for_all = BayesClassifier(Poisson()).fit(table[["a", "b", "c"]], y)
    assert [tuple(b.columns) for b in for_all.model_.blocks] == [("a", "b", "c")]
    by_place = BayesClassifier({0: Poisson(), 1: Bernoulli()}, model="naive").fit(table[["a", "b", "c"]].to_numpy(), y)
    assert len(by_place.model_.blocks) == 3


@pytest.mark.parametrize(
    ("families", "says"),
    [
        ({"zzz": Gaussian()}, "families names 'zzz'; the columns are 'a', 'b'"),
        ({"a": Gaussian(), ("a", "b"): Multinomial()}, "'a' more than once"),
        ({"a": "gaussian"}, r"families\['a'\] is 'gaussian'"),
        ("gaussian", "families is 'gaussian'"),
    ],
)
def test_families_that_do_not_fit_are_named(families, says):
    with pytest.raises(ParameterError, match=says):
        BayesClassifier(families).fit({"a": [1, 2], "b": [3, 4]}, [0, 1])


def test_sparse_matrices_of_every_kind(rng):
    dense = rng.poisson(0.5, (60, 12)).astype(float)
    y = rng.integers(0, 2, 60)
    expected = BayesClassifier(Multinomial()).fit(dense, y).predict_proba(dense)
    for make in (sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix, sp.lil_matrix):
        model = BayesClassifier(model="naive").fit(make(dense), y)
        np.testing.assert_allclose(model.predict_proba(make(dense)), expected)
    twice = sp.coo_array((np.ones(4), (np.array([0, 0, 1, 1]), np.array([2, 2, 0, 1]))), shape=(2, 3))
    model = BayesClassifier(model="naive").fit(twice, [0, 1])
    assert model.model_.tally.statistics[0].total.tolist() == [[0, 0, 2], [1, 1, 0]]


def test_new_classes_and_levels_may_turn_up():
    model = BayesClassifier(model="naive").partial_fit([{"c": "a"}, {"c": "b"}], ["x", "y"])
    model.partial_fit([{"c": "d"}, {"c": "b"}], ["zebra", "x"])
    assert model.classes_.tolist() == ["x", "y", "zebra"]
    whole = BayesClassifier(model="naive").fit([{"c": v} for v in "abdb"], ["x", "y", "zebra", "x"])
    np.testing.assert_allclose(model.predict_proba([{"c": "d"}]), whole.predict_proba([{"c": "d"}]))


def test_declared_classes_stay():
    model = BayesClassifier().partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    model.forget([[1.0]], [0])
    assert model.classes_.tolist() == [0, 1, 2]


def test_an_unseen_level_is_missing():
    model = BayesClassifier().fit({"c": ["a", "b", "a"], "d": ["u", "u", "v"]}, [0, 1, 0])
    p = model.predict_proba({"c": ["q", None], "d": ["v", "v"]})
    np.testing.assert_array_equal(p[0], p[1])


def test_levels_may_be_numbers_text_or_truth():
    for values in ([3, 700_000, 3], [1.5, 2.5, 1.5], [True, False, True], ["é", "", "é"]):
        model = BayesClassifier(Categorical()).fit({"c": values}, [0, 1, 0])
        assert model.predict({"c": values}).tolist() == [0, 1, 0]
        matrix = np.array(values)[:, None]
        assert BayesClassifier(Categorical()).fit(matrix, [0, 1, 0]).predict(matrix).tolist() == [0, 1, 0]


def test_dates_are_numbers_of_one_scale():
    days = pd.date_range("2024-01-01", periods=6)
    y = [0, 0, 0, 1, 1, 1]
    model = BayesClassifier().fit(pd.DataFrame({"when": days}), y)
    assert model.predict(pd.DataFrame({"when": days})).tolist() == y
    milliseconds = pd.DataFrame({"when": days.astype("datetime64[ms]")})
    np.testing.assert_allclose(model.predict_proba(milliseconds), model.predict_proba(pd.DataFrame({"when": days})))


def test_a_long_frame_is_read_in_parts(rng):
    n = 300_000
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 5, n), "c": rng.choice(list("xyz"), n)})
    y = rng.integers(0, 3, n)
    model = BayesClassifier({"b": Categorical()}, model="naive").fit(frame, y)
    assert model.model_.tally.weight.tolist() == np.bincount(y).tolist()
    counts = pd.crosstab(y, frame["c"]).to_numpy()
    at = [tuple(b.columns) for b in model.model_.blocks].index(("b", "c"))
    np.testing.assert_array_equal(model.model_.tally.statistics[at].columns()[1], counts)
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)


def test_zero_likelihood_everywhere_falls_back_to_the_prior():
    model = BayesClassifier(Categorical(levels=["a", "b", "c"]), estimate="mle").fit({"c": ["a", "a", "b"]}, [0, 0, 1])
    p = model.predict_proba({"c": ["c"]})
    np.testing.assert_allclose(p, [[2 / 3, 1 / 3]])
    assert model.predict({"c": ["c"]}).tolist() == [0]
    assert model.score_samples({"c": ["c"]})[0] == -np.inf


def test_scale_does_not_matter(rng):
    x, y = rng.normal(5, 2, (60, 2)), rng.integers(0, 2, 60)
    for rule in ("mle", "map", "mean", "predictive"):
        plain = BayesClassifier(model="naive", estimate=rule).fit(x, y).predict_proba(x)
        for scale in (1e-100, 1e-6, 1e90):
            scaled = BayesClassifier(model="naive", estimate=rule).fit(x * scale, y).predict_proba(x * scale)
            np.testing.assert_allclose(scaled, plain, rtol=1e-6, atol=1e-9)


def test_without_names_columns_go_by_place():
    x, y = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [0, 1, 1]
    frame = pd.DataFrame(x, columns=["u", "v"])
    by_place = BayesClassifier(model="naive").fit(x, y)
    for rows in (frame, {"u": x[:, 0], "v": x[:, 1]}, pl.from_pandas(frame)):
        np.testing.assert_array_equal(by_place.predict_proba(rows), by_place.predict_proba(x))
        np.testing.assert_array_equal(by_place.linear_form().scores(rows), by_place.linear_form().scores(x))
    by_name = BayesClassifier(model="naive").fit(frame, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_array_equal(by_name.linear_form().scores(x), by_name.linear_form().scores(frame))


def test_cells_may_be_sequences_of_vectors():
    class Length:
        """A density over sequences that looks at nothing but how long they are."""

        def fit(self, rows):
            self.mean = np.mean([len(r) for r in rows])
            return self

        def score_samples(self, rows):
            return np.array([-abs(len(r) - self.mean) for r in rows])

    rows = [{"s": np.ones((n, 2))} for n in (1, 2, 7, 8)]
    model = BayesClassifier({"s": Density(Length())}, model="naive").fit(rows, [0, 0, 1, 1])
    assert model.predict([{"s": np.zeros((3, 2))}, {"s": np.zeros((9, 2))}, {"s": None}]).tolist() == [0, 1, 0]


def test_labels_by_name_everywhere():
    table = pd.DataFrame(ROWS)
    model = BayesClassifier().fit(table, "buys")
    assert model.score(table, "buys") == model.score(table.drop(columns="buys"), table["buys"])
    matrix = np.array([[1.0, 0.0], [2.0, 1.0], [1.1, 0.0], [2.1, 1.0]])
    by_place = BayesClassifier().fit(matrix, 1)
    assert by_place.score(matrix, 1) == 1.0
    assert by_place.n_features_in_ == 1
