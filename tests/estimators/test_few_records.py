"""A few rows as dicts are scored without a frame around them: the answers, and the refusals, are those of the frame."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier
from suffice.columns.records_table import RecordsTable
from suffice.errors import SufficeError
from suffice.sources import open_records

CELLS = [
    None, float("nan"), float("inf"), 3, 3.0, 2.5, -7, 10**30, True, "3", "b", "unseen", "", np.float64(2.5), Decimal("2.5"),
    datetime.date(2024, 2, 29), [1, 2], b"b",
]  # fmt: skip


def _table(rows: int = 1200) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, rows)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(y, 1)),
            "visits": rng.poisson(1 + y),
            "job": [
                None if u < 0.1 else "abcd"[int(4 * u ** (1 + k))] for u, k in zip(rng.random(rows), y, strict=True)
            ],
            "code": (3 * rng.random(rows) ** (1 + y)).astype(int).astype(str),
            "member": rng.random(rows) < (y + 1) / 4,
        }
    ), y


@pytest.fixture(scope="module", params=["naive", "additive", "full"])
def fitted(request: pytest.FixtureRequest) -> tuple[BayesClassifier, list[dict]]:
    rows, y = _table()
    return BayesClassifier(model=request.param).fit(rows, y), rows.astype(object).where(rows.notna(), None).to_dict(
        "records"
    )


def _answer(model: BayesClassifier, rows: object) -> list | str:
    try:
        return model.predict_proba(rows).tolist()
    except SufficeError as error:
        return str(error)


def test_plain_cells_need_no_frame(fitted):
    _, records = fitted
    assert isinstance(open_records(records[:1]), RecordsTable)
    assert isinstance(open_records(records[:100]), RecordsTable)
    assert open_records(records) is None
    assert open_records([]) is None


def test_same_answers_as_the_frame(fitted):
    model, records = fitted
    names = list(records[0])
    columns = {name: [record[name] for record in records] for name in names}
    whole = model.predict_proba(columns)
    for few in (slice(0, 1), slice(7, 8), slice(20, 120)):
        assert np.array_equal(model.predict_proba(records[few]), whole[few])


@pytest.mark.parametrize("cell", CELLS, ids=repr)
@pytest.mark.parametrize("name", ["age", "visits", "job", "code", "member"])
def test_same_doors_as_the_frame(fitted, name, cell):
    model, records = fitted
    record = records[3] | {name: cell}
    by_frame = {key: [value] for key, value in record.items()}
    assert _answer(model, [record]) == _answer(model, by_frame)
    assert _answer(model, [records[0], record]) == _answer(
        model, {key: [records[0][key], value] for key, value in record.items()}
    )


def test_columns_that_are_lacking(fitted):
    model, records = fitted
    record = {name: cell for name, cell in records[0].items() if name != "job"}
    assert _answer(model, [record]) == _answer(model, {name: [cell] for name, cell in record.items()})
    assert "'job'" in str(_answer(model, [record]))


def test_learned_and_forgotten_row_by_row():
    rows, y = _table(400)
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    model = BayesClassifier().fit(rows.iloc[:395], y[:395])
    for record, label in zip(records[395:], y[395:], strict=True):
        model.partial_fit([record], [label])
    assert model.predict_proba(rows) == pytest.approx(BayesClassifier().fit(rows, y).predict_proba(rows), abs=1e-9)
    for record, label in zip(records[:5], y[:5], strict=True):
        model.forget([record], [label])
    assert model.predict_proba(rows) == pytest.approx(
        BayesClassifier().fit(rows.iloc[5:], y[5:]).predict_proba(rows), abs=1e-9
    )
