"""What holds for every family under every rule: the model is a function of the sum over rows, however it came about."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from families.cases import CASES, rules
from suffice import BayesClassifier, Density, Terms, Text
from suffice.errors import DataError, NotLinearError
from suffice.families import FAMILIES
from suffice.families.one_dependence.family import OneDependence

each_family = pytest.mark.parametrize("case", CASES, ids=str)
FAMILIES_AND_RULES = [(case, rule) for case in CASES for rule in rules(case.family)]
each_family_and_rule = pytest.mark.parametrize(("case", "rule"), FAMILIES_AND_RULES, ids=str)
each_family_apart_and_rule = pytest.mark.parametrize(  # elsewhere, columns are one thing
    ("case", "rule"), [(case, rule) for case, rule in FAMILIES_AND_RULES if not case.family.joint], ids=str
)


def test_every_family_is_registered():
    assert {type(case.family) for case in CASES} | {Density, Terms, Text} == set(
        FAMILIES
    )  # those have tests of their own


def same_joints(a, b, x):
    assert a.classes_.tolist() == b.classes_.tolist()
    mine, other = a.predict_joint_log_proba(x), b.predict_joint_log_proba(x)
    np.testing.assert_allclose(mine, other, rtol=0, atol=1e-9)
    assert not np.isnan(mine).any()


@each_family_and_rule
@settings(max_examples=settings().max_examples // 5)  # of each family and rule: hundreds of tables in all
@given(seed=st.integers(0, 2**32 - 1), weighted=st.booleans())
def test_fit_is_partial_fit_is_merge_is_fit_more_and_forget(case, rule, seed, weighted):
    rng = np.random.default_rng(seed)
    n = case.enough
    x, y = case.rows(rng, n)
    w = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    parts = np.array_split(rng.permutation(n), 4)

    def new():
        return BayesClassifier(case.family, estimate=rule)

    whole = new().fit(x, y, w)

    streamed = new()
    for part in parts:
        streamed.partial_fit(x[part], y[part], sample_weight=w[part])
    same_joints(streamed, whole, x)

    shards = [new().fit(x[part], y[part], w[part]) for part in parts]
    same_joints(shards[2] + shards[0] + shards[3] + shards[1], whole, x)

    more_x, more_y = case.rows(rng, 25)
    more = new().fit(
        np.concatenate([x, more_x]), np.concatenate([y, more_y + 1]), np.concatenate([w, np.full(25, 2.0)])
    )
    same_joints(more.forget(more_x, more_y + 1, np.full(25, 2.0)), whole, x)


@each_family_and_rule
def test_answers_are_probabilities(case, rule, rng):
    x, y = case.rows(rng, 200)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    p = model.predict_proba(x)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), p, atol=1e-15)
    np.testing.assert_array_equal(model.predict(x), model.classes_[p.argmax(axis=1)])


@each_family_and_rule
def test_evidence_adds_up_to_the_log_odds(case, rule, rng):
    x, y = case.rows(rng, 60)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    joint = model.predict_joint_log_proba(x)
    why = model.explain(x, of=2, against=0)
    np.testing.assert_allclose(why.log_odds, joint[:, 2] - joint[:, 0], atol=1e-9)
    default = model.explain(x)
    np.testing.assert_array_equal(default.of, model.predict(x))
    assert (default.log_odds >= -1e-12).all()


@each_family_and_rule
def test_the_linear_form_is_the_posterior_or_is_refused(case, rule, rng):
    x, y = case.rows(rng, 80)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    try:
        form = model.linear_form()
    except NotLinearError:
        untied = str(case).startswith("MultivariateNormal-") and "tied" not in str(case)
        assert rule == "predictive" or untied or isinstance(case.family, OneDependence)
        return
    if "tied" in str(case):
        with pytest.raises(DataError, match="complete rows"):
            form.scores(x)
        x = x[~np.isnan(x).any(axis=1)]
    assert form.beta.shape == (3, len(form.names)) == (3, form.phi(x).shape[1])
    scores = form.scores(x)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(p / p.sum(axis=1, keepdims=True), model.predict_proba(x), atol=1e-12)


@each_family_apart_and_rule
def test_a_missing_cell_is_summed_out(case, rule, rng):
    x, y = case.rows(rng, 80)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    alone = BayesClassifier(case.family, estimate=rule).fit(x[:, [0]], y)
    holes = x.copy()
    holes[:, 1:] = np.nan
    np.testing.assert_allclose(
        model.predict_joint_log_proba(holes), alone.predict_joint_log_proba(x[:, [0]]), atol=1e-12
    )


@each_family_and_rule
def test_columns_stand_apart(case, rule, rng):
    """The order of the columns does not change what they say."""
    x, y = case.rows(rng, 60)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    turned = BayesClassifier(case.family, estimate=rule).fit(x[:, ::-1], y)
    np.testing.assert_allclose(model.predict_proba(x), turned.predict_proba(x[:, ::-1]), atol=1e-12)


@each_family_apart_and_rule
def test_a_column_says_the_same_whatever_stands_beside_it(case, rule, rng):
    x, y = case.rows(rng, 60)
    beside = np.column_stack([x, 1000 * x[:, :1]]) if str(case) != "CountTable" else np.column_stack([x, x[:, :1]])
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    more = BayesClassifier(case.family, estimate=rule).fit(beside, y)
    lonely = np.column_stack([x, np.full(60, np.nan)])
    np.testing.assert_allclose(more.predict_joint_log_proba(lonely), model.predict_joint_log_proba(x), rtol=1e-12)


@each_family
@pytest.mark.parametrize("make", [np.array, sp.csr_array], ids=["dense", "sparse"])
def test_any_weights_over_many_chunks(case, make, rng):
    """Fractional weights round differently in every order of summing; what was learned can still be forgotten."""
    x, y = case.rows(rng, 40_000)
    x = np.nan_to_num(x, nan=1.0)
    x[:, 0] = 1.0 if str(case) in ("Bernoulli", "CountTable") else x[:, 0]
    w = rng.random(40_000) + 0.01
    rule = rules(case.family)[0]
    whole = BayesClassifier(case.family, estimate=rule).fit(make(x[:30_000]), y[:30_000], w[:30_000])
    model = (
        BayesClassifier(case.family, estimate=rules(case.family)[0])
        .fit(make(x), y, w)
        .forget(make(x[30_000:]), y[30_000:], w[30_000:])
    )
    a, b = model.predict_joint_log_proba(x[:500]), whole.predict_joint_log_proba(x[:500])
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-8)


@each_family_and_rule
def test_the_same_model_bytes_for_any_number_of_threads(case, rule, rng):
    x, y = case.rows(rng, 40_000)
    w = rng.random(len(x))
    fitted = [BayesClassifier(case.family, estimate=rule, n_jobs=n).fit(x, y, w) for n in (1, 2, 8)]
    assert len({pickle.dumps(model.model_) for model in fitted}) == 1
    answers = {model.predict_proba(x[:3000]).tobytes() for model in fitted}
    assert len(answers) == 1


@each_family_and_rule
def test_float32_and_sparse_rows_give_the_same_model(case, rule, rng):
    x, y = case.rows(rng, 60)
    x = np.nan_to_num(np.round(x * 4) / 4, nan=1.0) if "Count" not in str(case) else np.nan_to_num(x)
    x = np.maximum(x, 0.25) if str(case) in ("Gamma", "LogNormal") else x
    whole = BayesClassifier(case.family, estimate=rule).fit(x, y)
    same_joints(BayesClassifier(case.family, estimate=rule).fit(x.astype(np.float32), y), whole, x)
    sparse = sp.csr_array(x)
    same_joints(BayesClassifier(case.family, estimate=rule).fit(sparse, y), whole, x)
    np.testing.assert_allclose(
        whole.predict_joint_log_proba(sparse), whole.predict_joint_log_proba(x), rtol=1e-12, atol=1e-9
    )


@each_family_and_rule
def test_samples_look_like_the_model(case, rule, rng):
    x, y = case.rows(rng, 400)
    model = BayesClassifier(case.family, estimate=rule).fit(x, y)
    if str(case) == "Complement":
        with pytest.raises(TypeError, match="not a density"):
            model.sample(3)
        return
    drawn, labels = model.sample(4000, random_state=0)
    assert drawn.shape == (4000, 3)
    np.testing.assert_allclose(np.bincount(labels) / 4000, np.exp(model.model_.log_prior), atol=0.04)
    again = BayesClassifier(case.family, estimate=rule).fit(drawn.astype(float), labels)

    # refitted to its own samples, the model says nearly the same of the rows (in log-odds between classes)
    def odds(m):
        return np.diff(m.predict_log_proba(np.nan_to_num(x, nan=1.0)), axis=1)

    assert np.median(np.abs(odds(again) - odds(model))) < 0.25


@each_family_and_rule
def test_decay_is_a_weight(case, rule, rng):
    x, y = case.rows(rng, 60)
    faded = BayesClassifier(case.family, estimate=rule).fit(x[:30], y[:30]).decay(0.5).partial_fit(x[30:], y[30:])
    weighed = BayesClassifier(case.family, estimate=rule).fit(x, y, np.repeat([0.5, 1.0], 30))
    same_joints(faded, weighed, x)


@each_family_and_rule
def test_class_weights_are_row_weights(case, rule, rng):
    x, y = case.rows(rng, 60)
    by_class = BayesClassifier(case.family, estimate=rule, class_weight={0: 2.0, 1: 0.5}).fit(x, y)
    by_row = BayesClassifier(case.family, estimate=rule).fit(x, y, np.array([2.0, 0.5, 1.0])[y])
    same_joints(by_class, by_row, x)
