"""Everyday tables: decimal commas, question marks, dates, encodings, Excel. What is learned does not depend on it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as library


@pytest.fixture(scope="module")
def claims():
    """1,200 rows: two numbers and a date with holes, a name with an umlaut, a class that depends on all of them."""
    rng = np.random.default_rng(5)
    n = 1200
    amount, age = rng.gamma(3.0, 700.0, n).round(2), rng.integers(18, 90, n).astype(float)
    city = rng.choice(["Zürich", "Bern", "Genève"], n)
    day = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    odds = amount / 1500 - age / 40 + (city == "Zürich") + np.asarray(day.month % 2)
    fraud = np.where(rng.random(n) < 1 / (1 + np.exp(-2 * (odds - odds.mean()))), "yes", "no")
    age[rng.random(n) < 0.1] = np.nan
    amount[rng.random(n) < 0.05] = np.nan
    return pd.DataFrame({"amount": amount, "age": age, "city": city, "day": day, "fraud": fraud})


def german(frame: pd.DataFrame) -> pd.DataFrame:
    """1.234,50 € and 31.12.2024, holes as question marks."""
    swapped = str.maketrans(",.", ".,")
    return frame.assign(
        amount=[f"{v:,.2f} €".translate(swapped) if v == v else "?" for v in frame.amount],
        age=[f"{v:.1f}".translate(swapped) if v == v else "k. A." for v in frame.age],
        day=frame.day.dt.strftime("%d.%m.%Y"),
    )


WRITERS = {
    "utf-8": lambda d: german(d).to_csv("v.csv", index=False, sep=";"),
    "latin": lambda d: german(d).to_csv("v.csv", index=False, sep=";", encoding="cp1252"),
    "utf-16": lambda d: german(d).to_csv("v.csv", index=False, sep=";", encoding="utf-16"),
    "big-endian without a mark": lambda d: german(d).to_csv("v.csv", index=False, sep=";", encoding="utf-16-be"),
    "commas and quotes": lambda d: german(d).to_csv("v.csv", index=False, encoding="utf-8-sig"),
    "gz": lambda d: german(d).to_csv("v.csv.gz", index=False, sep="\t", encoding="cp1252"),
    "excel": lambda d: german(d).to_excel("v.xlsx", index=False),
    "excel with its own types": lambda d: d.assign(age=d.age.astype(object).fillna("k. A.")).to_excel(
        "v.xlsx", index=False
    ),
}


@pytest.fixture(scope="module")
def expected(claims, tmp_path_factory):
    path = tmp_path_factory.mktemp("claims") / "clean.csv"
    claims.to_csv(path, index=False, date_format="%Y-%m-%d")
    return library.BayesClassifier().fit(library.rows(path), "fraud")


@pytest.mark.parametrize("form", WRITERS)
def test_one_model_however_it_is_spelled(form, suffice, claims, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    WRITERS[form](claims)
    (name,) = [p.name for p in tmp_path.iterdir()]
    model = library.BayesClassifier().fit(library.rows(name, missing=["k. A."]), "fraud")
    assert list(model.feature_names_in_) == ["amount", "age", "city", "day"]
    wanted = expected.predict_proba(claims.drop(columns="fraud"))
    np.testing.assert_allclose(model.predict_proba(name), wanted, rtol=1e-9)  # read as the rows that were learned
    model.save("v.model")
    code, out, err = suffice("predict", "v.model", name)
    assert (code, err) == (0, "")
    got = [float(line.rsplit(",", 1)[1]) for line in out.splitlines()[1:]]
    np.testing.assert_allclose(got, wanted[:, 1], rtol=1e-9)
    if form not in ("excel", "excel with its own types", "gz"):
        code, out, err = suffice("predict", "v.model", "-", stdin=Path(name).read_bytes())
        assert (code, err) == (0, "")
        assert [float(line.rsplit(",", 1)[1]) for line in out.splitlines()[1:]] == got
    code, out, _ = suffice("evaluate", "v.model", name, "--json")
    assert code == 0
    right = np.mean(expected.predict(claims.drop(columns="fraud")) == claims.fraud)
    assert json.loads(out)["quality"][0]["accuracy"]["value"] == pytest.approx(right)


def test_train_reports_what_it_recognised_and_the_same_quality(suffice, claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    claims.to_csv("clean.csv", index=False, date_format="%Y-%m-%d")
    german(claims).to_csv("german.csv", index=False, sep=";", encoding="cp1252")
    found = {}
    for name, options in {"clean.csv": [], "german.csv": ["--missing", "k. A."]}.items():
        code, out, _ = suffice("train", name, "-t", "fraud", "--folds", "2", "--json", *options)
        assert code == 0
        found[name] = json.loads(out)
    clean, messy = (found[name]["quality"][0]["log_loss"]["value"] for name in found)
    assert messy == pytest.approx(clean, rel=1e-9)
    assert found["clean.csv"]["data"]["reading"] == []
    assert found["german.csv"]["data"]["reading"] == [
        "text in the encoding cp1252",
        "amount: numbers, decimal comma, thousands separated by '.', '€' removed",
        "amount: '?' is a missing cell",
        "age: numbers, decimal comma",
        "age: 'k. A.' is a missing cell",
        "day: dates, day first",
    ]
    _, out, _ = suffice("train", "german.csv", "-t", "fraud", "--folds", "2", "--missing", "k. A.", "--model", "naive")
    assert "read: day: dates, day first" in out


def test_later_files_are_read_as_the_first(suffice, claims, tmp_path, monkeypatch):
    """Rows learned and forgotten again in a file of dates that are ambiguous by themselves leave the model as it was."""
    monkeypatch.chdir(tmp_path)
    german(claims).to_csv("all.csv", index=False, sep=";")
    german(claims[(claims.day.dt.day <= 12) & claims.amount.notna()]).to_csv("early.csv", index=False, sep=";")
    assert suffice("train", "all.csv", "-t", "fraud", "--folds", "2", "--missing", "k. A.", "-o", "a.model")[0] == 0
    assert suffice("learn", "a.model", "early.csv", "-t", "fraud", "-o", "b.model")[0] == 0
    assert suffice("forget", "b.model", "early.csv", "-t", "fraud", "--in-place")[0] == 0
    before, after = (library.load(name).predict_proba("all.csv") for name in ("a.model", "b.model"))
    np.testing.assert_allclose(after, before, rtol=1e-6)
    (tmp_path / "us.csv").write_text("amount;age;city;day\n5,00 €;3,0;Bern;12/31/2024\n")
    code, _, err = suffice("predict", "a.model", "us.csv")
    assert code == 3
    assert "line 2 has '12/31/2024' in column 'day' (dates, day first)" in err


def test_dates_are_dates_in_what_is_printed_of_a_model(suffice, claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    german(claims).to_csv("a.csv", index=False, sep=";")
    later = claims.assign(day=claims.day + pd.Timedelta(days=900))
    german(later).drop(columns="fraud").to_csv("b.csv", index=False, sep=";")
    words = ["-t", "fraud", "--folds", "2", "--missing", "k. A.", "-o", "a.model"]
    assert suffice("train", "a.csv", *words)[0] == 0
    found = {one["name"]: one["typical"] for one in json.loads(suffice("inspect", "a.model", "--json")[1])["columns"]}
    for label, day, month in zip(["no", "yes"], found["day"], found["day (month)"], strict=True):
        here = claims[claims.fraud == label].day
        mean, _, spread = day.partition(" ± ")
        assert abs((pd.Timestamp(mean) - here.mean()).days) <= 2
        assert float(spread.removesuffix(" days")) == pytest.approx(here.std() / pd.Timedelta(days=1), rel=0.03)
        share = here.dt.month.value_counts(normalize=True)
        (most, part), *_ = [level.split() for level in month.split(", ")]
        assert part == f"{share[int(most)]:.0%}"
        assert share[int(most)] == share.max()
    _, _, notes = suffice("predict", "a.model", "b.csv", "--no-probabilities")
    (note,) = [line for line in notes.splitlines() if "Column 'day' differs" in line]
    low, high = map(pd.Timestamp, note.split("lie outside ")[1].split(";")[0].split(" to "))
    assert abs((low - claims.day.min()).days) <= 2
    assert abs((high - claims.day.max()).days) <= 2


def test_kinds(suffice, claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = claims.assign(zip=[f"{8000 + i % 40:05}" for i in range(len(claims))], note=claims.city + " office")
    table.to_csv("t.csv", index=False)
    kinds = ["--kind", "zip=category", "--kind", "note=text", "--kind", "day=ignore"]
    code, out, _ = suffice("train", "t.csv", "-t", "fraud", "--folds", "2", "--json", *kinds, "-o", "t.model")
    assert code == 0
    found = json.loads(out)
    assert {c["name"]: c["kind"] for c in found["columns"]} == {
        "amount": "number", "age": "number", "city": "category", "zip": "category", "note": "text",
    }  # fmt: skip
    assert {"name": "day", "why": "by --drop or --kind"} in found["left_out"]
    assert suffice("predict", "t.model", "t.csv")[0] == 0
    table.to_parquet("t.parquet")
    code, out, _ = suffice("train", "t.parquet", "-t", "fraud", "--folds", "2", "--json", "--kind", "age=category")
    assert next(c for c in json.loads(out)["columns"] if c["name"] == "age")["kind"] == "category"
    for words, complaint in {
        ("--kind", "zip"): "--kind is 'zip'; COLUMN=KIND is needed",
        ("--kind", "zap=category"): "has no column 'zap'",
        ("--kind", "zip=code"): "a column is one of 'number', 'category', 'text', 'date', 'ignore'",
        ("--encoding", "klingon"): "The encoding is 'klingon'",
        ("--encoding", "ascii"): "is not valid in the encoding 'ascii'",
    }.items():
        code, _, err = suffice("train", "t.csv", "-t", "fraud", *words)
        assert code in (2, 3)
        assert complaint in err


def test_a_folder_of_texts_in_any_encoding(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = {"fish": "a brown cöd swims in cold water", "fowl": "a grey gänse flock flies over fields"}
    for label, text in words.items():
        (tmp_path / "animals" / label).mkdir(parents=True)
        for i in range(12):
            coded = f"{text} {i}".encode(["utf-8", "cp1252", "utf-16"][i % 3])
            (tmp_path / "animals" / label / f"{i}.txt").write_bytes(coded)
    (tmp_path / "new").mkdir()
    for i, text in enumerate(words.values()):
        (tmp_path / "new" / f"{i}.txt").write_text(text, encoding="utf-16")
    assert suffice("train", "animals", "-o", "animals.model", "--folds", "2")[0] == 0
    code, out, _ = suffice(
        "predict", "animals.model", "new", "--no-probabilities"
    )  # no sub-folders: nobody knows the class
    assert code == 0
    assert out.splitlines() == ['"file","label","prediction"', '"new/0.txt",,"fish"', '"new/1.txt",,"fowl"']


def test_numbers_but_for_a_token_are_named_and_can_be_declared(suffice, claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    claims.assign(amount=claims.amount.astype(object).fillna("on request")).to_csv("t.csv", index=False)
    code, out, _ = suffice("train", "t.csv", "-t", "fraud", "--folds", "2")
    assert code == 0
    assert "'amount' is text, and numbers except for 'on request' in" in " ".join(out.split())
    assert "Add '--missing=on request' if that stands for a missing cell, or --kind amount=category to keep" in out
    assert "suffice.rows" not in out
    _, out, _ = suffice("train", "t.csv", "-t", "fraud", "--folds", "2", "--missing", "on request", "--json")
    found = json.loads(out)
    assert next(c for c in found["columns"] if c["name"] == "amount")["kind"] == "number"
    assert found["warnings"] == []


def test_measurements_with_a_token_are_not_left_out_in_silence(suffice, tmp_path, monkeypatch):
    """No two cells are equal, as in an identifier."""
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(0).normal(size=200)
    frame = pd.DataFrame({"x": x.astype(str), "z": np.arange(200) % 3, "y": np.where(x > 0, "yes", "no")})
    frame.loc[7, "x"] = "on request"
    frame.to_csv("t.csv", index=False)
    words = ["train", "t.csv", "-t", "y", "--folds", "2", "--model", "naive", "--json"]
    found = json.loads(suffice(*words)[1])
    assert found["warnings"][0].startswith(
        "Column 'x' is text, and numbers except for 'on request' in 1 of 200 cells: it is dropped as an identifier. Add "
        "'--missing=on request' if that stands for a missing cell"
    )
    found = json.loads(suffice(*words, "--missing=on request")[1])
    assert {one["name"]: one["kind"] for one in found["columns"]}["x"] == "number"


def test_a_sheet_is_named(suffice, claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pd.ExcelWriter("book.xlsx") as book:
        claims.to_excel(book, sheet_name="June", index=False)
        claims[:10].to_excel(book, sheet_name="notes", index=False)
    code, _, err = suffice("train", "book.xlsx", "-t", "fraud")
    assert code == 3
    assert "2 sheets: 'June', 'notes'; one of them is needed. Name it: 'book.xlsx::June'" in err
    code, out, _ = suffice("train", "book.xlsx::June", "-t", "fraud", "--folds", "2", "--model", "naive")
    assert code == 0
    assert out.startswith("1,200 rows, 4 columns")


def test_a_token_far_down_a_file_of_plain_numbers(suffice, tmp_path, monkeypatch):
    """Such columns are read as numbers, until a batch has another cell."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = rng.normal(size=90_000)
    rows = pd.DataFrame({"x": x, "kind": np.where(x + rng.normal(size=len(x)) > 0, "a", "b")})
    rows[:2_000].to_csv("few.csv", index=False)
    assert suffice("train", "few.csv", "-t", "kind", "--model", "naive", "-o", "a.model")[0] == 0
    cells = rows.x.astype(str)
    cells[85_000] = "n/a"
    pd.DataFrame({"x": cells}).to_csv("many.csv", index=False)
    assert suffice("predict", "a.model", "many.csv", "-o", "answers.csv")[0] == 0
    found = pd.read_csv("answers.csv")["probability_a"].to_numpy()
    expected = library.load("a.model").predict_proba(rows[["x"]].assign(x=rows.x.where(rows.index != 85_000)))[:, 0]
    assert np.allclose(found, expected, rtol=0, atol=1e-9)


ENCODINGS = {"latin-1": "Genève", "koi8-r": "Москва", "shift_jis": "東京", "gb18030": "北京", "utf-7": "Zürich"}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", ["naive", "logistic"])
def test_encodings_by_name(suffice, tmp_path, monkeypatch, encoding, kind):
    """Of more text than is decoded at once, with characters of several bytes at every place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("suffice.sources.files.encodings._CHUNK_BYTES", 64)
    place = ENCODINGS[encoding]
    rows = [(place if i % 3 else "Bern", f"{i % 50},5", "yes" if i % 3 else "no") for i in range(300)]
    text = "\n".join(["city;size;class", *(";".join(row) for row in rows)])
    Path("a.csv").write_bytes(text.encode(encoding))
    words = ["--model", kind, "--folds", "2", "--json", "-o", "a.model"]
    code, out, err = suffice("train", "a.csv", "-t", "class", "--encoding", encoding, *words)
    assert code == 0, err
    data = json.loads(out)["data"]
    assert f"text in the encoding {encoding.replace('latin-1', 'iso8859-1')}" in data["reading"]
    assert "size: numbers, decimal comma" in data["reading"]
    options = ["--encoding", encoding] if encoding == "utf-7" else []  # else remembered: utf-7 is ASCII
    code, out, err = suffice("predict", "a.model", "a.csv", "--json", *options)
    assert code == 0, err
    answers = [json.loads(line) for line in out.splitlines()]
    assert [a["prediction"] for a in answers] == [row[2] for row in rows]


@pytest.mark.parametrize("name", ["no-such", "base64", "idna", "unicode_escape", "undefined", "a\0b"])
def test_what_is_no_encoding_of_files_is_refused(suffice, table, name):
    code, _, err = suffice("train", table, "-t", "kind", "--encoding", name)
    assert code == 2
    assert "it must be a text encoding of Python, such as 'utf-8', 'utf-16', 'cp1252'" in err


def test_text_in_another_encoding_than_the_one_named(suffice, table):
    Path("latin.csv").write_bytes("city;class\nGenève;a\nBern;b\n".encode("latin-1"))
    for name in ("ascii", "utf-8"):
        code, _, err = suffice("train", "latin.csv", "-t", "class", "--encoding", name)
        assert code == 3
        assert f"'latin.csv' is not valid in the encoding '{name}'" in err


def test_logistic_regression_reads_later_files_as_the_first(tmp_path, monkeypatch):
    """1.234 is a thousand in one file, and would be one and a bit in another by itself."""
    monkeypatch.chdir(tmp_path)
    sizes = [f"{i % 9 + 1}.{i:03d},{i % 10}" for i in range(200)]
    Path("a.csv").write_text("size;class\n" + "".join(f"{s};{'yes' if s > '5' else 'no'}\n" for s in sizes))
    Path("b.csv").write_text("size\n1.234\n8.765\n")
    model = library.LogisticRegression(max_iter=500).fit(library.rows("a.csv"), "class")
    model.save("a.model")
    for each in (model, library.load("a.model")):
        assert each.predict("b.csv").tolist() == ["no", "yes"]
    assert model.fit(np.array([[0.0], [1.0]]), [0, 1]).schema_ is None
