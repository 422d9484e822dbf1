"""One suite for all backends: the same numbers, whoever holds the rows."""

import numpy as np
import pandas as pd
import pytest

from numerics.test_nist import digits, values
from sources.backends import BACKENDS, PARAMETERS, collected
from sources.visits import agree, visits
from suffice import BayesClassifier, Gaussian, LogisticRegression
from suffice.errors import DataError

FRAME = visits(400)


@pytest.fixture(params=PARAMETERS)
def held(request, tmp_path):
    """Puts a frame into the hands of a backend."""
    return lambda frame: BACKENDS[request.param](frame, tmp_path, lambda: request.getfixturevalue("spark"))


@pytest.fixture(scope="module")
def expected():
    return BayesClassifier().fit(FRAME, "label", "weight")


def test_mixed_columns_weights_and_missing_cells(held, expected):
    model = BayesClassifier().fit(held(FRAME), "label", "weight")
    agree(model, expected, FRAME)
    assert collected(model.predict(held(FRAME))).tolist() == expected.predict(FRAME).tolist()
    np.testing.assert_allclose(
        collected(model.predict_proba(held(FRAME))), expected.predict_proba(FRAME), rtol=1e-6, atol=1e-12
    )


def test_classes_seen_in_some_parts_only(held):
    frame = FRAME.drop(columns=["note", "weight"]).sort_values("label", kind="stable", ignore_index=True)
    agree(BayesClassifier().fit(held(frame), "label"), BayesClassifier().fit(frame, "label"), frame)


@pytest.mark.parametrize("held", ["pandas", "arrow", "query"], indirect=True)
def test_what_columns_say_together_is_found_as_in_memory(held):
    frame = FRAME.drop(columns="note")
    features = frame.drop(columns=["weight", "label"])
    expected = BayesClassifier().fit(features, frame.label.to_numpy(), frame.weight.to_numpy())
    assert expected.model_.weighted_parts.parts
    agree(BayesClassifier().fit(held(frame), "label", "weight"), expected, features)


@pytest.mark.parametrize(("centre", "at_least"), [(1_000_000.0, 9.4), (10_000_000.0, 8.2)])
def test_nist(centre, at_least, held):
    frame = pd.DataFrame({"x": values(centre)[:, 0], "label": 0})
    model = BayesClassifier(Gaussian()).fit(held(frame), "label")
    assert digits(model.model_.tally.statistics[0]) >= at_least
    assert model.model_.tally.weight.tolist() == [1001.0]


def numbers() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    X = rng.normal(size=(500, 4))
    y = (X @ rng.normal(size=(4, 3)) + rng.gumbel(size=(500, 3))).argmax(axis=1)
    names = ["a", "b", "c", "d"]
    return pd.DataFrame(X, columns=names).assign(weight=rng.integers(1, 4, 500).astype(float), label=y)


def test_logistic_regression(held, request):
    frame = numbers()
    features = frame[["a", "b", "c", "d"]]
    expected = LogisticRegression(tol=1e-8).fit(features, frame.label, frame.weight)
    rows = held(frame)
    if "iterator" in request.node.name or "reader" in request.node.name:
        with pytest.raises(ValueError, match="only once"):
            LogisticRegression(tol=1e-8).fit(rows, "label", "weight")
        return
    model = LogisticRegression(tol=1e-8).fit(rows, "label", "weight")
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-6, atol=1e-8)
    assert list(model.feature_names_in_) == list(features)
    assert collected(model.predict(held(features))).tolist() == expected.predict(features).tolist()


def test_errors_name_the_thing(held):
    with pytest.raises(DataError, match=r"no column 'lable'.*the columns are 'spent'"):
        BayesClassifier().fit(held(FRAME), "lable")
    with pytest.raises(DataError, match=r"no column 'wieght'"):
        BayesClassifier().fit(held(FRAME), "label", "wieght")
    broken = FRAME.assign(label=FRAME.label.where(FRAME.index < 390, None))
    with pytest.raises(DataError, match=r"missing"):
        BayesClassifier().fit(held(broken), "label")


def test_an_array_gives_the_same():
    frame = numbers()
    rows = frame[["a", "b", "c", "d"]]
    place = rows.to_numpy(), frame.label.to_numpy(), frame.weight.to_numpy()
    by_name, by_place = BayesClassifier().fit(frame, "label", "weight"), BayesClassifier().fit(*place)
    np.testing.assert_allclose(by_name.predict_proba(rows), by_place.predict_proba(place[0]), rtol=1e-6, atol=1e-12)
    by_name, by_place = (
        BayesClassifier(model="naive").fit(frame, "label", "weight"),
        BayesClassifier(model="naive").fit(*place),
    )
    for a, b in zip(by_name.model_.tally.statistics, by_place.model_.tally.statistics, strict=True):
        np.testing.assert_allclose(a.mean, b.mean, rtol=1e-12)
        np.testing.assert_allclose(a.m2, b.m2, rtol=1e-12)
