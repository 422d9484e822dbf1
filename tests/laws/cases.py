"""Every statistic, registered for the laws. A test asserts that none is missing."""

import numpy as np
from hypothesis import strategies as st

from laws.kit import N_CLASSES, Case, Rows
from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.documents import Documents, view_documents
from suffice.columns.level_codes import value_levels
from suffice.columns.term_rows import TermRows
from suffice.families import (
    Bernoulli,
    Categorical,
    CountTable,
    Gamma,
    Gaussian,
    Histogram,
    MultivariateNormal,
    Poisson,
    Text,
)
from suffice.numerics.kernels import class_weights
from suffice.statistics import (
    Counts,
    CountTables,
    GridCounts,
    LogMoments,
    Moments,
    PairCounts,
    RowSample,
    Scatter,
    Successes,
    Sums,
    Tally,
    TextCounts,
    WideScatter,
    WordCounts,
)


def coded(rows: Rows) -> ClassCodes:
    return ClassCodes(rows.y, N_CLASSES, rows.weight)


def numbers(family):
    def count(rows: Rows):
        return family.observe(Numbers((0, 1), rows.cells), coded(rows), 2)

    return count


def wide(rows: Rows):
    return WideScatter.of(rows.cells, coded(rows))


SPELLINGS = ["tea", "sea", "sky", "blue", "the"]


def documents(rows: Rows) -> Documents:
    """A text a row: its cells pick the words."""
    texts = [
        None if np.isnan(cells).any() else " ".join(SPELLINGS[int(c) % 5] for c in cells for _ in range(1 + int(c) % 2))
        for cells in rows.cells
    ]
    return Documents(["text"], view_documents(texts))


def text(family: Text):
    def count(rows: Rows):
        return family.observe(documents(rows), coded(rows), 2)

    return count


def words(rows: Rows) -> WordCounts:
    return text(Text("counts", max_count=3))(rows).views[0]


def levels(rows: Rows):
    block = value_levels((0, 1), [rows.cells[:, 0], rows.cells[:, 1]])
    return Categorical().observe(block, coded(rows), 2)


def pairs(rows: Rows):
    block = value_levels((0, 1), [rows.cells[:, 0], rows.cells[:, 1]])
    return PairCounts.count(block, coded(rows), 2)


def tally(rows: Rows) -> Tally:
    """All classes stay, as if they were declared."""
    parts = (numbers(Gaussian())(rows), levels(rows))
    seen = class_weights(rows.y, N_CLASSES, rows.weight, 1)
    return Tally(("a", "b", "c"), seen, ((0, 1), (2, 3)), parts)


def row_sample(most: int):
    def count(rows: Rows) -> RowSample:
        block = value_levels((2, 3), [rows.cells[:, 0], rows.cells[:, 1]])
        cells = [Numbers((0, 1), rows.cells), block, documents(rows), TermRows.of((4, 5), rows.cells)]
        return RowSample.of(most, ((0, 1), (2, 3), ("text",), (4, 5)), cells, rows.y, rows.weight)

    return count


hole = st.just(float("nan"))
count = st.integers(0, 6).map(float)
amount = st.floats(0.01, 1e3)
number = st.floats(-1e3, 1e3) | st.sampled_from([1e6 + 0.1, 1e6 + 0.3])

CASES = [
    Case("sums", Sums, count | hole, numbers(Poisson())),
    Case("successes", Successes, number | hole, numbers(Bernoulli(threshold=1.0))),
    Case("moments", Moments, number | hole, numbers(Gaussian())),
    Case("scatter", Scatter, number | hole, numbers(MultivariateNormal())),
    # its factors carry no second double, so what a far outlier leaves behind when it is taken away is not promised
    Case("wide scatter", WideScatter, st.floats(-8, 8) | hole, wide),
    Case("text counts", TextCounts, count | hole, text(Text("discounted", characters=True))),
    Case("word counts", WordCounts, count | hole, words),
    Case("log-moments", LogMoments, amount | hole, numbers(Gamma())),
    Case("counts", Counts, st.integers(-2, 3).map(float) | hole, levels),
    Case("grid counts", GridCounts, st.floats(-1e6, 1e6) | st.integers(-2, 3).map(float) | hole, numbers(Histogram())),
    Case("pair counts", PairCounts, st.integers(-2, 3).map(float) | hole, pairs),
    Case("count tables", CountTables, count | hole, numbers(CountTable(max_count=4))),
    Case("row sample", RowSample, count | hole, row_sample(100)),
    Case("tally", Tally, st.integers(-2, 3).map(float) | hole, tally),
]
