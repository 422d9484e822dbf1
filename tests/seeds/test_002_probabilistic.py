"""Probabilistic classification: the diabetes example, Gaussians by maximum likelihood, conditional risk."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier

from suffice import (
    BayesClassifier,
    BayesDecision,
    Categorical,
    Density,
    Gaussian,
    Given,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    MultivariateNormal,
    Text,
    evaluate,
)
from suffice.decision import Costs, decide
from suffice.numerics.softmax import Targets, padded
from suffice.posterior import posterior
from suffice.statistics.loss import LossGradient


class Known:
    """A class-conditional density known only where somebody looked it up."""

    def __init__(self, table):
        self.table = table

    def score_samples(self, rows):
        return [math.log(self.table[float(x)]) for x in rows[:, 0]]


@pytest.fixture
def doctor():
    given = {"healthy": Known({50.0: 0.11, 40.0: 0.3}), "ill": Known({50.0: 0.42, 40.0: 0.05})}
    model = BayesClassifier(Density(given), prior=Given({"healthy": 0.8, "ill": 0.2}))
    return model.fit([[50.0], [40.0]], ["ill", "healthy"])


def test_C5_diabetes_posterior(doctor):
    ill = float(Fraction(84, 172))
    assert ill == pytest.approx(0.4884, abs=5e-5)
    assert np.exp(doctor.predict_joint_log_proba([[50.0]]))[0] == pytest.approx([0.088, 0.084], rel=1e-12)
    assert doctor.predict_proba([[50.0]])[0] == pytest.approx([1 - ill, ill], rel=1e-12)
    assert posterior(np.log([[0.088, 0.084]]), np.log([0.8, 0.2]))[0] == pytest.approx([1 - ill, ill], rel=1e-12)


def test_C5_healthy_under_zero_one_loss(doctor):
    assert doctor.predict([[50.0]]).tolist() == ["healthy"]
    decision = decide(doctor.predict_proba([[50.0]]), classes=doctor.classes_)
    assert decision.actions.tolist() == ["healthy"]
    assert decision.risk == pytest.approx([84 / 172], rel=1e-12)


@pytest.mark.parametrize(
    ("missed_illness", "action"),
    [
        (1.0, "healthy"),
        (1.047, "healthy"),
        (0.088 / 0.084 - 1e-9, "healthy"),
        (0.088 / 0.084 + 1e-9, "ill"),
        (1.048, "ill"),
        (10.0, "ill"),
    ],
)
def test_C5_decision_flips_at_the_cost_ratio(doctor, missed_illness, action):
    """In false alarms, a missed illness may cost up to 0.088/0.084 = 1.0476 before the doctor treats."""
    assert pytest.approx(1.0476, abs=5e-5) == 0.088 / 0.084
    costs = {("ill", "healthy"): missed_illness, ("healthy", "ill"): 1.0}
    decision = decide(doctor.predict_proba([[50.0]]), costs, classes=doctor.classes_)
    assert decision.actions.tolist() == [action]
    assert decision.risk == pytest.approx([min(84 * missed_illness, 88) / 172], rel=1e-12)
    # the same from the estimator, whose costs come after its training
    model = BayesDecision(doctor, cv="prefit").fit([[50.0]], ["ill"]).set_params(costs=costs)
    assert model.predict([[50.0]]).tolist() == [action]


BLOOD = {"healthy": np.array([38.0, 41.0, 44.0, 39.0, 43.0, 35.0]), "ill": np.array([50.0, 57.0, 46.0, 55.0])}


@pytest.fixture
def blood_test():
    x = np.concatenate(list(BLOOD.values()))
    return BayesClassifier(Gaussian(), estimate="mle").fit(x[:, None], ["healthy"] * 6 + ["ill"] * 4)


def test_C6_mle_of_one_gaussian_a_class(blood_test):
    """μ = Σx/N and σ² = Σ(x − μ)²/N, read off the weights of x and x²."""
    form = blood_test.linear_form()
    for place, values in enumerate(BLOOD.values()):
        mean = sum(values) / len(values)
        variance = sum((v - mean) ** 2 for v in values) / len(values)
        _, _, slope, square = form.beta[place]
        assert -0.5 / square == pytest.approx(variance, rel=1e-12)
        assert -0.5 * slope / square == pytest.approx(mean, rel=1e-12)


def test_C6_mle_has_the_greatest_likelihood(blood_test):
    def log_likelihood(values, mean, variance):
        return float((-0.5 * np.log(2 * np.pi * variance) - (values - mean) ** 2 / (2 * variance)).sum())

    for place, (name, values) in enumerate(BLOOD.items()):
        fitted = blood_test.predict_joint_log_proba(values[:, None])[:, place] - math.log(len(values) / 10)
        others = [
            log_likelihood(values, values.mean() + shift, values.var() * scale)
            for shift in (-0.1, 0.0, 0.1)
            for scale in (0.95, 1.0, 1.05)
            if (shift, scale) != (0.0, 1.0)
        ]
        assert fitted.sum() == pytest.approx(log_likelihood(values, values.mean(), values.var()), rel=1e-12), name
        assert fitted.sum() > max(others)


def test_C6_posterior(blood_test):
    x = np.array([30.0, 42.0, 45.0, 46.0, 48.0, 60.0])
    joint = [
        len(v) / 10 * np.exp(-((x - v.mean()) ** 2) / (2 * v.var())) / math.sqrt(2 * math.pi * v.var())
        for v in BLOOD.values()
    ]
    assert blood_test.predict_proba(x[:, None])[:, 1] == pytest.approx(joint[1] / (joint[0] + joint[1]), rel=1e-11)


def test_C6_threshold(blood_test):
    """Between the means the classes are equally probable at a root of the difference of the two log joints."""
    (p, m, s), (q, n, t) = ((len(v) / 10, v.mean(), v.var()) for v in BLOOD.values())
    a = 1 / (2 * t) - 1 / (2 * s)
    b = m / s - n / t
    c = n**2 / (2 * t) - m**2 / (2 * s) + math.log(p / q) + 0.5 * math.log(t / s)
    roots = [(-b + sign * math.sqrt(b * b - 4 * a * c)) / (2 * a) for sign in (1, -1)]
    threshold = next(r for r in roots if m < r < n)
    assert blood_test.predict_proba([[threshold]])[0] == pytest.approx([0.5, 0.5], abs=1e-11)
    assert blood_test.predict([[threshold - 1e-6], [threshold + 1e-6]]).tolist() == ["healthy", "ill"]


SIGNS = {"flu": "aaab", "cold": "aabc", "well": "abcc"}


@pytest.fixture
def triage():
    rows = [{"sign": sign} for signs in SIGNS.values() for sign in signs]
    labels = [state for state, signs in SIGNS.items() for _ in signs]
    prior = Given({"flu": 0.3, "cold": 0.2, "well": 0.5})
    return BayesClassifier(Categorical(), estimate="mle", prior=prior).fit(rows, labels)


def test_C7_conditional_risk(triage):
    """With p(state | sign a) ∝ 0.2 · 2/4, 0.3 · 3/4, 0.5 · 1/4 for cold, flu, well: (4, 9, 5)/18."""
    assert triage.classes_.tolist() == ["cold", "flu", "well"]
    belief = triage.predict_proba([{"sign": "a"}])
    loss = {"rest": [1, 20, 2], "medicine": [4, 0, 5], "nothing": [3, 50, 0]}
    risks = {
        "rest": Fraction(1 * 4 + 20 * 9 + 2 * 5, 18),
        "medicine": Fraction(4 * 4 + 0 * 9 + 5 * 5, 18),
        "nothing": Fraction(3 * 4 + 50 * 9 + 0 * 5, 18),
    }
    for action, expected in risks.items():  # with one action to choose, its risk is the answer
        alone = decide(belief, Costs(np.transpose([loss[action]]), actions=[action]))
        assert alone.risk == pytest.approx([float(expected)], rel=1e-12)
    decision = decide(belief, Costs(np.transpose(list(loss.values())), actions=list(loss)))
    assert decision.actions.tolist() == ["medicine"] == [min(risks, key=risks.get)]
    assert decision.risk == pytest.approx([float(min(risks.values()))], rel=1e-12)


def test_C7_action_of_least_risk_follows_the_loss(triage):
    """The same posterior 1/6, 0, 5/6, two losses, two actions."""
    belief = triage.predict_proba([{"sign": "c"}])
    assert belief[0] == pytest.approx([1 / 6, 0, 5 / 6], rel=1e-12)
    for missed, action in ((4.99, "leave"), (5.01, "treat")):
        costs = Costs(np.transpose([[0, 0, 1], [missed, 5, 0]]), actions=["treat", "leave"])
        assert decide(belief, costs).actions.tolist() == [action]


def test_C7_zero_one_loss_gives_the_arg_max(triage):
    """R(a | x) = 1 − p(a | x)."""
    rows = [{"sign": s} for s in "abc"]
    belief = triage.predict_proba(rows)
    for zero_one in (None, 1 - np.eye(3)):
        decision = decide(belief, zero_one, classes=triage.classes_)
        assert decision.actions.tolist() == triage.predict(rows).tolist() == ["flu", "well", "well"]
        assert decision.risk == pytest.approx(1 - belief.max(axis=1), abs=1e-12)


def test_C7_zero_one_loss_gives_the_arg_max_for_gaussians():
    rng = np.random.default_rng(7)
    y = np.arange(200) % 4
    model = BayesClassifier(Gaussian()).fit(rng.normal(size=(200, 3)) + y[:, None], y)
    x = rng.normal(1.5, 2.0, size=(500, 3))
    chosen = decide(model.predict_proba(x), 1 - np.eye(4), classes=model.classes_).actions
    assert np.unique(chosen).tolist() == [0, 1, 2, 3]
    assert np.array_equal(chosen, model.predict(x))


def test_C8_shared_isotropic_covariance_and_equal_priors_is_the_nearest_mean():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier(MultivariateNormal("tied_spherical"), prior="uniform", estimate="mle").fit(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    nearest = ((X[:, None, :] - means) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(X), nearest)


def test_C9_shared_covariance_has_a_logistic_posterior():
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    model = BayesClassifier(MultivariateNormal("tied"), estimate="mle").fit(X, y)
    form = model.linear_form()
    log_odds = form.phi(X) @ (form.beta[1] - form.beta[0])
    np.testing.assert_allclose(1 / (1 + np.exp(-log_odds)), model.predict_proba(X)[:, 1], atol=1e-12)


@pytest.fixture
def triangle(rng):
    """Three classes around a centre."""
    y = np.arange(240) % 3
    centres = np.array([[-2.0, -1.0], [2.0, -1.0], [0.0, 2.2]])
    axis = np.linspace(-6, 6, 60)
    plane = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T
    return centres[y] + rng.normal(size=(240, 2)), y, plane


def test_C1_one_versus_rest_leaves_regions_that_none_or_several_claim(triangle):
    X, y, plane = triangle
    rest = OneVsRestClassifier(LinearDiscriminantAnalysis()).fit(X, y)
    claims = sum((two.decision_function(plane) > 0).astype(int) for two in rest.estimators_)
    assert (claims == 0).any()
    assert (claims == 2).any()
    assert rest.score(X, y) > 0.9  # which scikit-learn settles by the larger score


def test_C1_one_versus_one_votes_can_tie(rng):
    # three blades of a wheel: every pair has a winner, and in the middle no class has two
    y = np.arange(300) % 3
    angle = 2 * np.pi * y / 3
    out, side = np.column_stack([np.cos(angle), np.sin(angle)]), np.column_stack([-np.sin(angle), np.cos(angle)])
    X = out + side * rng.normal(1.5, 2.0, (300, 1)) + rng.normal(0, 0.2, (300, 2))
    axis = np.linspace(-2, 2, 80)
    plane = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T
    pairs = OneVsOneClassifier(LinearDiscriminantAnalysis()).fit(X, y)
    votes = np.zeros((len(plane), 3))
    for (a, b), two in zip([(0, 1), (0, 2), (1, 2)], pairs.estimators_, strict=True):
        votes[np.arange(len(plane)), np.where(two.decision_function(plane) > 0, b, a)] += 1
    assert (votes.max(axis=1) == 1).any()


def test_C2_one_discriminant_for_all_classes_has_convex_regions(triangle):
    X, y, plane = triangle
    model = LinearDiscriminantAnalysis().fit(X, y)
    scores = plane @ model.coef_.T + model.intercept_
    np.testing.assert_array_equal(model.predict(plane), scores.argmax(axis=1))
    # the boundary between k and j is (w_k − w_j) · x + (w_k0 − w_j0) = 0
    w, b = model.gaussian_block().hyperplane(2, 0)
    np.testing.assert_allclose(w, model.coef_[2] - model.coef_[0])
    assert b == pytest.approx(model.intercept_[2] - model.intercept_[0])
    # between two points of a region lies nothing but that region
    rng = np.random.default_rng(1)
    for c in range(3):
        mine = plane[model.predict(plane) == c]
        a, b = mine[rng.integers(len(mine), size=(2, 500))]
        share = rng.random((500, 1))
        assert (model.predict(share * a + (1 - share) * b) == c).all()


def test_C4_nearest_neighbours_under_our_scores(triangle):
    X, y, _ = triangle
    near = KNeighborsClassifier(7).fit(X, y)
    # p(class | x) = k_c / k among the neighbours
    distances = ((X[:1] - X) ** 2).sum(axis=1)
    shares = np.bincount(y[np.argsort(distances)[:7]], minlength=3) / 7
    np.testing.assert_allclose(near.predict_proba(X[:1])[0], shares)
    assert evaluate.pairwise_accuracy(y, near.predict_proba(X), near.classes_) > 0.95
    assert evaluate.brier_score(y, near.predict_proba(X), near.classes_) < 0.2


def test_C8_mahalanobis_distance_and_correlation():
    X, y = load_iris(return_X_y=True)
    block = BayesClassifier(MultivariateNormal("full", floor=0.0), estimate="mle").fit(X, y).gaussian_block()
    inverse = np.linalg.inv(np.cov(X[y == 1].T, bias=True))
    away = X[0] - X[y == 1].mean(axis=0)
    assert block.mahalanobis(X[:1])[0, 1] == pytest.approx(math.sqrt(away @ inverse @ away))
    np.testing.assert_allclose(block.correlations()[1], np.corrcoef(X[y == 1].T))


def test_C9_better_when_true_and_rows_are_few_worse_when_false_and_rows_are_many(rng):
    models = {
        "generative": BayesClassifier(MultivariateNormal("tied"), prior="mle"),
        "discriminative": LogisticRegression(C=100.0, max_iter=1000),
    }
    y = np.arange(3000) % 2
    true = rng.normal(size=(3000, 10)) + 0.4 * y[:, None] * np.linspace(-1, 1, 10)
    few = evaluate.learning_curve(models, true, y, [40], test_rows=1000, repeats=8, random_state=0)
    assert few.winner(40) == "generative"
    false = np.exp(1.2 * rng.normal(size=(6000, 10)))
    odds = 0.6 * false @ np.linspace(-1, 1, 10)
    labels = (rng.random(6000) < 1 / (1 + np.exp(-odds))).astype(int)
    many = evaluate.learning_curve(models, false, labels, [4000], test_rows=2000, repeats=3, random_state=0)
    assert many.winner(4000) == "discriminative"


@pytest.mark.parametrize("columns", [2, 3])
def test_C3_gradient_of_the_cross_entropy_matches_finite_differences(columns):
    """Scores for all three classes, or for all but the first: the gradient is Σ (y − t) x either way."""
    X, t = load_iris(return_X_y=True)
    targets = Targets(t.astype(np.int32), None, np.ones(3), columns)
    table = padded(np.random.default_rng(3).normal(size=(5, columns)))
    gradient = LossGradient.of(X, targets, table).gradient
    scores = np.column_stack([np.zeros((150, 3 - columns)), X @ table[:-1, :columns] + table[-1, :columns]])
    y = posterior(scores.copy(), np.zeros(3))
    error = (y - np.eye(3)[t])[:, -columns:]
    np.testing.assert_allclose(gradient[:, :columns], np.column_stack([X, np.ones(150)]).T @ error, rtol=1e-11)
    for cell in np.ndindex(5, columns):
        h = 1e-5
        up, down = table.copy(), table.copy()
        up[cell] += h
        down[cell] -= h
        difference = LossGradient.of(X, targets, up).loss - LossGradient.of(X, targets, down).loss
        assert gradient[cell] == pytest.approx(difference / (2 * h), rel=1e-7, abs=1e-6)


def test_C3_two_class_softmax_is_logistic_with_the_difference_of_the_weights():
    """Softmax over two classes has the logistic posterior of w = w₁ − w₀; so has a third class that never occurs."""
    X, t = load_iris(return_X_y=True)
    X, t = X[t > 0], t[t > 0] - 1
    logistic = LogisticRegression(C=np.inf, tol=1e-10).fit(X, t)
    w, b = logistic.coef_[0], logistic.intercept_[0]
    loss, halves = [], np.column_stack([np.append(-w / 2, -b / 2), np.append(w / 2, b / 2)])
    for columns, table in ((1, np.append(w, b)[:, None]), (2, padded(halves))):
        at = LossGradient.of(X, Targets(t.astype(np.int32), None, np.ones(2), columns), table)
        assert np.abs(at.gradient).max() < 1e-8 * len(t)  # a minimum of both
        loss.append(at.loss)
    assert loss[0] == pytest.approx(loss[1], rel=1e-8)
    assert loss[0] == pytest.approx(logistic.loss_ * len(t), rel=1e-8)
    softmax = LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.vstack([X, X[:1]]), np.append(t, 2), np.append(t * 0 + 1, 0)
    )
    np.testing.assert_allclose(softmax.coef_[1] - softmax.coef_[0], w, rtol=1e-8)
    assert softmax.intercept_[1] - softmax.intercept_[0] == pytest.approx(b, rel=1e-8)
    np.testing.assert_allclose(1 / (1 + np.exp(-(X @ w + b))), logistic.predict_proba(X)[:, 1], atol=1e-12)


@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.01])
def test_C10_spam_filter_on_word_presence(alpha):
    """φ_i|spam is the share of the spam in which word i appears, with α pseudo-counts for either outcome."""
    mails = ["buy pills now", "pills cheap", "meeting at noon", "lunch at noon", "cheap lunch"]
    kinds = np.array(["spam", "spam", "ham", "ham", "ham"])
    model = BayesClassifier(Text("bernoulli", alpha=alpha), prior="mle").fit(mails, kinds)
    words = sorted({w for m in mails for w in m.split()})
    joint = []
    for kind in ("ham", "spam"):
        mine = [set(m.split()) for m, k in zip(mails, kinds, strict=True) if k == kind]
        score = math.log(np.mean(kinds == kind))
        for word in words:
            phi = (sum(word in m for m in mine) + alpha) / (len(mine) + 2 * alpha)
            score += math.log(phi if word in {"cheap", "pills"} else 1 - phi)
        joint.append(score)
    assert model.predict_joint_log_proba(["cheap pills"])[0] == pytest.approx(joint, rel=1e-12)
    assert model.predict(["cheap pills", "noon"]).tolist() == ["spam", "ham"]
