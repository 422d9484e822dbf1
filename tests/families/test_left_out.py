"""A row left out in closed form is a row that was never learned: for every family, under every rule."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KernelDensity

from families.cases import CASES, RULES, Case, rules
from families.test_text import corpus
from suffice import (
    BayesClassifier,
    BernoulliNB,
    Categorical,
    CategoricalNB,
    Complement,
    Density,
    Gaussian,
    GaussianNB,
    LinearDiscriminantAnalysis,
    Multinomial,
    MultivariateNormal,
    Poisson,
    PooledCategorical,
    Terms,
    Text,
)
from suffice.columns.labels import encode_labels
from suffice.errors import ForgetError, NotAdditiveError
from suffice.families import FAMILIES
from suffice.families.base import Family
from suffice.model.left_out import left_out_log_densities

LABELS = [0, 1, 2]


def left_out(model, x, y, w=None):
    rows = model.labelled(x, y, w)
    prior, parts = left_out_log_densities(model.model_, rows.table, rows.labels, rows.weight, 2)
    return prior + parts.sum(axis=0)


def refitted(new, x, y, w, row):
    rest = np.arange(len(y)) != row
    model = new().partial_fit(x[rest], y[rest], classes=LABELS, sample_weight=None if w is None else w[rest])
    return model.predict_joint_log_proba(x[row : row + 1])[0]


def same(got, expected, atol=1e-9):
    impossible = np.isneginf(expected)
    np.testing.assert_array_equal(np.isneginf(got), impossible)
    np.testing.assert_allclose(got[~impossible], expected[~impossible], rtol=1e-9, atol=atol)


def agrees(case, rule, rng, n, weighted, **settings):
    x, y = case.rows(rng, n)
    w = rng.integers(1, 4, n).astype(float) if weighted else None

    def new():
        return BayesClassifier(case.family, estimate=rule, **settings)

    got = left_out(new().partial_fit(x, y, classes=LABELS, sample_weight=w), x, y, w)
    for row in rng.choice(n, 3, replace=False):
        same(got[row], refitted(new, x, y, w, row))


MORE = [
    Case(Gaussian(mean=1.0, variance=4.0, mean_weight=0.5), lambda rng, shape: rng.normal(5, 2, shape)),
    Case(Gaussian(variance_weight=0.0, mean_weight=0.0), lambda rng, shape: rng.integers(0, 3, shape)),
    Case(Poisson(shape=2.0, rate=0.5), lambda rng, shape: rng.poisson(2, shape)),
    Case(Categorical(levels=range(20)), lambda rng, shape: rng.integers(0, 12, shape)),
    Case(Categorical(alpha=0.0), lambda rng, shape: rng.integers(0, 12, shape)),
    Case(Categorical(alpha={0: 2.0, 1: 0.0}), lambda rng, shape: rng.integers(0, 6, shape)),
    Case(Categorical(alpha=[0.5, 1.0, 2.0]), lambda rng, shape: rng.integers(0, 6, shape)),
    Case(Multinomial(alpha=0.0), lambda rng, shape: rng.poisson(1, shape)),
    Case(Complement(norm=True), lambda rng, shape: rng.poisson(1, shape)),
    Case(MultivariateNormal(pooling=0.3), lambda rng, shape: rng.normal(5, 2, shape)),
    Case(MultivariateNormal("tied", shrinkage=0.4), lambda rng, shape: rng.normal(5, 2, shape)),
    Case(MultivariateNormal(shrinkage="oas"), lambda rng, shape: rng.normal(5, 2, shape)),
    Case(PooledCategorical(), lambda rng, shape: rng.integers(0, 4, shape)),
]


each_family_and_rule = pytest.mark.parametrize(
    ("case", "rule"),
    [(case, rule) for case in CASES + MORE for rule in rules(case.family)],
    ids=lambda value: repr(value.family) if isinstance(value, Case) else value,
)


@each_family_and_rule
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32 - 1), weighted=st.booleans())
def test_leaving_out_is_refitting(case, rule, seed, weighted):
    agrees(case, rule, np.random.default_rng(seed), case.enough, weighted)


@each_family_and_rule
def test_classes_of_one_row(case, rule, rng):
    """Without the row its class is empty, and what it says comes from the others or the prior."""
    if rule == "mle" and isinstance(case.family, MultivariateNormal):
        pytest.skip("a singular covariance magnifies rounding beyond what is promised")
    for n in (3, 4, 6):
        agrees(case, rule, rng, n, weighted=False)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 3.0, 2: 0.5}])
@pytest.mark.parametrize(
    "case", [CASES[0], next(case for case in CASES if isinstance(case.family, Categorical))], ids=str
)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("prior", [None, "mle", [0.2, 0.3, 0.5]])
def test_class_weights_and_priors(case, rule, class_weight, prior, rng):
    for n in (5, 30):
        agrees(case, rule, rng, n, weighted=True, class_weight=class_weight, prior=prior)


def test_several_blocks_and_a_frame(rng):
    n = 40
    frame = pd.DataFrame(
        {"size": rng.normal(3, 1, n), "colour": rng.choice(["red", "blue", None], n), "y": rng.integers(0, 2, n)}
    )
    frame.loc[::7, "size"] = np.nan
    model = BayesClassifier(model="naive").fit(frame, "y")
    got = left_out(model, frame, "y")
    for row in range(0, n, 5):
        rest = BayesClassifier(model="naive").fit(frame.drop(index=row), "y")
        same(got[row], rest.predict_joint_log_proba(frame.drop(columns="y").iloc[[row]])[0])


@pytest.mark.parametrize("family", [Multinomial(), Complement(), Poisson()], ids=repr)
def test_sparse_rows(family, rng):
    x, y = rng.poisson(0.5, (60, 30)).astype(float), rng.integers(0, 3, 60)
    model = BayesClassifier(family).fit(x, y)
    same(left_out(model, sp.csr_array(x), y), left_out(model, x, y))


@pytest.mark.parametrize("model", ["discounted", "multinomial", "bernoulli", "complement", "counts"])
def test_text(model, rng):
    texts, y = corpus(rng, 25, words=6)
    texts[3] = None
    family = Text(model, characters=False)

    def new(rows):
        table = [texts[i] for i in rows]
        counted = BayesClassifier({"text": family}, keep_rows=0, model="naive")  # fits no weights
        return counted.partial_fit({"text": table}, y[rows], classes=sorted(set(y)))

    got = left_out(new(np.arange(25)), {"text": texts}, y)
    for row in range(0, 25, 4):
        same(got[row], new(np.delete(np.arange(25), row)).predict_joint_log_proba({"text": [texts[row]]})[0])


def test_terms(rng):
    x, y = rng.poisson(0.4, (25, 12)), np.arange(25) % 3

    def new(rows):
        counted = BayesClassifier(Terms(), keep_rows=0)  # fits no weights
        return counted.partial_fit(sp.csr_array(x[rows]), y[rows], classes=[0, 1, 2])

    got = left_out(new(np.arange(25)), x, y)
    for row in range(0, 25, 4):
        same(got[row], new(np.delete(np.arange(25), row)).predict_joint_log_proba(x[[row]])[0])


def test_drop_ins(rng):
    x, y = rng.integers(0, 4, (40, 3)), rng.permutation(np.arange(40) % 3)
    for new in (GaussianNB, BernoulliNB, CategoricalNB, LinearDiscriminantAnalysis):
        got = left_out(new().fit(x, y), x, y)
        for row in range(0, 40, 7):
            same(got[row], refitted(new, x, y, None, row))


def test_common_families_do_not_estimate_anew():
    slow = {family for family in FAMILIES if family.left_out is Family.left_out}
    assert slow <= {Density}


def test_long_tables_are_read_in_parts(rng):
    """More cells than are looked at together: the cut makes no difference."""
    x, y = rng.normal(size=(30_000, 5)), rng.integers(0, 3, 30_000)
    model = BayesClassifier(model="naive").fit(x, y)
    got = left_out(model, x, y)
    for row in (0, 13_106, 13_107, 29_999):
        same(got[row], refitted(lambda: BayesClassifier(model="naive"), x, y, None, row))


@pytest.mark.parametrize("family", [Gaussian(), Poisson(), Multinomial(), MultivariateNormal()], ids=repr)
def test_rows_that_were_never_learned_are_refused(family, rng):
    x, y = rng.integers(0, 3, (30, 2)), rng.integers(0, 2, 30)
    model = BayesClassifier(family).fit(x, y)
    with pytest.raises(ForgetError):
        left_out(model, x + 500, y)


def test_rows_that_weigh_more_than_was_learned_are_refused(rng):
    x, y = rng.integers(0, 3, (30, 2)), rng.integers(0, 2, 30)
    model = BayesClassifier(Categorical()).fit(x, y)
    with pytest.raises(ForgetError):
        left_out(model, x, y, np.full(30, 100.0))


def test_densities_that_were_fitted_cannot_leave_anything_out(rng):
    x, y = rng.normal(size=(30, 1)), rng.integers(0, 2, 30)
    model = BayesClassifier(Density(KernelDensity())).fit(x, y)
    with pytest.raises(NotAdditiveError, match="cannot forget"):
        left_out_log_densities(model.model_, model.labelled(x, y).table, encode_labels(y), None, 1)
