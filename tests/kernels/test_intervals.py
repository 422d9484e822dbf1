"""Where numbers lie among ordered ones, beside NumPy's search and interpolation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.numerics.intervals import Intervals, Polylines


def cells(rng, rows, columns, kind):
    x = rng.integers(-6, 7, (rows, columns)).astype(np.float64) / 2
    x[rng.random(x.shape) < 0.1] = np.nan
    x[rng.random(x.shape) < 0.05] = np.inf
    x[rng.random(x.shape) < 0.05] = -np.inf
    if kind == "columns first":
        return np.asfortranarray(x)
    if kind == "every other row":
        return np.repeat(x, 2, axis=0)[::2]
    return np.nan_to_num(x, posinf=9, neginf=-9).astype(kind)


KINDS = st.sampled_from(["columns first", "every other row", "float32", "int64", "int8"])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0, 1, 3, 255, 256, 257, 900]), st.integers(1, 4), KINDS)
def test_intervals_are_those_of_searchsorted(seed, rows, columns, kind):
    rng = np.random.default_rng(seed)
    x = cells(rng, rows, columns, kind)
    cuts = [np.unique(rng.integers(-6, 7, rng.integers(0, 12)) / 2.0) for _ in range(columns)]
    expected = np.empty(x.shape, dtype=np.int64)
    for j, column in enumerate(cuts):
        expected[:, j] = np.where(np.isnan(x[:, j]), -1, np.searchsorted(column, x[:, j], side="right"))
    for threads in (1, 2, 8):
        np.testing.assert_array_equal(Intervals(cuts).indices(x, threads), expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0, 1, 256, 300]), KINDS)
def test_lines_are_those_of_interp(seed, rows, kind):
    rng = np.random.default_rng(seed)
    x = cells(rng, rows, 5, kind)
    knots = {}
    for j in (0, 2, 4):
        at = np.unique(rng.normal(size=rng.integers(2, 40)))
        knots[j] = np.stack([at, np.sort(rng.normal(size=len(at)))])
    expected = [np.nan_to_num(np.interp(x[:, j], at, height)) for j, (at, height) in knots.items()]
    for threads in (1, 2):
        wide = np.full((rows, 9), 7, dtype=np.float32)  # the lines go to the middle of something wider
        Polylines(knots).write(x, wide[:, 3:6], threads)
        np.testing.assert_allclose(wide[:, 3:6], np.stack(expected, axis=1), rtol=1e-6, atol=1e-6)
        assert (wide[:, :3] == 7).all()
        assert (wide[:, 6:] == 7).all()


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="2 columns do not fit cuts of 1"):
        Intervals([np.zeros(1)]).indices(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="two knots at least"):
        Polylines({0: np.zeros((2, 1))})
    line = Polylines({4: np.array([[0.0, 1.0], [0.0, 1.0]])})
    with pytest.raises(ValueError, match="do not fit"):
        line.write(np.zeros((3, 2)), np.zeros((3, 1), dtype=np.float32))
