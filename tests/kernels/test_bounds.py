"""Codes that lie outside what they index are refused, with what was found and what is allowed."""

import re

import numpy as np
import pytest
import scipy.sparse as sp

from suffice.numerics import kernels
from suffice.numerics.cell_sweeps import CellRows
from suffice.numerics.intervals import Polylines
from suffice.numerics.scored_rows import ScoredRows
from suffice.numerics.tables import LeaveOneOutTables, Residuals, pair_cells, pair_counts, pair_slopes

ROWS, SIZE, CLASSES = 50, 4, 3
PAIRS = np.array([[0, 1], [2, 0]])
SIZES = np.full(3, SIZE)


def refused(message):
    return pytest.raises(ValueError, match=re.escape(message))


@pytest.fixture
def codes(rng):
    return rng.integers(-1, SIZE, (ROWS, 3)).astype(np.int32)


@pytest.fixture
def y(rng):
    return rng.integers(0, CLASSES, ROWS).astype(np.int32)


def changed(array, place, value):
    out = array.copy()
    out[place] = value
    return out


# −40,000 is 25,536 in sixteen bits
@pytest.mark.parametrize("code", [SIZE, 10**9, -2, -40_000, -(2**31)])
def test_pair_counts(codes, y, code):
    with refused(f"codes of column 1 must lie in -1 … 3, not be {code}"):
        pair_counts(changed(codes, (7, 1), code), SIZES, PAIRS, y, CLASSES, None, 1)


def test_pair_counts_of_columns_that_are_not_there(codes, y):
    with refused("columns of pairs must lie in 0 … 2, not be -1"):
        pair_counts(codes, SIZES, changed(PAIRS, (1, 0), -1), y, CLASSES, None, 1)


STEPS = np.zeros((2, 2, 1 + SIZE), np.int32)


@pytest.mark.parametrize("code", [SIZE, 10**9, -2, -(2**31)])
def test_pair_cells(codes, code):
    with refused(f"codes must lie in -1 … 3, not be {code}"):
        pair_cells(changed(codes, (7, 1), code), PAIRS, STEPS, 1)


@pytest.mark.parametrize("column", [-1, 3])
def test_pair_cells_of_columns_that_are_not_there(codes, column):
    with refused(f"columns of pairs must lie in 0 … 2, not be {column}"):
        pair_cells(codes, changed(PAIRS, (1, 0), column), STEPS, 1)


@pytest.fixture
def slopes(codes, y, rng):
    """Of pairs whose codes are brought together two by two, with some of the arguments changed."""

    def call(**given):
        arguments = {
            "counts": pair_counts(codes, SIZES, PAIRS, y, CLASSES, None, 1),
            "sizes": SIZES,
            "pairs": PAIRS,
            "start": np.array([0, SIZE**2]),
            "groups": np.tile(np.array([0, 0, 1, 1], np.int32), (3, 1)),
            "grouped": np.full(3, 2),
            "unit": np.ones(CLASSES),
            "constant": 2.0,
            "codes": codes,
            "residuals": Residuals(y, rng.dirichlet(np.ones(CLASSES), ROWS), np.ones(ROWS)),
            "threads": 1,
        }
        return pair_slopes(**(arguments | given))

    assert np.isfinite(call()).all()
    return call


@pytest.mark.parametrize("code", [SIZE, 10**9, -2, -40_000])
def test_pair_slopes(slopes, codes, code):
    with refused(f"codes of column 1 must lie in -1 … 3, not be {code}"):
        slopes(codes=changed(codes, (7, 1), code))


def test_pair_slopes_of_what_is_not_there(slopes, codes):
    groups = np.tile(np.array([0, 0, 1, 1], np.int32), (3, 1))
    with refused("groups of column 2 must lie in 0 … 1, not be 2"):
        slopes(groups=changed(groups, (2, 3), 2))
    with refused("groups of column 0 must lie in 0 … 1, not be -1"):
        slopes(groups=changed(groups, (0, 0), -1))
    with refused("columns of pairs must lie in 0 … 2, not be -1"):
        slopes(pairs=changed(PAIRS, (1, 0), -1))
    with refused("pair 1 has cells 17 … 32 of 32"):
        slopes(start=np.array([0, 17]))
    with refused("pair 0 has cells -1 … 14 of 32"):
        slopes(start=np.array([-1, 16]))
    with refused("do not fit"):
        slopes(codes=np.ascontiguousarray(codes[:, :2]))
    with refused("do not fit"):
        slopes(groups=groups[:, :3])
    with refused("do not fit"):
        slopes(grouped=np.full(2, 2))
    with refused("do not fit"):
        slopes(unit=np.ones(2))


@pytest.mark.parametrize("cell", [SIZE, 10**9, -2])
def test_cell_sweeps(codes, y, cell):
    rows = CellRows(changed(codes, (7, 1), cell), np.arange(4) * SIZE, y, np.ones(ROWS), np.zeros((ROWS, CLASSES)))
    message = f"cells of table 1 must lie in -1 … 3, not be {cell}"
    with refused(message):
        rows.fit(1.0)
    with refused(message):
        rows.across_folds(1.0, np.zeros(ROWS, np.int32), 1)


def test_left_out_scores(codes, y):
    scored = ScoredRows.empty(y, np.ones(ROWS), CLASSES, 3)
    table = np.zeros((3 * SIZE, CLASSES))
    tables, start = LeaveOneOutTables(table, table, table), np.arange(4) * SIZE
    with refused("cells of table 1 must lie in -1 … 3, not be 4"):
        scored.set_leave_one_out(0, changed(codes, (7, 1), 4), start, tables, 1)
    with refused("offsets must begin at 0, never fall and end at 12; found -4 … 12"):
        scored.set_leave_one_out(0, codes, changed(start, 0, -4), tables, 1)
    with refused("do not fit"):
        scored.set_leave_one_out(0, codes, start, LeaveOneOutTables(table[:, :1], table[:, :1], table[:, :1]), 1)


@pytest.fixture
def documents(rng):
    """Scores of 10 documents of 5 words each out of 8, with some of the arguments changed."""
    table = sp.csr_array(rng.integers(0, 4, (8, CLASSES)).astype(np.float64))
    arguments = {
        "indptr": np.arange(11) * 5,
        "ids": rng.integers(0, 8, 50).astype(np.int32),
        "table": table,
        "total": np.asarray(table.sum(axis=1)),
        "class_total": np.asarray(table.sum(axis=0)),
        "class_words": np.ones(CLASSES),
        "discount": 0.8,
        "own": None,
        "weight": None,
        "threads": 1,
    }

    def call(**given):
        return kernels.discounted_scores(**(arguments | given))

    assert np.isfinite(call()).all()
    return call, arguments


@pytest.mark.parametrize("word", [8, 10**9, -1])
def test_words_of_documents(documents, word):
    call, arguments = documents
    with refused(f"words must lie in 0 … 7, not be {word}"):
        call(ids=changed(arguments["ids"], 7, word))


@pytest.mark.parametrize("own", [CLASSES, -2])
def test_classes_of_documents(documents, own):
    call, _ = documents
    with refused(f"classes of documents must lie in -1 … 2, not be {own}"):
        call(own=np.full(10, own, np.int32))


def test_ends_of_documents(documents):
    call, arguments = documents
    indptr = arguments["indptr"]
    with refused("offsets must begin at 0, never fall and end at 50; found 0 … 55"):
        call(indptr=changed(indptr, 10, 55))
    with refused("offsets must begin at 0, never fall and end at 50; found -5 … 50"):
        call(indptr=changed(indptr, 0, -5))
    with refused("offsets must begin at 0, never fall and end at 50; offset 4 is 999, before 25"):
        call(indptr=changed(indptr, 4, 999))


@pytest.mark.parametrize("few", [False, True])
def test_tables_of_words(documents, few):
    """The whole of a table is checked, or only what a few words need of it."""
    call, arguments = documents
    table = arguments["table"]
    some = {"indptr": np.array([0, 2]), "ids": np.array([3, 5], np.int32)} if few else {}
    broken = table.copy()
    broken.indices[:] = CLASSES
    with refused("classes of words must lie in 0 … 2, not be 3"):
        call(table=broken, **some)
    broken = table.copy()
    broken.indptr[1:] += 1000
    with refused("cells of words must lie in 0 … " if few else "offsets must begin at 0"):
        call(table=broken, **some)


def test_totals_of_words(documents):
    call, _ = documents
    with refused("do not fit"):
        call(total=np.ones(7))
    with refused("do not fit"):
        call(class_words=np.ones(2))


def test_starts_of_levels(rng, y):
    values = rng.integers(0, SIZE, (ROWS, 2))
    low, start, table = np.zeros(2, np.int64), np.array([5, 0, 8]), np.zeros((CLASSES, 8))
    with refused("offsets must begin at 0, never fall and end at 8; found 5 … 8"):
        kernels.counts(values, low, start, y, CLASSES, None, 1)
    with refused("offsets must begin at 0, never fall and end at 8; found 5 … 8"):
        kernels.add_table_scores(values, low, start, kernels.class_rows(table), np.zeros((ROWS, CLASSES)), 1)


def test_lines_of_columns_that_are_not_there():
    lines = Polylines({-1: np.array([[0.0, 1.0], [0.0, 1.0]])})
    with refused("do not fit"):
        lines.write(np.zeros((ROWS, 2)), np.empty((ROWS, 1), np.float32))
