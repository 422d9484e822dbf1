"""The correction of cells against the minimum that scipy finds, and across folds against fits on the other folds."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import log_softmax

from suffice.numerics.cell_sweeps import CellRows

RIDGE = 4.0


def problem(rng, rows, classes, tables=4, size=5):
    cells = rng.integers(-1, size, (rows, tables)).astype(np.int32)
    start = np.arange(tables + 1) * size
    truth = rng.normal(size=(tables * size, classes))
    offset = rng.normal(size=(rows, classes))
    joint = offset + said(cells, start, truth)
    y = (joint + rng.gumbel(size=joint.shape)).argmax(axis=1).astype(np.int32)
    return CellRows(cells, start, y, rng.random(rows) * (rng.random(rows) < 0.9), offset)


def said(cells, start, v):
    return sum(np.where((at >= 0)[:, None], v[first + at], 0.0) for at, first in zip(cells.T, start, strict=False))


def loss(rows, v):
    logs = log_softmax(rows.offset + said(rows.cells, rows.start, v), axis=1)
    return -(rows.weight * logs[np.arange(len(rows.y)), rows.y]).sum() + 0.5 * RIDGE * (v**2).sum()


@pytest.mark.parametrize(("rows", "classes"), [(50, 2), (900, 2), (400, 3), (2000, 6)])
def test_two_sweeps_are_close_to_the_minimum(rng, rows, classes):
    it = problem(rng, rows, classes)
    found = it.fit(RIDGE)
    shape = (int(it.start[-1]), classes)
    least = optimize.minimize(lambda v: loss(it, v.reshape(shape)), np.zeros(shape).ravel(), method="L-BFGS-B").fun
    nothing = loss(it, np.zeros(shape))
    assert nothing - loss(it, found) > 0.97 * (nothing - least)


def test_one_table_of_two_classes_makes_newtons_step(rng):
    it = problem(rng, 300, 2, tables=1, size=3)
    calm = CellRows(it.cells, it.start, it.y, it.weight, np.zeros((300, 2)))
    first = np.array([calm.weight[(calm.cells[:, 0] == k)] @ (calm.y[calm.cells[:, 0] == k] - 0.5) for k in range(3)])
    curved = np.array([calm.weight[calm.cells[:, 0] == k].sum() / 4 for k in range(3)])
    u = first / (curved + RIDGE / 2)
    p = 1 / (1 + np.exp(-u))
    mass = 4 * curved
    ones = np.array([calm.weight[(calm.cells[:, 0] == k) & (calm.y == 1)].sum() for k in range(3)])
    u -= (mass * p - ones + RIDGE / 2 * u) / (mass * p * (1 - p) + RIDGE / 2)
    np.testing.assert_allclose(calm.fit(RIDGE), np.stack([-u / 2, u / 2], axis=1), rtol=1e-10)


@pytest.mark.parametrize("classes", [2, 3, 9])
def test_across_folds_is_what_the_other_folds_say(rng, classes):
    it = problem(rng, 700, classes)
    fold = rng.integers(0, 3, 700).astype(np.int32)
    across = it.across_folds(RIDGE, fold, 2)
    for f in range(3):
        there = fold != f
        part = CellRows(it.cells[there], it.start, it.y[there], it.weight[there], it.offset[there])
        expected = said(it.cells[~there], it.start, part.fit(RIDGE))
        np.testing.assert_allclose(across[~there], expected, rtol=1e-10, atol=1e-12)
    assert it.across_folds(RIDGE, fold, 1).tobytes() == across.tobytes()


def test_misfits_are_refused(rng):
    it = problem(rng, 20, 3)
    with pytest.raises(ValueError, match="do not fit"):
        CellRows(it.cells[:, :2], it.start, it.y, it.weight, it.offset)
    with pytest.raises(ValueError, match="must lie in"):
        CellRows(it.cells, it.start, it.y + 3, it.weight, it.offset).fit(RIDGE)
