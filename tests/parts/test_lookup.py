"""Where a row is in the tables that are looked up for it: all pairs at once and all columns at once, against one by one."""

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier
from suffice.columns.blocks import Levels
from suffice.columns.level_indexer import LevelIndexer
from suffice.columns.records_table import RecordsTable
from suffice.parts.pairs import Pairs


@pytest.fixture(scope="module")
def mixed():
    """A model of numbers and categories that say something together, and rows with holes and with levels never seen."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(900, 4)), columns=list("abcd"))
    y = np.where(frame.a * frame.b + frame.c + 0.5 * rng.normal(size=900) > 0, "yes", "no")
    frame["e"] = np.where(rng.random(900) < 0.4, y, rng.choice(["u", "v", "w"], 900))
    frame["f"] = rng.choice(["x", "z"], 900)
    model = BayesClassifier().fit(frame, y).model_
    rows = frame.astype(object).to_numpy()[:60]
    rows[rng.random(rows.shape) < 0.2] = None
    rows[::7, 4] = "never seen"
    return model, RecordsTable(model.names, [tuple(row) for row in rows])


def test_cells_of_all_pairs(mixed):
    model, table = mixed
    pairs = model.weighted_parts.part(Pairs)
    assert len(pairs.weights) > 3
    codes = pairs.coding.codes(model.tables(model.read(table, 1)))
    assert (codes < 0).any()
    assert (codes >= 0).any()
    cells = pairs.tables.cells(codes, 1)
    for k, ((i, j), resolution) in enumerate(zip(pairs.columns, pairs.resolution, strict=True)):
        groups, _ = pairs.coding.grouped(resolution)
        for (u, v), cell in zip(codes[:, [i, j]], cells[:, k], strict=True):
            assert cell == (-1 if min(u, v) < 0 else groups[i, u] * pairs.sizes[k, 1] + groups[j, v])


def test_one_row_is_scored_like_many(mixed):
    model, table = mixed
    ((_, together),) = model.log_joints(table, np.empty((table.rows, 2)), 1)
    for i in range(table.rows):
        ((_, alone),) = model.log_joints(table.slice(i, i + 1), np.empty((1, 2)), 1)
        np.testing.assert_allclose(alone[0], together[i], rtol=1e-12)


def test_places_are_those_found_column_by_column(rng):
    mine = [["b", "a", "q"], [3, 1, 2], []]
    places = LevelIndexer(mine)
    for theirs in ((("a", "b", "c"), range(1, 4), ("x",)), (("q",), (2, True), ())):
        sizes = [len(column) for column in theirs]
        codes = np.stack([rng.integers(-2, size + 3, 500) for size in sizes], axis=1).astype(np.int16)
        block = Levels(["s", "t", "u"], codes, np.array([0, 1, -1]), theirs)
        expected = np.stack([block.indices_in(j, column) for j, column in enumerate(mine)], axis=1)
        assert np.array_equal(places.indices(block), expected)
        assert np.array_equal(places.indices(block.take(slice(3, 9))), expected[3:9])
