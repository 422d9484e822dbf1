"""Why, and how far to trust it: the pictures have the numbers of the layers below."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import confusion_matrix

from plot.cases import PETAL, bayes, digits, full, iris, naive, reader
from suffice import (
    BayesClassifier,
    BayesDecision,
    Categorical,
    Given,
    decision,
    plot,
)


def test_evidence_adds_up():
    X, _ = iris()
    display = plot.EvidenceDisplay.from_estimator(naive(), X, row=70, most=2)
    assert len(display.names) == 4  # two by name, the others together, the prior
    assert display.weights.sum() == pytest.approx(display.log_odds)
    log_p = naive().predict_log_proba(X.iloc[[70]])[0]
    place = {c: i for i, c in enumerate(naive().classes_)}
    assert display.log_odds == pytest.approx(log_p[place[display.of]] - log_p[place[display.against]])
    assert any(f"= {X.iloc[70, 3]:g}" in name for name in display.names)


def test_evidence_explains_the_row_asked_for_only(explained):
    texts = [f"letter{i} meeting at noon" if i % 2 else f"letter{i} win a prize" for i in range(40)]
    model = BayesClassifier().fit(texts, ["ham" if i % 2 else "spam" for i in range(40)])
    display = plot.EvidenceDisplay.from_estimator(model, texts, row=7, most=3)
    assert explained == [1]
    log_p = model.predict_log_proba(texts)[7]
    assert (display.of, display.against) == ("ham", "spam")
    assert display.log_odds == pytest.approx(log_p[0] - log_p[1])


def test_evidence_beyond_doubt_stays_in_the_frame():
    model = BayesClassifier(Categorical(), estimate="mle").fit([{"a": "x", "b": "u"}, {"a": "y", "b": "u"}], [0, 1])
    display = plot.EvidenceDisplay.from_estimator(model, [{"a": "x", "b": "u"}])
    assert display.log_odds == np.inf
    assert np.isfinite(display.ax_.get_xlim()).all()
    assert "+∞" in [t.get_text() for t in display.ax_.texts]


@pytest.mark.parametrize("row", [3, 70, 133])
@pytest.mark.parametrize("against", [None, "setosa", "virginica"])
def test_nomogram_gives_exact_probabilities(row, against):
    X, y = iris()
    model = BayesClassifier({"petal width (cm)": Categorical()}, prior=Given([0.2, 0.5, 0.3]), model="naive").fit(X, y)
    display = plot.NomogramDisplay.from_estimator(model, X, row=row, against=against)
    np.testing.assert_allclose(display.probability, model.predict_proba(X)[row], atol=1e-12)
    for scale, cell, log_odds in zip(display.scales, display.cells, display.log_odds, strict=True):
        assert cell == X.iloc[row][scale.name]
        read_off = [np.interp(cell, scale.values.astype(float), column) for column in scale.log_odds.T]
        assert log_odds == pytest.approx(read_off, abs=0.05)


@pytest.mark.parametrize("row", [3, 70, 133])
def test_nomogram_of_weighed_columns_gives_exact_probabilities(row):
    X, y = iris()
    model = BayesClassifier(model="weighted").fit(X[20:], y[20:])
    display = plot.NomogramDisplay.from_estimator(model, X, row=row)
    np.testing.assert_allclose(display.probability, model.predict_proba(X)[row], atol=1e-12)


def test_nomogram_scales_are_log_odds():
    X, _ = iris()
    display = plot.NomogramDisplay.from_estimator(bayes(), X, against="setosa")
    scale = next(scale for scale in display.scales if scale.name == PETAL)
    parts = [stats.norm(X[PETAL][i : i + 50].mean(), X[PETAL][i : i + 50].std(ddof=0)) for i in (0, 50, 100)]
    log_odds = [p.logpdf(scale.values) - parts[0].logpdf(scale.values) for p in parts]
    np.testing.assert_allclose(scale.log_odds, np.transpose(log_odds), atol=1e-8)
    assert display.probability == pytest.approx([1 / 3] * 3)  # nothing is marked: the prior


def test_reliability_and_curves_are_those_of_the_decision_layer():
    X, y = digits()
    X, y, p = X[900:], y[900:], reader().predict_proba(X[900:])
    shown = plot.ReliabilityDisplay.from_estimator(reader(), X, y).curve
    expected = decision.reliability(p, y, classes=range(10))
    for name in ("predicted", "observed", "low", "high", "count"):
        np.testing.assert_array_equal(getattr(shown, name), getattr(expected, name))
    risk = plot.RiskCoverageDisplay.from_predictions(y, p, classes=range(10))
    np.testing.assert_array_equal(risk.curve.cost, decision.risk_coverage(p, y).cost)
    line = risk.ax_.get_lines()[0]
    drawn_area = (np.diff(line.get_xdata()) * line.get_ydata()[1:]).sum()
    assert line.get_drawstyle() == "steps-pre"
    assert drawn_area == pytest.approx(risk.curve.area)
    costs = plot.CostCurveDisplay.from_estimator(reader(), X, y, of=3)
    np.testing.assert_array_equal(costs.ax_.get_lines()[0].get_ydata(), decision.cost_curve(p, y, 3).cost)
    shift = plot.PriorShiftDisplay.from_estimator(reader(), X, y, of=3)
    assert shift.curve.trained == pytest.approx((digits()[1][:900] == 3).mean())


def test_confusion_counts_and_writes_them():
    X, y = digits()
    answers = reader().predict(X[900:])
    display = plot.ConfusionDisplay.from_estimator(reader(), X[900:], y[900:])
    np.testing.assert_array_equal(display.table.count, confusion_matrix(y[900:], answers))
    written = [t.get_text() for t in display.ax_.texts]
    assert written == [f"{n:,}" for n in display.table.count.ravel()]


def test_refusals_have_a_column_of_their_own():
    X, y = iris()
    model = BayesDecision(full(), reject=decision.Chow(0.05), cv="prefit").fit(X, y)
    display = plot.ConfusionDisplay.from_estimator(model, X, y)
    assert display.table.predictions.tolist() == [*full().classes_.tolist(), decision.REJECT]
    assert display.table.count.sum() == 150


def test_learning_curves_are_drawn_as_scored():
    X, y = iris()
    display = plot.LearningCurveDisplay.from_estimators(
        {"naive": naive()}, X, y, [30, 90], score="accuracy", repeats=3, random_state=1
    )
    line = display.ax_.containers[0].lines[0]
    np.testing.assert_allclose(line.get_ydata(), display.curve.accuracy[0].mean(axis=1))
    assert line.get_xdata().tolist() == [30, 90]
