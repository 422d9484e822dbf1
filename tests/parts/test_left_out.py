"""Rows are left out with their weight: the score is that of the tables without it."""

import numpy as np
import pytest

from suffice.families.shrunk import shrink, write_left_out
from suffice.numerics.scored_rows import ScoredRows


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("weight", [0.5, 1.0, 2.0, 4.0])
def test_a_row_of_some_weight_is_taken_out_of_its_class(rng, binary, weight):
    counts = rng.integers(5, 30, (3, 6)).astype(float)
    column = shrink(counts, 2.0, binary=binary)
    for klass, level in ((0, 0), (1, 3), (2, 5)):
        less = counts.copy()
        less[klass, level] -= weight
        without = shrink(less, 2.0, binary=binary).tables.full
        assert column.without(weight).own[klass, level] == pytest.approx(without[klass, level], abs=1e-12)


def test_rows_of_several_weights_side_by_side(rng):
    """Scores written together are those of each weight by itself; weights are told apart by factors of √2."""
    counts = [rng.integers(5, 30, (3, 4)).astype(float), rng.integers(5, 30, (3, 7)).astype(float)]
    columns = [shrink(each, 2.0, binary=False) for each in counts]
    rows = 40
    y = rng.integers(0, 3, rows).astype(np.int32)
    places = np.stack([rng.integers(-1, 4, rows), rng.integers(-1, 7, rows)], axis=1).astype(np.int32)
    leaves = rng.choice([0.5, 1.0, 2.0], rows)
    together = ScoredRows.empty(y, np.ones(rows), 3, 2)
    write_left_out(columns, places, leaves, together, 0, 1)
    for weight in (0.5, 1.0, 2.0):
        alone = ScoredRows.empty(y, np.ones(rows), 3, 2)
        write_left_out(columns, places, np.full(rows, weight), alone, 0, 1)
        mine = np.repeat(leaves == weight, together.contrasts)
        np.testing.assert_array_equal(together.lines[mine], alone.lines[mine])
