"""The default is a function of sums: however rows come, it is the same model."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice
from suffice import BayesClassifier
from suffice.decision import correct_priors
from suffice.errors import ForgetError
from suffice.parts.pairs import Pairs

NEAR = {"rtol": 0, "atol": 1e-9}


def numbers_and_levels(n, seed=0):
    """Columns of several kinds with holes, of which two matter together, one is spiked, and one varies little for its size."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n), rng.choice(["u", "v", "w"], n)
    frame = pd.DataFrame(
        {
            "a": a,
            "b": b,
            "spike": np.where(rng.random(n) < 0.7, 0.0, rng.exponential(size=n)),
            "offset": 1e6 + rng.normal(size=n),
            "rare": [f"level {k}" for k in rng.zipf(1.6, n) % 60],
            "whole": rng.integers(0, 9, n).astype(float),
        }
    )
    signal = np.where(b == "u", a, -a) + 0.4 * (frame["offset"] - 1e6) + 0.5 * rng.normal(size=n)
    frame.loc[rng.random(n) < 0.1, "a"] = np.nan
    frame.loc[rng.random(n) < 0.1, "b"] = None
    return frame, np.digitize(signal, [-0.7, 0.7]).astype(str)


def texts(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    words = np.array([f"w{i}" for i in range(300)])
    share = [np.exp(rng.normal(0, 0.8, 300)) / np.arange(1, 301) for _ in range(3)]
    found = [" ".join(rng.choice(words, rng.integers(5, 25), p=share[c] / share[c].sum())) for c in y]
    found[7] = None
    return pd.DataFrame({"text": found}), y.astype(str)


def both(n, seed=0):
    frame, y = numbers_and_levels(n, seed)
    rng = np.random.default_rng(seed + 1)
    told = [" ".join(rng.choice([f"{c}{i}" for i in range(40)] + [f"x{i}" for i in range(80)], 9)) for c in y]
    return frame[["a", "b"]].assign(text=told), y


TABLES = {"table": numbers_and_levels, "text": texts, "both": both}
ROWS = 1000


@pytest.fixture(scope="module", params=TABLES)
def learned(request):
    X, y = TABLES[request.param](ROWS)
    fresh, _ = TABLES[request.param](200, seed=5)
    model = BayesClassifier().fit(X, y)
    return X, y, fresh, model.predict_proba(fresh), model


def test_order(learned):
    X, y, fresh, p, _ = learned
    order = np.random.default_rng(1).permutation(ROWS)
    other = BayesClassifier().fit(X.iloc[order], y[order])
    np.testing.assert_allclose(other.predict_proba(fresh), p, **NEAR)


@settings(max_examples=4)
@given(data=st.data())
def test_partitions(learned, data):
    """Into parts of any size, one of a single class among them, merged in any order."""
    X, y, fresh, p, _ = learned
    part = np.array(data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8)))[np.arange(ROWS) % 8]
    part[y == y[0]] = np.where(data.draw(st.booleans()), 4, part[y == y[0]])
    models = [BayesClassifier().fit(X[part == k], y[part == k]) for k in np.unique(part)]
    total = models[0]
    for model in data.draw(st.permutations(models[1:])):
        total = total + model
    np.testing.assert_allclose(total.predict_proba(fresh), p, **NEAR)


def test_batches(learned):
    """The first has one row; classes and levels turn up late; somebody asks in between."""
    X, y, fresh, p, _ = learned
    model = BayesClassifier()
    cuts = [0, 1, 2, 90, 400, 401, ROWS]
    for a, b in itertools.pairwise(cuts):
        model.partial_fit(X[a:b], y[a:b])
        model.predict_proba(fresh[:3])
    np.testing.assert_allclose(model.predict_proba(fresh), p, **NEAR)


def test_a_column_that_is_constant_in_the_first_batch():
    X, y = numbers_and_levels(ROWS)
    first = (X["offset"] - X["offset"].mean()).abs().argsort().to_numpy()[:1]
    same = np.r_[first, np.setdiff1d(np.arange(ROWS), first)]
    model = BayesClassifier().partial_fit(X.iloc[same[:1]], y[same[:1]]).partial_fit(X.iloc[same[1:]], y[same[1:]])
    np.testing.assert_allclose(model.predict_proba(X), BayesClassifier().fit(X, y).predict_proba(X), **NEAR)


def test_forgetting(learned):
    X, y, fresh, p, model = learned
    more, labels = pd.concat([X, fresh]), np.r_[y, np.resize(y, 200)]
    labels[-1] = "a class of its own"
    other = BayesClassifier().fit(more, labels).forget(fresh, labels[ROWS:])
    assert other.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_allclose(other.predict_proba(fresh), p, **NEAR)
    with pytest.raises(ForgetError):
        other.forget(fresh[:1], y[:1])


def test_weight_two_is_the_row_twice(learned):
    X, y, fresh, p, _ = learned
    some = np.random.default_rng(2).random(ROWS) < 0.3
    twice = BayesClassifier().fit(pd.concat([X, X[some]]), np.r_[y, y[some]])
    heavy = BayesClassifier().fit(X, y, sample_weight=1.0 + some)
    np.testing.assert_allclose(twice.predict_proba(fresh), heavy.predict_proba(fresh), **NEAR)
    for weight in (1 / ROWS, 3.0):
        other = BayesClassifier().fit(X, y, sample_weight=np.full(ROWS, weight))
        np.testing.assert_allclose(other.predict_proba(fresh), p, **NEAR)


def test_a_given_prior_is_the_corrected_posterior(learned):
    """Weights are fitted to the rows as they came; the given probabilities act afterwards."""
    X, y, fresh, p, model = learned
    given, came = np.array([0.6, 0.3, 0.1]), np.exp(model.model_.log_prior)
    expected = correct_priors(p, came, given)
    shares = dict(zip(model.classes_.tolist(), given, strict=True))
    np.testing.assert_allclose(BayesClassifier(prior=shares).fit(X, y).predict_proba(fresh), expected, **NEAR)
    even = BayesClassifier(prior="uniform").fit(X, y)
    np.testing.assert_allclose(even.predict_proba(fresh), correct_priors(p, came, np.ones(3) / 3), **NEAR)


def test_decay_is_the_scaled_statistic(learned):
    X, y, fresh, _, _ = learned
    weight = np.where(np.arange(ROWS) < 600, 0.5, 1.0)
    faded = BayesClassifier().fit(X[:600], y[:600]).decay(0.5).partial_fit(X[600:], y[600:])
    weighed = BayesClassifier().fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(faded.predict_proba(fresh), weighed.predict_proba(fresh), **NEAR)


def test_saving_in_between(learned, tmp_path):
    X, y, fresh, p, _ = learned
    BayesClassifier().fit(X[:500], y[:500]).save(tmp_path / "half")
    model = suffice.load(tmp_path / "half").partial_fit(X[500:], y[500:])
    np.testing.assert_allclose(model.predict_proba(fresh), p, **NEAR)
    BayesClassifier().partial_fit(X, y).save(tmp_path / "never asked")
    np.testing.assert_array_equal(suffice.load(tmp_path / "never asked").predict_proba(fresh), p)


def test_files(learned, tmp_path):
    X, y, fresh, p, _ = learned
    frame = X.assign(label=y)
    frame.to_parquet(tmp_path / "rows.parquet")
    pieces = [frame[a : a + 170] for a in range(0, ROWS, 170)]
    for source in (tmp_path / "rows.parquet", lambda: iter(pieces)):
        model = BayesClassifier().fit(source, "label")
        np.testing.assert_allclose(model.predict_proba(fresh), p, **NEAR)


def test_dask(learned):
    dask = pytest.importorskip("dask.dataframe")
    X, y, fresh, p, _ = learned
    frame = dask.from_pandas(X.assign(label=y), npartitions=4)
    np.testing.assert_allclose(BayesClassifier().fit(frame, "label").predict_proba(fresh), p, **NEAR)


@pytest.fixture(scope="module")
def beyond():
    """More rows than are kept."""
    X, y = numbers_and_levels(6000, seed=3)
    fresh, labels = numbers_and_levels(4000, seed=4)

    def loss(model):
        p = model.predict_proba(fresh)
        return float(-np.log(p[np.arange(len(labels)), np.searchsorted(model.classes_, labels)]).mean())

    return X, y, fresh, loss, BayesClassifier(keep_rows=2000).fit(X, y)


@pytest.mark.parametrize("shards", [2, pytest.param(16, marks=pytest.mark.slow)])
def test_beyond_what_is_kept_shards_are_as_good(beyond, shards):
    X, y, _, loss, whole = beyond
    parts = [BayesClassifier(keep_rows=2000).fit(X[k::shards], y[k::shards]) for k in range(shards)]
    best = min(loss(part) for part in parts)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total.model_.tally.sample.rows == whole.model_.tally.sample.rows <= 2000
    np.testing.assert_array_equal(total.model_.tally.sample.keys, whole.model_.tally.sample.keys)
    assert loss(total) <= loss(whole) * 1.01
    assert loss(total) <= best


def test_beyond_what_is_kept_streams_and_forgetting_are_as_good(beyond):
    X, y, fresh, loss, whole = beyond
    stream = BayesClassifier(keep_rows=2000)
    for a in range(0, 6000, 500):
        stream.partial_fit(X[a : a + 500], y[a : a + 500])
    assert loss(stream) <= loss(whole) * 1.01
    gone, labels = fresh[:1000], np.resize(y, 1000)
    more = BayesClassifier(keep_rows=2000).fit(pd.concat([X, gone]), np.r_[y, labels]).forget(gone, labels)
    assert loss(more) <= loss(whole) * 1.01
    np.testing.assert_array_equal(more.model_.tally.weight, whole.model_.tally.weight)


def test_beyond_what_is_kept_a_file_is_what_memory_is(beyond, tmp_path):
    X, y, fresh, _, whole = beyond
    X.assign(label=y).to_parquet(tmp_path / "rows.parquet")
    model = BayesClassifier(keep_rows=2000).fit(tmp_path / "rows.parquet", "label")
    np.testing.assert_allclose(model.predict_proba(fresh), whole.predict_proba(fresh), **NEAR)


def test_rows_are_kept_whatever_the_library_they_come_in(learned):
    X, y, _, _, model = learned
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    expected = model.model_.tally.sample.keys
    for other in (
        polars.from_pandas(X),
        pyarrow.Table.from_pandas(X),
        X.astype(object).where(X.notna(), None).to_dict("records"),
    ):
        np.testing.assert_array_equal(BayesClassifier().fit(other, y).model_.tally.sample.keys, expected)


def test_what_is_kept_is_a_copy():
    X, y = np.random.default_rng(0).normal(size=(300, 3)), np.arange(300) % 2
    model = BayesClassifier().fit(X, y)
    p = model.predict_proba(X[:20].copy())
    asked = X[:20].copy()
    X[:] = 0.0
    model.partial_fit(asked, y[:20]).forget(asked, y[:20])
    np.testing.assert_allclose(model.predict_proba(asked), p, **NEAR)


def test_few_changes_of_a_large_model_are_followed_later():
    """Its counts have every row at once; its weights are fitted again when a thousandth of the rows is new."""
    X, y = numbers_and_levels(12_000, seed=6)
    model = BayesClassifier().fit(X[:11_000], y[:11_000])
    before = model.model_.weighted_parts
    model.partial_fit(X[11_000:11_001], y[11_000:11_001])
    assert model.model_.weighted_parts.weights is before.weights
    assert model.model_.tally.weight.sum() == model.model_.weighted_parts.seen.sum() == 11_001
    model.partial_fit(X[11_001:], y[11_001:])
    np.testing.assert_allclose(model.predict_proba(X[:99]), BayesClassifier().fit(X, y).predict_proba(X[:99]), **NEAR)


def test_corrected_pairs_beyond_the_sample():
    """Weights are fitted anew to a plan that goes on, whose pairs may be corrected now and not then, or the other way round."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame(
        rng.integers(1, 6, (6000, 4)).astype(float) + 1e-3 * rng.normal(size=(6000, 4)), columns=list("abcd")
    )
    y = np.where(X.a * X.b > X.c * X.d, "one", "other")
    model = BayesClassifier(keep_rows=700).fit(X[:2000], y[:2000])
    assert len(model.model_.weighted_parts.part(Pairs).correction)
    for start in range(2000, 5000, 250):
        model.partial_fit(X[start : start + 250], y[start : start + 250])
        assert model.score(X[5000:], y[5000:]) > 0.9
    halves = [BayesClassifier(keep_rows=700).fit(X[k:5000:2], y[k:5000:2]) for k in range(2)]
    assert (halves[0] + halves[1]).forget(X[:40], y[:40]).score(X[5000:], y[5000:]) > 0.9


def test_overlapping_texts_are_not_counted_twice():
    X, y = texts(1500)
    X["text"] = X["text"].fillna("nothing")
    title = X.assign(title=[" ".join(text.split()[:8]) for text in X["text"]])
    losses = []
    for frame in (X, title):
        p = BayesClassifier().fit(frame[:1000], y[:1000]).predict_log_proba(frame[1000:])
        losses.append(-p[np.arange(500), y[1000:].astype(int)].mean())
    assert losses[1] <= losses[0] * 1.02


def test_the_number_of_rows_kept_is_checked():
    with pytest.raises(suffice.errors.ParameterError, match="keep_rows"):
        BayesClassifier(keep_rows=-1).fit([[1.0], [2.0]], [0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert BayesClassifier(keep_rows=2).fit([[1.0], [2.0], [4.0]], [0, 1, 0]).model_.tally.sample.rows == 2


def test_of_a_forgotten_row_no_name_stays(tmp_path):
    X, y = both(300)
    secret = pd.DataFrame({"a": [0.123456789], "b": ["xylophone"], "text": ["the zebra said so"]})
    model = BayesClassifier().fit(pd.concat([X, secret]), [*y, y[0]]).forget(secret, [y[0]])
    model.save(tmp_path / "model")
    content = (tmp_path / "model").read_bytes()
    assert b"xylophone" not in content
    assert b"zebra" not in content
    assert np.float64(0.123456789).tobytes() not in content


def test_beyond_what_is_kept_counts_are_of_all_rows():
    """Though the first batch cannot tell how finely a column varies."""
    rng = np.random.default_rng(0)
    x, y = 1e6 + rng.normal(size=(3000, 2)), rng.integers(0, 2, 3000)
    model = BayesClassifier(keep_rows=500).partial_fit(x[:1], y[:1])
    for start in range(1, 3000, 100):
        model.partial_fit(x[start : start + 100], y[start : start + 100])
    model.predict_proba(x[:1])
    assert model.model_.tally.statistics[0].table.sum() == 6000
    assert min(model.model_.tally.statistics[0].bits) > 20
    model.forget(x[:200], y[:200])
    assert model.model_.tally.weight.sum() == 2800
