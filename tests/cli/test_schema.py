"""What ``--json`` prints is what the shipped schema has, verb by verb, errors included."""

import json

import duckdb
import pytest

from cli.json_schema import faults, unnamed
from suffice.cli import schema
from suffice.cli.app import VERBS

ROOT = json.loads(schema.FILE.read_text(encoding="utf-8"))

COMMANDS = {
    "train": ["train", "flowers.csv", "-t", "kind", "-o", "a.model"],
    "train mle": ["train", "flowers.csv", "-t", "kind", "--model", "naive", "--estimate", "mle", "-o", "naive.model"],
    "train logistic": ["train", "flowers.csv", "-t", "kind", "--model", "logistic"],
    "report": ["report", "a.model", "flowers.csv", "-t", "kind"],
    "evaluate": ["evaluate", "a.model", "flowers.csv", "-t", "kind"],
    "explain": ["explain", "a.model", "flowers.csv", "--row", "3"],
    "ask": ["ask", "naive.model", "select null::double as length, width, colour from 'flowers.csv'", "--person", "0.2"],
    "compare": ["compare", "flowers.csv", "-t", "kind", "-m", "naive,k-nn,lda", "--folds", "2"],
    "audit": ["audit", "flowers.csv", "-t", "kind", "--model", "naive"],
    "merge": ["merge", "a.model", "a.model", "-o", "both.model"],
    "learn": ["learn", "a.model", "flowers.csv", "-t", "kind", "-o", "more.model"],
    "forget": ["forget", "more.model", "flowers.csv", "-t", "kind", "-o", "less.model"],
    "counted": ["counted", "naive.model", "counts.csv", "-o", "counted.model"],
    "inspect": ["inspect", "a.model"],
    "inspect why": ["inspect", "a.model", "--why"],
    "inspect parameters": ["inspect", "naive.model", "--parameters"],
    "diff": ["diff", "a.model", "naive.model"],
    "plot": ["plot", "confusion", "a.model", "flowers.csv", "-t", "kind", "-o", "a.svg"],
    "sql": ["sql", "naive.model", "--table", "flowers"],
    "export": ["export", "naive.model", "--script", "scorer.js"],
    "demo": ["demo", "tennis"],
    "demo rows": ["demo", "tennis", "-o", "tennis.csv"],
    "predict": ["predict", "a.model", "flowers.csv", "-o", "answers.csv"],
    "train texts": ["train", "mails.csv", "-t", "kind", "--drop", "id", "--model", "naive", "-o", "mail.model"],
    "tokens": ["tokens", "mail.model", "mails.csv", "-o", "tokens.csv"],
    "labels": ["labels", "--model", "a.model", "-o", "labels.csv"],
    "sample": ["sample", "a.model", "-o", "drawn.csv"],
}
WITHOUT = {"serve", "token"}
"""Verbs that print no JSON."""


def test_the_file_is_made_from_the_types():
    assert schema.FILE.read_text(encoding="utf-8") == schema.text()


def test_every_verb_is_in_it():
    verbs = {verb.__name__ for verb in VERBS} - WITHOUT
    assert set(schema.VERBS) == {*verbs, "error"}
    assert {name.split()[0] for name in COMMANDS} == verbs


def test_every_verb_prints_what_it_has(suffice, table):
    text = "'hello ' || (i % 7) || ' and ' || (i % 11) || ' from ' || i as text"
    duckdb.sql(f"select i as id, {text}, if(i % 2 = 0, 'a', 'b') as kind from range(80) t(i)").write_csv("mails.csv")
    for name, words in COMMANDS.items():
        if name == "counted":
            query = suffice("sql", "naive.model", "--counting", "kind", "--table", "flowers.csv")[1]
            duckdb.sql(query).write_csv("counts.csv")
        code, out, err = suffice(*words, "--json")
        assert code == 0, err
        found = json.loads(out)
        assert next(iter(found)) == "schema"
        one = ROOT["$defs"][name.split()[0]]
        assert faults(found, one, ROOT) == [], name
        assert unnamed(found, one, ROOT) == [], name


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["train", "flowers.csv", "-t", "knid"], 3, {"found": "There is no column 'knid'"}),
        (["train", "flowers.csv", "-t", "kind", "--model", "best"], 2, {}),
        (["predict", "no.model", "flowers.csv"], 3, {}),
        (["audit", "flowers.csv"], 2, {"todo": "Add --target COLUMN"}),
    ],
)
def test_errors_are_json_too(suffice, table, words, code, part):
    found_code, out, err = suffice(*words, "--json")
    assert (found_code, out) == (code, "")
    found = json.loads(err)
    assert faults(found, ROOT["$defs"]["error"], ROOT) == []
    assert found["error"]["code"] == code
    assert part.items() <= found["error"].items()


def test_rows(suffice, model, table):
    words = ["--cost", "aster:broom=3", "--json"]
    for line in suffice("predict", model, table, *words)[1].splitlines():
        assert faults(json.loads(line), ROOT["$defs"]["predict row"], ROOT) == []
    for line in suffice("sample", model, "--json")[1].splitlines():
        assert faults(json.loads(line), ROOT["$defs"]["sample row"], ROOT) == []


def test_the_check_can_fail():
    good = {"schema": 1, "out": "a.png", "bytes": 3, "rows": ""}
    assert faults(good, ROOT["$defs"]["plot"], ROOT) == []
    assert faults({**good, "bytes": "3"}, ROOT["$defs"]["plot"], ROOT)
    assert faults({**good, "schema": 2}, ROOT["$defs"]["plot"], ROOT)
    assert faults({"schema": 1, "out": "a.png"}, ROOT["$defs"]["plot"], ROOT)
    assert unnamed({**good, "more": 1}, ROOT["$defs"]["plot"], ROOT)
