"""Scores against scikit-learn's and by hand; learning curves."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from suffice import BayesClassifier, GaussianNB, evaluate
from suffice.errors import DataError, ParameterError


@pytest.fixture
def answers(rng):
    y = rng.integers(0, 4, 300)
    p = rng.dirichlet(np.ones(4), 300)
    return y, p


def test_scores_are_scikit_learns(answers):
    y, p = answers
    assert evaluate.accuracy(y, p, range(4)) == pytest.approx(metrics.accuracy_score(y, p.argmax(axis=1)))
    assert evaluate.log_loss(y, p, range(4)) == pytest.approx(metrics.log_loss(y, p))
    assert evaluate.log_loss_of_logs(y, np.log(p), range(4)) == pytest.approx(metrics.log_loss(y, p))
    expected = metrics.brier_score_loss(y, p, scale_by_half=False)
    assert evaluate.brier_score(y, p, range(4)) == pytest.approx(expected)


def test_pairwise_accuracy_by_counting_pairs(answers):
    y, p = answers
    table = np.ones((4, 4))
    for a in range(4):
        for b in range(4):
            if a != b:
                right = [np.mean(p[y == c, c] > p[y == c, o]) for c, o in ((a, b), (b, a))]
                table[a, b] = np.mean(right)
    np.testing.assert_allclose(evaluate.pairwise_accuracies(y, p, range(4)), table)
    assert evaluate.pairwise_accuracy(y, p, range(4)) == pytest.approx(table[np.triu_indices(4, 1)].mean())
    assert evaluate.pairwise_accuracy(y, np.eye(4)[y], range(4)) == 1
    assert evaluate.pairwise_accuracy(y, np.ones((300, 4)), range(4)) == 0.5
    assert abs(evaluate.pairwise_accuracy(y, p, range(4)) - 0.5) < 0.06  # guessing
    # a class without a row is judged by the others
    some = y != 3
    assert np.isfinite(evaluate.pairwise_accuracies(y[some], p[some], range(4))).all()


def test_bad_answers():
    with pytest.raises(DataError, match=r"scores have shape \(1, 2\)"):
        evaluate.accuracy([0, 1], [[0.5, 0.5]], [0, 1])
    with pytest.raises(DataError, match="include 'c'; the classes are 'a', 'b'"):
        evaluate.log_loss(["c"], [[0.5, 0.5]], ["a", "b"])
    with pytest.raises(DataError, match="1 rows of the scores have NaN"):
        evaluate.brier_score(["a"], [[np.nan, 0.5]], ["a", "b"])
    with pytest.raises(DataError, match="pairs need two"):
        evaluate.pairwise_accuracy(["a"], [[1.0]], ["a"])
    assert evaluate.log_loss_of_logs(["a"], [[-np.inf, 0.0]], ["a", "b"]) == np.inf
    assert evaluate.log_loss(["a"], [[0.0, 1.0]], ["a", "b"]) == np.inf


def test_probabilities_and_their_logarithms_are_told_apart(answers):
    y, p = answers
    with pytest.raises(DataError, match=r"300 of 300 rows; log probabilities .* log_loss for probabilities"):
        evaluate.log_loss_of_logs(y, p, range(4))
    with pytest.raises(DataError, match=r"300 of 300 rows; probabilities .* log_loss_of_logs"):
        evaluate.log_loss(y, np.log(p), range(4))
    with pytest.raises(DataError, match=r"300 of 300 rows; probabilities .* np.exp"):
        evaluate.brier_score(y, np.log(p), range(4))
    one_row_off = p.copy()
    one_row_off[7] *= 2
    with pytest.raises(DataError, match=r"row 7 .* sum to 2 .* 1 of 300 rows"):
        evaluate.brier_score(y, one_row_off, range(4))
    with pytest.raises(DataError, match=r"lowest -0\.5"):
        evaluate.brier_score([0], [[1.5, -0.5]], range(2))
    with pytest.raises(DataError, match="sum to inf"):
        evaluate.log_loss_of_logs([0], [[2000.0, 0.0]], range(2))
    single = p.astype(np.float32)
    assert evaluate.log_loss_of_logs(y, np.log(single), range(4)) == pytest.approx(metrics.log_loss(y, p), rel=1e-5)


def test_learning_curves():
    X, y = load_iris(return_X_y=True)
    models = {"naive": GaussianNB(), "logistic": LogisticRegression(C=10)}
    seen = []
    a = evaluate.learning_curve(
        models, X, y, [90, 9, 30], repeats=3, random_state=1, progress=lambda *at: seen.append(at)
    )
    assert a.sizes == (9, 30, 90)
    assert a.log_loss.shape == a.accuracy.shape == (2, 3, 3)
    assert seen[-1] == (9, 9)
    assert (a.accuracy[:, 2] > 0.85).all()
    assert a.winner(90) in models
    assert a.table().count("*") == 3
    again = evaluate.learning_curve(models, pd.DataFrame(X), y, [9, 30, 90], repeats=3, random_state=1)
    np.testing.assert_allclose(again.log_loss, a.log_loss)
    rows = [dict(enumerate(row)) for row in X.tolist()]
    of_rows = evaluate.learning_curve({"bayes": BayesClassifier()}, rows, y, [30], repeats=1, random_state=1)
    assert of_rows.accuracy.mean() > 0.8


def test_bad_learning_curves():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="Of 2 rows none has class"):
        evaluate.learning_curve({"a": GaussianNB()}, X, y, [2])
    with pytest.raises(ParameterError, match="there are 150 rows"):
        evaluate.learning_curve({"a": GaussianNB()}, X, y, [140])
    with pytest.raises(ParameterError, match="at least one model"):
        evaluate.learning_curve({}, X, y, [140])


def test_confusion_counts_as_scikit_learn_and_takes_other_answers(rng):
    y, answers = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    np.testing.assert_array_equal(evaluate.confusion(y, answers).count, metrics.confusion_matrix(y, answers))
    table = evaluate.confusion([2, 1, 2], [1, "reject", 2], classes=[2, 1])
    assert table.count.tolist() == [[1, 1, 0], [0, 0, 1]]
    with pytest.raises(DataError, match="labels include 3; the classes are 1, 2"):
        evaluate.confusion([3], [1], classes=[1, 2])
