"""``report`` leaves rows out as ``train`` does: by group, or in the order of time."""

import json

import duckdb
import pytest


@pytest.fixture
def visits(tmp_path, monkeypatch):
    """Rows of 20 patients, each with one class and a fingerprint: without the group, a patient is recognised."""
    monkeypatch.chdir(tmp_path)
    duckdb.sql(
        "select i // 6 as patient, i as day, hash(i // 6) % 1000 / 7.0 + (i % 6) / 1000 as print,"
        " if(hash(i // 6 + 50) % 2 = 0, 'ill', 'well') as health from range(120) t(i)"
    ).write_csv("visits.csv")
    return "visits.csv"


@pytest.mark.parametrize(("option", "column"), [("--group", "patient"), ("--time", "day")])
def test_as_train_does(suffice, visits, option, column):
    words = [visits, "-t", "health", option, column, "--folds", "4", "--json"]
    code, out, err = suffice(
        "train", *words, "-o", "visits.model", "--drop", "day" if column == "patient" else "patient"
    )
    assert code == 0, err
    trained = json.loads(out)
    code, out, err = suffice("report", "visits.model", *words)
    assert code == 0, err
    found = json.loads(out)
    assert found["judged_by"] == trained["judged_by"]
    assert found["quality"] == trained["quality"]
    alone = [text for text in found["warnings"] if text.startswith("logistic could not be fitted: ")]
    assert bool(alone) == (option == "--time")  # before the first day of which all rows are of one class
    _, out, _ = suffice("report", "visits.model", visits, "-t", "health", "--json")
    assert json.loads(out)["quality"] != found["quality"]


def test_refusals(suffice, model, table):
    words = ["report", model, table, "-t", "kind", "--json"]
    code, _, err = suffice(*words, "--group", "plant_id", "--time", "length")
    assert code == 2
    assert "--group and --time are given" in err
    code, _, err = suffice(*words, "--group", "plnt_id")
    assert code == 3
    assert "did you mean 'plant_id'" in err
