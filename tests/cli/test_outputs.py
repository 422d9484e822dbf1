"""Where output goes: help without a verb, files that cannot be written, readers that leave, the width of the terminal."""

import io
import os
import sys

import pyarrow.csv as csv
import pytest

from suffice import BayesClassifier
from suffice.cli.app import VERBS, main
from suffice.cli.outcome import OUTPUT, USAGE
from suffice.cli.show import Page


def test_without_a_verb_there_is_help(suffice):
    code, out, err = suffice()
    assert (code, err) == (0, "")
    assert len(out.splitlines()) > 30
    assert "\n  train " in out


def test_a_report_is_html(suffice, model, table):
    code, out, err = suffice("report", model, table, "-o", "page.pdf")
    assert (code, out) == (USAGE, "")
    assert "must end in .html" in err
    assert not os.path.exists("page.pdf")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize(
    "words",
    [
        ["train", "flowers.csv", "-t", "kind", "--folds", "2", "-o"],
        ["predict", "flowers.model", "flowers.csv", "-o"],
        ["report", "flowers.model", "flowers.csv", "--folds", "2", "-o"],
        ["plot", "evidence", "flowers.model", "flowers.csv", "-o"],
        ["merge", "flowers.model", "flowers.model", "-o"],
        ["export", "flowers.model", "--html"],
    ],
    ids=lambda words: words[0],
)
def test_what_cannot_be_written_is_named_as_it_was_asked_for(suffice, model, table, words, tmp_path):
    """A folder in place of the file: even the superuser cannot write to that."""
    endings = {
        "train": "model",
        "predict": "csv",
        "report": "html",
        "plot": "png",
        "merge": "model",
        "export": "suffice",
    }
    ending = endings[words[0]]
    taken = tmp_path / f"taken.{ending}"
    taken.mkdir()
    code, _, err = suffice(*words, str(taken), "--force")
    assert (code, err.count("\n")) == (OUTPUT, 1)
    assert f"'{taken}' cannot be written" in err
    assert "part" not in err
    assert list(taken.iterdir()) == []
    assert not [name for name in os.listdir(tmp_path) if "part" in name]


@pytest.mark.parametrize(
    "words",
    [
        ["train", "flowers.csv", "-t", "kind", "-o"],
        ["predict", "flowers.model", "flowers.csv", "-o"],
        ["report", "flowers.model", "flowers.csv", "-o"],
        ["plot", "evidence", "flowers.model", "flowers.csv", "-o"],
        ["merge", "flowers.model", "flowers.model", "-o"],
        ["sample", "flowers.model", "-o"],
        ["export", "flowers.model", "--html"],
        ["demo", "tennis", "-o"],
    ],
    ids=lambda words: words[0],
)
def test_a_folder_that_is_not_there_is_an_output_that_cannot_be_written(suffice, model, table, words):
    ending = {"report": "html", "plot": "png", "export": "html"}.get(words[0], "csv")
    code, out, err = suffice(*words, f"nowhere/made.{ending}")
    assert (code, out) == (OUTPUT, "")
    assert f"There is no folder 'nowhere' to write 'nowhere/made.{ending}' to" in err


_WORDS = {
    "train": ["few.csv", "-t", "kind", "--folds", "2"],
    "predict": ["flowers.model", "few.csv"],
    "evaluate": ["flowers.model", "few.csv"],
    "explain": ["flowers.model", "few.csv"],
    "ask": ["naive.model", "few.csv"],
    "report": ["flowers.model", "few.csv", "--folds", "2", "--json"],
    "compare": ["few.csv", "-t", "kind", "--folds", "2", "--models", "prior-only"],
    "audit": ["few.csv", "-t", "kind"],
    "merge": ["flowers.model", "flowers.model", "-o", "sum.model"],
    "learn": ["flowers.model", "few.csv", "-t", "kind", "-o", "more.model"],
    "forget": ["flowers.model", "few.csv", "-t", "kind", "-o", "less.model"],
    "inspect": ["flowers.model"],
    "diff": ["flowers.model", "flowers.model"],
    "sample": ["naive.model", "-n", "3"],
    "plot": ["evidence", "flowers.model", "few.csv", "-o", "why.png"],
    "sql": ["naive.model"],
    "counted": ["--help"],
    "export": ["--help"],
    "serve": ["--help"],
    "labels": ["--help"],
    "token": ["list", "--model", "flowers.model"],
    "tokens": ["--help"],
    "demo": ["tennis"],
}


@pytest.mark.parametrize("verb", [verb.__name__ for verb in VERBS])
def test_a_reader_that_leaves_is_no_error(verb, model, table, flowers, capfd, monkeypatch):
    """``test_program`` has the same of a process."""
    few = flowers.drop_columns(["plant_id"])
    csv.write_csv(few, "few.csv")
    if "naive.model" in _WORDS[verb]:
        BayesClassifier(model="naive").fit(few, "kind").save("naive.model")
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as unread:
        monkeypatch.setattr(sys, "stdout", unread)
        with pytest.raises(SystemExit) as left:
            main([verb, *_WORDS[verb]])
        unread.flush()  # as at the end of a process
        monkeypatch.undo()
    assert (left.value.code, capfd.readouterr()) == (0, ("", ""))


@pytest.mark.parametrize("width", [60, 160])
def test_the_width_of_the_terminal_is_used(suffice, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    helped = suffice("--help")[1].splitlines()
    assert max(map(len, helped)) <= width
    assert width < 100 or max(map(len, helped)) > 100
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    Page().table(["column", "why"], [("length", "a reason of many words " * 9)])
    assert width - 25 < max(map(len, sys.stdout.getvalue().splitlines())) <= width
