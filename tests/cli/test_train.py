"""``suffice train``: what is on the screen is what the library finds."""

import json
from pathlib import Path

import numpy as np
import pytest

import suffice as library
from suffice.evaluate import cross_validate
from suffice.evaluate.folds import stratified_folds


def test_the_screen(suffice, table, flowers):
    code, out, err = suffice("train", table, "--target", "kind", "-o", "new.model")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "120 rows, 3 columns, target kind, 8 cells missing"
    assert lines[3:7] == ["class rows share", "aster 60 50.0%", "broom 40 33.3%", "clover 20 16.7%"]
    assert "excluded: plant_id (identifies the row)" in lines
    assert not any(line.startswith("!") and "plant_id" in line for line in lines)
    assert any(line.startswith("colour category") and line.endswith("2 names: red, white") for line in lines)
    # quality is that of cross-validation from statistics, on the same folds
    rows = flowers.select(["length", "width", "colour"])
    labels = np.asarray(flowers.column("kind").to_pylist())
    fold = stratified_folds(np.unique(labels, return_inverse=True)[1].astype(np.int32), 5, 0)
    expected = cross_validate(rows, labels, folds=fold)
    ours = next(line for line in lines if line.startswith("this model"))
    assert f"{expected.log_loss.value:.4f} ± {expected.log_loss.error:.4f}" in ours
    assert f"{expected.accuracy.value:.4f} ± {expected.accuracy.error:.4f}" in ours
    assert [line.split()[0] for line in lines if line.startswith(("prior-only", "logistic"))] == [
        "prior-only",
        "logistic",
    ]
    assert lines[-3:] == [
        "new.model is written",
        "suffice report new.model flowers.csv --target kind -o report.html",
        "suffice predict new.model NEW_ROWS",
    ]
    assert (
        library.load("new.model").predict(rows).tolist()
        == library.BayesClassifier().fit(rows, labels).predict(rows).tolist()
    )


def test_json_is_the_same_summary(suffice, table):
    code, out, _ = suffice("train", table, "-t", "kind", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["data"]["rows"] == 120
    assert [c["name"] for c in found["columns"]] == ["length", "width", "colour"]
    assert found["left_out"] == [{"name": "plant_id", "why": "identifies the row"}]
    assert [q["name"] for q in found["quality"]] == ["this model", "prior-only", "logistic"]
    assert sum(sum(row) for row in found["decisions"]["confusion"]["rows"]) == 120
    assert sum(b["rows"] for b in found["calibration"]["bins"]) == 120
    assert found["reproduce"]["commands"] == ["suffice train flowers.csv -t kind --json"]


def test_without_out_nothing_is_written(suffice, table, tmp_path):
    _, out, _ = suffice("train", table, "-t", "kind")
    assert "nothing was written" in out
    assert [p.name for p in tmp_path.iterdir()] == ["flowers.csv"]


def test_what_exists_stays(suffice, table, tmp_path):
    (tmp_path / "old.model").write_text("precious")
    code, _, err = suffice("train", table, "-t", "kind", "-o", "old.model")
    assert code == 2
    assert err == "suffice: 'old.model' exists; it is not overwritten. Give another name, or add --force.\n"
    assert (tmp_path / "old.model").read_text() == "precious"
    assert suffice("train", table, "-t", "kind", "-o", "old.model", "--force")[0] == 0


@pytest.mark.parametrize("form", ["query", "glob", "stdin", "two"])
def test_rows_from_anywhere(suffice, table, form):
    text = Path(table).read_bytes()
    words = {
        "query": ["select * from 'flowers.csv'"],
        "glob": ["flow*.csv"],
        "stdin": ["-"],
        "two": [table, table],
    }[form]
    code, out, err = suffice("train", *words, "-t", "kind", stdin=text)
    assert (code, err) == (0, "")
    assert out.startswith("240 rows" if form == "two" else "120 rows")


def test_a_folder_of_texts(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for label, words in {"fish": "the cod swims in a cold sea", "fowl": "a goose flies over the old farm"}.items():
        (tmp_path / "animals" / label).mkdir(parents=True)
        for i in range(12):
            (tmp_path / "animals" / label / f"{i}.txt").write_text(f"{words} number {i} of {label}")
    code, out, _ = suffice("train", "animals", "-o", "animals.model", "--folds", "2")
    assert code == 0
    assert "24 rows, 1 column, target label" in out
    code, out, _ = suffice("predict", "animals.model", "animals", "--no-probabilities")
    answers = [line.replace('"', "").split(",") for line in out.splitlines()]
    assert answers[0] == ["file", "label", "prediction"]
    assert all(label == prediction for _, label, prediction in answers[1:])


def test_a_folder_of_mails(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for label, words in {"ham": "lunch at noon with the team", "spam": "cheap pills for you now"}.items():
        (tmp_path / "mails" / label).mkdir(parents=True)
        for i in range(12):
            head = f"From: {label}{i}@example.org\nTo: you@example.org\nSubject: {words}\n\n"
            (tmp_path / "mails" / label / str(i)).write_text(f"{head}{words} {i}\n")
    code, out, _ = suffice("train", "mails", "--folds", "2", "--json")
    assert code == 0
    assert {"subject", "body", "hops"} <= {c["name"] for c in json.loads(out)["columns"]}


def test_what_was_told_to_be_left_out_is_left_out_as_told(suffice, table):
    code, out, _ = suffice("train", table, "-t", "kind", "--drop", "width", "--folds", "2")
    assert code == 0
    assert "excluded: width (by --drop or --kind)" in out
    assert "excluded: plant_id (identifies the row)" in out
