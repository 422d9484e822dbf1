"""The kernels of tables beside the plainest NumPy that does the same."""

import numpy as np
import pytest

from suffice.numerics.tables import (
    Residuals,
    equal_groups,
    grid_counts,
    grid_edge,
    pair_counts,
    pair_slopes,
    pair_starts,
    pair_tables,
    shrunken_tables,
)


def log_ratio(counts, strength):
    """One level at a time: log of the class's share over the share of all classes."""
    total, pooled = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    share = pooled / pooled.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(pooled > 0, np.log((counts + strength * share) / (total + strength) / share), 0.0)


def test_flat_tables_and_rows_left_out(rng):
    counts = rng.integers(1, 9, (3, 5)).astype(float)
    made = shrunken_tables(counts, np.ones(3), np.array([4.0]), np.log(np.full(3, 1 / 3)), binary=False)[0]
    np.testing.assert_allclose(made.full, log_ratio(counts, 4.0), atol=1e-12)
    for c in range(3):
        for v in range(5):
            less = counts.copy()
            less[c, v] -= 1
            again = log_ratio(less, 4.0)[:, v]
            np.testing.assert_allclose(made.own[c, v], again[c], atol=1e-12)
            others = [k for k in range(3) if k != c]
            np.testing.assert_allclose(made.others[others, v], again[others], atol=1e-12)


def test_trees_are_products_of_halves(rng):
    counts = rng.integers(0, 9, (2, 4)).astype(float) + 1
    made = shrunken_tables(counts, np.ones(2), np.array([2.0]), np.log([0.5, 0.5]), binary=True)[0]
    halves = np.stack([counts[:, :2].sum(axis=1), counts[:, 2:].sum(axis=1)], axis=1)
    top = log_ratio(halves, 2.0)
    left, right = log_ratio(counts[:, :2], 2.0), log_ratio(counts[:, 2:], 2.0)
    np.testing.assert_allclose(made.full, np.repeat(top, 2, axis=1) + np.concatenate([left, right], axis=1), atol=1e-12)


def test_the_loss_is_that_of_every_row(rng):
    counts = rng.integers(0, 5, (3, 4)).astype(float)
    prior = np.log([0.2, 0.3, 0.5])
    made, strength, loss = shrunken_tables(counts, np.ones(3), np.array([3.0]), prior, binary=False)
    assert strength == 3.0
    expected = 0.0
    for y in range(3):
        for v in range(4):
            score = made.others[:, v] + prior
            score[y] = made.own[y, v] + prior[y]
            expected -= counts[y, v] * (score[y] - np.log(np.exp(score).sum()))
    assert loss == pytest.approx(expected)


@pytest.mark.parametrize("binary", [False, True])
def test_the_best_of_several_strengths_is_kept(rng, binary):
    counts, prior = rng.integers(0, 9, (3, 6)).astype(float), np.log([0.2, 0.3, 0.5])
    strengths = 2.0 ** np.arange(-1, 6)
    each = [
        shrunken_tables(counts, np.ones(3), strengths[s : s + 1], prior, binary=binary) for s in range(len(strengths))
    ]
    tables, strength, loss = shrunken_tables(counts, np.ones(3), strengths, prior, binary=binary)
    best = int(np.argmin([other[2] for other in each]))
    assert (strength, loss) == (strengths[best], each[best][2])
    for which in ("full", "own", "others"):
        np.testing.assert_array_equal(getattr(tables, which), getattr(each[best][0], which))


def groups_by_hand(mass, most):
    """Spikes first; then every light cell by the share that its middle falls into, counted from the last spike on."""
    spikes = set()
    while True:
        groups = max(most - len(spikes), 1)
        share = sum(m for i, m in enumerate(mass) if i not in spikes) / groups
        heavy = {i for i, m in enumerate(mass) if i not in spikes and m > share}
        if groups == 1 or not heavy:
            break
        spikes |= heavy
    out, below, keys = [], 0.0, []
    for i, m in enumerate(mass):
        if i in spikes or i - 1 in spikes:
            below = 0.0
        before = len([s for s in spikes if s <= i])
        keys.append((before, i in spikes, 0 if i in spikes or share <= 0 else int((below + m / 2) // share)))
        below += m
        out.append(out[-1] + (keys[-1] != keys[-2]) if i else 0)
    return out


@pytest.mark.parametrize("most", [1, 2, 5, 16])
def test_groups_of_equal_mass(rng, most):
    for cells in (0, 1, 3, 40, 300):
        mass = rng.integers(0, 4, cells).astype(float)
        mass[rng.random(cells) < 0.1] *= 40
        assert equal_groups(mass, most).tolist() == groups_by_hand(mass, most)
    even = equal_groups(np.ones(64), most)
    assert len(set(even.tolist())) == most
    assert np.bincount(even).max() - np.bincount(even).min() <= 1


def test_grids_hold_every_number_once(rng):
    x = np.concatenate([rng.normal(size=200), [0.0, -0.0, 1e300, -1e-300, np.nan]])[:, None]
    y, w = rng.integers(0, 2, len(x)).astype(np.int32), rng.random(len(x))
    for bits in (0, 3, 10, 52):
        ((cells, table),) = grid_counts(x, [bits], y, 2, w, 2)
        edge = grid_edge(cells, bits)
        assert (np.diff(edge) > 0).all()
        known = ~np.isnan(x[:, 0])
        at = np.searchsorted(edge, x[known, 0], side="right") - 1
        expected = np.zeros_like(table)
        np.add.at(expected, (y[known], at), w[known])
        np.testing.assert_allclose(table, expected)


def surprise(n, constant):
    """log (n + k) / (e + k) for counts (classes, left, right)."""
    all_ = n.sum(axis=0)
    lift = all_ * all_.sum() / (all_.sum(axis=1, keepdims=True) * all_.sum(axis=0, keepdims=True))
    expected = n.sum(axis=2, keepdims=True) * n.sum(axis=1, keepdims=True) / n.sum(axis=(1, 2), keepdims=True) * lift
    return np.log((n + constant) / (expected + constant))


def test_pairs_and_rows_left_out(rng):
    n = rng.integers(1, 6, (2, 3, 4)).astype(float)
    made = pair_tables(n.reshape(2, -1), np.array([[3, 4]]), np.ones(2), 2.0, 2)
    np.testing.assert_allclose(made.full.T.reshape(n.shape), surprise(n, 2.0))
    less = n.copy()
    less[1, 2, 3] -= 1
    np.testing.assert_allclose([made.others[11, 0], made.own[11, 1]], surprise(less, 2.0)[:, 2, 3])


@pytest.mark.parametrize("classes", [2, 3, 11])
def test_slopes_are_those_of_the_log_likelihood(rng, classes):
    codes = rng.integers(-1, 4, (300, 3)).astype(np.int32)
    y, w = rng.integers(0, classes, 300).astype(np.int32), rng.random(300)
    sizes, pairs = np.full(3, 4), np.array([[0, 1], [2, 0]])
    counts = pair_counts(codes, sizes, pairs, y, classes, None, 2)
    assert counts[:, :16].sum() == ((codes[:, 0] >= 0) & (codes[:, 1] >= 0)).sum()
    groups = np.tile(np.array([0, 0, 1, 1], np.int32), (3, 1))
    p = rng.dirichlet(np.ones(classes), 300)
    slope, curvature = pair_slopes(
        counts,
        sizes,
        pairs,
        np.array([0, 16]),
        groups,
        np.full(3, 2),
        np.ones(classes),
        2.0,
        codes,
        Residuals(y, p, w),
        2,
    )
    for k, (i, j) in enumerate(pairs):
        table = counts[:, 16 * k : 16 * k + 16].reshape(classes, 2, 2, 2, 2).sum(axis=(2, 4))
        made = pair_tables(table.reshape(classes, -1), np.array([[2, 2]]), np.ones(classes), 2.0, 1)
        known = np.flatnonzero((codes[:, i] >= 0) & (codes[:, j] >= 0))
        at = groups[i, codes[known, i]] * 2 + groups[j, codes[known, j]]
        f = made.others[at]
        f[np.arange(len(at)), y[known]] = made.own[at, y[known]]
        excess = np.eye(classes)[y[known]] - p[known]
        mean = (p[known] * f).sum(axis=1, keepdims=True)
        assert slope[k] == pytest.approx((w[known, None] * excess * f).sum())
        assert curvature[k] == pytest.approx((w[known, None] * p[known] * (f - mean) ** 2).sum())


@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_are_counted_as_numpy_does(rng, weighted):
    codes = rng.integers(-1, 5, (700, 3)).astype(np.int32)
    y, w = rng.integers(0, 4, 700).astype(np.int32), rng.integers(1, 9, 700) / 4
    sizes, pairs = np.array([5, 5, 7]), np.array([[0, 1], [2, 0], [1, 2]])
    start = pair_starts(sizes, pairs)
    for threads in (1, 2, 8):
        counts = pair_counts(codes, sizes, pairs, y, 4, w if weighted else None, threads)
        for k, (i, j) in enumerate(pairs):
            known = np.flatnonzero((codes[:, i] >= 0) & (codes[:, j] >= 0))
            expected = np.zeros((4, sizes[i], sizes[j]))
            np.add.at(expected, (y[known], codes[known, i], codes[known, j]), w[known] if weighted else 1.0)
            np.testing.assert_array_equal(counts[:, start[k] : start[k + 1]].reshape(expected.shape), expected)
    with pytest.raises(ValueError, match="too many for indices of 32 bits"):
        pair_counts(codes[:, :2], np.full(2, 2**15), pairs[:1], y, 4, None, 1)
