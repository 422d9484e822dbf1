"""Learning from rows without a label, and which rows to have labelled."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from suffice import BayesClassifier, Gaussian, Text, load
from suffice.errors import ParameterError, StaleWarning


def corpus(rng, n):
    """Two topics that share half of their words."""
    y = rng.integers(0, 2, n)
    words = [[f"{kind}{i}" for i in range(60)] + [f"both{i}" for i in range(60)] for kind in ("sea", "sky")]
    return [" ".join(rng.choice(words[c], 12)) for c in y], y


@pytest.mark.parametrize("model", ["multinomial", "bernoulli"])
@pytest.mark.parametrize("weight", [1.0, 0.2])
def test_the_likelihood_never_falls_and_unlabelled_texts_help(rng, model, weight):
    texts, y = corpus(rng, 900)
    few, many, test = slice(0, 6), slice(6, 600), slice(600, None)
    alone = BayesClassifier(Text(model, alpha=0.5)).fit(texts[few], y[few])
    helped = BayesClassifier(Text(model, alpha=0.5))
    helped.fit_unlabelled(texts[few], y[few], texts[many], weight=weight, max_iter=12, tol=0)
    climbed = np.diff(helped.log_likelihood_)
    assert (climbed >= -1e-7 * np.abs(helped.log_likelihood_[:-1])).all()
    assert len(climbed) > 2
    assert helped.score(texts[test], y[test]) > alone.score(texts[test], y[test]) + 0.05


def topics(rng, n):
    """Six classes of unequal size over words of a long tail."""
    y = rng.choice(6, n, p=0.5 ** np.arange(6) / (0.5 ** np.arange(6)).sum())
    words = np.array([f"w{i}" for i in range(2000)])
    shares = [np.exp(rng.normal(0, 0.7, 2000)) / np.arange(1, 2001) for _ in range(6)]
    return [" ".join(rng.choice(words, rng.integers(20, 60), p=shares[c] / shares[c].sum())) for c in y], y


def test_the_default_is_never_worse_than_the_labels_alone(rng):
    texts, y = topics(rng, 1200)
    few = np.concatenate([np.flatnonzero(y[:700] == c)[:8] for c in range(6)])
    many = np.setdiff1d(np.arange(700), few)
    labelled, unlabelled, test = ([texts[i] for i in rows] for rows in (few, many, range(700, 1200)))
    alone = BayesClassifier().fit(labelled, y[few])
    with pytest.warns(UserWarning, match="unlabelled rows do not improve"):
        helped = BayesClassifier().fit_unlabelled(labelled, y[few], unlabelled)
    assert (helped.log_likelihood_, helped.unlabelled_weight_) == ([], 0.0)
    np.testing.assert_allclose(helped.predict_proba(test), alone.predict_proba(test), rtol=1e-9)


def log_loss_of(model, X, y):
    return -np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean()


def test_the_default_becomes_a_weighed_textbook_model_where_that_helps(rng, tmp_path):
    texts, y = corpus(rng, 900)
    few, many, test = slice(0, 20), slice(20, 600), slice(600, None)
    alone = BayesClassifier().fit(texts[few], y[few])
    helped = BayesClassifier().fit_unlabelled(texts[few], y[few], texts[many])
    assert helped.unlabelled_weight_ > 0
    assert (np.diff(helped.log_likelihood_) >= -1e-7 * np.abs(helped.log_likelihood_[:-1])).all()
    assert helped.score(texts[test], y[test]) > alone.score(texts[test], y[test])
    assert log_loss_of(helped, texts[test], y[test]) < log_loss_of(alone, texts[test], y[test])
    # one factor on log densities of the multinomial over labelled and weighted unlabelled documents
    weighted = helped.model_
    assert weighted.weighing == "weighted"
    assert isinstance(weighted.blocks[0].family.alpha, float)
    factor = weighted.fitted.weights[0].values[0]
    plain = weighted.unweighted.log_joint(helped._open(texts[test], reset=False)) - weighted.log_prior
    odds = weighted.log_prior + factor * plain
    np.testing.assert_allclose(
        helped.predict_log_proba(texts[test]), odds - np.logaddexp.reduce(odds, axis=1, keepdims=True), atol=1e-9
    )
    helped.save(tmp_path / "model.suffice")
    back = load(tmp_path / "model.suffice")
    np.testing.assert_array_equal(back.predict_proba(texts[test]), helped.predict_proba(texts[test]))
    assert "Text" in str(helped.describe())
    with pytest.warns(StaleWarning):
        helped.partial_fit(texts[test], y[test])


def test_a_given_weight_is_taken_with_a_warning_where_it_does_not_help(rng):
    X, y = load_iris(return_X_y=True)
    order = rng.permutation(150)
    few, many = order[:30], order[30:]
    with pytest.warns(UserWarning, match="as weight is given"):
        model = BayesClassifier(Gaussian()).fit_unlabelled(X[few], y[few], rng.normal(5, 1, X[many].shape), weight=5)
    assert model.unlabelled_weight_ == 5
    assert model.model_.tally.weight.sum() == pytest.approx(30 + 5 * 120)
    with pytest.warns(UserWarning, match="that of the labelled rows"):
        model.fit_unlabelled(X[few], y[few], rng.normal(5, 1, X[many].shape))
    np.testing.assert_allclose(model.predict_proba(X), BayesClassifier(Gaussian()).fit(X[few], y[few]).predict_proba(X))


def test_it_is_the_mixture_of_normals(rng):
    X, y = load_iris(return_X_y=True)
    order = rng.permutation(150)
    few, many = order[:15], order[15:]
    model = BayesClassifier(Gaussian(), estimate="mle", prior="mle")
    model.fit_unlabelled(X[few], y[few], X[many], weight=1, max_iter=30, tol=0)
    assert (np.diff(model.log_likelihood_) >= -1e-8).all()
    # at rest every parameter is the mean over the rows, the labelled as labelled and the others as they are believed
    shares = np.concatenate([np.eye(3)[y[few]], model.predict_proba(X[many])])
    rows = np.concatenate([X[few], X[many]])
    means = shares.T @ rows / shares.sum(axis=0)[:, None]
    np.testing.assert_allclose(model.model_.densities[0].centre, means, atol=1e-3)


def test_what_is_suggested_is_unsure_and_diverse(rng):
    texts, y = corpus(rng, 300)
    model = BayesClassifier(Text("multinomial")).fit(texts[:40], y[:40])
    pool = [*texts[40:], *["both1 both2 both3 sea4 sky5"] * 30]  # one unsure document, thirty times over
    chosen = model.suggest(pool, 10)
    assert len(set(chosen.tolist())) == 10
    assert (chosen >= 260).sum() <= 1
    entropy = -(p := model.predict_proba(pool)) * np.log(p)
    assert entropy.sum(axis=1)[chosen].mean() > 2 * entropy.sum(axis=1).mean()
    X, labels = load_iris(return_X_y=True)
    rows = BayesClassifier(model="naive").fit(X, labels).suggest(X, 5)
    assert set(labels[rows]) <= {1, 2}
    assert len(BayesClassifier().fit(X, labels).suggest(X[:3], 5)) == 3
    with pytest.raises(ParameterError, match="n is 0"):
        model.suggest(pool, 0)


def table_of(kind, rng, y):
    """Six columns of which each tells a little of y."""
    if kind == "numbers":
        return pd.DataFrame(rng.normal(0.5 * y[:, None], 1, (len(y), 6)))
    if kind == "levels":
        return pd.DataFrame(
            (rng.integers(0, 5, (len(y), 6)) + (rng.random((len(y), 6)) < 0.4) * y[:, None]).astype(str)
        )
    return sp.csr_array(rng.poisson(0.3 + 0.3 * y[:, None], (len(y), 6)).astype(float))


@pytest.mark.parametrize("kind", ["numbers", "levels", "sparse"])
def test_one_of_many_copies_of_an_unsure_row_is_suggested(rng, kind):
    y = rng.integers(0, 2, 400)
    rows = table_of(kind, rng, y)
    part = rows.iloc if kind != "sparse" else rows
    model = BayesClassifier(model="naive").fit(part[:100], y[:100])
    unsure = 100 + int(np.abs(model.predict_proba(part[100:])[:, 0] - 0.5).argmin())
    pool = part[[*range(100, 400), *[unsure] * 40]]
    chosen = model.suggest(pool, 10)
    assert (chosen >= 300).sum() + (chosen == unsure - 100).sum() <= 1
    p = model.predict_proba(pool)[:, 0]
    assert np.abs(p[chosen] - 0.5).mean() < 0.8 * np.abs(p - 0.5).mean()


def halves(rng, n):
    """Numbers of which two decide: a rule without noise, one class rarer."""
    X = rng.normal(size=(n, 4))
    return pd.DataFrame(X, columns=list("wxyz")), (X[:, 0] + X[:, 1] > 1.5).astype(int)


def learning_curve(rows, y, seed, *, suggested):
    """Accuracy on other rows while the pool is labelled, ten rows at a time."""
    rng, pool, test = np.random.default_rng(seed), np.arange(500), np.arange(500, 1500)
    known, scores = rng.permutation(pool)[:10], []
    for _ in range(5):
        model = BayesClassifier(model="additive").fit(rows.iloc[known], y[known])
        scores.append(model.score(rows.iloc[test], y[test]))
        rest = np.setdiff1d(pool, known)
        chosen = model.suggest(rows.iloc[rest], 10) if suggested else rng.permutation(len(rest))[:10]
        known = np.append(known, rest[chosen])
    return np.mean(scores)


def test_suggested_rows_teach_more_than_random_ones():
    gain = []
    for seed in range(8):
        rows, y = halves(np.random.default_rng(seed), 1500)
        gain.append(np.subtract(*(learning_curve(rows, y, seed, suggested=way) for way in (True, False))))
    assert np.mean(gain) > 2 * np.std(gain, ddof=1) / np.sqrt(len(gain))


def test_fewer_suggestions_are_the_first_of_more_whatever_the_order_of_rows(rng):
    rows, y = halves(rng, 900)
    model = BayesClassifier(model="naive").fit(rows[:40], y[:40])
    rest, order = rows[40:].reset_index(drop=True), rng.permutation(860)
    all_rows = model.suggest(rest, 860)
    assert sorted(all_rows.tolist()) == list(range(860))
    for n in (1, 10, 250):
        np.testing.assert_array_equal(model.suggest(rest, n), all_rows[:n])
        np.testing.assert_array_equal(order[model.suggest(rest.iloc[order], n)], all_rows[:n])
