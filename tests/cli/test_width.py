"""Tables of scores fit the terminal: fewer digits first, then fewer columns, which are named."""

import pytest


@pytest.fixture
def compared(suffice, table, monkeypatch):
    """The lines of the table of ``compare``, and all other lines, on a screen of some columns."""

    def run(columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        code, out, _ = suffice("compare", table, "-t", "kind", "-m", "naive,lda,prior-only", "--folds", "2")
        assert code == 0
        lines = out.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("model "))
        return lines[start : start + 4], lines[start + 4 :]

    return run


@pytest.mark.parametrize(
    ("columns", "digits", "between"), [(120, 4, " ± "), (82, 4, " ± "), (80, 3, " ± "), (70, 3, "±")]
)
def test_digits_follow_the_width(compared, columns, digits, between):
    (header, *rows), others = compared(columns)
    assert header.split() == ["model", "log-loss", "Brier", "score", "accuracy", "fit", "predict"]
    for row in rows:
        assert len(row) <= columns
        assert row.count(between) == 3
        assert len(row.split(between)[0].rsplit(".", 1)[1]) == digits
    assert not any("no room" in line for line in others)


def test_columns_left_out_are_named(compared):
    (header, *rows), others = compared(52)
    assert header.split() == ["model", "log-loss", "Brier", "score", "accuracy"]
    assert all(len(row) <= 52 and row.count("±") == 3 for row in rows)
    assert others[0] == "not shown: predict, fit; use a wider terminal or --json"


def test_train_fits_eighty_columns(suffice, table, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = suffice("train", table, "-t", "kind", "--model", "naive", "--folds", "2")
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if "log-loss" in line)
    assert lines[start].split() == ["log-loss", "Brier", "score", "accuracy", "AUC", "behind"]
    for name, line in zip(("this model", "prior-only", "logistic"), lines[start + 1 :], strict=False):
        assert line.startswith(name)
        assert len(line) <= 80
        assert line.count("±") == (4 if name == "this model" else 5)
