"""``suffice predict``: the library's answers, in order, as they come."""

import csv as plain_csv
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest

from suffice.cli.stream import split_first
from suffice.columns.arrow_table import FEW_CELLS, ArrowTable


def _table(text):
    return list(plain_csv.DictReader(io.StringIO(text)))


def test_csv_on_standard_output(suffice, model, table, flowers, fitted):
    code, out, err = suffice("predict", model, table)
    found = _table(out)
    assert (code, err) == (0, "")
    assert list(found[0]) == [
        "plant_id",
        "kind",
        "prediction",
        "probability_aster",
        "probability_broom",
        "probability_clover",
    ]
    assert [row["plant_id"] for row in found] == flowers.column("plant_id").to_pylist()
    assert [row["prediction"] for row in found] == fitted.predict(flowers).tolist()
    p = np.array([[float(row[f"probability_{c}"]) for c in fitted.classes_] for row in found])
    assert np.allclose(p, fitted.predict_proba(flowers), rtol=1e-12, atol=0)


def test_standard_input_as_csv_and_as_json_lines(suffice, model, table, flowers, fitted):
    text = Path(table).read_bytes()
    code, from_csv, _ = suffice("predict", model, "-", "--keep", "plant_id", stdin=text)
    assert code == 0
    lines = "".join(json.dumps(row) + "\n" for row in flowers.to_pylist()).encode()
    code, from_json, _ = suffice("predict", model, "-", "--keep", "plant_id", stdin=lines)
    assert code == 0
    assert _table(from_csv) == _table(from_json)
    assert [row["prediction"] for row in _table(from_csv)] == fitted.predict(flowers).tolist()


def test_files_are_written_whole(suffice, model, table, fitted, flowers):
    code, out, _ = suffice("predict", model, table, "-o", "answers.parquet", "--keep", "plant_id", "--no-probabilities")
    assert (code, out) == (0, "120 rows predicted: answers.parquet\n")
    found = parquet.read_table("answers.parquet")
    assert found.column_names == ["plant_id", "prediction"]
    assert found.column("prediction").to_pylist() == fitted.predict(flowers).tolist()
    code, _, err = suffice("predict", model, table, "-o", "answers.parquet")
    assert code == 2
    assert "exists; it is not overwritten" in err


def test_json_lines(suffice, model, table):
    _, out, _ = suffice("predict", model, table, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 120
    assert set(rows[0]) >= {"prediction", "probability_aster"}


def test_a_column_that_is_missing_is_named(suffice, model):
    code, _, err = suffice("predict", model, "-", stdin=b"lenght,width,colour\n1,2,red\n")
    assert code == 3
    assert err == (
        "suffice: The rows have no column 'length', which the model reads; did you mean 'lenght'? "
        "The columns are 'lenght', 'width', 'colour'.\n"
    )


def test_models_of_drop_ins_answer_too(suffice, table, flowers, tmp_path):
    from suffice import GaussianNB

    X, y = np.column_stack([flowers["length"], flowers["width"]]), np.asarray(flowers["kind"])
    GaussianNB().fit(X, y).save("drop-in.model")
    code, out, _ = suffice("predict", "drop-in.model", "select length, width from 'flowers.csv'", "--no-probabilities")
    assert code == 0
    assert [row["prediction"] for row in _table(out)] == GaussianNB().fit(X, y).predict(X).tolist()


def test_cells_are_read_as_they_were_learned(suffice, tmp_path, monkeypatch):
    """Files have no types: "yes" was taken for true when it was learned, and so must it be when it comes by itself."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{'yes' if i % 2 else 'no'},{code},{'a' if i % 2 else 'b'}" for i, code in enumerate(["1", "2", "x", "2"] * 10)
    ]
    (tmp_path / "rows.csv").write_text("\n".join(["smokes,code,y", *lines]) + "\n")
    assert suffice("train", "rows.csv", "-t", "y", "-o", "m.model")[0] == 0
    _, whole, _ = suffice("predict", "m.model", "rows.csv")
    _, piped, _ = suffice("predict", "m.model", "-", stdin=(tmp_path / "rows.csv").read_bytes())
    assert _table(piped) == _table(whole)
    _, alone, _ = suffice("predict", "m.model", "-", stdin=b"smokes,code,y\nyes,2,a\n")
    assert _table(alone)[0] == _table(whole)[1]


@pytest.mark.parametrize("lengths", [[], [1], [FEW_CELLS], [FEW_CELLS + 1], [3 * FEW_CELLS, 5]])
def test_some_come_first_and_none_are_lost(lengths):
    numbers = np.split(np.arange(sum(lengths)), np.cumsum(lengths)[:-1])
    tables = [ArrowTable(pa.table({"a": part})) for part in numbers if len(part)]
    found = list(split_first(iter(tables)))
    assert [number for table in found for number in table.table["a"].to_pylist()] == list(range(sum(lengths)))
    assert all(table.rows > 0 for table in found)
    assert not found or found[0].rows <= FEW_CELLS


def test_a_long_file_is_answered_as_its_parts_are(suffice, model, flowers):
    """Few rows are coded in another way than many."""
    csv.write_csv(pa.concat_tables([flowers] * 25), "long.csv")
    csv.write_csv(flowers, "short.csv")
    header, *answers = suffice("predict", model, "short.csv")[1].splitlines()
    assert suffice("predict", model, "long.csv")[1].splitlines() == [header, *answers * 25]
