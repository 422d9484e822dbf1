"""AUC, precision, recall, F1 and lift, against scikit-learn and closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_fscore_support, roc_auc_score, roc_curve

from suffice.errors import DataError
from suffice.evaluate import Assessment, confusion, ranking
from suffice.evaluate.ranking import ranked


def _drawn(rows, classes, seed, digits=None):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    scores = rng.normal(size=(rows, classes)) + 1.2 * np.eye(classes)[y]
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    if digits is not None:  # ties
        p = np.round(p, digits) + 1e-9
        p /= p.sum(axis=1, keepdims=True)
    return y, p


@given(seed=st.integers(0, 2**32), digits=st.sampled_from([None, 1, 2]), classes=st.integers(2, 5))
def test_curves_are_those_of_scikit_learn(seed, digits, classes):
    y, p = _drawn(300, classes, seed, digits)
    for of in range(classes):
        found = ranking(y, p, of, range(classes))
        assert found.auc == pytest.approx(roc_auc_score(y == of, p[:, of]), abs=1e-12)
        assert found.average_precision == pytest.approx(average_precision_score(y == of, p[:, of]), abs=1e-12)
        alarms, hits, _ = roc_curve(y == of, p[:, of], drop_intermediate=False)
        assert np.append(0.0, found.false_positive_rate) == pytest.approx(alarms)
        assert np.append(0.0, found.recall) == pytest.approx(hits)
        assert found.lift[-1] == pytest.approx(1.0)
        assert found.lift == pytest.approx(found.precision / np.mean(y == of))


def test_the_area_of_an_assessment_and_its_error():
    """The standard error is the spread of the area over many draws."""
    areas, errors = [], []
    for seed in range(200):
        y, p = _drawn(400, 3, seed)
        found = Assessment((0, 1, 2), np.log(p), y.astype(np.int32)).auc
        areas.append(found.value)
        errors.append(found.error)
    y, p = _drawn(400, 3, 0)
    assert areas[0] == pytest.approx(roc_auc_score(y, p, multi_class="ovr"), abs=1e-12)
    assert np.mean(errors) == pytest.approx(np.std(areas), rel=0.15)


def test_either_of_two_classes_has_the_same_area():
    y, p = _drawn(500, 2, 1)
    found = Assessment(("a", "b"), np.log(p), y.astype(np.int32)).auc
    assert found.value == pytest.approx(roc_auc_score(y, p[:, 1]), abs=1e-12)
    assert ranking(y, p, 0, [0, 1]).auc == pytest.approx(found.value, abs=1e-12)


def test_weight_two_is_a_row_twice():
    y, p = _drawn(200, 2, 3, digits=1)
    weight = np.random.default_rng(0).integers(1, 4, 200)
    once, often = (
        ranked(y == 1, p[:, 1], 1, weight.astype(float)),
        ranked(np.repeat(y == 1, weight), np.repeat(p[:, 1], weight), 1),
    )
    assert once.auc == pytest.approx(often.auc, abs=1e-12)
    assert once.precision == pytest.approx(often.precision)
    log_p, codes = np.log(p), y.astype(np.int32)
    weighed = Assessment((0, 1), log_p, codes, weight.astype(float)).auc
    assert weighed.value == pytest.approx(once.auc)


def test_precision_recall_and_f1():
    rng = np.random.default_rng(2)
    y, answers = rng.integers(0, 4, 1000), rng.integers(0, 4, 1000)
    table = confusion(y, answers, range(5))
    precision, recall, f1, _ = precision_recall_fscore_support(y, answers, labels=range(4))
    assert table.precision[:4] == pytest.approx(precision)
    assert table.recall[:4] == pytest.approx(recall)
    assert table.f1[:4] == pytest.approx(f1)
    assert np.isnan([table.precision[4], table.recall[4], table.f1[4]]).all()


def test_refused_rows_are_not_found():
    table = confusion(["a", "a", "b"], ["a", "reject", "b"], ["a", "b"])
    assert table.recall.tolist() == [0.5, 1.0]
    assert table.precision.tolist() == [1.0, 1.0]


def test_one_class_has_no_curve():
    with pytest.raises(DataError, match="Every row is of class 1"):
        ranking([1, 1], [[0.2, 0.8], [0.1, 0.9]], 1, [0, 1])
    assert np.isnan(Assessment((0, 1), np.log([[0.2, 0.8]]), np.array([1], dtype=np.int32)).auc.value)
