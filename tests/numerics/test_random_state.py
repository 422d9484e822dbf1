"""``random_state``, wherever rows are drawn, shuffled or held out."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from suffice import BayesClassifier, BayesDecision, GaussianNB
from suffice.columns.kinds import Kind
from suffice.compare import contestants
from suffice.errors import ParameterError
from suffice.evaluate import cross_validate, learning_curve
from suffice.labelling import expectation

X, y = load_iris(return_X_y=True)


def sampled(state):
    return GaussianNB().fit(X, y).sample(20, random_state=state)[0]


def dealt(state):
    return cross_validate(X, y, estimator=GaussianNB(), k=5, random_state=state).fold


def learned(state):
    curve = learning_curve({"naive": GaussianNB()}, X, y, sizes=[30, 60], repeats=2, random_state=state)
    return curve.log_loss


def held_out(state):
    return BayesDecision(GaussianNB(), calibrate="temperature", random_state=state).fit(X, y).held_out_.posterior


EVERYWHERE = [sampled, dealt, learned, held_out]


@pytest.mark.parametrize("answer", EVERYWHERE, ids=lambda answer: answer.__name__)
@pytest.mark.parametrize("state", [int, np.random.default_rng, np.random.RandomState], ids=lambda kind: kind.__name__)
def test_equal_states_give_equal_answers_and_others_do_not(answer, state):
    assert np.array_equal(answer(state(3)), answer(state(3)))
    assert not np.array_equal(answer(state(3)), answer(state(4)))


@pytest.mark.parametrize("answer", EVERYWHERE, ids=lambda answer: answer.__name__)
@pytest.mark.parametrize("state", [np.random.default_rng, np.random.RandomState], ids=lambda kind: kind.__name__)
def test_a_state_moves_on(answer, state):
    shared = state(5)
    assert not np.array_equal(answer(shared), answer(shared))


@pytest.mark.parametrize("answer", [sampled, dealt, learned], ids=lambda answer: answer.__name__)
@pytest.mark.parametrize("state", ["seven", -1, 1.5])
def test_what_is_no_state_is_refused(answer, state):
    with pytest.raises(ParameterError, match=f"random_state is {state!r}; it must be an integer"):
        answer(state)


@pytest.mark.filterwarnings("ignore:The unlabelled rows do not improve")
def test_the_folds_that_weigh_unlabelled_rows_are_shuffled(monkeypatch, rng):
    """How much an unlabelled row counts is chosen by folds of the labelled rows."""
    seen = []
    deal = expectation.stratified_folds
    monkeypatch.setattr(expectation, "stratified_folds", lambda *given: seen.append(deal(*given)) or seen[-1])
    rows = rng.normal(size=(1000, 2))
    labels = rows[:, 0] + rng.normal(size=1000) > 0
    for state in (0, 0, 1):
        BayesClassifier().fit_unlabelled(rows[:200], labels[:200], rows[200:], max_iter=1, random_state=state)
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0], seen[2])


def test_contestants_that_draw_are_given_a_seed():
    kinds = {"a": Kind.NUMBER}
    names = ["RandomForestClassifier", "GaussianNB"]
    made = contestants(names, kinds, 7)
    assert made["RandomForestClassifier"].classifier.random_state == 7
    answers = [
        contestants(names, kinds, 7)["RandomForestClassifier"].fit({"a": X[:, 0]}, y).predict_proba({"a": X[:, 0]})
        for _ in range(2)
    ]
    assert np.array_equal(*answers)
