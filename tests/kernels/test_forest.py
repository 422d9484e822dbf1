"""Forests beside the plainest Python that does the same."""

from dataclasses import replace

import numpy as np
import pytest

from suffice.numerics.forest import LEAF, MISSING_RIGHT, ForestRows, Trees

MASK = 2**64 - 1
STRIDE = 0x9E3779B97F4A7C15


def rows_of(codes, y, *, levels=(), weight=None, observed=True, seed=3):
    keys = np.random.default_rng(seed).integers(0, 2**63, len(y)).astype(np.uint64)
    is_level = np.isin(np.arange(codes.shape[1]), levels).astype(np.uint8)
    weight = np.ones(len(y)) if weight is None else weight
    order = np.arange(codes.shape[1])
    return ForestRows(np.ascontiguousarray(codes.T), is_level, order, keys, y.astype(np.int32), weight, observed)


def grow(rows, classes, count=10, *, tried=2, threads=1):
    return rows.grow(classes, 0, count, share=0.632, tried=tried, seed=1, scored=len(rows.y), threads=threads)


@pytest.fixture(params=[2, 4])
def table(request, rng):
    """Four ordered columns, one of them with missing cells, and one of levels; classes that depend on all of them."""
    n, classes = 600, request.param
    codes = rng.integers(1, 60, (n, 5)).astype(np.uint8)
    codes[:, 4] = rng.integers(0, 7, n)
    codes[rng.random(n) < 0.2, 1] = 0
    score = (codes[:, 0] > 30) ^ (codes[:, 1] == 0) ^ np.isin(codes[:, 4], [1, 5])
    y = np.where(rng.random(n) < 0.1, rng.integers(0, classes, n), score + (classes - 2) * (codes[:, 2] > 20))
    return codes, y, classes


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def bags(rows, count, share):
    """How much of each row is in the bag of each tree: observations are drawn one by one."""
    out = np.zeros((count, len(rows.y)))
    for t in range(count):
        tree = mix((1 + STRIDE * (t + 1)) & MASK)
        for r, (key, y, w) in enumerate(zip(rows.keys.tolist(), rows.y.tolist(), rows.weight.tolist(), strict=True)):
            seed = (mix(key ^ tree) + STRIDE * (y + 1)) & MASK
            drawn = [(mix((seed + STRIDE * i) & MASK) >> 11) * 2.0**-53 < share for i in range(round(w))]
            out[t, r] = sum(drawn)
    return out


def walked(trees, codes):
    """A tree at a time: the nodes on the way of each row, the leaf last."""
    sets, node = iter(trees.sets.tolist()), 0
    set_of = {i: next(sets) for i, c in enumerate(trees.column.tolist()) if c != LEAF and trees.is_level[c & 32767]}
    for _ in range(trees.count):
        right, end = {}, node
        open_ = []
        while True:  # the end of the tree, and where right subtrees begin
            if trees.column[end] == LEAF:
                if not open_:
                    break
                right[open_.pop()] = end + 1
            else:
                open_.append(end)
            end += 1
        ways = []
        for row in codes:
            at, way = node, [node]
            while trees.column[at] != LEAF:
                code = int(row[int(trees.column[at]) & 32767])
                if at in set_of:
                    left = bool(set_of[at] >> code & 1)
                else:
                    left = code <= trees.cut[at] if code else trees.column[at] < MISSING_RIGHT
                at = at + 1 if left else right[at]
                way.append(at)
            ways.append(way)
        yield ways
        node = end + 1


def shares_of(trees, codes, bag, y, prior):
    """Mean shares, by counting the rows of the bags in every node: p = (n + p of the parent) / (N + 1)."""
    total = np.zeros((len(codes), len(prior)))
    each = []
    for t, ways in enumerate(walked(trees, codes)):
        counts = {}
        for way, klass, weight in zip(ways, y, bag[t], strict=True):
            for node in way:
                counts.setdefault(node, np.zeros(len(prior)))[klass] += weight
        found = np.zeros((len(codes), len(prior)))
        for r, way in enumerate(ways):
            p = prior
            for node in way:
                p = (counts[node] + p) / (counts[node].sum() + 1)
            found[r] = p
        total += found
        each.append(found)
    return total / trees.count, np.array(each)


@pytest.mark.parametrize("copies", [1, 3])
def test_shares_are_those_of_the_bags(table, rng, copies):
    codes, y, classes = table
    rows = rows_of(codes, y, levels=[4], weight=rng.integers(1, copies + 1, len(y)).astype(float))
    trees, outside = grow(rows, classes)
    prior = np.bincount(y, rows.weight) / rows.weight.sum()
    bag = bags(rows, trees.count, 0.632)
    expected, each = shares_of(trees, codes, bag, y, prior)
    flat = trees.flat(prior)
    np.testing.assert_allclose(flat.mean_shares(codes, 2), expected, atol=1e-6)
    left = rows.weight - bag
    np.testing.assert_array_equal(outside.outside, left)
    out_of_bag = np.einsum("tr,trc->rc", left, each) / np.maximum(left.sum(axis=0), 1e-300)[:, None]
    found, there = outside.shares(trees, prior, 2).mean()
    np.testing.assert_array_equal(there, left.sum(axis=0) > 0)
    np.testing.assert_allclose(found[there], out_of_bag[there], atol=1e-6)


def test_steps_add_up_to_the_shares(table):
    codes, y, classes = table
    trees, _ = grow(rows_of(codes, y, levels=[4]), classes)
    prior = np.full(classes, 1 / classes)
    flat = trees.flat(prior, inner=True)
    steps = flat.mean_steps(codes, 2)
    np.testing.assert_allclose(flat.root_shares + steps.sum(axis=1), flat.mean_shares(codes, 2), atol=1e-12)
    assert np.abs(steps).max(axis=(0, 2)).min() > 0  # every column is cut somewhere


def test_the_same_bytes_for_any_number_of_threads_and_any_order_of_rows_and_columns(table, rng):
    codes, y, classes = table
    rows = rows_of(codes, y, levels=[4], weight=rng.uniform(0.2, 3.0, len(y)), observed=False)
    trees, _ = grow(rows, classes)
    prior = np.full(classes, 1 / classes)
    p = trees.flat(prior).mean_shares(codes, 1)
    again, _ = grow(rows, classes, threads=3)
    for name in ("column", "cut", "sets", "leaf_size", "leaf_class", "leaf_weight"):
        np.testing.assert_array_equal(getattr(again, name), getattr(trees, name))
    some = rng.permutation(len(y))
    moved = replace(rows, codes=rows.codes[:, some], keys=rows.keys[some], y=rows.y[some], weight=rows.weight[some])
    shuffled, _ = grow(replace(moved, codes=np.ascontiguousarray(moved.codes)), classes)
    np.testing.assert_array_equal(shuffled.flat(prior).mean_shares(codes, 1), p)
    at = np.array([3, 0, 4, 1, 2])  # column k is now at place at[k]
    turned = np.argsort(at)
    other = replace(rows, codes=np.ascontiguousarray(rows.codes[turned]), is_level=rows.is_level[turned], order=at)
    found, _ = grow(other, classes)
    np.testing.assert_array_equal(found.flat(prior).mean_shares(np.ascontiguousarray(codes[:, turned]), 1), p)


def test_trees_that_are_grown_later_are_the_same(table):
    codes, y, classes = table
    rows = rows_of(codes, y, levels=[4])
    whole, _ = grow(rows, classes, 10)
    settings = {"share": 0.632, "tried": 2, "seed": 1, "scored": 0, "threads": 2}
    parts = [rows.grow(classes, first, count, **settings)[0] for first, count in ((0, 4), (4, 6))]
    both = parts[0] + parts[1]
    assert both.count == whole.count
    np.testing.assert_array_equal(both.column, whole.column)
    np.testing.assert_array_equal(both.leaf_start, whole.leaf_start)


def test_the_first_cut_is_the_best_of_all(table):
    """By entropy, over all cuts of all columns, levels in the order of their shares."""
    codes, y, _ = table
    y = (y > 0).astype(int)
    rows = rows_of(codes, y, levels=[4])
    trees, _ = grow(rows, 2, 5, tried=5)
    bag = bags(rows, 5, 0.632)
    starts = [ways[0][0] for ways in walked(trees, codes[:1])]

    def surprise(w):
        counts = np.bincount(y, w, 2)
        return (counts * np.log(np.maximum(counts, 1) / max(counts.sum(), 1))).sum()

    def gain(left, w):
        return surprise(w * left) + surprise(w * ~left) - surprise(w)

    for t, node in enumerate(starts):
        best = 0.0
        for j in range(5):
            x = codes[:, j].astype(float)
            if j == 4:
                share = np.bincount(codes[:, 4], bag[t] * y) / np.bincount(codes[:, 4], bag[t])
                x = share[codes[:, 4]]
            cuts = np.unique(x[bag[t] > 0])[:-1]
            best = max([best, *(gain(x <= cut, bag[t]) for cut in cuts)])
        column = trees.column[node] & 32767
        if column == 4:
            place = sum(int(trees.column[i]) & 32767 == 4 for i in range(node) if trees.column[i] != LEAF)
            found = gain((trees.sets[place] >> codes[:, 4] & 1).astype(bool), bag[t])
        else:
            found = gain(codes[:, column] <= trees.cut[node], bag[t])
        assert found == pytest.approx(best, rel=1e-6)


def test_a_label_outside_the_bag_changes_nothing(table):
    codes, y, classes = table
    rows = rows_of(codes, y, levels=[4])
    trees, _ = grow(rows, classes, 1)
    out = np.flatnonzero(bags(rows, 1, 0.632)[0] == 0)
    draws = bags(replace(rows, y=((rows.y + 1) % classes).astype(np.int32)), 1, 0.632)[0]
    some = out[draws[out] == 0]  # with their other label they are not drawn either
    other = rows.y.copy()
    other[some] = (other[some] + 1) % classes
    again, _ = grow(replace(rows, y=other), classes, 1)
    np.testing.assert_array_equal(again.column, trees.column)
    np.testing.assert_array_equal(again.leaf_weight, trees.leaf_weight)


def test_columns_that_are_not_drawn_are_not_cut(table):
    codes, y, classes = table
    rows = replace(rows_of(codes, y, levels=[4]), order=np.array([3, 0]))
    column = grow(rows, classes)[0].column
    assert set((column[column != LEAF] & 32767).tolist()) == {0, 3}


def test_codes_that_were_not_there_go_with_the_most(rng):
    codes = np.repeat(np.array([[1], [2]], np.uint8), [300, 100], axis=0)
    y = np.repeat([0, 1], [300, 100])
    for levels in ((), (0,)):
        flat = grow(rows_of(codes, y, levels=levels), 2, 20)[0].flat(np.array([0.75, 0.25]))
        unseen = np.array([[0], [7]] if levels else [[0]], np.uint8)
        assert (flat.mean_shares(unseen, 1).argmax(axis=1) == 0).all()


def test_heavy_rows_are_drawn_nearly_normally():
    rows = rows_of(np.ones((50, 1), np.uint8), np.zeros(50, int), weight=np.full(50, 1000.0))
    _, outside = grow(rows, 2, 200)
    assert abs(outside.outside.mean() - 368) < 2
    assert 13 < outside.outside.std() < 18  # √(1000 · .632 · .368) = 15.3


def broken(trees: Trees, **changes):
    made = replace(trees, **changes)
    return made.flat(np.array([0.5, 0.5]))


def test_nodes_that_are_no_trees_are_refused(rng):
    codes, y = rng.integers(0, 9, (80, 2)).astype(np.uint8), rng.integers(0, 2, 80)
    trees, _ = grow(rows_of(codes, y, levels=[1]), 2, 3)
    last = len(trees.column) - 1
    column = trees.column.copy()
    column[last] = 0
    with pytest.raises(ValueError, match="a tree that does not end"):
        broken(trees, column=column)
    column = trees.column.copy()
    column[0] = 7
    with pytest.raises(ValueError, match="columns that are not there"):
        broken(trees, column=column)
    with pytest.raises(ValueError, match="more leaves than counts"):
        broken(trees, leaf_size=trees.leaf_size[:-1])
    with pytest.raises(ValueError, match="more nodes, leaves or sets"):
        broken(trees, sets=trees.sets[:-1])
    with pytest.raises(ValueError, match="classes of leaves must lie in"):
        broken(trees, leaf_class=np.full_like(trees.leaf_class, 5))
    with pytest.raises(ValueError, match="do not fit 2 columns of bytes"):
        trees.flat(np.array([0.5, 0.5])).mean_shares(codes[:, :1], 1)
    with pytest.raises(ValueError, match="levels must lie in"):
        grow(rows_of(codes + np.uint8(40), y, levels=[1]), 2, 1)
