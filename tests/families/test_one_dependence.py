"""A1DE and TAN: what they are, told the slow way; what they find in rows from a known tree; and where they stop."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.metrics import mutual_info_score

from suffice import A1DE, TAN, BayesClassifier, Categorical
from suffice.columns.labels import encode_labels
from suffice.errors import ForgetError, MergeError, ParameterError, TooManyPairsError
from suffice.families.one_dependence.conditionals import Conditionals
from suffice.families.one_dependence.tree import tree
from suffice.model.left_out import left_out_log_densities
from suffice.statistics import PairCounts

PARENTS = [-1, 0, 0, 1, 1, 2]  # of the columns of ``from_a_tree``
EDGES = {frozenset(edge) for edge in enumerate(PARENTS) if min(edge) >= 0}


def from_a_tree(rng, n):
    """Three levels a column, each most often its parent's plus the class: alone, a column tells next to nothing."""
    y = rng.integers(0, 3, n)
    x = rng.integers(0, 3, (n, len(PARENTS)))
    for j, i in enumerate(PARENTS):
        if i >= 0:
            x[:, j] = np.where(rng.random(n) < 0.7, (x[:, i] + y) % 3, x[:, j])
    return x, y


def log_loss(model, x, y):
    return -model.predict_log_proba(x)[np.arange(len(y)), y].mean()


def slow(rows, labels, row, klass, strength):
    """Webb's formula, a count at a time, for one row of levels in which None is missing."""
    columns = [j for j, v in enumerate(row) if v is not None]

    def times(where, among=None):
        return sum(
            all(r[j] == v for j, v in where.items()) and (among is None or c == among)
            for r, c in zip(rows, labels, strict=True)
        )

    def known(where, j, among=None):
        return sum(times({**where, j: v}, among) for v in {r[j] for r in rows if r[j] is not None})

    def p(j, given):
        toward = times({j: row[j]}) / known({}, j)
        for where in ({}, given) if given else ({},):
            toward = (times({**where, j: row[j]}, klass) + strength * toward) / (known(where, j, klass) + strength)
        return toward

    turns = [p(i, {}) * np.prod([p(j, {i: row[i]}) for j in columns if j != i]) for i in columns]
    return np.mean(turns) if turns else 1.0


def test_a1de_is_the_mean_over_parents_by_hand(rng):
    rows = [[None if rng.random() < 0.15 else str(rng.integers(0, 3)) for _ in range(4)] for _ in range(40)]
    labels = rng.integers(0, 3, 40)
    rows[7] = [None] * 4
    table = pd.DataFrame(rows, columns=list("abcd"))
    model = BayesClassifier(A1DE(strength=1.5), prior="uniform").fit(table, labels)
    got = model.predict_joint_log_proba(table.iloc[:12])
    expected = [[np.log(slow(rows, labels, row, c, 1.5) / 3) for c in range(3)] for row in rows[:12]]
    np.testing.assert_allclose(got, expected, rtol=1e-10)


def test_probabilities_of_all_rows_there_may_be_add_up_to_one(rng):
    x, y = from_a_tree(rng, 60)
    every = np.array(list(product(range(3), repeat=4)))
    for family in (A1DE(), TAN()):
        for rule in ("mle", "mean"):
            model = BayesClassifier(family, estimate=rule, prior="uniform").fit(x[:, :4], y)
            density = np.exp(model.predict_joint_log_proba(every)) * 3
            np.testing.assert_allclose(density.sum(axis=0), 1)


def test_the_tree_is_found_and_beats_independence(rng):
    x, y = from_a_tree(rng, 3000)
    new_x, new_y = from_a_tree(rng, 2000)
    naive = BayesClassifier(Categorical()).fit(x, y)
    tan, a1de = BayesClassifier(TAN()).fit(x, y), BayesClassifier(A1DE()).fit(x, y)
    parents = tan.model_.densities[0].parents
    assert {frozenset((j, int(i))) for j, i in enumerate(parents) if i >= 0} == EDGES
    assert log_loss(tan, new_x, new_y) < log_loss(a1de, new_x, new_y) < log_loss(naive, new_x, new_y) - 0.2


def test_the_tree_follows_what_is_merged_and_forgotten(rng):
    x, y = from_a_tree(rng, 2000)
    noise, noise_y = rng.integers(0, 3, x.shape), rng.integers(0, 3, len(x))
    noise[:, 5] = noise[:, 3]
    both = BayesClassifier(TAN()).fit(x, y) + BayesClassifier(TAN()).fit(noise, noise_y)
    before = both.model_.densities[0].parents
    assert {3, 5} in [{j, int(i)} for j, i in enumerate(before)]
    after = both.forget(noise, noise_y)
    np.testing.assert_array_equal(
        after.model_.densities[0].parents, BayesClassifier(TAN()).fit(x, y).model_.densities[0].parents
    )


def test_the_tree_is_a_maximum_spanning_tree(rng):
    """Of conditional mutual information, by scikit-learn and scipy."""
    for _ in range(20):
        x, y = rng.integers(0, 3, (80, 6)), rng.integers(0, 2, 80)
        x[:, 2] = np.where(rng.random(80) < 0.5, x[:, 1], x[:, 2])
        told = np.zeros((6, 6))
        for i, j in product(range(6), repeat=2):
            if i != j:
                told[i, j] = sum((y == c).sum() * mutual_info_score(x[y == c, i], x[y == c, j]) for c in (0, 1))
        model = BayesClassifier(TAN()).fit(x, y)
        found = tree(Conditionals(model.model_.tally.statistics[0]))
        root = int(np.argmax([mutual_info_score(x[:, j], y) for j in range(6)]))
        assert np.flatnonzero(found < 0).tolist() == [root]
        total = sum(told[j, i] for j, i in enumerate(found) if i >= 0)
        assert total == pytest.approx(-minimum_spanning_tree(-told).sum())


@pytest.mark.parametrize("family", [A1DE(), TAN()], ids=repr)
def test_independent_columns_are_naive_bayes_in_the_limit(family, rng):
    y = rng.integers(0, 2, 200_000)
    x = (rng.random((len(y), 4)) < np.array([0.3, 0.6])[y][:, None]).astype(int)
    naive, model = BayesClassifier(Categorical()).fit(x, y), BayesClassifier(family).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x[:500]), naive.predict_proba(x[:500]), atol=0.01)


@pytest.mark.parametrize("family", [A1DE, TAN])
def test_one_column_and_no_dependence_at_all_is_a_smoothed_table(family, rng):
    x, y = rng.integers(0, 4, (200, 3)), rng.integers(0, 2, 200)
    alone = BayesClassifier(family()).fit(x[:, :1], y)
    holes = np.full((200, 3), np.nan)
    holes[:, 0] = x[:, 0]
    np.testing.assert_allclose(
        BayesClassifier(family()).fit(x, y).predict_joint_log_proba(holes), alone.predict_joint_log_proba(x[:, :1])
    )


@pytest.mark.parametrize("family", [A1DE(), TAN()], ids=repr)
def test_what_is_missing_or_new_says_nothing(family, rng):
    x, y = rng.integers(0, 3, (100, 3)).astype(float), rng.integers(0, 2, 100)
    x[:, 2] = np.nan
    model = BayesClassifier(family, prior="uniform").fit(x, y)
    nothing = model.predict_joint_log_proba(np.array([[np.nan] * 3, [7.0, 8.0, 9.0]]))
    np.testing.assert_allclose(nothing, np.log(0.5))
    drawn, _ = model.sample(5, random_state=0)
    assert all(v is None for v in drawn[:, 2])


def test_frames_with_levels_of_all_sorts(rng):
    frame = pd.DataFrame({"a": ["x", "y", None, "x"] * 10, "b": [True, False] * 20, "c": [1, 2, 3, 4] * 10})
    model = BayesClassifier({("a", "b"): TAN()}).fit(frame, ["p", "q"] * 20)
    assert model.predict(frame.iloc[:2]).tolist() == ["p", "q"]
    names = model.explain(frame).features
    assert {"a", "b"} <= set(names)


def test_left_out_trees_differ_from_row_to_row(rng):
    """Few rows: without one of them the tree is often another one."""
    x, y = rng.integers(0, 2, (14, 5)), np.arange(14) % 2
    model = BayesClassifier(TAN()).fit(x, y)
    prior, parts = left_out_log_densities(model.model_, model.labelled(x, y).table, encode_labels(y), None, 1)
    got = prior + parts.sum(axis=0)
    found = set()
    for row in range(14):
        rest = BayesClassifier(TAN()).fit(np.delete(x, row, axis=0), np.delete(y, row))
        found.add(tuple(rest.model_.densities[0].parents))
        np.testing.assert_allclose(got[row], rest.predict_joint_log_proba(x[row : row + 1])[0], atol=1e-9)
    assert len(found) > 1


def test_too_many_levels_are_refused_by_name(rng):
    frame = pd.DataFrame({"id": [f"k{i}" for i in range(9000)], "colour": ["red", "blue"] * 4500})
    with pytest.raises(TooManyPairsError, match=r"'id' \(9000\).*4096 levels at most.*2 classes"):
        BayesClassifier(A1DE()).fit(frame, [0, 1] * 4500)


def test_what_cannot_be_merged_or_forgotten_says_so(rng):
    x, y = rng.integers(0, 2, (20, 2)), rng.integers(0, 2, 20)
    model = BayesClassifier(A1DE()).fit(x, y)
    with pytest.raises(MergeError, match="modelled by"):
        model + BayesClassifier({(0, 1): Categorical()}).fit(x, y)
    a = PairCounts.of([("x",), ("y",)], np.array([[[2.0, 1.0], [1.0, 1.0]]]))
    with pytest.raises(ForgetError, match="level 'x' beside 'y'"):
        a - PairCounts.of([("x",), ("y",)], np.array([[[2.0, 2.0], [2.0, 1.0]]]))
    with pytest.raises(ParameterError, match="strength"):
        TAN(strength=-1.0)


def test_a_model_of_one_kind_may_be_read_as_the_other(rng):
    x, y = from_a_tree(rng, 300)
    halves = BayesClassifier(TAN()).fit(x[:150], y[:150]) + BayesClassifier(A1DE()).fit(x[150:], y[150:])
    np.testing.assert_allclose(halves.predict_proba(x), BayesClassifier(TAN()).fit(x, y).predict_proba(x))
