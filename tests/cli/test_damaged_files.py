"""Damaged tables: what is wrong is named, and what a hint recommends works."""

import json
import re

import numpy as np
import pytest

from suffice import load
from suffice.cli.outcome import DATA

TRAIN = ["-t", "loan", "--model", "naive", "--folds", "2"]


@pytest.fixture
def loans(tmp_path, monkeypatch):
    """Rows of 200 loans, as texts, in a folder of its own that is the present one."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    bad = rng.random(200) < 0.4
    balance = rng.normal(1500.0 - 2000.0 * bad, 800.0)
    return [
        [f"{b:.2f}", f"0{1000 + i % 12 * 37}", "bad" if k else "good"]
        for i, (b, k) in enumerate(zip(balance, bad, strict=True))
    ]


def write(rows, header=("balance", "zip", "loan"), encoding="utf-8"):
    lines = [",".join(cells) for cells in ([header] if header else []) + rows]
    with open("loans.csv", "w", encoding=encoding, newline="") as file:
        file.write("\n".join(lines) + "\n")


def test_rows_without_a_class_are_not_learned_from(suffice, loans):
    write([[a, b, "" if i % 4 == 0 else c] for i, (a, b, c) in enumerate(loans)])
    for model in ("naive", "lda"):
        code, out, err = suffice(
            "train", "loans.csv", *TRAIN[:2], "--model", model, "--folds", "2", "-o", f"{model}.model"
        )
        assert code == 0, err
        assert "The class is missing in 50 of 200 rows; they are not learned." in out
    assert load("naive.model").model_.tally.weight.sum() == 150


@pytest.mark.parametrize(
    ("cells", "said"), [(1, "1 cell instead of 3"), (2, "2 cells instead of 3"), (5, "5 cells instead of 3")]
)
def test_a_ragged_line_is_counted_right_and_the_query_of_the_hint_leaves_it_out(suffice, loans, cells, said):
    loans[100] = [*loans[100], "more", "and more"][:cells]
    write(loans)
    code, _, err = suffice("train", "loans.csv", *TRAIN)
    assert code == DATA
    assert "line 102 is" in err
    assert said in err
    query = re.search(r'"(from read_csv.*)"', err)[1]
    assert suffice("train", query, *TRAIN, "-o", "loans.model")[0] == 0
    code, out, _ = suffice("predict", "loans.model", query)
    assert (code, len(out.splitlines())) == (0, 200)  # with the header


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_counted_as_in_the_file(suffice, loans, end):
    """Not as rows: cells have line breaks, and some lines are blank."""
    write(loans, ("balance", "note", "loan"))
    assert suffice("train", "loans.csv", *TRAIN, "-o", "loans.model")[0] == 0
    lines, bad = ["balance,note,loan"], []
    for i, (balance, code, loan) in enumerate(loans):
        if i % 10 == 3:
            lines.append("")
        if i in (60, 150):
            bad.append((len(lines) + 1, "'1.5,x' (2 cells instead of 3)"))
            lines.append("1.5,x")
        if i in (0, 70, 151):
            bad.append((len(lines) + 1, "has 'much' in column 'balance' (numbers)"))
        lines += f'{"much" if i in (0, 70, 151) else balance},"{code}{end}and{end}more",{loan}'.split(end)
    with open("loans.csv", "w", encoding="utf-8", newline="") as file:
        file.write(end.join(lines) + end)
    code, _, err = suffice("evaluate", "loans.model", "loans.csv", "-t", "loan")
    assert code == DATA
    assert "has 5 malformed lines" in err
    found = [
        (int(line), said)
        for line, said in re.findall(r"line (\d+) (?:is )?(.*?)(?:; |: |\. )", err.split("malformed lines: ")[1])
    ]
    assert [line for line, _ in found] == [line for line, _ in bad]
    assert all(said in err for _, said in bad)


def test_negative_numbers_in_parentheses(suffice, loans):
    write([[a, b, c] for a, b, c in loans])
    assert suffice("train", "loans.csv", *TRAIN, "-o", "plain.model")[0] == 0
    write([[f"({a[1:]})" if a.startswith("-") else a, b, c] for a, b, c in loans])
    code, out, _ = suffice("train", "loans.csv", *TRAIN, "-o", "account.model")
    assert code == 0
    assert "read: balance: negative numbers in parentheses" in out
    assert suffice("predict", "account.model", "loans.csv") == suffice("predict", "plain.model", "loans.csv")


def test_leading_zeros_are_those_of_codes(suffice, loans):
    write(loans)
    code, out, _ = suffice("train", "loans.csv", *TRAIN, "-o", "loans.model")
    assert code == 0
    assert "read: zip: leading zeros, so a category (--kind zip=number if not)" in out
    assert "12 names: 01" in out
    _, out, _ = suffice("train", "loans.csv", *TRAIN, "--kind", "zip=number", "--json")
    assert {one["name"]: one["kind"] for one in json.loads(out)["columns"]}["zip"] == "number"


def test_zeros_before_numbers_that_hardly_repeat_are_padding(suffice, loans):
    write([[f"{int(abs(float(a)) * 100):08d}", b, c] for a, b, c in loans])
    _, out, _ = suffice("train", "loans.csv", *TRAIN, "--json")
    assert {one["name"]: one["kind"] for one in json.loads(out)["columns"]}["balance"] == "number"


def test_a_file_in_two_encodings_is_named(suffice, loans):
    write(loans)
    with open("loans.csv", "rb") as file:
        text = file.read().replace(b",01037,", "Köln,".encode("latin-1").join([b",", b""]), 3)
    with open("loans.csv", "wb") as file:
        file.write(text)
    assert "mixes UTF-8" not in suffice("train", "loans.csv", *TRAIN)[1]
    with open("loans.csv", "wb") as file:
        file.write(text.replace(b",01074,", ",Köln,".encode(), 3))
    assert (
        "read: 'loans.csv' mixes UTF-8 with another encoding: non-ASCII characters in UTF-8 are garbled"
        in suffice("train", "loans.csv", *TRAIN)[1]
    )


def test_a_file_without_names_of_columns(suffice, loans):
    write(loans, header=None)
    code, _, err = suffice("train", "loans.csv", *TRAIN)
    assert code == DATA
    assert "the first line has no column names; the columns are 'column0', 'column1', 'column2'" in err
    assert suffice("train", "loans.csv", "-t", "column2", *TRAIN[2:])[0] == 0


def test_classes_that_differ_by_case_are_joined_by_the_query_of_the_hint(suffice, loans):
    write([[a, b, [c, c.upper(), f"{c} "][i % 3]] for i, (a, b, c) in enumerate(loans)])
    code, out, _ = suffice("train", "loans.csv", *TRAIN, "--json")
    assert code == 0
    remark = next(one for one in json.loads(out)["data"]["remarks"] if "differ only by case" in one)
    code, out, _ = suffice("train", remark.split("query: ")[1], *TRAIN, "--json")
    assert code == 0
    assert {one["label"] for one in json.loads(out)["classes"]} == {"good", "bad"}


@pytest.mark.parametrize("form", ["query", "semicolons", "latin-1", "two files"])
def test_classes_that_differ_by_case_are_joined_by_a_query_where_it_reads_the_same(suffice, loans, form):
    rows = [[a.replace(".", "," if form == "semicolons" else "."), "Köln", c.upper() if i % 3 else c]
            for i, (a, _, c) in enumerate(loans)]  # fmt: skip
    if form == "semicolons":
        rows = [[";".join(row)] for row in rows]
    header = ["balance;city;loan"] if form == "semicolons" else ["balance", "city", "loan"]
    write(rows, header, "latin-1" if form == "latin-1" else "utf-8")
    places = {"query": ["select * from 'loans.csv'"], "two files": ["loans.csv", "loans.csv"]}.get(form, ["loans.csv"])
    remark = next(
        r for r in json.loads(suffice("train", *places, *TRAIN, "--json")[1])["data"]["remarks"] if "case" in r
    )
    if form != "query":
        assert remark.endswith("To merge them, correct their spelling in the source.")
        return
    found = json.loads(suffice("train", remark.split("query: ")[1], *TRAIN, "--json")[1])
    assert {one["label"] for one in found["classes"]} == {"good", "bad"}


def test_an_archive_is_refused_with_what_works(suffice, loans):
    with open("loans.zip", "wb") as file:
        file.write(b"PK\x03\x04")
    code, _, err = suffice("train", "loans.zip", *TRAIN)
    assert code == DATA
    assert "Unpack it first" in err
