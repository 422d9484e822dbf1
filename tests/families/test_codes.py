"""Codes: numbers without an order, and levels that begin alike."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier, Histogram, PooledCategorical
from suffice.families.number_bins import cut
from suffice.families.prefixes import shrink_by_prefix
from suffice.families.shrunk import Stage, shrink, shrink_in_stages
from suffice.numerics.tables import grid_counts


def chance(z):
    return 1 / (1 + np.exp(-z))


def coded(rows, seed, values=300, spread=1.5):
    """The class depends on a number whose order tells nothing."""
    rng = np.random.default_rng(seed)
    effect = np.random.default_rng(99).normal(0, spread, values)
    code, x = rng.integers(0, values, rows), rng.normal(size=rows)
    p = chance(effect[code] + 0.7 * x)
    return pd.DataFrame({"code": code.astype(float), "x": x}), (rng.random(rows) < p).astype(int), p


def zipped(rows, seed, places=3000):
    """The class depends on the first two digits of a zip code, and a little on the others."""
    fixed, rng = np.random.default_rng(97), np.random.default_rng(seed)
    zips = np.sort(fixed.choice(100_000, places, replace=False))
    effect = fixed.normal(0, 1.5, 100)[zips // 1000] + fixed.normal(0, 0.3, places)
    at, x = rng.integers(0, places, rows), rng.normal(size=rows)
    p = chance(effect[at] + 0.7 * x)
    return pd.DataFrame({"zip": [f"{z:05d}" for z in zips[at]], "x": x}), (rng.random(rows) < p).astype(int), p


def log_loss(model, X, y):
    return -np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean()


def bayes(p):
    return -(p * np.log(p) + (1 - p) * np.log(1 - p)).mean()


@pytest.mark.parametrize("model", ["weighted", "additive", "full"])
@pytest.mark.parametrize(("table", "near"), [(coded, 0.04), (zipped, 0.04)])
def test_near_the_bayes_limit(table, near, model):
    """.638 and .588 of a prior of .69 when codes were bins and levels had no prefix; the limits are .507 and .48."""
    X, y, _ = table(6000, 1)
    fresh, truth, p = table(10_000, 2)
    assert log_loss(BayesClassifier(model=model).fit(X, y), fresh, truth) < bayes(p) + near


@pytest.mark.parametrize("table", [coded, zipped])
def test_shuffled_labels_gain_nothing(table):
    X, y, _ = table(3000, 1)
    y = np.random.default_rng(3).permutation(y)
    shares = np.bincount(y) / len(y)
    prior = -(shares * np.log(shares)).sum()
    fresh, _, _ = table(3000, 2)
    truth = np.random.default_rng(4).permutation(y)
    assert log_loss(BayesClassifier(model="additive").fit(X, y), fresh, truth) < 1.01 * prior


def test_stages_leave_rows_out_in_closed_form(rng):
    """Subtract a row from the counts, and estimate again with the same strengths."""
    counts = rng.integers(1, 9, (3, 9)).astype(float)
    runs = np.array([0, 2, 6])

    def made(table, strengths):
        stages = [Stage(runs, np.array(strengths[:1])), Stage(np.arange(9), np.array(strengths[1:]))]
        return shrink_in_stages(table, stages)

    found = made(counts, [4.0, 2.0])
    for c in range(3):
        for v in range(9):
            less = counts.copy()
            less[c, v] -= 1
            again = made(less, [4.0, 2.0]).tables.full[:, v]
            others = [k for k in range(3) if k != c]
            np.testing.assert_allclose(found.tables.own[c, v], again[c], atol=1e-12)
            np.testing.assert_allclose(found.tables.others[others, v], again[others], atol=1e-12)
            assert found.losses()[c, v] == pytest.approx(_loss(found, c, v))


def _loss(column, c, v):
    rows = column.counts.sum(axis=1) + 0.5
    score = column.tables.others[:, v] + np.log(rows / rows.sum())
    score[c] = column.tables.own[c, v] + np.log(rows[c] / rows.sum())
    return np.log(np.exp(score).sum()) - score[c]


def test_runs_of_one_level_are_one_stage(rng):
    counts = rng.integers(1, 9, (2, 6)).astype(float)
    flat = shrink(counts, 4.0, binary=False)
    twice = shrink_in_stages(counts, [Stage.of(np.arange(6), 4.0), Stage.of(np.arange(6), 4.0)])
    np.testing.assert_allclose(twice.tables.full, flat.tables.full, atol=1e-12)
    assert twice.loss == pytest.approx(flat.loss)


def test_a_level_never_seen_scores_as_its_prefix():
    X, y, _ = zipped(6000, 1)
    model = BayesClassifier(model="additive").fit(X[["zip"]], y)
    best = pd.Series(y).groupby(X["zip"].str[:2]).mean().sort_values()
    fresh = [f"{prefix}xyz" for prefix in (best.index[0], best.index[-1], "zz")]
    p = model.predict_proba(pd.DataFrame({"zip": fresh}))[:, 1]
    assert p[0] < 0.3 < 0.7 < p[1]
    np.testing.assert_allclose(p[2], model.predict_proba(pd.DataFrame({"zip": [None]}))[0, 1])
    np.testing.assert_allclose(model.predict_proba([{"zip": z} for z in fresh])[:, 1], p, atol=1e-12)
    parts = model.explain(pd.DataFrame({"zip": fresh}))
    assert min(parts.row(0)["zip"], parts.row(1)["zip"]) > 1


def test_which_prefix(rng):
    X, y, _ = zipped(6000, 1)
    levels, at = np.unique(X["zip"], return_inverse=True)
    counts = np.stack([np.bincount(at, y == c, len(levels)) for c in (0, 1)])
    _, prefixes = shrink_by_prefix(counts, levels.tolist(), "tuned")
    assert 2 in [some.length for some in prefixes]
    other = rng.permutation(y)
    shuffled = np.stack([np.bincount(at, other == c, len(levels)) for c in (0, 1)])
    column, _ = shrink_by_prefix(shuffled, levels.tolist(), "tuned")
    assert column.loss < 1.005 * -(np.bincount(y) / len(y) @ np.log(np.bincount(y) / len(y)))


def grid(x, y, bits=12):
    (counted,) = grid_counts(np.asarray(x, dtype=float)[:, None], [bits], y.astype(np.int32), 2, None, 1)
    return counted


def test_numbers_in_order_stay_in_order(rng):
    x = rng.integers(0, 200, 6000)
    smooth = (rng.random(6000) < chance((x - 100) / 30)).astype(int)
    codes = (rng.random(6000) < chance(rng.normal(0, 1.5, 200)[x])).astype(int)
    assert cut(*grid(x, smooth), 12, 64, "tuned").column.stages[-1].binary
    assert not cut(*grid(x, codes), 12, 64, "tuned").column.stages[-1].binary
    assert cut(*grid(x, rng.permutation(codes)), 12, 64, "tuned").column.stages[-1].binary


def test_a_code_never_seen_adds_nothing():
    X, y, _ = coded(6000, 1)
    X, y = X[X["code"] != 17], y[X["code"] != 17]
    model = BayesClassifier(Histogram(), model="additive").fit(X[["code"]], y)
    p = model.predict_proba(pd.DataFrame({"code": [17.0, -5.0, 1000.0, np.nan]}))[:, 1]
    np.testing.assert_allclose(p, p[-1], atol=0.02)


@pytest.mark.parametrize("table", [coded, zipped])
@pytest.mark.parametrize("model", ["naive", "additive"])
def test_however_rows_come_it_is_the_same_model(table, model):
    X, y, _ = table(2000, 1)
    fresh, labels, _ = table(300, 2)
    families = {"zip": PooledCategorical()} if "zip" in X else {"code": Histogram()}
    make = partial(BayesClassifier, families if model == "naive" else None, model=model)
    p = make().fit(X, y).predict_proba(fresh)
    order = np.random.default_rng(1).permutation(len(y))
    others = {
        "shuffled": make().fit(X.iloc[order], y[order]),
        "merged": make().fit(X[:300], y[:300]) + make().fit(X[300:], y[300:]),
        "in batches": make().partial_fit(X[:70], y[:70], classes=[0, 1]).partial_fit(X[70:], y[70:]),
        "forgotten": make().fit(pd.concat([X, fresh]), np.r_[y, labels]).forget(fresh, labels),
    }
    if model == "additive":
        others["three times the weight"] = make().fit(X, y, sample_weight=np.full(len(y), 3.0))
    for name, other in others.items():
        np.testing.assert_allclose(other.predict_proba(fresh), p, rtol=0, atol=1e-9, err_msg=name)


def test_a_saved_model_scores_alike(tmp_path):
    import suffice

    X, y, _ = zipped(3000, 1)
    model = BayesClassifier().fit(X, y)
    model.save(tmp_path / "zips")
    fresh = pd.DataFrame({"zip": [*X["zip"][:5], "00xyz"], "x": 0.0})
    again = suffice.load(tmp_path / "zips").predict_proba(fresh)
    np.testing.assert_array_equal(again, model.predict_proba(fresh))


def test_a_prefix_in_sql():
    duckdb = pytest.importorskip("duckdb")
    X, y, _ = zipped(6000, 1)
    model = BayesClassifier({"zip": PooledCategorical(), "x": Histogram()}, model="naive").fit(X, y)
    rows = pd.DataFrame({"zip": [*X["zip"][:5], "00xyz", "zzzzz", None], "x": 0.5})
    found = duckdb.sql(model.to_sql("duckdb", "rows")).df()
    expected = model.predict_proba(rows)
    columns = [c for c in found.columns if found[c].dtype.kind == "f" and c not in rows]
    np.testing.assert_allclose(found[columns].to_numpy()[:, -2:], expected, atol=1e-9)
