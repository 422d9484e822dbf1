"""What train says of a table: constants, repeated rows, near-identifiers, labels that differ by case, numbers with tokens."""

import numpy as np
import pyarrow as pa
import pytest

from suffice import BayesClassifier
from suffice.report.remarks import remarks
from suffice.report.subject import Subject


@pytest.fixture
def table():
    rng = np.random.default_rng(2)
    n = 1000
    return pa.table(
        {
            "x": rng.normal(size=n),
            "same": ["k"] * n,
            "ticket": [f"t{i - i % 50 // 49}" for i in range(n)],
            "y": rng.choice(["yes", "no"], n),
        }
    )


def said(table):
    return remarks(Subject(BayesClassifier(model="naive").fit(table, "y"), table, "y", table.num_rows))


def test_most_tables_need_none(table):
    assert said(table.select(["x", "y"])) == []


def test_constants_near_identifiers_repeated_rows_and_labels(table):
    labels = [
        f"{label} " if i < 3 else label.title() if i < 6 else label for i, label in enumerate(table["y"].to_pylist())
    ]
    messy = pa.concat_tables([t := table.set_column(3, "y", pa.array(labels)), t.slice(100, 7)])
    constant, repeated, nearly, alike = said(messy)
    assert constant == "Column 'same' is constant in all rows."
    assert repeated == "7 rows repeat another row in every column, the target included."
    assert nearly == "Column 'ticket' is nearly unique: --drop it if it is an identifier."
    assert alike.startswith("Classes that differ only by case or blanks are distinct: ")
    assert "'Yes'" in alike or "'No'" in alike


def test_numbers_but_for_a_few_tokens_are_named(table):
    rng = np.random.default_rng(1)
    prices = [f"{v:.2f}" if v < 95 else "on request" for v in rng.uniform(0, 100, table.num_rows)]
    with pytest.warns(
        UserWarning, match=r"'price' is text, and numbers except for 'on request' in \d\d of 1,000 cells"
    ):
        BayesClassifier(model="naive").fit(table.append_column("price", pa.array(prices)), "y")
