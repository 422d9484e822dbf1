"""Dates by the calendar: month, weekday and hour beside the date."""

import datetime as dt
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice
from suffice import BayesClassifier, Histogram
from suffice.columns.calendar_table import CalendarTable, derived_columns
from suffice.columns.records_table import RecordsTable
from suffice.errors import NoSqlError

NEAR = {"rtol": 0, "atol": 1e-9}


def bought(rows, seed):
    """The class depends on weekday, hour and month of a time stamp, and on a number."""
    fixed, rng = np.random.default_rng(96), np.random.default_rng(seed)
    weekday, hour, month = fixed.normal(0, 1.2, 7), fixed.normal(0, 1.2, 24), fixed.normal(0, 0.8, 12)
    at = pd.Series(pd.Timestamp("2021-01-01") + pd.to_timedelta(rng.integers(0, 3 * 365 * 86_400, rows), unit="s"))
    x = rng.normal(size=rows)
    z = weekday[at.dt.day_of_week] + hour[at.dt.hour] + month[at.dt.month - 1] + 0.5 * x
    p = 1 / (1 + np.exp(-z))
    return pd.DataFrame({"at": at, "x": x}), (rng.random(rows) < p).astype(int), p


def log_loss(model, X, y):
    return -np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean()


@pytest.mark.parametrize(("model", "near"), [("naive", 0.03), ("weighted", 0.02), ("additive", 0.02), ("full", 0.02)])
def test_near_the_bayes_limit(model, near):
    """.673 before, when a date was a number of days only; the prior has .693, the limit is .465."""
    X, y, _ = bought(6000, 1)
    fresh, truth, p = bought(10_000, 2)
    limit = -(p * np.log(p) + (1 - p) * np.log(1 - p)).mean()
    assert log_loss(BayesClassifier(model=model).fit(X, y), fresh, truth) < limit + near


def test_parts_of_dates_are_those_of_the_standard_library(rng):
    days = np.r_[rng.integers(-200_000, 200_000, 3000), -1, 0, 58, 59]
    seconds = rng.integers(0, 86_400, len(days))
    names = ["d (month)", "d (weekday)", "d (hour)"]
    records = [(d + s / 86_400,) for d, s in zip(days.tolist(), seconds.tolist(), strict=True)]
    table = CalendarTable(RecordsTable(["d"], records), derived_columns(names, ["d"]))
    found = table.levels(names, None, 1)
    for i, (day, second) in enumerate(zip(days.tolist(), seconds.tolist(), strict=True)):
        moment = dt.datetime(1970, 1, 1) + dt.timedelta(day, second)
        expected = (moment.month, f"{moment:%A}", moment.hour)
        assert tuple(levels[at] for levels, at in zip(found.levels, found.codes[i], strict=True)) == expected


@pytest.mark.parametrize("model", ["naive", "additive"])
def test_however_rows_come_it_is_the_same_model(model):
    X, y, _ = bought(2000, 1)
    X.loc[::40, "at"] = pd.NaT
    fresh, labels, _ = bought(300, 2)
    make = partial(BayesClassifier, model=model)
    p = make().fit(X, y).predict_proba(fresh)
    order = np.random.default_rng(1).permutation(len(y))
    arrow = pa.Table.from_pandas(X)
    others = {
        "shuffled": make().fit(X.iloc[order], y[order]),
        "merged": make().fit(X[:300], y[:300]) + make().fit(X[300:], y[300:]),
        "in batches": make().partial_fit(X[:70], y[:70], classes=[0, 1]).partial_fit(X[70:], y[70:]),
        "forgotten": make().fit(pd.concat([X, fresh]), np.r_[y, labels]).forget(fresh, labels),
        "Arrow": make().fit(arrow, y),
        "Polars": make().fit(pl.from_arrow(arrow), y),
        "dicts": make().fit(arrow.to_pylist(), y),
    }
    if model == "additive":
        others["three times the weight"] = make().fit(X, y, sample_weight=np.full(len(y), 3.0))
    for name, other in others.items():
        np.testing.assert_allclose(other.predict_proba(fresh), p, **NEAR, err_msg=name)
        np.testing.assert_allclose(other.predict_proba(pa.Table.from_pandas(fresh).to_pylist()), p, **NEAR)


def test_files_and_the_model_file(tmp_path):
    X, y, _ = bought(2000, 1)
    X.assign(y=y).to_parquet(tmp_path / "rows.parquet")
    X.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    fresh, _, _ = bought(300, 2)
    p = BayesClassifier().fit(X, y).predict_proba(fresh)
    for name in ("rows.parquet", "rows.csv"):
        model = BayesClassifier().fit(tmp_path / name, "y")
        np.testing.assert_allclose(model.predict_proba(fresh), p, atol=1e-6)
        model.save(tmp_path / "model")
        np.testing.assert_array_equal(suffice.load(tmp_path / "model").predict_proba(fresh), model.predict_proba(fresh))


def test_names_and_explanations():
    X, y, _ = bought(3000, 1)
    model = BayesClassifier(model="additive").fit(X, y)
    assert model.feature_names_in_.tolist() == ["at", "x"]
    told = [column.name for column in model.describe().columns]
    assert told == ["at", "at (month)", "at (weekday)", "at (hour)", "x"]
    found = model.explain(X[:20])
    for i in range(20):
        odds = found.row(i)
        assert {"at (month)", "at (weekday)", "at (hour)"} <= set(odds)
        p = model.predict_proba(X[i : i + 1])[0]
        assert sum(odds.values()) == pytest.approx(abs(np.log(p[0] / p[1])), abs=1e-8)


def test_days_are_moments_at_midnight_and_a_duration_has_no_month():
    X, y, _ = bought(500, 1)
    days = X.assign(at=X["at"].dt.date, waited=pd.to_timedelta(X["x"].abs(), unit="h"))
    model = BayesClassifier().fit(days, y)
    columns = [c for block in model.model_.blocks for c in block.columns]
    assert sorted(columns) == ["at", "at (hour)", "at (month)", "at (weekday)", "waited", "x"]
    midnight = days.assign(at=pd.to_datetime(days["at"]))
    same = BayesClassifier().fit(midnight, y).predict_proba(midnight)
    np.testing.assert_allclose(model.predict_proba(days), same, atol=1e-12)
    assert all(model.explain(days[i : i + 1]).row(0)["at (hour)"] == pytest.approx(0, abs=1e-9) for i in range(20))


def test_a_named_family_is_all_there_is():
    X, y, _ = bought(500, 1)
    model = BayesClassifier({"at": Histogram()}).fit(X, y).model_
    assert [c for block in model.blocks for c in block.columns] == ["at", "x"]


def test_a_column_of_that_name_is_itself():
    X, y, _ = bought(2000, 1)
    X["at (hour)"] = np.where(y == 1, "night", "day")
    model = BayesClassifier().fit(X, y)
    assert (model.predict(X) == y).mean() > 0.99
    assert "at (month)" in model.model_.calendar
    assert "at (hour)" not in model.model_.calendar


def test_missing_dates_and_missing_columns():
    X, y, _ = bought(2000, 1)
    model = BayesClassifier(model="additive", missing_columns="marginalise").fit(X, y)
    nothing = X[:5].assign(at=pd.Series([pd.NaT] * 5))
    np.testing.assert_allclose(model.predict_proba(nothing), model.predict_proba(X[:5][["x"]]), **NEAR)


def test_rows_of_the_service():
    """As JSON brings them, a date is a number of days."""
    from suffice.web.columns import Columns

    X, y, _ = bought(2000, 1)
    model = BayesClassifier(model="additive").fit(X, y)
    columns = Columns.of(model.model_)
    assert [(column.key, column.kind) for column in columns.columns] == [("at", "number"), ("x", "number")]
    days = (X["at"] - pd.Timestamp("1970-01-01")) / pd.Timedelta("1D")
    rows = columns.table_from_json([{"at": d, "x": x} for d, x in zip(days[:50], X["x"][:50], strict=True)])
    np.testing.assert_allclose(model.predict_proba(rows), model.predict_proba(X[:50]), **NEAR)


def test_shuffled_labels_gain_nothing():
    X, y, _ = bought(3000, 1)
    fresh, truth, _ = bought(3000, 2)
    y, truth = np.random.default_rng(3).permutation(y), np.random.default_rng(4).permutation(truth)
    shares = np.bincount(y) / len(y)
    assert log_loss(BayesClassifier(model="additive").fit(X, y), fresh, truth) < 1.01 * -(shares @ np.log(shares))


def test_sql_refuses_by_name():
    X, y, _ = bought(500, 1)
    with pytest.raises(NoSqlError, match=r"'at'.*Histogram"):
        BayesClassifier(model="weighted").fit(X, y).to_sql()
    assert "suffice" in BayesClassifier({"at": Histogram()}, model="weighted").fit(X, y).to_sql()
