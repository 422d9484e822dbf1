"""Sets of classes with a promised coverage."""

import numpy as np
import pytest
from mapie.classification import SplitConformalClassifier
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from suffice.decision import conformal


@pytest.fixture(scope="module")
def trained():
    X, y = make_classification(1200, n_informative=5, n_classes=4, class_sep=0.8, random_state=0)
    return LogisticRegression().fit(X[:400], y[:400]), X[400:800], y[400:800], X[800:]


def theirs(model, X, y, new, coverage):
    peer = SplitConformalClassifier(model, confidence_level=coverage, conformity_score="lac", prefit=True)
    return peer.conformalize(X, y).predict_set(new)[1][:, :, 0]


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
def test_marginal_sets_are_those_of_mapie(trained, coverage):
    model, X, y, new = trained
    ours = conformal(model.predict_proba(X), y, coverage)(model.predict_proba(new))
    assert np.array_equal(ours, theirs(model, X, y, new, coverage))
    assert ours.sum(axis=1).std() > 0


@pytest.mark.filterwarnings("ignore:WARNING. your conformalization dataset has less labels")
def test_sets_per_class_are_those_of_mapie_with_the_rows_of_one_class(trained):
    model, X, y, new = trained
    ours = conformal(model.predict_proba(X), y, 0.9, per_class=True)(model.predict_proba(new))
    for c in range(4):
        assert np.array_equal(ours[:, c], theirs(model, X[y == c], y[y == c], new, 0.9)[:, c])


def test_the_limit_is_an_order_statistic():
    p = np.column_stack([np.arange(1, 20) / 20, 1 - np.arange(1, 20) / 20])
    sets = conformal(p, np.zeros(19, int), 0.9)  # (19 + 1) · 0.9 = 18: the 18th largest of 0.05, 0.10, …, 0.95
    assert sets.least == pytest.approx([0.1, 0.1])
    assert conformal(p, np.zeros(19, int), 0.951).least.tolist() == [0.0, 0.0]  # the 20th of 19: every class


def test_classes_without_rows_are_in_every_set():
    sets = conformal([[0.9, 0.1, 0.0]] * 50, ["a"] * 50, 0.9, per_class=True, classes=["a", "b", "c"])
    assert sets.least == pytest.approx([0.9, 0.0, 0.0])
    assert sets.labels([[0.2, 0.5, 0.3]]) == [["b", "c"]]


def test_a_set_may_be_empty():
    sets = conformal([[0.9, 0.1]] * 99, [0] * 99, 0.9)
    assert sets.labels([[0.5, 0.5], [0.95, 0.05]]) == [[], [0]]
