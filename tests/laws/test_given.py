"""What the default is given, it respects: weights, priors, missing cells, families, and labels that are noise."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import roc_auc_score
from sklearn.utils.class_weight import compute_sample_weight

import suffice
from suffice import BayesClassifier, Categorical, Gaussian, MultivariateNormal, Poisson, Text
from suffice.decision import correct_priors
from suffice.errors import ParameterError
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs


def loans(rows, seed, holes="telling"):
    """Numbers and categories, a rare class, and a column that is missing more often where loans go bad."""
    rng = np.random.default_rng(seed)
    bad = rng.random(rows) < 0.12
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(3 - 0.4 * bad, 0.5),
            "age": rng.normal(45 - 4 * bad, 12),
            "debt": rng.normal(0.4 * bad, 1.0),
            "visits": rng.poisson(2 + 2 * bad).astype(float),
            "job": rng.choice(["cook", "clerk", "pilot"], rows),
        }
    )
    frame.loc[(frame["job"] == "cook") & bad & (rng.random(rows) < 0.5), "age"] = 30.0
    missing = {"telling": np.where(bad, 0.6, 0.1), "random": np.full(rows, 0.3), "none": np.zeros(rows)}[holes]
    frame.loc[rng.random(rows) < missing, "debt"] = np.nan
    return frame, np.where(bad, "bad", "good")


@pytest.fixture(scope="module")
def rows():
    return *loans(2500, 0), *loans(4000, 1)


def log_loss(model, X, y):
    return -model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)].mean()


def auc(model, X, y):
    return roc_auc_score(y == "bad", model.predict_proba(X)[:, 0])


# — weights —


@pytest.mark.parametrize("weight", [1 / 2500, 0.37, 3.0, 10.0])
def test_a_factor_on_all_weights_changes_nothing(rows, weight):
    X, y, Z, _ = rows
    weighted = BayesClassifier().fit(X, y, sample_weight=np.full(len(y), weight))
    np.testing.assert_allclose(weighted.predict_proba(Z), BayesClassifier().fit(X, y).predict_proba(Z), atol=1e-9)


def test_weights_that_are_a_matter_of_the_class_change_the_prior(rows):
    """They say nothing about the rows of a class, so the answer is the corrected posterior: no order of rows changes."""
    X, y, Z, t = rows
    plain = BayesClassifier().fit(X, y)
    balanced = BayesClassifier().fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    assert auc(balanced, Z, t) == pytest.approx(auc(plain, Z, t), abs=1e-9)
    seen = np.array([(y == c).sum() + 1.0 for c in plain.classes_])
    expected = correct_priors(plain.predict_proba(Z), seen / seen.sum(), [0.5, 0.5])
    np.testing.assert_allclose(balanced.predict_proba(Z), expected, atol=1e-9)


def test_class_weight_is_a_change_of_the_prior_too(rows):
    X, y, Z, _ = rows
    by_class = BayesClassifier(class_weight={"bad": 5.0}).fit(X, y).predict_log_proba(Z)
    plain = BayesClassifier().fit(X, y).predict_log_proba(Z)
    moved = (by_class[:, 0] - by_class[:, 1]) - (plain[:, 0] - plain[:, 1])
    assert np.ptp(moved) < 1e-9
    assert moved[0] == pytest.approx(np.log(5.0), abs=0.02)


def test_class_weight_of_texts_is_one_too():
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat([0, 1], [900, 300]))
    texts = [" ".join(rng.choice(["tea", "milk", "cake", "rain", "sun", f"w{k}"], 8)) for k in y]
    plain = BayesClassifier().fit(texts, y).predict_log_proba(texts)
    heavy = BayesClassifier(class_weight={1: 3.0}).fit(texts, y).predict_log_proba(texts)
    assert np.ptp((heavy[:, 1] - heavy[:, 0]) - (plain[:, 1] - plain[:, 0])) < 1e-9


def test_copies_of_rare_rows_are_left_out_together(rows):
    """An oversampler copies rows: it must not make the model sure of them."""
    X, y, Z, t = rows
    rare = np.flatnonzero(y == "bad")
    more = np.concatenate([np.arange(len(y)), np.random.default_rng(0).choice(rare, 6 * len(rare))])
    copied = BayesClassifier().fit(X.iloc[more], y[more])
    assert auc(copied, Z, t) > auc(BayesClassifier().fit(X, y), Z, t) - 0.005


def test_weights_at_random_cost_little(rows):
    X, y, Z, t = rows
    weight = np.random.default_rng(0).integers(1, 11, len(y)).astype(float)
    weighted = BayesClassifier().fit(X, y, sample_weight=weight)
    assert log_loss(weighted, Z, t) < log_loss(BayesClassifier().fit(X, y), Z, t) * 1.03


def test_equal_rows_of_few_categories_are_observations():
    """Four columns of three levels: every row comes many times, by chance. No weight is read into that."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("abc"), (3000, 4)), columns=list("wxyz"))
    y = (rng.random(3000) < np.where((X.w == "a") & (X.x == "b"), 0.9, 0.2)).astype(int)
    model = BayesClassifier().fit(X, y)
    assert (model.model_.weighted_parts.unit == 1.0).all()
    p = model.predict_proba(pd.DataFrame([list("abaa"), list("caaa")], columns=list("wxyz")))[:, 1]
    assert p == pytest.approx([0.9, 0.2], abs=0.05)


def test_balanced_weights_of_rows_that_repeat_change_the_prior_alone():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("abc"), (3000, 4)), columns=list("wxyz"))
    y = np.where(rng.random(3000) < np.where(X.w == "a", 0.4, 0.1), 2, rng.integers(0, 2, 3000))
    plain = BayesClassifier().fit(X, y)
    balanced = BayesClassifier().fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    expected = correct_priors(plain.predict_proba(X), np.exp(plain.model_.log_prior), np.exp(balanced.model_.log_prior))
    np.testing.assert_allclose(balanced.predict_proba(X), expected, atol=1e-9)


# — missing cells —


def with_indicators(X):
    return X.assign(**{"debt?": np.where(X["debt"].isna(), "missing", "there")})


def test_a_hole_is_evidence_where_it_tells(rows):
    X, y, Z, t = rows
    found = BayesClassifier().fit(X, y)
    by_hand = BayesClassifier().fit(with_indicators(X), y)
    ignored = BayesClassifier(missing="ignore").fit(X, y)
    assert log_loss(found, Z, t) < 1.03 * log_loss(by_hand, with_indicators(Z), t)
    assert log_loss(found, Z, t) < 0.95 * log_loss(ignored, Z, t)
    assert found.model_.weighted_parts.part(MissingIndicators) is not None
    assert ignored.model_.weighted_parts.part(MissingIndicators) is None


def test_holes_at_random_lose_nothing():
    X, y = loans(2500, 0, "random")
    Z, t = loans(4000, 1, "random")
    ignored = log_loss(BayesClassifier(missing="ignore").fit(X, y), Z, t)
    assert log_loss(BayesClassifier().fit(X, y), Z, t) < 1.01 * ignored


def test_a_hole_that_tells_together_with_another_column():
    rng = np.random.default_rng(5)
    X, y = loans(5000, 7, "none")
    odds = np.where(X["job"] == "cook", np.where(y == "bad", 0.6, 0.05), 0.2)
    X.loc[rng.random(len(y)) < odds, "debt"] = np.nan
    X, Z, y, t = X[:3000], X[3000:], y[:3000], y[3000:]
    assert log_loss(BayesClassifier().fit(X, y), Z, t) < 1.03 * log_loss(
        BayesClassifier().fit(with_indicators(X), y), with_indicators(Z), t
    )


def test_the_hole_of_a_category_and_a_level_never_seen_differ(rows):
    X, y, Z, _ = rows
    rng = np.random.default_rng(0)
    X = X.assign(job=X["job"].where(rng.random(len(y)) > np.where(y == "bad", 0.6, 0.1), None))
    model = BayesClassifier().fit(X, y)
    one = Z.iloc[[0]]
    there, missing, unseen = (
        model.predict_proba(one.assign(job=[value]))[0, 0] for value in (one["job"].iloc[0], None, "astronaut")
    )
    assert missing > 2 * there
    assert unseen < missing
    as_record = [dict(one.assign(job=["astronaut"]).iloc[0])]
    assert model.predict_proba(as_record)[0, 0] == pytest.approx(unseen, abs=1e-12)


def test_a_column_that_a_table_lacks_is_no_missing_cell(rows):
    X, y, Z, _ = rows
    model = BayesClassifier(missing_columns="marginalise").fit(X, y)
    empty = model.predict_proba(Z.assign(debt=np.nan))[:, 0]
    lacking = model.predict_proba(Z.drop(columns="debt"))[:, 0]
    assert (empty > lacking).mean() > 0.95


def test_what_a_hole_counts_for_is_told(rows):
    X, y, Z, _ = rows
    model = BayesClassifier().fit(X, y)
    (debt,) = [column for column in model.describe().columns if column.name == "debt"]
    assert debt.missing > 0.3
    assert f"missing {debt.missing:.2f}" in str(model.describe())
    assert "Missing cells are evidence in 'debt'." in str(model.describe())
    hole = Z[Z["debt"].isna()].iloc[:5]
    why = model.explain(hole, of="bad", against="good")
    assert (why.evidence[:, list(why.features).index("debt")] > 0.5).all()
    log_p = model.predict_log_proba(hole)
    np.testing.assert_allclose(why.evidence.sum(axis=1) + why.prior, log_p[:, 0] - log_p[:, 1], atol=1e-9)


def test_missing_is_refused_where_it_has_no_effect(rows):
    X, y, *_ = rows
    with pytest.raises(ParameterError, match=r"missing is 'evidence' in a 'naive' model.*model='full' or 'additive'"):
        BayesClassifier(model="naive", missing="evidence").fit(X, y)
    with pytest.raises(ParameterError, match="missing is 'yes'"):
        BayesClassifier(missing="yes").fit(X, y)


# — labels that are noise —


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits])
def test_shuffled_labels_give_the_shares_of_the_classes(load):
    X, y = load(return_X_y=True)
    y = np.random.default_rng(1).permutation(y)
    half = len(y) // 2
    model = BayesClassifier().fit(X[:half], y[:half])
    share = np.bincount(y[:half]) / half
    assert log_loss(model, X[half:], y[half:]) < 1.01 * -np.log(share[y[half:]]).mean()


def test_shuffled_labels_of_a_mixed_table(rows):
    X, y, Z, t = rows
    model = BayesClassifier().fit(X, np.random.default_rng(2).permutation(y))
    share = np.array([(y == c).mean() for c in model.classes_])
    assert log_loss(model, Z, t) < 1.01 * -np.log(share[np.searchsorted(model.classes_, t)]).mean()


def test_many_columns_of_noise_and_few_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1200, 800)), rng.integers(0, 2, 1200)
    model = BayesClassifier().fit(X[:300], y[:300])
    assert log_loss(model, X[300:], y[300:]) < 1.02 * np.log(2)


# — families —


def test_naming_a_family_changes_that_column_and_nothing_else(rows):
    X, y, Z, t = rows
    plain = BayesClassifier().fit(X, y)
    named = BayesClassifier({"age": Gaussian(), "job": Categorical()}).fit(X, y)
    assert log_loss(named, Z, t) == pytest.approx(log_loss(plain, Z, t), rel=0.05)
    for kind in (MissingIndicators, NormalsPart, Pairs):
        assert (named.model_.weighted_parts.part(kind) is None) == (plain.model_.weighted_parts.part(kind) is None)
    kinds = {column.name: type(column.family).__name__ for column in named.describe().columns}
    assert kinds["age"] == "Gaussian"
    assert kinds["income"] == "Histogram"


@pytest.mark.parametrize(
    "families",
    [
        {"visits": Poisson()},
        {("income", "age"): MultivariateNormal()},
        {"age": Gaussian(), "income": Gaussian(), "visits": Poisson(), "job": Categorical()},
    ],
)
def test_any_family_that_adds_is_a_part(rows, families, tmp_path):
    """It is weighted, merged, forgotten and saved like the others."""
    X, y, Z, t = rows
    model = BayesClassifier(families).fit(X, y)
    assert log_loss(model, Z, t) < 1.1 * log_loss(BayesClassifier().fit(X, y), Z, t)
    p = model.predict_proba(Z)
    halves = BayesClassifier(families).fit(X[:1000], y[:1000]) + BayesClassifier(families).fit(X[1000:], y[1000:])
    np.testing.assert_allclose(halves.predict_proba(Z), p, atol=1e-9)
    more = BayesClassifier(families).fit(pd.concat([X, Z[:200]]), np.concatenate([y, t[:200]])).forget(Z[:200], t[:200])
    np.testing.assert_allclose(more.predict_proba(Z), p, atol=1e-8)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(suffice.load(tmp_path / "model").predict_proba(Z), p)


def test_a_textbook_text_is_weighed_beside_others(rows):
    X, y, Z, t = rows
    rng = np.random.default_rng(9)

    def notes(labels):
        words = np.where((labels == "bad") & (rng.random(len(labels)) < 0.5), "late", "fine")
        return [f"{word} " * 12 + "and the letter was sent" for word in words]

    X, Z = X.assign(note=notes(y)), Z.assign(note=notes(t))
    weighted = BayesClassifier({"note": Text("multinomial")}).fit(X, y)
    assert log_loss(weighted, Z, t) < log_loss(BayesClassifier(model="naive").fit(X, y), Z, t)
    assert log_loss(weighted, Z, t) < 1.1 * log_loss(BayesClassifier().fit(X, y), Z, t)


# — choices that have no effect are refused —


def test_one_choice_of_model(rows):
    X, y, *_ = rows
    with pytest.raises(ParameterError, match=r"naive is 'yes'.*model='naive'"):
        BayesClassifier(naive="yes").fit(X, y)
    with pytest.raises(ParameterError, match="model is given beside naive"), pytest.warns(FutureWarning):
        BayesClassifier(model="additive", naive=True).fit(X, y)
    with pytest.raises(ParameterError, match="calibrate is 'weights' in a naive model"):
        BayesClassifier(naive=True, calibrate="weights").fit(X, y)
    with pytest.warns(FutureWarning, match="model='naive'"):
        old = BayesClassifier(naive=True).fit(X, y)
    np.testing.assert_array_equal(old.predict_proba(X), BayesClassifier(model="naive").fit(X, y).predict_proba(X))


@pytest.mark.parametrize("estimate", ["mle", "map", "predictive"])
def test_a_rule_that_no_family_has_is_refused(rows, estimate):
    X, y, *_ = rows
    with pytest.raises(ParameterError, match=rf"estimate is '{estimate}'.*'Histogram'.*model='naive'"):
        BayesClassifier(estimate=estimate).fit(X, y)
    BayesClassifier({"age": Gaussian()}, estimate=estimate).fit(X, y)


# — texts —


def notes(rows, seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["tea", "sea", "sky"], rows, p=[0.5, 0.3, 0.2])
    words = np.array([f"w{k}" for k in range(400)])
    shares = {c: np.exp(np.random.default_rng(i).normal(0, 0.7, 400)) for i, c in enumerate(["tea", "sea", "sky"])}
    texts = [" ".join(rng.choice(words, 12, p=shares[c] / shares[c].sum())) for c in y]
    return texts, y


def test_shuffled_labels_of_texts_give_the_shares():
    texts, y = notes(1500, 0)
    fresh, t = notes(1500, 1)
    model = BayesClassifier().fit(texts, np.random.default_rng(2).permutation(y))
    share = np.array([(y == c).mean() for c in model.classes_])
    assert log_loss(model, fresh, t) < 1.01 * -np.log(share[np.searchsorted(model.classes_, t)]).mean()


def test_words_pairs_and_runs_of_characters_are_corrected():
    """What a document is about may stand in the order of its words alone, or within them."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1200)
    told = [("not good", "so bad") if c else ("so good", "not bad") for c in y]
    texts = [f"{a} w{rng.integers(90)} {b}" for (a, b) in told]
    model = BayesClassifier().fit(texts[:800], y[:800])
    (weights,) = model.model_.weighted_parts.weights
    assert {view.view for view in weights.correction.views} == {0, 1, 2}
    assert model.score(texts[800:], y[800:]) == 1.0
    why = model.explain(texts[800:801])
    log_p = model.predict_log_proba(texts[800:801])[0]
    assert why.evidence.sum() + why.prior[0] == pytest.approx(abs(log_p[0] - log_p[1]), abs=1e-9)
