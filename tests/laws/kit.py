"""The laws of addition, as checks that any statistic can be put through.

A case says how to draw some rows and how to count them. The kit counts rows in different ways that must come to the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from suffice.statistics import (
    Counts,
    PairCounts,
    RowSample,
    Scatter,
    Statistic,
    Tally,
    TextCounts,
    WideScatter,
    WordCounts,
)

N_CLASSES = 3


@dataclass(frozen=True)
class Rows:
    """Classes, weights and cells of a few rows."""

    y: np.ndarray
    weight: np.ndarray
    cells: np.ndarray

    def __getitem__(self, index) -> "Rows":
        return Rows(self.y[index], self.weight[index], self.cells[index])

    def __len__(self) -> int:
        return len(self.y)


@dataclass(frozen=True)
class Case:
    """A statistic: the class it is of, what a cell may be, and how rows become one."""

    name: str
    kind: type
    cell: st.SearchStrategy
    count: Callable[[Rows], Statistic | Tally]

    def rows(self, min_size: int = 0) -> st.SearchStrategy:
        row = st.tuples(
            st.integers(0, N_CLASSES - 1), st.sampled_from([0.5, 1.0, 1.0, 3.0]), st.tuples(self.cell, self.cell)
        )

        def build(rows):
            y = np.array([r[0] for r in rows], dtype=np.int32)
            cells = np.array([r[2] for r in rows], dtype=float).reshape(len(rows), 2)
            return Rows(y, np.array([r[1] for r in rows], dtype=float), cells)

        return st.lists(row, min_size=min_size, max_size=12).map(build)

    def __repr__(self) -> str:
        return self.name


def assert_same(a, b, rtol: float = 1e-9) -> None:
    """Equal, up to the rounding of sums taken in another order."""
    assert type(a) is type(b)
    if isinstance(a, Tally):
        assert a.classes == b.classes
        np.testing.assert_allclose(a.weight, b.weight, rtol=rtol, atol=1e-12)
        for mine, other in zip(a.statistics, b.statistics, strict=True):
            assert_same(mine, other)
        return
    if isinstance(a, RowSample):
        assert a.limit == b.limit
        np.testing.assert_array_equal(a.keys, b.keys)
        np.testing.assert_array_equal(a.y, b.y)
        np.testing.assert_allclose(a.weight, b.weight, rtol=rtol)
        assert spelled(a) == spelled(b)
        return
    if isinstance(a, WideScatter):  # many factors have one product
        a, b = a.full(), b.full()
    if isinstance(a, TextCounts):
        for mine, other in zip(a.views, b.views, strict=True):
            assert_same(mine, other)
        return
    if isinstance(a, WordCounts):
        assert sorted(a.vocabulary.strings()) == sorted(b.vocabulary.strings())
        place = b.vocabulary.find(a.vocabulary)
        for x, y in zip(a.tables, b.tables, strict=True):
            np.testing.assert_allclose(x.toarray(), y.toarray()[place], rtol=rtol, atol=rtol)
    if isinstance(a, (Counts, PairCounts)):
        assert a.levels == b.levels
    arrays = (f.name for f in fields(a) if isinstance(getattr(a, f.name), np.ndarray))
    for name in (n for n in arrays if not n.endswith("_low")):  # the digits behind the last of a double
        x, y = getattr(a, name), getattr(b, name)
        scale = max(1.0, np.abs(x).max(initial=0.0), np.abs(y).max(initial=0.0))
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol * scale, err_msg=name)


def spelled(sample: RowSample) -> list:
    """The cells of the rows that are kept, as they were written."""
    numbers, levels, texts, terms = sample.cells
    return [
        [repr(row.tolist()) for row in numbers.values],
        [[names[v] if v >= 0 else None for names, v in zip(levels.levels, row, strict=True)] for row in levels.codes],
        [None if v < 0 else bytes(texts.bytes[texts.offsets[v] : texts.offsets[v + 1]]).decode() for v in texts.codes],
        [dict(zip(terms.columns[a:b], terms.counts[a:b], strict=True)) for a, b in pairwise(terms.indptr)],
    ]


def join(*parts: Rows) -> Rows:
    return Rows(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Rows)))


def commutes(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(a) + case.count(b), case.count(b) + case.count(a))


def associates(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    x, y, z = case.count(a), case.count(b), case.count(c)
    assert_same((x + y) + z, x + (y + z))


def nothing_changes_nothing(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(a) + case.count(a[:0]), case.count(a))


def parts_make_the_whole(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(a) + case.count(b) + case.count(c), case.count(join(a, b, c)))


def what_was_added_can_be_taken(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same((case.count(a) + case.count(b)) - case.count(b), case.count(a))


def taking_all_leaves_nothing(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(a) - case.count(a), case.count(a[:0]))


def weight_two_is_the_row_twice(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(Rows(a.y, 2 * a.weight, a.cells)), case.count(join(a, a)))


def scaling_is_weighing(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same(case.count(a).scaled(2.5), case.count(Rows(a.y, 2.5 * a.weight, a.cells)))


def scaling_distributes(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    assert_same((case.count(a) + case.count(b)).scaled(0.3), case.count(a).scaled(0.3) + case.count(b).scaled(0.3))


def weightless_rows_do_not_count(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    silent = Rows(b.y, 0 * b.weight, b.cells)
    assert_same(case.count(join(a, silent)), case.count(a))


def classes_can_change_places(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    if case.kind is Tally:
        return  # it moves classes by label: see test_tally
    places = np.array([2, 0, 4])
    moved = case.count(a).reindex_classes(places, 5)
    assert_same(
        moved + case.count(b).reindex_classes(places, 5), (case.count(a) + case.count(b)).reindex_classes(places, 5)
    )
    assert_same(moved.select_classes(places), case.count(a))
    apart = case.count(a).reindex_classes(np.arange(3), 6) + case.count(b).reindex_classes(np.arange(3, 6), 6)
    assert_same(apart.select_classes(np.arange(3)), case.count(a))


def columns_can_change_places(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    if case.kind in (Tally, TextCounts, WordCounts, RowSample):  # a column of text is a block of its own; by name
        return
    swapped = Rows(a.y, a.weight, a.cells[:, ::-1])
    assert_same(case.count(swapped).reindex_columns(np.array([1, 0]), 2), case.count(a))


def columns_can_be_dropped(case: Case, a: Rows, b: Rows, c: Rows) -> None:
    if case.kind in (Tally, TextCounts, WordCounts, RowSample, PairCounts, Scatter, WideScatter):  # of columns together
        return
    one, other = case.count(a), case.count(Rows(a.y, a.weight, a.cells[:, ::-1]))
    assert_same(one.select_columns(np.array([1, 0])), other)
    assert_same(one.select_columns(np.array([1])), other.select_columns(np.array([0])))


LAWS = [
    commutes,
    associates,
    nothing_changes_nothing,
    parts_make_the_whole,
    what_was_added_can_be_taken,
    taking_all_leaves_nothing,
    weight_two_is_the_row_twice,
    scaling_is_weighing,
    scaling_distributes,
    weightless_rows_do_not_count,
    classes_can_change_places,
    columns_can_change_places,
    columns_can_be_dropped,
]
