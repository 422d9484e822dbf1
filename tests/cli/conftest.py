"""A table, a model of it, and the command line in this process."""

import io
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

from suffice import BayesClassifier, rows
from suffice.cli.app import main


@pytest.fixture(scope="session")
def flowers():
    """120 rows: two numbers, a category with holes, a name for each row, three classes."""
    rng = np.random.default_rng(3)
    kind = np.repeat(["aster", "broom", "clover"], [60, 40, 20])
    mean = {"aster": 2.0, "broom": 5.0, "clover": 8.0}
    length = np.array([mean[k] for k in kind]) + rng.normal(size=120)
    width = rng.gamma(4.0, 0.5, size=120) + (kind == "broom")
    colour = [
        None if i % 17 == 0 else ("white" if (k == "aster") ^ (i % 5 == 0) else "red") for i, k in enumerate(kind)
    ]
    table = pa.table(
        {
            "plant_id": [f"p{i:03d}" for i in range(120)],
            "length": length.round(2),
            "width": width.round(2),
            "colour": colour,
            "kind": kind,
        }
    )
    return table.take(pa.array(rng.permutation(120)))


@pytest.fixture
def table(flowers, tmp_path, monkeypatch):
    """Its path, in a folder of its own that is the present one."""
    monkeypatch.chdir(tmp_path)
    csv.write_csv(flowers, "flowers.csv")
    return "flowers.csv"


@pytest.fixture
def model(table, fitted):
    fitted.save("flowers.model")
    return "flowers.model"


@pytest.fixture(scope="session")
def fitted(flowers, tmp_path_factory):
    path = tmp_path_factory.mktemp("flowers") / "flowers.csv"
    csv.write_csv(flowers.drop_columns(["plant_id"]), path)
    return BayesClassifier().fit(rows(path), "kind")


@pytest.fixture
def suffice(capfd, monkeypatch):
    """Runs a command on a screen of 120 columns: exit code, what it printed, what it complained about."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["suffice", *words])
        with pytest.raises(SystemExit) as left:
            main(list(words))
        sys.stdout.flush()
        printed = capfd.readouterr()
        return left.value.code, printed.out, printed.err

    return run
