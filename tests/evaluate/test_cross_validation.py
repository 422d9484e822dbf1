"""Cross-validation and leave-one-out from sums are what refitting gives, and read the rows twice at most."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_predict
from sklearn.neighbors import KernelDensity

import suffice
from families.cases import CASES, rules
from families.test_left_out import same
from families.test_text import corpus
from suffice import BayesClassifier, Density, GaussianNB, Multinomial, Text, evaluate
from suffice.columns.matrix_table import MatrixTable
from suffice.errors import DataError, NotAdditiveError, ParameterError
from suffice.evaluate import folds

PEERS = ["GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB", "LinearDiscriminantAnalysis"]


def theirs(name):
    from sklearn import discriminant_analysis, naive_bayes

    return getattr(naive_bayes if name.endswith("NB") else discriminant_analysis, name)()


@pytest.mark.parametrize("name", PEERS)
def test_as_scikit_learn_by_refitting(name):
    x, y = load_iris(return_X_y=True)
    ours = getattr(suffice, name)()
    result = evaluate.cross_validate(x, y, estimator=ours)
    split = PredefinedSplit(result.fold)
    np.testing.assert_allclose(
        result.log_posterior, cross_val_predict(theirs(name), x, y, cv=split, method="predict_log_proba"), atol=1e-9
    )
    assert not hasattr(ours, "model_")  # left as it was
    some = np.arange(0, 150, 3)
    left = evaluate.leave_one_out(ours, x[some], y[some])
    expected = cross_val_predict(theirs(name), x[some], y[some], cv=LeaveOneOut(), method="predict_log_proba")
    np.testing.assert_allclose(left.log_posterior, expected, atol=1e-9)


@pytest.mark.parametrize(("case", "rule"), [(case, rule) for case in CASES for rule in rules(case.family)], ids=str)
@settings(max_examples=2)
@given(seed=st.integers(0, 2**32 - 1), weighted=st.booleans(), folds=st.sampled_from([2, 3]))
def test_folds_from_sums_are_refits(case, rule, seed, weighted, folds):
    rng = np.random.default_rng(seed)
    x, y = case.rows(rng, case.enough)
    w = rng.integers(1, 4, len(y)).astype(float) if weighted else None
    estimator = BayesClassifier(case.family, estimate=rule)
    result = evaluate.cross_validate(x, y, k=folds, estimator=estimator, sample_weight=w, random_state=seed)
    for k in range(folds):
        rest, mine = result.fold != k, result.fold == k
        model = BayesClassifier(case.family, estimate=rule)
        model.partial_fit(x[rest], y[rest], classes=result.classes, sample_weight=None if w is None else w[rest])
        same(result.log_posterior[mine], model.predict_log_proba(x[mine]))


def test_a_frame_by_the_name_of_its_label(rng):
    n = 90
    frame = pd.DataFrame({"size": rng.normal(3, 1, n), "job": rng.choice([*"abcdef", None], n)})
    frame["sold"] = np.where(frame["size"] + rng.normal(0, 1, n) > 3, "yes", "no")
    result = evaluate.cross_validate(frame, "sold", k=4)
    assert result.classes == ("no", "yes")
    for k in range(4):
        model = BayesClassifier().fit(frame[result.fold != k], "sold")
        expected = model.predict_log_proba(frame.drop(columns="sold")[result.fold == k])
        np.testing.assert_allclose(result.log_posterior[result.fold == k], expected, atol=1e-9)


def test_sparse_rows(rng):
    x, y = rng.poisson(0.4, (80, 50)).astype(float), rng.integers(0, 3, 80)
    dense = evaluate.cross_validate(x, y, estimator=BayesClassifier(Multinomial()))
    sparse = evaluate.cross_validate(sp.csr_array(x), y, estimator=BayesClassifier(Multinomial()))
    np.testing.assert_allclose(sparse.log_posterior, dense.log_posterior, atol=1e-9)


@pytest.mark.parametrize("model", ["refined", "discounted", "bernoulli"])
def test_a_second_look_sees_only_rows_outside_the_fold(model, rng):
    texts, y = corpus(rng, 80, words=6)
    family = Text(model, characters=False)
    result = evaluate.cross_validate(texts, y, k=3, estimator=BayesClassifier({"text": family}, model="naive"))
    for k in range(3):
        rest, mine = np.flatnonzero(result.fold != k), np.flatnonzero(result.fold == k)
        refit = BayesClassifier({"text": family}, model="naive").fit([texts[i] for i in rest], y[rest])
        expected = refit.predict_log_proba([texts[i] for i in mine])
        np.testing.assert_allclose(result.log_posterior[mine], expected, atol=1e-6)


def test_rows_are_read_twice_whatever_the_number_of_folds(rng, monkeypatch):
    reads = []
    numbers = MatrixTable.numbers
    monkeypatch.setattr(MatrixTable, "numbers", lambda self, names: reads.append(self.rows) or numbers(self, names))
    x, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    for k in (2, 10, 50):
        reads.clear()
        evaluate.cross_validate(x, y, k=k, estimator=BayesClassifier(model="naive"))
        assert sum(reads) == 600


def test_folds_are_dealt_out_in_proportion(rng):
    codes = np.repeat([0, 1, 2], [100, 37, 3]).astype(np.int32)
    fold = folds.stratified_folds(codes, 10, 1)
    np.testing.assert_array_equal(np.bincount(fold), 14)
    for c in range(3):
        assert np.ptp(np.bincount(fold[codes == c], minlength=10)) <= 1
    assert (folds.stratified_folds(codes, 10, 1) == fold).all()
    assert (folds.stratified_folds(codes, 10, 2) != fold).any()


def test_groups_stay_together_and_folds_can_be_named(rng):
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    groups = rng.choice(list("abcdefg"), 60)
    result = evaluate.cross_validate(x, y, k=3, groups=groups, estimator=GaussianNB())
    assert all(len(set(result.fold[groups == g])) == 1 for g in set(groups))
    assert len(set(result.fold)) == 3
    named = evaluate.cross_validate(x, y, folds=groups, estimator=GaussianNB())
    assert len(set(named.fold)) == 7
    assert named.by_fold("accuracy").shape == (7,)


def test_a_class_all_of_whose_rows_are_in_one_fold_is_known_to_all(rng):
    x, y = rng.normal(size=(30, 1)), np.repeat([0, 1], [29, 1])
    result = evaluate.cross_validate(x, y, k=5, estimator=BayesClassifier())
    assert np.isfinite(result.log_loss.value)
    assert np.isfinite(evaluate.leave_one_out(BayesClassifier(model="naive"), x, y).log_loss.value)


def test_scores_are_means_with_their_errors(rng):
    x, y = load_iris(return_X_y=True)
    w = rng.integers(1, 3, 150).astype(float)
    result = evaluate.leave_one_out(GaussianNB(), x, y)
    assert result.log_loss.value == pytest.approx(evaluate.log_loss_of_logs(y, result.log_posterior, range(3)))
    assert result.brier_score.value == pytest.approx(evaluate.brier_score(y, result.posterior, range(3)))
    hits = result.posterior.argmax(axis=1) == y
    assert result.accuracy == pytest.approx((hits.mean(), hits.std() / np.sqrt(150)))
    weighed = evaluate.leave_one_out(GaussianNB(), x, y, w)
    hits = weighed.posterior.argmax(axis=1) == y
    assert weighed.accuracy.value == pytest.approx(np.average(hits, weights=w))
    assert "150 rows of 3 classes: log-loss 0.13" in str(result)


def test_impossible_rows_get_the_prior_of_the_others():
    family = suffice.Categorical(levels=["a", "b"])
    result = evaluate.leave_one_out(BayesClassifier(family, estimate="mle", prior="mle"), [["a"], ["b"]], [0, 0])
    np.testing.assert_array_equal(result.posterior, 1.0)


def test_a_fitted_model_may_know_more_rows(rng):
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    model = BayesClassifier(model="naive").fit(x, y)
    some = evaluate.leave_one_out(model, x[:10], y[:10])
    np.testing.assert_array_equal(some.log_posterior, evaluate.leave_one_out(model, x, y).log_posterior[:10])


def test_bad_input(rng):
    x, y = rng.normal(size=(20, 1)), np.arange(20) % 2
    new = BayesClassifier()
    for k in (1, 21, 2.5, True):
        with pytest.raises(ParameterError, match="k is"):
            evaluate.cross_validate(x, y, k=k, estimator=new)
    with pytest.raises(DataError, match="folds has shape"):
        evaluate.cross_validate(x, y, folds=[1, 2], estimator=new)
    with pytest.raises(DataError, match="one fold"):
        evaluate.cross_validate(x, y, folds=np.zeros(20), estimator=new)
    with pytest.raises(ParameterError, match="but there are 2 groups"):
        evaluate.cross_validate(x, y, k=3, groups=y, estimator=new)
    for run in (evaluate.cross_validate, lambda x, y, estimator: evaluate.leave_one_out(estimator, x, y)):
        with pytest.raises(ParameterError, match="has no additive statistics"):
            run(x, y, estimator=LogisticRegression())
    with pytest.raises(NotAdditiveError, match="has no additive statistic"):
        evaluate.cross_validate(x, y, estimator=BayesClassifier(Density(KernelDensity())))
    with pytest.raises(NotAdditiveError, match="evaluated without refitting"):
        evaluate.cross_validate(x, y, estimator=suffice.LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"))
    with pytest.raises(DataError, match="never learned"):
        evaluate.leave_one_out(BayesClassifier().fit(x, y), x, y + 5)
    texts, labels = corpus(rng, 40)
    assert evaluate.leave_one_out(BayesClassifier(), texts, labels).log_loss.value < np.log(len(set(labels)))
