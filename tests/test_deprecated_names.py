"""Public names that changed are kept for one minor version, with a warning that gives the new one."""

import numpy as np
import pytest

from suffice import BayesClassifier, plot
from suffice.decision import Chow, decide
from suffice.evaluate import confusion, ranking

ROWS = [
    {"sky": "sun", "wind": 3.0},
    {"sky": "rain", "wind": 9.0},
    {"sky": "sun", "wind": 5.0},
    {"sky": "rain", "wind": 8.0},
]
LABELS = ["play", "stay", "play", "stay"]


def test_refresh_is_fit_weights():
    model = BayesClassifier(keep_rows=0).fit(ROWS, LABELS)
    expected = model.fit_weights(ROWS, LABELS).predict_proba(ROWS)
    with pytest.warns(FutureWarning, match="call fit_weights"):
        model.refresh(ROWS, LABELS)
    np.testing.assert_array_equal(model.predict_proba(ROWS), expected)


@pytest.mark.parametrize(("old", "new"), [({"naive": True}, "naive"), ({"calibrate": "temperature"}, "weighted")])
def test_naive_and_calibrate_are_models(old, new):
    expected = BayesClassifier(model=new).fit(ROWS, LABELS).predict_proba(ROWS)
    with pytest.warns(FutureWarning, match=f"write model='{new}'"):
        model = BayesClassifier(**old).fit(ROWS, LABELS)
    np.testing.assert_array_equal(model.predict_proba(ROWS), expected)


def test_lanes_and_worth_of_a_nomogram_are_scales_and_log_odds():
    display = plot.NomogramDisplay.from_estimator(BayesClassifier(model="naive").fit(ROWS, LABELS), ROWS, row=0)
    with pytest.warns(FutureWarning, match="use scales"):
        assert display.lanes is display.scales
    with pytest.warns(FutureWarning, match="use log_odds"):
        assert display.worth is display.log_odds


def test_false_alarms_of_a_ranking_are_its_false_positive_rate():
    found = ranking(["a", "b", "a"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], "a", ["a", "b"])
    with pytest.warns(FutureWarning, match="use false_positive_rate"):
        assert found.false_alarms is found.false_positive_rate


def test_taken_of_a_ranking_is_its_predicted_positive_rate():
    found = ranking(["a", "b", "a"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], "a", ["a", "b"])
    with pytest.warns(FutureWarning, match="use predicted_positive_rate"):
        assert found.taken is found.predicted_positive_rate


def test_answers_of_matrices_and_regions_are_predictions():
    table = confusion(["a", "b"], ["a", "a"])
    with pytest.warns(FutureWarning, match="use predictions"):
        assert table.answers is table.predictions
    regions = plot.RegionsDisplay(np.arange(2.0), np.arange(2.0), np.eye(2, dtype=np.int64), np.array(["a", "b"]))
    with pytest.warns(FutureWarning, match="use predictions"):
        assert regions.answer is regions.predictions


def test_decisions_that_may_refuse_may_reject():
    decision = decide([[0.9, 0.1], [0.5, 0.5]], reject=Chow(0.2))
    with pytest.warns(FutureWarning, match="use may_reject"):
        assert decision.may_refuse is decision.may_reject is True


def test_holes_of_a_description_are_its_informative_missing_cells():
    found = BayesClassifier().fit(ROWS, LABELS).describe()
    with pytest.warns(FutureWarning, match="use informative_missing"):
        assert found.holes is found.informative_missing
