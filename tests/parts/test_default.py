"""What the default does beyond the textbook."""

import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from suffice import BayesClassifier, evaluate
from suffice.errors import ParameterError, StaleWarning
from suffice.families.histogram import Histogram
from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.normal_scores import NumberScores
from suffice.parts.pairs import Pairs
from suffice.parts.weights import fit_weights
from suffice.posterior import log_posterior
from suffice.statistics import GridCounts


def log_loss(model, x, y):
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    p = cross_val_predict(model, x, y, cv=folds, method="predict_proba")
    return -np.log(np.clip(p[np.arange(len(y)), y], 1e-15, 1)).mean()


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_it_beats_the_textbook(load):
    x, y = load(return_X_y=True)
    losses = {c: log_loss(BayesClassifier(model=c), x, y) for c in ("naive", "weighted", "additive")}
    assert losses["additive"] < min(losses["weighted"], losses["naive"])
    assert losses["weighted"] < log_loss(BayesClassifier(Histogram()), x, y)


def test_labels_that_say_nothing_give_the_prior_back(rng):
    x, y = rng.normal(size=(600, 12)), rng.permutation(np.repeat([0, 1], [400, 200]))
    fresh = rng.normal(size=(2000, 12))
    p = BayesClassifier().fit(x, y).predict_proba(fresh)[:, 1]
    assert abs(p.mean() - 1 / 3) < 0.03
    assert p.std() < 0.12


def test_weights_fitted_on_rows_that_were_counted_are_worse(rng):
    """Own-row removal is what keeps the weights from overfitting."""
    x, y = load_breast_cancer(return_X_y=True)
    losses = {}
    for left_out in (True, False):
        total = 0.0
        for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(x, y):
            fitted = BayesClassifier(Histogram()).fit(x[train], y[train])
            model, rows = fitted.model_, fitted._open(x[train], reset=False)
            block, density = model.read(rows, 1)[0], model.densities[0]
            codes = y[train].astype(np.int32)
            scores = density.left_out_by_column(block, codes) if left_out else list(parts(density, block))
            scored = ScoredRows.of(scores, codes, np.ones(len(codes)), 2)
            found = fit_weights(scored, np.full(30, 10.0), np.ones(30, dtype=bool), model.log_prior, None, 1)
            fresh = model.read(fitted._open(x[test], reset=False), 1)[0]
            joint = model.log_prior + found.bias + np.tensordot(found.scores, np.stack(list(parts(density, fresh))), 1)
            total -= log_posterior(joint, model.log_prior)[np.arange(len(test)), y[test]].sum()
        losses[left_out] = total / len(y)
    assert losses[True] < losses[False]


def parts(density, block):
    for j in range(len(block.names)):
        out = np.zeros((block.rows, density.n_classes))
        density.column(j).add_odds_to(out, block.column(j), 1)
        yield out


@pytest.fixture
def mixed(rng):
    n = 400
    a, b = rng.normal(size=n), rng.choice(["u", "v", "w"], n)
    y = np.where((a > 0) ^ (b == "u"), "yes", "no")  # neither says much alone
    frame = pd.DataFrame({"a": a, "b": b, "zeros": np.where(rng.random(n) < 0.8, 0.0, rng.normal(size=n))})
    frame.loc[::9, "a"] = np.nan
    return frame, y


def test_pairs_find_what_columns_do_not_say_alone(mixed):
    frame, y = mixed
    known = frame["a"].notna().to_numpy()
    assert BayesClassifier().fit(frame, y).score(frame[known], y[known]) > 0.95
    assert BayesClassifier(model="naive").fit(frame, y).score(frame[known], y[known]) < 0.8
    why = BayesClassifier().fit(frame, y).explain(frame.head(3), interactions=True)
    assert {"a × b", "b × a"} & set(why.features)
    np.testing.assert_allclose(
        why.log_odds, np.diff(np.sort(BayesClassifier().fit(frame, y).predict_joint_log_proba(frame.head(3))))[:, 0]
    )


def test_a_model_that_keeps_no_rows_says_when_its_weights_are_stale(mixed):
    frame, y = mixed
    model = BayesClassifier(keep_rows=0).fit(frame, y)
    assert model.model_.tally.sample is None
    assert not model.is_stale_
    before = model.predict_proba(frame)
    np.testing.assert_array_equal(before, BayesClassifier().fit(frame, y).stripped().predict_proba(frame))
    more = pd.DataFrame({"a": [3.0, None], "b": ["u", "w"], "zeros": [0.0, 5.0]})
    with pytest.warns(StaleWarning, match="leaves weights as they were fitted"):
        model.partial_fit(more, ["yes", "no"])
    assert model.is_stale_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(more, ["yes", "no"])  # it was said once
    assert not np.allclose(model.predict_proba(frame), before, atol=1e-6)
    with pytest.warns(StaleWarning, match="leaves weights as they were fitted"):
        model.forget(pd.concat([more, more]), ["yes", "no"] * 2)
    np.testing.assert_allclose(model.predict_proba(frame), before, rtol=1e-9, atol=1e-12)
    assert not model.fit_weights(frame, y).is_stale_


def test_parts_that_keep_no_rows_merge_into_counts_and_the_weights_of_one(mixed):
    frame, y = mixed
    with pytest.warns(StaleWarning, match="the weights of the larger part"):
        both = (
            BayesClassifier(keep_rows=0)
            .fit(frame[:250], y[:250])
            .merge(BayesClassifier(keep_rows=0).fit(frame[250:], y[250:]))
        )
    assert both.is_stale_
    whole = BayesClassifier(keep_rows=0).fit(frame, y)
    for a, b in zip(both.model_.tally.statistics, whole.model_.tally.statistics, strict=True):
        np.testing.assert_array_equal(a.table, b.table)
    assert both.score(frame, y) > 0.9
    np.testing.assert_allclose(both.fit_weights(frame, y).predict_proba(frame), whole.predict_proba(frame), rtol=1e-6)


def test_a_first_batch_without_kept_rows_is_counted_and_not_weighed(mixed):
    frame, y = mixed
    with pytest.warns(StaleWarning, match="fits no weights"):
        model = BayesClassifier(keep_rows=0).partial_fit(frame, y)
    assert model.is_stale_
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of counts alone, and where rows are kept, there is nothing to warn of
        BayesClassifier(model="naive").partial_fit(frame, y).forget(frame[:5], y[:5])
        BayesClassifier().partial_fit(frame, y).forget(frame[:5], y[:5])


def test_a_spike_has_a_bin_of_its_own(rng):
    x = np.where(rng.random(1000) < 0.9, 0.0, rng.normal(size=1000))
    cuts = BayesClassifier().fit(x[:, None], rng.integers(0, 2, 1000)).model_.densities[0].cuts[0]
    assert len(cuts) > 40
    assert ((cuts <= 0).sum(), (cuts > 0).sum()) != (0, len(cuts))


def test_folds_are_refitted_without_their_rows(mixed):
    frame, y = mixed
    result = evaluate.cross_validate(frame, y, k=4, estimator=BayesClassifier())
    assert result.accuracy.value > 0.85


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([[1.0], [2.0]], [0, 1]),
        ([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [0, 1, 2]),
        ([["a"], ["b"], ["c"], ["d"]], [0, 1, 0, 1]),
        ([[np.nan], [np.nan], [np.nan]], [0, 1, 1]),
    ],
    ids=["two rows", "a row a class", "all distinct", "all missing"],
)
def test_next_to_nothing(x, y):
    table = np.array(x, dtype=object if isinstance(x[0][0], str) else float)
    p = BayesClassifier().fit(table, y).predict_proba(table)
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_a_column_equal_to_the_label(rng):
    y = rng.integers(0, 3, 300)
    model = BayesClassifier().fit(np.column_stack([y, rng.normal(size=300)]).astype(float), y)
    assert model.score(np.column_stack([y, rng.normal(size=300)]).astype(float), y) == 1.0


def test_many_columns_and_many_classes_are_bounded(rng):
    x = rng.normal(size=(60, 2000))
    assert np.isfinite(BayesClassifier().fit(x, np.arange(60) % 2).predict_proba(x)).all()
    x, y = rng.normal(size=(2000, 4)), np.arange(2000) % 1000
    assert np.isfinite(BayesClassifier().fit(x, y).predict_proba(x[:50])).all()


def test_what_cannot_be_asked():
    with pytest.raises(ParameterError, match=r"model is 'platt'.*'naive', 'weighted', 'additive'"):
        BayesClassifier(model="platt").fit([[1.0], [2.0]], [0, 1])


@pytest.fixture
def scales(rng):
    """Which side of a balance goes down: no pair of columns says it all, and the cells of many say it together."""
    rows = pd.DataFrame(
        list(product(range(1, 6), repeat=4)), columns=["weight", "arm", "other weight", "other arm"], dtype=float
    ).sample(frac=1, random_state=1, ignore_index=True)
    torque = rows["weight"] * rows["arm"] - rows["other weight"] * rows["other arm"]
    return rows, np.where(torque > 0, "one", "other")


def test_cells_of_pairs_are_corrected_where_that_helps(scales):
    rows, y = scales
    # in the full model other parts are weighted beside the correction, and would make up for it
    model = BayesClassifier(model="additive").fit(rows[:500], y[:500])
    weighted_parts = model.model_.weighted_parts
    pairs = weighted_parts.part(Pairs)
    assert len(pairs.correction) == pairs.cell_count > 0
    without = BayesClassifier(model="additive").fit(rows[:500], y[:500])
    bare = tuple(replace(p, correction=p.correction[:0]) if p is pairs else p for p in weighted_parts.parts)
    without.model_ = replace(without.model_, fitted=replace(weighted_parts, parts=bare))
    assert model.score(rows[500:], y[500:]) > without.score(rows[500:], y[500:]) - 0.01
    assert _loss(model, rows[500:], y[500:]) < _loss(without, rows[500:], y[500:])


def _loss(model, rows, y):
    return -model.predict_log_proba(rows)[np.arange(len(y)), np.searchsorted(model.classes_, y)].mean()


def test_labels_that_say_nothing_are_not_corrected(scales, rng):
    rows, y = scales
    pairs = BayesClassifier().fit(rows, rng.permutation(y)).model_.weighted_parts.part(Pairs)
    assert pairs is None or np.abs(pairs.correction).max(initial=0.0) < 0.1


def test_cells_that_lost_all_their_rows_have_no_score():
    """Folds are taken away from a grid that keeps its cells: the last must not be infinitely far up."""
    cells = np.array([1, 2, 3, 4]) << 10
    learned = GridCounts.of((10,), [(cells, np.array([[2.0, 3.0, 1.0, 1.0], [1.0, 2.0, 2.0, 0.0]]))], 2)
    gone = GridCounts.of((10,), [(cells[3:], np.array([[1.0], [0.0]]))], 2)
    density = Histogram().estimate(learned - gone, "mean", (0, 1))
    scores = NumberScores.of(density)
    assert np.isfinite(scores.knots[0]).all()
    assert scores.knots[0].shape == (2, 3)


def test_threads_change_nothing():
    """At a size at which curvatures and discriminants are shared out."""
    x, y = load_digits(return_X_y=True)
    one, two = (BayesClassifier(n_jobs=n).fit(x, y).predict_proba(x[:50]) for n in (1, 2))
    assert one.tobytes() == two.tobytes()
