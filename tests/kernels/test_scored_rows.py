"""Scores that count with weights: loss, slope and curvature against plain NumPy, and the rows that pairs of columns score."""

import numpy as np
import pytest
from scipy.special import log_softmax

from suffice.numerics.contrasts import to_contrasts
from suffice.numerics.scored_rows import ScoredRows
from suffice.numerics.tables import LeaveOneOutTables, pair_cells


def problem(rng, rows, classes, parts):
    y = rng.integers(0, classes, rows).astype(np.int32)
    weight = rng.random(rows) * (rng.random(rows) < 0.9)
    scores = [rng.normal(size=(rows, classes)) for _ in range(parts)]
    return ScoredRows.of(scores, y, weight, classes), np.stack(scores), rng.random(parts), rng.normal(size=classes)


def twin(scored, scores, weights, offset):
    logs = log_softmax(offset + np.tensordot(weights, scores, 1), axis=1)
    each = np.arange(len(scored.y))
    excess = np.exp(logs)
    excess[each, scored.y] -= 1
    excess *= scored.weight[:, None]
    slope = np.append(np.einsum("krc,rc->k", scores, excess), to_contrasts(excess.sum(axis=0)) / 2)
    if scored.classes > 2:
        slope = np.append(np.einsum("krc,rc->k", scores, excess), excess.sum(axis=0))
    return -(scored.weight * logs[each, scored.y]).sum(), slope


@pytest.mark.parametrize(
    ("rows", "classes", "parts"), [(1, 2, 1), (300, 2, 9), (5000, 2, 40), (7, 3, 2), (400, 5, 16), (3000, 11, 25)]
)
def test_loss_and_slope(rng, rows, classes, parts):
    scored, scores, weights, offset = problem(rng, rows, classes, parts)
    single = scored.lines.dtype == np.float32
    assert single == (rows * scored.contrasts * parts > 100_000)
    value, slope = twin(scored, scores, weights, offset)
    found = scored.loss(weights, to_contrasts(offset), 2)
    assert found[0] == pytest.approx(value, rel=1e-6 if single else 1e-12)
    np.testing.assert_allclose(found[1], slope, rtol=1e-3 if single else 1e-9, atol=1e-2 if single else 1e-9)
    again = scored.loss(weights, to_contrasts(offset), 1)
    assert again[0] == found[0]
    assert again[1].tobytes() == found[1].tobytes()
    joint = scored.joint(weights, to_contrasts(offset))
    expected = offset + np.tensordot(weights, scores, 1)
    np.testing.assert_allclose(
        log_softmax(joint, axis=1), log_softmax(expected, axis=1), rtol=1e-4 if single else 1e-9, atol=1e-4
    )


@pytest.mark.parametrize("classes", [2, 3, 6, 70])
def test_curvature_is_the_change_of_the_slope(rng, classes):
    scored, _, weights, offset = problem(rng, 200, classes, 5)
    at = np.append(weights, to_contrasts(offset))
    found = scored.curvature(at[:5], at[5:], 1e9, 1)
    for k in range(len(at)):
        ahead, behind = at.copy(), at.copy()
        ahead[k] += 1e-5
        behind[k] -= 1e-5
        change = scored.loss(ahead[:5], ahead[5:], 1)[1] - scored.loss(behind[:5], behind[5:], 1)[1]
        np.testing.assert_allclose(found[k], change / 2e-5, rtol=1e-5, atol=1e-5)


def test_a_rough_curvature_stands_for_all_rows(rng):
    scored, _, weights, offset = problem(rng, 20_000, 2, 60)
    whole = scored.curvature(weights, to_contrasts(offset), 1e9, 1)
    rough = scored.curvature(weights, to_contrasts(offset), 1.0, 1)
    assert not np.array_equal(whole, rough)
    np.testing.assert_allclose(scored.curvature(weights, to_contrasts(offset), 1e9, 2), whole, rtol=1e-4, atol=0.01)
    np.testing.assert_allclose(np.diagonal(rough), np.diagonal(whole), rtol=0.15)


@pytest.mark.parametrize(("rows", "classes"), [(5, 2), (700, 2), (300, 4), (9000, 3)])
def test_pairs_score_rows_left_out(rng, rows, classes):
    sizes = np.array([3, 4, 2])
    codes = np.stack([rng.integers(-1, s, rows) for s in sizes], axis=1).astype(np.int32)
    pairs = np.array([[0, 1], [2, 0], [1, 2]])
    steps = np.full((2, 3, 5), -1, dtype=np.int32)
    steps[0, :, 1:] = np.arange(4) * sizes[pairs[:, 1]][:, None]
    steps[1, :, 1:] = np.arange(4)
    cells = pair_cells(codes, pairs, steps, 2)
    left, right = codes[:, pairs[:, 0]], codes[:, pairs[:, 1]]
    expected = np.where((left < 0) | (right < 0), -1, left * sizes[pairs[:, 1]] + right)
    np.testing.assert_array_equal(cells, expected)

    start = np.concatenate([[0], np.cumsum(sizes[pairs].prod(axis=1))])
    own, others = rng.normal(size=(2, start[-1], classes))
    y = rng.integers(0, classes, rows).astype(np.int32)
    scored = ScoredRows.empty(y, np.ones(rows), classes, 4)
    scored.set_leave_one_out(1, cells, start, LeaveOneOutTables(own, own, others), 2)
    assert (scored.lines[:, 0] == 0).all()
    for k in range(3):
        at = start[k] + cells[:, k]
        said = np.where(np.arange(classes) == y[:, None], own[at], others[at]) * (cells[:, k] >= 0)[:, None]
        np.testing.assert_allclose(scored.lines[:, 1 + k].reshape(rows, -1), to_contrasts(said), rtol=1e-5, atol=1e-6)


def test_misfits_are_refused(rng):
    scored, _, weights, offset = problem(rng, 10, 3, 4)
    with pytest.raises(ValueError, match="4 scores do not fit"):
        scored.loss(weights[:3], offset, 1)
    with pytest.raises(ValueError, match="do not fit 1 pairs"):
        pair_cells(np.zeros((2, 2), np.int32), np.array([[0, 1]]), np.zeros((2, 2, 3), np.int32), 1)
    table = np.zeros((5, 3))
    with pytest.raises(ValueError, match="do not fit tables"):
        scored.set_leave_one_out(
            0, np.zeros((10, 1), np.int32), np.array([0, 6]), LeaveOneOutTables(table, table, table), 1
        )
    with pytest.raises(ValueError, match="1 scores from 4 on do not fit 4"):
        scored.set_leave_one_out(
            4, np.zeros((10, 1), np.int32), np.array([0, 5]), LeaveOneOutTables(table, table, table), 1
        )
