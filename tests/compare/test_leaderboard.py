"""The leaderboard against scikit-learn's own cross-validation, and what a table is for classifiers of numbers."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import BayesClassifier
from suffice.columns.kinds import Kind
from suffice.compare import contestants, leaderboard
from suffice.compare.contestants import OTHERS, OURS
from suffice.errors import ParameterError
from suffice.estimators.designed import Design, DesignMatrixClassifier
from suffice.evaluate import cross_validate
from suffice.evaluate.folds import FoldSplit, stratified_folds
from suffice.sources import open_table


def _wine():
    data = load_wine()
    table = pa.table({name: data.data[:, j] for j, name in enumerate(data.feature_names)})
    return data.data, table, data.target


def test_a_matrix_classifier_is_judged_as_scikit_learn_would():
    X, table, y = _wine()
    fold = stratified_folds(y.astype(np.int32), 4, 0)
    entry = leaderboard(
        {"theirs": DesignMatrixClassifier(LogisticRegression(max_iter=1000))}, table, y, FoldSplit(fold)
    )[0]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    p = cross_val_predict(model, X, y, cv=PredefinedSplit(fold), method="predict_proba")
    assert entry.assessment.log_loss.value == pytest.approx(log_loss(y, p), rel=1e-6)
    assert entry.assessment.accuracy.value == accuracy_score(y, p.argmax(axis=1))
    assert entry.fit_seconds > 0


def test_ours_is_what_cross_validation_from_statistics_says():
    _, table, y = _wine()
    fold = stratified_folds(y.astype(np.int32), 4, 0)
    entry = leaderboard({"bayes": BayesClassifier()}, table, y, FoldSplit(fold))[0]
    direct = cross_validate(table, y, folds=fold)
    assert np.allclose(entry.assessment.posterior, direct.posterior, atol=1e-9)


def test_the_prior_alone_has_the_entropy_of_the_classes():
    y = np.repeat([0, 1], [750, 250])
    fold = stratified_folds(y.astype(np.int32), 5, 0)
    entry = leaderboard({"prior": OTHERS["prior-only"]()}, pa.table({"x": y * 0.0}), y, FoldSplit(fold))[0]
    entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    assert entry.assessment.log_loss.value == pytest.approx(entropy, abs=1e-4)


def test_one_that_fails_does_not_stop_the_others():
    class Broken:
        def fit(self, X, y):
            raise RuntimeError("out of\norder")

    y = np.arange(40) % 2
    table = pa.table({"x": y + np.linspace(0, 0.5, 40)})
    board = leaderboard(
        {"broken": Broken(), "bayes": BayesClassifier()}, table, y, FoldSplit(np.arange(40, dtype=np.int32) % 4)
    )
    assert [entry.name for entry in board] == ["bayes", "broken"]
    assert board[1].failed == "out of order"


def test_names_never_become_code():
    kinds = {"x": Kind.NUMBER, "y": Kind.NUMBER}
    for name in ("os.system", "__import__('os')", "sklearn.svm.SVC", "VotingClassifier", ""):
        with pytest.raises(ParameterError, match="There is no model"):
            contestants([name], kinds)
    assert isinstance(contestants(["GaussianNB"], kinds)["GaussianNB"].classifier, object)


def test_structures_come_with_columns_to_model():
    assert {"text-multinomial"} & set(contestants([], {"a": Kind.NUMBER, "b": Kind.NUMBER})) == set()
    assert "qda" in contestants([], {"a": Kind.NUMBER, "b": Kind.NUMBER})
    assert "text-multinomial" in contestants([], {"t": Kind.TEXT})
    with pytest.raises(ParameterError, match="no columns to model"):
        contestants(["qda"], {"t": Kind.TEXT})
    assert set(OURS).isdisjoint(OTHERS)


def test_a_table_as_a_matrix():
    table = open_table(
        pa.table(
            {"n": [1.0, None, 3.0], "c": ["a", "b", None], "b": [True, False, True], "e": pa.nulls(3, pa.string())}
        )
    )
    matrix = Design.of(table).matrix(table)
    # n and b scaled, n's hole, two levels
    assert matrix.shape == (3, 5)
    assert matrix[:, 0] == pytest.approx([-1, 0, 1])
    assert matrix[:, 2].tolist() == [0, 1, 0]
    assert sorted(map(tuple, matrix[:, 3:].tolist())) == [(0, 0), (0, 1), (1, 0)]


def test_levels_that_were_not_there_are_nothing():
    design = Design.of(open_table(pa.table({"c": ["a", "b"]})))
    assert design.matrix(open_table(pa.table({"c": ["z", "a"]}))).sum(axis=1).tolist() == [0, 1]


def test_words_are_weighted_as_scikit_learn_does():
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["the cat sat on the mat", "a dog sat by the door", "no cat and no dog here", "the door was shut by now"]
    table = open_table(pa.table({"t": texts}))
    assert table.kinds == [Kind.TEXT]
    found = Design.of(table).matrix(table).toarray()
    expected = TfidfVectorizer().fit_transform(texts).toarray()
    assert np.allclose(np.sort(found, axis=1), np.sort(expected, axis=1))


def test_iris_has_a_winner_with_covariances():
    data = load_iris()
    table = pa.table({name: data.data[:, j] for j, name in enumerate(data.feature_names)})
    fold = stratified_folds(data.target.astype(np.int32), 5, 0)
    kinds = dict.fromkeys(table.column_names, Kind.NUMBER)
    board = leaderboard(contestants(["naive", "qda", "prior-only"], kinds), table, data.target, FoldSplit(fold))
    assert [entry.name for entry in board] == ["qda", "naive", "prior-only"]
