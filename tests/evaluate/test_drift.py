"""New rows beside learned ones: nothing is reported of rows drawn alike, and each change by its own name."""

import numpy as np
import pytest

from suffice import BayesClassifier
from suffice.columns.arrow_table import ArrowTable
from suffice.evaluate import drift
from suffice.model.drift import NewRowCounts, compared
from suffice.sources import open_table


def _rows(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return {
        "size": np.where(rng.random(n) < 0.05, np.nan, rng.normal(y)).tolist(),
        "count": rng.poisson(3.0, n).tolist(),
        "colour": rng.choice(["red", "green", "blue"], n, p=[0.6, 0.3, 0.1]).tolist(),
        "name": [f"n{i}" for i in rng.zipf(1.6, n) % 5000],  # new ones keep coming
    }, y


@pytest.fixture(scope="module", params=["naive", "full"])
def model(request):
    return BayesClassifier(model=request.param).fit(*_rows(2000, 0)).model_


@pytest.mark.parametrize("n", [40, 400, 4000])
def test_rows_drawn_alike_are_not_reported(model, n):
    for seed in range(1, 21):
        found = drift(model, _rows(n, seed)[0])
        assert [c.changes for c in found] == [()] * 4


def _changes(model, **changed):
    rows, _ = _rows(1000, 5)
    rows.update(changed)
    found = {c.name: c for c in drift(model, rows)}
    assert all(not c.changes for name, c in found.items() if name not in changed)
    return found


def test_numbers_out_of_range(model):
    far = np.random.default_rng(1).normal(6.0, size=1000).tolist()
    column = _changes(model, size=far)["size"]
    if column.outside is None:  # only moments are counted
        assert column.shift == pytest.approx((6.0 - 0.5) / np.sqrt(1.25), rel=0.1)
        assert "the mean moved by +4." in column.changes[0]
    else:
        assert column.outside > 0.9
        assert "of the cells lie outside" in column.changes[0]


def test_levels_that_were_never_learned(model):
    colour = ["red"] * 600 + ["green"] * 300 + ["violet"] * 100
    column = _changes(model, colour=colour)["colour"]
    assert column.unseen == pytest.approx(0.1)
    assert column.changes == ("10% of the cells hold levels that were never learned, such as 'violet'",)


def test_shares_that_moved_and_cells_that_went_missing(model):
    column = _changes(model, colour=["red"] * 300 + ["green"] * 600 + ["blue"] * 100)["colour"]
    assert column.distance == pytest.approx(0.3, abs=0.03)
    assert column.changes == (f"the shares of its levels moved by {column.distance:.2f}",)
    column = _changes(model, colour=[None if i % 2 else v for i, v in enumerate(_rows(1000, 5)[0]["colour"])])["colour"]
    assert column.missing == (0.0, 0.5)
    assert column.changes == ("50% of the cells are missing, 0% of the learned ones",)


@pytest.mark.parametrize("name", ["size", "count", "colour", "name"])
def test_columns_whose_cells_are_all_missing(model, name):
    column = _changes(model, **{name: [None] * 1000})[name]
    assert column.missing[1] == 1.0
    assert len(column.changes) == 1
    assert column.changes[0].startswith("100% of the cells are missing, ")
    assert column.distance is None


def test_batches_are_the_whole(model):
    rows, _ = _rows(900, 7)
    whole = open_table(rows)
    assert isinstance(whole, ArrowTable)
    parts = [NewRowCounts.of(model, whole.slice(a, a + 300)) for a in (0, 300, 600)]
    assert compared(model, parts[0] + parts[1] + parts[2]) == drift(model, rows)
