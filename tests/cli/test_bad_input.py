"""One line that says what, where and what to do, and the exit code."""

import numpy as np
import pytest


def _complaint(err):
    assert err.startswith("suffice: ")
    assert err.count("\n") == 1
    return err.removeprefix("suffice: ").rstrip("\n")


def test_a_mistyped_column_gets_the_nearest(suffice, table):
    code, out, err = suffice("train", table, "--target", "kin")
    assert (code, out) == (3, "")
    assert _complaint(err).startswith("There is no column 'kin'; did you mean 'kind'? The columns are 'plant_id', ")


def test_a_target_that_measures_is_no_class(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    lines = "\n".join(f"{a:.6f},{b:.6f}" for a, b in rng.normal(size=(5000, 2)))
    (tmp_path / "prices.csv").write_text(f"a,price\n{lines}\n")
    code, _, err = suffice("train", "prices.csv", "-t", "price")
    assert code == 3
    assert "'price' has" in _complaint(err)
    assert "it is continuous" in err


def test_no_target(suffice, table):
    code, _, err = suffice("train", table)
    assert code == 2
    assert _complaint(err).endswith("Add --target COLUMN.")


def test_one_class(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text("a,y\n1,no\n2,no\n3,no\n")
    code, _, err = suffice("train", "one.csv", "-t", "y")
    assert code == 3
    assert "at least two classes are needed" in _complaint(err)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["train", "nowhere.csv", "-t", "y"], 3, "There is no file 'nowhere.csv'"),
        (["predict", "nowhere.model", "x.csv"], 3, "'nowhere.model' cannot be used: No such file or directory."),
        (["trian"], 2, "No such command 'trian'"),
        (["train"], 2, "Missing argument"),
        (["train", "a.csv", "--tarsget", "y"], 2, "No such option: --tarsget"),
        (["train", "a.csv", "--folds", "1"], 2, "Invalid value for '--folds'"),
        (["demo", "tenis"], 2, "did you mean 'tennis'?"),
        (["compare", "flowers.csv", "-t", "kind", "-m", "os.system"], 2, "There is no model 'os.system'"),
    ],
)
def test_usage_and_files(suffice, table, words, code, said):
    left, _, err = suffice(*words)
    assert left == code
    assert said in _complaint(err)


def test_a_file_that_is_no_model_is_refused(suffice, table):
    code, _, err = suffice("predict", table, table)
    assert code == 4
    assert "was not written by suffice" in _complaint(err)


def test_classes_the_model_does_not_know(suffice, model, tmp_path):
    (tmp_path / "new.csv").write_text("length,width,colour,kind\n1,1,red,daisy\n")
    code, _, err = suffice("evaluate", model, "new.csv", "-t", "kind")
    assert code == 3
    assert _complaint(err) == ("Column 'kind' holds 'daisy'; the model has the classes 'aster', 'broom', 'clover'.")


def test_a_class_that_is_mistyped(suffice, model, table):
    code, _, err = suffice("explain", model, table, "--of", "brom")
    assert code == 2
    assert "did you mean 'broom'?" in _complaint(err)


def test_a_row_that_is_not_there(suffice, model, table):
    code, _, err = suffice("explain", model, table, "--row", "121")
    assert code == 3
    assert _complaint(err) == "There is no row 121; there are 120 rows."


def test_debug_shows_where(suffice, table):
    _, _, err = suffice("train", table, "-t", "kin", "--debug")
    assert err.startswith("Traceback")
    assert err.splitlines()[-1].startswith("suffice: There is no column 'kin'")


def test_text_that_moves_the_cursor_is_shown_as_text(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 3},{'bad' if i % 2 else 'good'}\x1b[2J\n" for i in range(40))
    (tmp_path / "evil.csv").write_text(f"a\x1b]0;title\x07,y\n{rows}")
    code, out, _ = suffice("train", "evil.csv", "-t", "y")
    assert code == 0
    assert "\x1b" not in out
    assert "\\x1b" in out


def test_the_last_columns_are_named_among_many(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [f"c{i}" for i in range(30)]
    (tmp_path / "wide.csv").write_text(f"{','.join(names)},label\n{','.join('1' * 30)},a\n")
    code, _, err = suffice("train", "wide.csv", "--target", "species")
    assert code == 3
    assert err.endswith("'c11', …, 'c29', 'label'.\n")
