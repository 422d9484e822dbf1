"""Bad input gets an error that names what was found and what is allowed."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC

from suffice import BayesClassifier, BayesDecision, GaussianNB
from suffice.decision import (
    REJECT,
    Chow,
    ConfidenceFloor,
    Costs,
    DensityFloor,
    ErrorBudget,
    Novelty,
    Utilities,
    Workload,
    brier_decomposition,
    calibrate,
    calibration_error,
    conformal,
    correct_priors,
    cost_curve,
    decide,
    estimate_priors,
    expected_cost,
    fuse,
    learn_reject,
    reliability,
    risk_coverage,
)
from suffice.errors import DataError, ParameterError, SufficeError

pytestmark = pytest.mark.filterwarnings("error")

NAN, INF = float("nan"), float("inf")
GOOD = [[0.2, 0.8], [0.7, 0.3]]
BAD_POSTERIORS = [
    (
        [[0.2, 0.8], [0.7, 0.4]],
        r"row 1 sums to 1\.1; the same holds for 1 of 2 rows; probabilities are numbers ≥ 0 that sum to one",
    ),
    ([[0.2, 0.8], [NAN, 0.4]], r"row 1 has a value that is NaN"),
    ([[1.2, -0.2], [0.6, 0.4]], r"row 0 has a value that is negative"),
    ([[INF, 0.4], [0.6, 0.4]], r"row 0 sums to inf"),
    ([[INF, -INF], [0.6, 0.4]], r"row 0 has a value that is negative"),
    ([0.2, 0.8], r"has shape \(2,\); \(rows, classes\) is needed. Pass the result of predict_proba"),
    (np.empty((3, 0)), r"has shape \(3, 0\)"),
    ([["a", "b"]], r"an array of probabilities is needed"),
]


@pytest.mark.parametrize(("posterior", "says"), BAD_POSTERIORS)
@pytest.mark.parametrize(
    "use",
    [
        decide,
        lambda p: correct_priors(p, [0.5, 0.5], [0.5, 0.5]),
        lambda p: estimate_priors(p, [0.5, 0.5]),
        lambda p: calibrate(p, [0, 1]),
        lambda p: calibrate(GOOD, [0, 1])(p),
        lambda p: calibrate(GOOD, [0, 1], "isotonic")(p),
        lambda p: conformal(p, [0, 1]),
        lambda p: conformal(GOOD, [0, 1])(p),
        lambda p: learn_reject(Workload(0.1), p, [0, 1]),
        lambda p: reliability(p, [0, 1]),
        lambda p: brier_decomposition(p, [0, 1]),
        lambda p: risk_coverage(p, [0, 1]),
        lambda p: cost_curve(p, [0, 1], of=1),
    ],
)
def test_posteriors(use, posterior, says):
    with pytest.raises(DataError, match=says):
        use(posterior)


def test_a_source_is_named():
    with pytest.raises(DataError, match=r"Source 1 of row 1 sums to 1\.1"):
        fuse([GOOD, [[0.5, 0.5], [0.7, 0.4]]], [0.5, 0.5])
    with pytest.raises(DataError, match=r"Source 1 of row 2 has a value that is NaN"):
        fuse([GOOD + GOOD[:1], [[NAN, NAN], [0.5, 0.5], [NAN, 0.5]]], [0.5, 0.5])
    with pytest.raises(DataError, match=r"Source 0 of row 0 sums to 1\.2"):
        fuse([np.log([[0.6, 0.6]])], [0.5, 0.5], log=True)
    with pytest.raises(DataError, match=r"Source 1 has shape \(1, 2\), but source 0 has \(2, 2\)"):
        fuse([GOOD, GOOD[:1]], [0.5, 0.5])
    with pytest.raises(DataError, match="There is no posterior"):
        fuse([], [0.5, 0.5])
    with pytest.raises(ParameterError, match="There are 1 weights for 2 sources"):
        fuse([GOOD, GOOD], [0.5, 0.5], weights=[1])
    with pytest.raises(ParameterError, match=r"weight of source 1 is -1; it must be a number of at least 0"):
        fuse([GOOD, GOOD], [0.5, 0.5], weights=[1, -1])


NAMES = ["ill", "well"]
BAD_COSTS = [
    (
        [[0, 1], [-1, 0]],
        r"cost of action 'ill' for class 'well' is -1; it must be a finite number ≥ 0. Gains go into Utilities",
    ),
    ([[0, NAN], [1, 0]], r"cost of action 'well' for class 'ill' is nan"),
    ([[0, INF], [1, 0]], r"cost of action 'well' for class 'ill' is inf"),
    (Utilities([[0, NAN], [1, 0]]), r"utility of action 'well' for class 'ill' is nan; it must be a finite number\."),
    (
        [[0, 1], [1, 0], [1, 1]],
        r"The costs have shape \(3, 2\); a row for each of the 2 classes 'ill', 'well' is needed",
    ),
    ([0, 1], r"The costs have shape \(2,\)"),
    (np.zeros((2, 0)), r"The costs have shape \(2, 0\)"),
    (np.zeros((1, 2, 2, 2)), r"The costs have shape"),
    ([["a", "b"], ["c", "d"]], r"costs are numbers"),
    ({("ill", "well"): 1, ("wel", "ill"): 1}, r"The costs name class 'wel'; the classes are 'ill', 'well'"),
    ({("ill", "well"): 1}, r"The rows of the costs are 'ill'; each of the classes 'ill', 'well' needs one row"),
    ({("ill", "treat"): 1, ("well", "home"): 1}, r"The costs lack \('ill', 'home'\), \('well', 'treat'\)"),
    ({"ill": 1, "well": 2}, r"The costs have the keys 'ill', 'well'; a mapping of costs has keys \(class, action\)"),
    ({}, r"a mapping of costs has keys"),
    ({("ill", "well"): [1, 2], ("well", "ill"): [1, 2, 3]}, r"shapes \(2,\), \(3,\)"),
    ({("ill", "well"): [1, 2, 3], ("well", "ill"): 1}, r"There are costs for 3 rows but posteriors for 2"),
    ({("ill", "well"): [1, -2], ("well", "ill"): 1}, r"cost of action 'well' for class 'ill' in row 1 is -2"),
    (
        pd.DataFrame([[0, 1], [1, 0]], index=["ill", "dead"], columns=NAMES),
        r"class 'dead'; the classes are 'ill', 'well'",
    ),
    (pd.DataFrame([[0, 1], [1, 0], [1, 1]], index=["ill", "well", "ill"], columns=NAMES), r"needs one row"),
    (Costs([[0, 1], [1, 0]], actions=["a"]), r"The actions are 'a'; each of the 2 columns of the costs needs a name"),
    (Costs([[0, 1], [1, 0]], actions=["a", "a"]), r"The actions are 'a', 'a'"),
]


@pytest.mark.parametrize(("costs", "says"), BAD_COSTS, ids=lambda v: str(v)[:30])
def test_costs(costs, says):
    with pytest.raises(SufficeError, match=says):
        decide(GOOD, costs, classes=NAMES)
    model = BayesDecision(GaussianNB()).fit([[0.0], [1.0], [5.0], [6.0]], ["ill", "ill", "well", "well"])
    with pytest.raises(SufficeError, match=says):
        model.set_params(costs=costs).predict([[0.0], [5.0]])


@pytest.mark.parametrize(
    ("prior", "says"),
    [
        ({"ill": 1.0}, r"In the true prior: The given prior has no probability for class 'well'"),
        ({"ill": 0.5, "well": 0.4, "dead": 0.1}, r"The true prior names 'dead'; the classes are 'ill', 'well'"),
        ([0.5, 0.3, 0.2], r"In the true prior: Number of priors must match number of classes: 3 priors"),
        ([0.5, 0.6], r"In the true prior: The sum of the priors should be 1, not 1\.1"),
        ([1.5, -0.5], r"In the true prior: Priors must be non-negative"),
        ([NAN, 0.5], r"In the true prior: Priors must be non-negative"),
        ("even", r"In the true prior: The given prior is 'even'; probabilities are numbers"),
    ],
)
def test_priors(prior, says):
    with pytest.raises(SufficeError, match=says):
        correct_priors(GOOD, [0.5, 0.5], prior, classes=NAMES)
    for other in (
        lambda: correct_priors(GOOD, prior, [0.5, 0.5], classes=NAMES),
        lambda: estimate_priors(GOOD, prior, classes=NAMES),
    ):
        with pytest.raises(SufficeError, match=says.replace("true", "trained")):
            other()
    with pytest.raises(SufficeError, match=says.replace("true", "shared")):
        fuse([GOOD], prior, classes=NAMES)
    model = BayesDecision(GaussianNB()).fit([[0.0], [1.0], [5.0], [6.0]], ["ill", "ill", "well", "well"])
    with pytest.raises(SufficeError, match=says):
        model.set_params(priors=prior).predict([[0.0], [5.0]])


def test_priors_that_are_zero_where_the_posterior_is_not():
    says = r"prior of class 'well' is zero, but its posterior is not; a class with a positive posterior needs a positive prior"
    for use in (
        lambda: correct_priors(GOOD, [1, 0], [0.5, 0.5], classes=NAMES),
        lambda: estimate_priors(GOOD, [1, 0], classes=NAMES),
        lambda: fuse([GOOD], [1, 0], classes=NAMES),
    ):
        with pytest.raises(ParameterError, match=says):
            use()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Workload(0), r"Workload's share is 0; it must lie between 0 and 1"),
        (lambda: Workload(5), r"Workload's share is 5"),
        (lambda: ErrorBudget(-0.01), r"ErrorBudget's error is -0\.01"),
        (lambda: ErrorBudget(0.01, delta=1), r"ErrorBudget's delta is 1"),
        (lambda: ErrorBudget("1 %"), r"ErrorBudget's error is '1 %'"),
        (lambda: Novelty(NAN), r"Novelty's share is nan"),
        (lambda: ConfidenceFloor(True), r"ConfidenceFloor's least is True"),
        (lambda: Chow(-1), r"Chow's cost is -1; it must be a number of at least 0"),
        (lambda: Chow(NAN), r"Chow's cost is nan"),
        (lambda: conformal(GOOD, [0, 1], 1.0), r"conformal's coverage is 1\.0"),
        (lambda: calibrate(GOOD, [0, 1], "plat"), r"method of calibration is 'plat'; it must be one of 'temperature'"),
        (lambda: calibration_error(GOOD, [0, 1], bins=0), r"bins is 0"),
        (lambda: calibration_error(GOOD, [0, 1], bins=[0, 0.5]), r"edges must increase from 0 to 1"),
        (lambda: decide(GOOD, reject=0.3), r"reject is 0\.3; it must be one of Chow, ConfidenceFloor"),
        (lambda: decide(GOOD, reject=ErrorBudget(0.1)), r"Fit its limit by learn_reject first"),
        (lambda: learn_reject("some", GOOD, [0, 1]), r"reject is 'some'"),
        (lambda: BayesDecision(GaussianNB(), cv="all").fit([[0.0], [1.0]], [0, 1]), r"cv is 'all'"),
        (lambda: BayesDecision(GaussianNB(), cv=1.5).fit([[0.0], [1.0]], [0, 1]), r"cv's share is 1\.5"),
        (lambda: BayesDecision(GaussianNB(), calibrate=3).fit([[0.0], [1.0]], [0, 1]), r"method of calibration is 3"),
        (lambda: BayesDecision(GaussianNB(), trained=[1]).fit([[0.0], [1.0]], [0, 1]), r"In the trained prior"),
    ],
)
def test_settings_out_of_range(make, says):
    with pytest.raises(ParameterError, match=says):
        make()


def test_prices_and_budgets_do_not_mix():
    asks = Costs([[0, 1, 0.5], [1, 0, 0.5]], actions=[0, 1, REJECT])
    with pytest.raises(ParameterError, match="The cost of rejection is given more than once"):
        decide(GOOD, asks, reject=Chow(0.1))
    with pytest.raises(ParameterError, match="The cost of rejection is given more than once"):
        decide(GOOD, reject=[Chow(0.1), Chow(0.2)])
    with pytest.raises(ParameterError, match=r"Workload\(share=0.1, delta=0.05\) was given with costs of the action"):
        learn_reject(Workload(0.1), GOOD, [0, 1], asks)


def test_a_class_called_reject():
    with pytest.raises(ParameterError, match="A class is called 'reject'"):
        decide(GOOD, classes=["accept", "reject"], reject=Chow(0.1))


def test_densities():
    with pytest.raises(ParameterError, match=r"no log_density; it is needed, as returned by score_samples\(X\)"):
        decide(GOOD, reject=DensityFloor(0.0))
    with pytest.raises(DataError, match=r"log_density has shape \(1,\)"):
        decide(GOOD, reject=DensityFloor(0.0), log_density=[1.0])
    with pytest.raises(DataError, match=r"1 NaN"):
        decide(GOOD, reject=DensityFloor(0.0), log_density=[1.0, NAN])


def test_labels():
    with pytest.raises(DataError, match=r"The labels hold 'dead'; the classes are 'ill', 'well'"):
        calibrate(GOOD, ["ill", "dead"], classes=NAMES)
    with pytest.raises(
        DataError, match=r"The labels hold 'ill', 'well'; the classes are 0, 1. .* classes=model.classes_"
    ):
        conformal(GOOD, NAMES)
    with pytest.raises(DataError, match="There are 3 labels for 2 rows"):
        risk_coverage(GOOD, [0, 1, 1])
    with pytest.raises(
        ParameterError, match=r"The classes are 'a'; the 2 columns of the posterior need one label each"
    ):
        decide(GOOD, classes=["a"])
    with pytest.raises(ParameterError, match=r"The classes are 'a', 'a'"):
        decide(GOOD, classes=["a", "a"])
    with pytest.raises(DataError, match=r"There is no class 7; the classes are 0, 1"):
        cost_curve(GOOD, [0, 1], of=7)
    with pytest.raises(DataError, match=r"2 of 2 labels are 1; both this and other classes are needed"):
        cost_curve(GOOD, [1, 1], of=1)
    with pytest.raises(DataError, match="There are no rows"):
        reliability(np.empty((0, 2)), [])
    with pytest.raises(DataError, match="There are no rows"):
        estimate_priors(np.empty((0, 2)), [0.5, 0.5])


def test_refusals_without_a_price_cannot_be_charged():
    with pytest.raises(ParameterError, match="1 rows were rejected, and the cost of rejection is unknown"):
        expected_cost(["a", "b"], ["a", REJECT])
    model = BayesDecision(GaussianNB(), reject=ConfidenceFloor(0.999)).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    with pytest.raises(ParameterError, match="the cost of rejection is unknown"):
        model.score([[1.5]], [0])


@pytest.mark.parametrize(
    "learned", [conformal(GOOD, [0, 1]), calibrate(GOOD, [0, 1]), calibrate(GOOD, [0, 1], "isotonic")]
)
def test_posteriors_of_other_classes(learned):
    with pytest.raises(DataError, match="The posterior has 3 classes; 2 are needed, as in fitting"):
        learned([[0.2, 0.3, 0.5]])


class TestBayesDecision:
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]] * 5), np.array(["ill", "ill", "well", "well"] * 5)

    def test_a_classifier_without_probabilities(self):
        with pytest.raises(ParameterError, match=r"LinearSVC has no predict_proba.*CalibratedClassifierCV"):
            BayesDecision(LinearSVC()).fit(self.X, self.y)

    def test_a_budget_after_a_fit_that_held_nothing_out(self):
        model = BayesDecision(GaussianNB()).fit(self.X, self.y).set_params(reject=Workload(0.1))
        with pytest.raises(ParameterError, match=r"No rows were held out when fitting.*Fit again with cv=0.2"):
            model.predict(self.X)
        with pytest.raises(ParameterError, match="No rows were held out"):
            model.predict_set(self.X)

    def test_novelty_of_a_classifier_that_knows_no_density(self):
        model = BayesDecision(LogisticRegression(), reject=Novelty(0.1)).fit(self.X, self.y)
        with pytest.raises(ParameterError, match="no log_density"):
            model.predict(self.X)
        with pytest.raises(ParameterError, match="no log_density"):
            model.set_params(reject=DensityFloor(-3.0)).predict(self.X)

    def test_other_costs_beside_a_budget(self):
        model = BayesDecision(GaussianNB(), reject=Workload(0.1)).fit(self.X, self.y)
        with pytest.raises(ParameterError, match="its limit was learned under the costs of the estimator"):
            model.predict(self.X, costs=np.ones((20, 2, 2)))

    def test_a_class_of_which_no_row_is_left(self):
        y = self.y.astype(object).copy()
        y[0] = "dead"
        seed = next(s for s in range(50) if 0 in train_test_split(np.arange(20), test_size=0.5, random_state=s)[1])
        with pytest.raises(DataError, match="No row of class 'dead' is left to learn from"):
            BayesDecision(GaussianNB(), cv=0.5, random_state=seed).fit(self.X, y)

    def test_a_true_prior_for_a_class_that_was_never_held_out(self):
        model = BayesDecision(BayesClassifier(), reject=Workload(0.1), cv="prefit")
        model.estimator.fit(self.X, self.y)
        model.fit(self.X[:2], ["ill", "ill"]).set_params(priors=[0.5, 0.5])
        with pytest.raises(DataError, match="No held-out row has class 'well', whose prior is positive"):
            model.predict(self.X)

    def test_the_name_of_the_label_column_where_rows_are_held_out(self):
        with pytest.raises(DataError, match=r"in column 'kind'; to hold out rows, the labels themselves are needed"):
            BayesDecision(BayesClassifier(), cv=0.2).fit(pd.DataFrame({"size": [1.0], "kind": ["a"]}), "kind")

    def test_no_held_out_row_is_left_for_a_limit(self):
        model = BayesDecision(GaussianNB().fit(self.X, self.y), calibrate="platt", reject=Workload(0.1), cv="prefit")
        with pytest.raises(DataError, match="There are no held-out rows; Workload fits its limit to held-out rows"):
            model.fit(self.X[:1], self.y[:1]).predict(self.X)

    def test_a_class_without_weight(self):
        with pytest.raises(DataError, match="All rows of class 'ill' have weight zero"):
            BayesDecision(LogisticRegression()).fit(self.X, self.y, sample_weight=(self.y == "well").astype(float))
