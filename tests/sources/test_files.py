"""Files, databases and queries: one model whatever the rows are kept in, and bad files by name."""

import gzip
import sqlite3
import warnings
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

import suffice
from sources.visits import agree, visits
from suffice import BayesClassifier, Gaussian
from suffice.errors import DataError, MissingPackageError, ParameterError

FRAME = visits()


@pytest.fixture(scope="module")
def expected():
    return BayesClassifier().fit(FRAME, "label", "weight")


def in_sqlite(path: Path) -> str:
    with sqlite3.connect(path) as database:
        FRAME.drop(columns=["day", "member"]).to_sql("orders", database, index=False)
        pd.DataFrame({"a": [1]}).to_sql("others", database, index=False)
    return f"{path}::orders"


def in_duckdb(path: Path) -> str:
    with duckdb.connect(str(path)) as database:
        database.execute("create table orders as from FRAME")
        database.execute("create table others as select 1 as a")
    return f"{path}::orders"


def zipped(path: Path) -> Path:
    path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode()))
    return path


def in_folder(path: Path) -> Path:
    for i, part in enumerate(np.array_split(np.arange(len(FRAME)), 3)):
        (path / f"{i}").mkdir(parents=True)
        FRAME.iloc[part].to_parquet(path / f"{i}" / "part.parquet", index=False)
    (path / "_SUCCESS").write_text("")
    return path


def in_json_lines(path: Path) -> None:
    plain = FRAME.assign(day=FRAME.day.dt.strftime("%Y-%m-%d"))
    plain.to_json(path, orient="records", lines=True, double_precision=15)


def written(path: Path, write) -> Path:
    write(path)
    return path


FORMS = {
    "csv": lambda d: str(written(d / "v.csv", lambda p: FRAME.to_csv(p, index=False))),
    "path": lambda d: written(d / "v.csv", lambda p: FRAME.to_csv(p, index=False)),
    "tab-separated": lambda d: written(d / "v.tsv", lambda p: FRAME.to_csv(p, index=False, sep="\t")),
    "gz": lambda d: zipped(d / "v.csv.gz"),
    "parquet": lambda d: written(d / "v.parquet", lambda p: FRAME.to_parquet(p, index=False)),
    "json lines": lambda d: written(d / "v.jsonl", in_json_lines),
    "feather": lambda d: written(
        d / "v.arrow", lambda p: pa.feather.write_feather(pa.Table.from_pandas(FRAME, preserve_index=False), p)
    ),
    "folder": lambda d: in_folder(d / "parts"),
    "pattern": lambda d: f"{in_folder(d / 'parts')}/*/*.parquet",
    "query": lambda d: f"select * from '{in_folder(d / 'parts')}/*/*.parquet' where weight > 0",
    "duckdb": lambda d: in_duckdb(d / "shop.db"),
    "query in duckdb": lambda d: in_duckdb(d / "shop.db").replace("::orders", "::select * from orders"),
}


@pytest.mark.parametrize("form", FORMS)
def test_one_model_from_every_form(form, expected, tmp_path):
    source = FORMS[form](tmp_path)
    model = BayesClassifier().fit(source, "label", "weight")
    agree(model, expected, FRAME)
    assert model.predict(source).tolist() == expected.predict(FRAME).tolist()
    np.testing.assert_allclose(model.predict_proba(source), expected.predict_proba(FRAME), rtol=1e-9, atol=1e-12)
    assert model.score(source, "label", "weight") == pytest.approx(expected.score(FRAME, "label", "weight"))


def test_sqlite(tmp_path):
    source = in_sqlite(tmp_path / "shop.sqlite")
    frame = FRAME.drop(columns=["day", "member"])
    expected = BayesClassifier().fit(frame, "label", "weight")
    agree(BayesClassifier().fit(source, "label", "weight"), expected, frame)
    some = BayesClassifier().fit(source.replace("orders", "select * from orders where pages < 4"), "label", "weight")
    agree(some, BayesClassifier().fit(frame[frame.pages < 4], "label", "weight"), frame)
    with pytest.raises(DataError, match=r"2 tables: 'orders', 'others'.*Name it"):
        BayesClassifier().fit(source.removesuffix("::orders"), "label")
    with pytest.raises(DataError, match="no table 'ordres'; it has 'orders', 'others'"):
        BayesClassifier().fit(source.replace("orders", "ordres"), "label")


def test_learning_on_and_forgetting_by_file(expected, tmp_path):
    path = FORMS["csv"](tmp_path)
    half = FRAME[:300]
    model = BayesClassifier().fit(half, "label", "weight")
    model.partial_fit(f"select * from '{path}' offset 300", "label", sample_weight="weight")
    assert model.model_.tally.weight.tolist() == expected.model_.tally.weight.tolist()
    model.forget(f"select * from '{path}' offset 300", "label", "weight")
    assert (
        model.model_.tally.weight.tolist()
        == BayesClassifier().fit(half, "label", "weight").model_.tally.weight.tolist()
    )


# — identifiers —


def test_identifiers_are_left_out_with_a_warning(tmp_path):
    frame = FRAME.assign(row=range(len(FRAME)), key=[f"v{i:04}" for i in range(len(FRAME))], zip=FRAME.pages * 10_000)
    path = written(tmp_path / "v.csv", lambda p: frame.to_csv(p, index=False))
    with pytest.warns(UserWarning, match="Column 'row', 'key' identifies the row"):
        model = BayesClassifier().fit(path, "label")
    assert list(model.feature_names_in_) == [c for c in frame if c not in ("row", "key", "label")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = BayesClassifier({"row": Gaussian(), "key": suffice.Categorical()}).fit(path, "label")
    assert {"row", "key"} <= set(asked.feature_names_in_)


# — bad input —


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


LINES = "".join(f"{i % 13},{i % 7 / 2},{'xy'[i % 2]}\n" for i in range(50_000))


def refused(source, label, match):
    model = BayesClassifier()
    with pytest.raises(DataError, match=match):
        model.fit(source, label)
    assert not hasattr(model, "model_")


def test_type_changes_half_way(tmp_path):
    path = write(tmp_path / "v.csv", f"a,b,label\n{LINES}3,oops,x\n")
    refused(path, "label", r"line 50,002 has 'oops' in column 'b' \(numbers\)")


def test_words_are_words_unless_they_are_true_and_false(tmp_path):
    """DuckDB alone would take all of these for truth values, and give no way back to what was spelled."""
    (tmp_path / "a.csv").write_text('said,"odd ""name",flag,n\nyes,t,True,1\nno,f,FALSE,0\nyes,,true,1\n')
    (batch,) = suffice.rows(tmp_path / "a.csv").batches()
    assert batch.table.to_pydict() == {
        "said": ["yes", "no", "yes"],
        'odd "name': ["t", "f", None],
        "flag": [True, False, True],
        "n": [1, 0, 1],
    }


@pytest.mark.parametrize("where", ["first", "last"])
def test_ragged_lines(where, tmp_path):
    bad = "1,2\n"
    text = f"a,b,label\n{bad}{LINES}" if where == "first" else f"a,b,label\n{LINES}{bad}1,2,x,9\n"
    path = write(tmp_path / "v.csv", text)
    line = "line 2" if where == "first" else "line 50,002"
    refused(path, "label", rf"{line} is '1,2' \(2 cells instead of 3\).*bad_lines='skip'")
    with pytest.warns(UserWarning, match=rf"{line} is '1,2'.*They were skipped"):
        model = BayesClassifier().fit(suffice.rows(path, bad_lines="skip"), "label")
    assert model.model_.tally.weight.sum() == 50_000


def test_ragged_in_a_short_file(tmp_path):
    path = write(tmp_path / "v.csv", "a,b,label\n1,2,x\n3,4\n5,6,y\n")
    refused(path, "label", "1 malformed line: line 3 is '3,4'")


@pytest.mark.parametrize(
    ("text", "label", "match"),
    [
        ("", "label", "There are no rows in '.*v.csv'"),
        ("a,b,label\n", "label", "There are no rows in '.*v.csv'"),
        ("a,b,a,label\n" + "1,2,3,x\n" * 9, "label", "Several columns are named 'a'"),
        ("a,b\n" + "1,2\n" * 9, "label", "no column 'label'.*the columns are 'a', 'b'"),
        ("a,label\n" + "1,\n" * 9, "label", "'label' is missing in every row"),
        ("a,label\n" + "1,\n2,x\n" * 9, "label", "'label' is missing in 9 of 18 rows"),
        (
            "a,label\n" + "".join(f"{i % 5},{i * 0.37}\n" for i in range(3000)),
            "label",
            "3,000 different numbers.*continuous",
        ),
        ("a,label\n" + "".join(f"{i % 5},{i}\n" for i in range(3000)), "label", "3,000 different values"),
        ("a,b,label\n" + "1,x,x\n2,y,y\n" * 50, "label", "'b' is equal to the label 'label' in all 100 rows.*exclude"),
        ("label\n" + "x\ny\n" * 9, "label", "no columns besides the label"),
    ],
)
def test_bad_files(text, label, match, tmp_path):
    refused(write(tmp_path / "v.csv", text), label, match)


def test_continuous_after_the_first_rows(tmp_path):
    text = "a,label\n" + "1,0\n2,1\n" * 100_000 + "".join(f"{i},{i * 0.37}\n" for i in range(20))
    path = write(tmp_path / "v.csv", text)
    refused(f"from read_csv('{path}', types={{'label': 'double'}})", "label", "different numbers")


def test_paths_that_mean_nothing(tmp_path):
    refused(tmp_path / "none.csv", "label", "There is no file '.*none.csv'")
    refused(tmp_path, "label", "has no file of a known format")
    refused(f"{tmp_path}/*.parquet", "label", "There is no file")
    refused(write(tmp_path / "v.dat", "a,label\n1,2\n"), "label", r"cannot be inferred from its name.*read_csv\('")
    refused(write(tmp_path / "v.parquet", "a,label\n1,2\n"), "label", "cannot be read: .*")
    refused(f"{write(tmp_path / 'v.csv', 'a,label')}::orders", "label", "not a SQLite or DuckDB database")
    write(tmp_path / "w.jsonl", '{"a": 1}\n')
    refused(tmp_path, "label", "several formats")


def test_only_queries_that_read(tmp_path):
    with pytest.raises(ParameterError, match="single SELECT statement"):
        BayesClassifier().fit("select 1 as a; drop table b", "a")
    refused("select nonsense from", "label", "The query cannot be read")
    with pytest.raises(ParameterError, match=r"bad_lines is 'ignore'.*'stop' or 'skip'"):
        suffice.rows("v.csv", bad_lines="ignore")
    with pytest.raises(ParameterError, match=r"y is of type ndarray.*Give its name"):
        BayesClassifier().fit("select 1 as a", np.zeros(1))


def test_without_duckdb_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(MissingPackageError, match=r"suffice\[files\]"):
        BayesClassifier().fit("select 1 as a", "a")


# — answers to files —


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".jsonl"])
def test_answers_keep_order_and_identifiers(ending, expected, tmp_path):
    frame = FRAME.assign(id=[f"v{i}" for i in range(len(FRAME))])
    path = written(tmp_path / "v.parquet", lambda p: frame.to_parquet(p, index=False))
    target = tmp_path / f"answers{ending}"
    assert suffice.predict_to(expected, path, target, keep=["id"]) == len(frame)
    back = duckdb.sql(f"from '{target}'").df()
    assert back["id"].tolist() == frame["id"].tolist()
    assert back["prediction"].tolist() == expected.predict(FRAME).tolist()
    np.testing.assert_allclose(back.iloc[:, 2:], expected.predict_proba(FRAME), rtol=1e-9)
    assert list(back)[2:] == ["probability_buy", "probability_leave", "probability_return"]
    assert [p.name for p in tmp_path.iterdir() if ".part" in p.name] == []


def test_columns_that_the_model_does_not_use_go_along(expected, tmp_path):
    suffice.predict_to(expected, FRAME.assign(id=1), tmp_path / "a.csv", probabilities=False)
    assert list(pd.read_csv(tmp_path / "a.csv")) == ["weight", "label", "id", "prediction"]


def test_answers_are_complete_or_not_there(expected, tmp_path):
    text = FRAME.to_csv(index=False)
    path = write(tmp_path / "v.csv", f"{text}1,2\n")
    target = write(tmp_path / "answers.csv", "the old answers")
    with pytest.raises(DataError, match="line 602"):
        suffice.predict_to(expected, path, target)
    assert target.read_text() == "the old answers"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answers.csv", "v.csv"]
    with pytest.raises(ParameterError, match=r"must end in \.csv"):
        suffice.predict_to(expected, path, tmp_path / "answers.xls")
    with pytest.raises(DataError, match=r"no column 'id' to keep"):
        suffice.predict_to(expected, FRAME, target, keep=["id"])
