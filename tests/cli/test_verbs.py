"""A transcript for each of the other verbs, held against the library."""

import csv as plain_csv
import io
import json
import re
import shlex
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

import suffice as library
from suffice.compare.contestants import OURS
from suffice.evaluate import accuracy, log_loss


def _lines(out):
    return [" ".join(line.split()) for line in out.splitlines()]


def test_evaluate(suffice, model, table, fitted, flowers):
    code, out, err = suffice("evaluate", model, table)
    assert (code, err) == (0, "")
    lines = _lines(out)
    assert lines[0] == "120 rows of flowers.csv, target kind"
    p, y = fitted.predict_proba(flowers), flowers.column("kind").to_pylist()
    ours = next(line for line in lines if line.startswith("this model"))
    assert f" {log_loss(y, p, fitted.classes_):.4f} ±" in ours
    assert f" {accuracy(y, p, fitted.classes_):.4f} ±" in ours
    answers = fitted.predict(flowers)
    right = [sum(a == c == t for a, t in zip(answers, y, strict=True)) for c in ("aster", "broom", "clover")]
    taken = lines[lines.index("Confusion matrix") :]
    assert next(line for line in taken if line.startswith("aster")).split()[1] == str(right[0])
    found = lines[lines.index("By class") :]
    assert next(line for line in found if line.startswith("aster")).split()[3] == f"{right[0] / 60:.3f}"
    assert lines[lines.index("decided error rate least probability") + 1].startswith("100.0% ")


def test_evaluate_counts_rows_without_a_class_and_ignores_empty_columns(suffice, model, flowers):
    """Also where a batch has no others."""
    empty = pa.nulls(120, pa.string())
    csv.write_csv(flowers.set_column(4, "kind", empty).append_column("remark", empty), "open.csv")
    csv.write_csv(flowers.append_column("remark", empty), "closed.csv")
    for rows, target in ((["open.csv", "closed.csv"], ["-t", "kind"]), (["closed.csv", "open.csv"], [])):
        code, out, err = suffice("evaluate", model, *rows, *target)
        assert code == 0, err
        assert _lines(out)[:2] == [f"120 rows of {' '.join(rows)}, target kind", "120 further rows have no class"]
    code, _, err = suffice("evaluate", model, "open.csv", "-t", "kind")
    assert (code, err) == (3, "suffice: Column 'kind' is missing in every row; classes are needed.\n")


def test_evaluate_knows_how_wrong_a_sure_answer_is(suffice, table, flowers, tmp_path):
    """A class whose probability is too small for a number has a finite log-loss all the same."""
    model = "sure.model"
    library.BayesClassifier(model="naive").fit(flowers.drop_columns(["plant_id"]), "kind").save(model)
    (tmp_path / "far.csv").write_text("length,width,colour,kind\n900,1,red,aster\n-900,1,red,clover\n")
    code, out, _ = suffice("evaluate", model, "far.csv", "--json")
    assert code == 0
    assert json.loads(out)["quality"][0]["log_loss"]["value"] > 100


def test_explain(suffice, model, table, fitted, flowers):
    code, out, _ = suffice("explain", model, table, "--row", "5", "--of", "broom", "--against", "aster")
    why = fitted.explain(flowers.slice(4, 1), of="broom", against="aster")
    lines = _lines(out)
    assert code == 0
    assert lines[0].startswith("row 5: broom against aster, p(broom) = ")
    assert lines[-1].startswith(f"sum of all: {why.log_odds[0]:+.3f} ")
    found = json.loads(
        suffice("explain", model, table, "--row", "5", "--of", "broom", "--against", "aster", "--json")[1]
    )
    expected = why.row()
    assert found["prior"] == pytest.approx(expected.pop("(prior)"))
    assert found["evidence"] == pytest.approx(expected)
    assert float(found["cells"]["length"]) == flowers.column("length")[4].as_py()


@pytest.mark.parametrize("columns", ["said", "said,hour"])
def test_explain_sums_a_text_up_and_names_its_words(suffice, tmp_path, monkeypatch, columns):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"said": f"{'cheap pills now' if k else 'lunch at noon'} {i}", "hour": 9 + 4 * k + i % 3, "k": k}
        for i in range(20)
        for k in (0, 1)
    ]
    names = [*columns.split(","), "k"]
    with Path("mails.csv").open("w", newline="") as file:
        plain_csv.writer(file).writerows([names, *([row[name] for name in names] for row in rows)])
    assert suffice("train", "mails.csv", "-t", "k", "-o", "mails.model", "--folds", "2")[0] == 0
    code, out, _ = suffice("explain", "mails.model", "mails.csv", "--row", "2")
    assert code == 0
    assert "Strongest evidence in the texts" in out
    found = json.loads(suffice("explain", "mails.model", "mails.csv", "--row", "2", "--json")[1])
    why = library.load("mails.model").explain(csv.read_csv("mails.csv").slice(1, 1).drop_columns(["k"]))
    assert found["evidence"]["said"] == pytest.approx(
        sum(
            v for name, v in why.row().items() if name.startswith("said: ") or (columns == "said" and name != "(prior)")
        )
    )
    assert found["prior"] + sum(found["evidence"].values()) == pytest.approx(found["log_odds"])
    assert 0 < len(found["words"]) <= 15
    runs = [re.sub("^said: |[‹›]", "", name).strip() for name in found["words"]]
    assert all(run in "cheap pills now 0" for run in runs), runs


def test_inspect(suffice, model, flowers):
    code, out, _ = suffice("inspect", model)
    lines = _lines(out)
    assert code == 0
    assert lines[0].startswith("flowers.model: ")
    assert "120 rows learned" in lines[0]
    assert ["aster", "60"] in [line.split()[:2] for line in lines]
    found = json.loads(suffice("inspect", model, "--json")[1])
    assert {c["name"] for c in found["columns"]} == {"length", "width", "colour"}
    assert [c["rows"] for c in found["classes"]] == [60, 40, 20]


def test_learn_and_forget_undo_each_other(suffice, model, table, flowers, fitted):
    csv.write_csv(flowers.slice(0, 30), "more.csv")
    before = Path(model).read_bytes()
    code, out, _ = suffice("learn", model, "more.csv", "-o", "larger.model")
    assert code == 0
    assert _lines(out)[0] == "class rows before rows now"
    assert _lines(out)[-1] == "larger.model is written"
    assert Path(model).read_bytes() == before
    assert library.load("larger.model").model_.tally.weight.sum() == 150
    code, out, _ = suffice("forget", "larger.model", "more.csv", "--in-place")
    assert code == 0
    again = library.load("larger.model")
    assert again.model_.tally.weight.sum() == 120
    assert np.allclose(again.predict_proba(flowers), fitted.predict_proba(flowers), atol=1e-9)


def test_what_was_never_learned_cannot_be_forgotten(suffice, model, tmp_path):
    (tmp_path / "other.csv").write_text("length,width,colour,kind\n" + "1,1,red,clover\n" * 21)
    before = Path(model).read_bytes()
    code, _, err = suffice("forget", model, "other.csv", "--in-place")
    assert code == 4
    assert err.startswith("suffice: Asked to forget 21")
    assert err.count("\n") == 1
    assert Path(model).read_bytes() == before


def test_a_change_goes_where_it_is_told_to(suffice, model, table):
    code, _, err = suffice("learn", model, table)
    assert code == 2
    assert "--out FILE, or --in-place" in err
    assert suffice("learn", model, table, "-o", model)[0] == 2


def test_merge(suffice, table, flowers):
    csv.write_csv(flowers.slice(0, 50).drop_columns(["plant_id"]), "north.csv")
    csv.write_csv(flowers.slice(50).drop_columns(["plant_id"]), "south.csv")
    for part in ("north", "south"):
        library.BayesClassifier().fit(f"{part}.csv", "kind").save(f"{part}.model")
    code, out, _ = suffice("merge", "north.model", "south.model", "-o", "both.model")
    assert code == 0
    assert _lines(out)[-1] == "both.model is written"
    assert [line.split()[-1] for line in _lines(out)[1:4]] == ["60", "40", "20"]
    assert suffice("merge", "north.model", "-o", "one.model")[0] == 2


def test_sample(suffice, model):
    code, out, _ = suffice("sample", model, "-n", "400", "--seed", "1")
    drawn = list(plain_csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert len(drawn) == 400
    assert list(drawn[0]) == ["length", "width", "colour", "class"]
    assert suffice("sample", model, "-n", "400", "--seed", "1")[1] == out
    share = np.mean([row["class"] == "aster" for row in drawn])
    assert abs(share - 0.5) < 0.1


@pytest.mark.parametrize("how", [["--model", "naive"], ["--model", "weighted"], ["--model", "additive"], ["--naive"]])
def test_sql(suffice, table, flowers, how):
    model = "apart.model"
    assert suffice("train", table, "-t", "kind", *how, "-o", model)[0] == 0
    fitted = library.load(model)
    code, out, _ = suffice("sql", model, "--table", table, "--keep", "plant_id")
    assert code == 0
    found = duckdb.sql(out).fetchnumpy()
    assert found["plant_id"].tolist() == flowers.column("plant_id").to_pylist()
    assert np.allclose(found["p(broom)"], fitted.predict_proba(flowers)[:, 1], atol=1e-9)
    assert suffice("sql", model, "--dialect", "cobol")[0] == 2
    split = duckdb.sql(suffice("sql", model, "--table", table, "--evidence")[1]).fetchnumpy()
    total = np.sum([values for name, values in split.items() if name.startswith("evidence(") and "| broom)" in name], 0)
    assert np.allclose(total, split["log_joint(broom)"], atol=1e-9)


def test_how_much_columns_matter(suffice, model, table, fitted):
    found = json.loads(suffice("inspect", model, "--why", "--json")[1])["importance"]
    expected = library.explain.importance(fitted)
    assert [line["column"] for line in found] == list(expected.columns)
    assert [line["loss"] for line in found] == pytest.approx(expected.loss.tolist())
    assert f"{found[0]['evidence']:.3f}" in suffice("inspect", model, "--why")[1]
    assert suffice("train", table, "-t", "kind", "--model", "naive", "-o", "textbook.model")[0] == 0
    assert json.loads(suffice("inspect", "textbook.model", "--why", "--json")[1])["importance"] == []


def test_texts_in_a_database(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    words = {"spam": ["pills", "cheap", "watches", "win"], "ham": ["lunch", "noon", "tea", "report"]}
    kinds = rng.choice(list(words), 300).tolist()
    bodies = [" ".join(["dear", "all", *rng.choice(words[kind], 5), f"{i}"]) for i, kind in enumerate(kinds)]
    mails = pa.table({"id": range(300), "body": bodies, "kind": kinds})
    csv.write_csv(mails, "mails.csv")
    assert suffice("train", "mails.csv", "-t", "kind", "--drop", "id", "-o", "mail.model")[0] == 0
    made = suffice(
        "sql", "mail.model", "--table", "mails.csv", "--keep", "id", "--words", "scores", "--words-to", "w.sql"
    )
    assert made[0] == 0
    code, out, _ = suffice("tokens", "mail.model", "mails.csv", "-o", "tokens.parquet")
    assert code == 0
    assert "rows written: tokens.parquet" in out
    with duckdb.connect() as connection:
        connection.execute(Path("w.sql").read_text())
        connection.execute("CREATE TABLE tokens AS FROM 'tokens.parquet'")
        found = connection.sql(made[1]).order("id").fetchnumpy()
    assert np.allclose(found["p(spam)"], library.load("mail.model").predict_proba(mails)[:, 1], rtol=0, atol=1e-9)
    assert suffice("tokens", "mail.model", "mails.csv")[1].startswith('"id","view","token","count"')
    assert suffice("tokens", "mail.model", "mails.csv", "--key", "number")[0] == 3
    assert suffice("sql", "mail.model", "--counting", "kind", "--tokens", "tokens")[0] == 2


def test_counting_in_a_database(suffice, table, flowers):
    kept = ["train", table, "-t", "kind", "--drop", "plant_id", "--model", "naive", "-o"]
    assert suffice(*kept, "all.model")[0] == 0
    code, query, _ = suffice("sql", "all.model", "--counting", "kind", "--table", table)
    assert code == 0
    duckdb.sql(query).write_csv("counts.csv")
    code, out, _ = suffice("counted", "all.model", "counts.csv", "-o", "counted.model")
    assert code == 0
    assert "counted.model is written" in out
    found, fitted = library.load("counted.model"), library.load("all.model")
    assert np.allclose(found.predict_proba(flowers), fitted.predict_proba(flowers), rtol=0, atol=1e-9)
    assert suffice("sql", "all.model", "--counting", "kind", "--keep", "plant_id")[0] == 2
    assert suffice("counted", "all.model", "counts.csv", "-o", "counted.model")[0] == 2
    assert suffice("train", table, "-t", "kind", "-o", "full.model")[0] == 0
    code, _, err = suffice("sql", "full.model", "--counting", "kind")
    assert code == 4
    assert "a query can count only for a textbook model. Fit one with model='naive'" in err


def test_a_model_that_a_query_cannot_hold(suffice, table):
    x = np.random.default_rng(0).normal(size=(2_000, 3))
    library.BayesClassifier().fit(x, np.sin(3 * x).prod(axis=1) > 0).save("forests.model")
    code, _, err = suffice("sql", "forests.model")
    assert code == 4
    assert err == (
        "suffice: The model has forests; columns, missing cells, correlated normals and pairs have a form in SQL. "
        "Fit with model='additive' (suffice train --model additive).\n"
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("evidence", ["--row", "3"]),
        ("effect", ["-c", "length"]),
        ("effect", ["-c", "length,width"]),
        ("cost-curve", ["--of", "broom"]),
    ],
)
def test_plot(suffice, model, table, kind, words):
    code, out, err = suffice("plot", kind, model, table, *words, "-o", "picture.png")
    assert (code, err) == (0, "")
    assert out.startswith("picture.png is written")
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG")
    assert Path("picture.png").stat().st_size > 5_000


def test_every_picture_that_is_offered_is_there():
    from suffice.cli.pictures import PICTURES
    from suffice.cli.verbs.plot import KINDS

    assert tuple(PICTURES) == KINDS


def test_plot_says_what_it_cannot_draw(suffice, model, table):
    code, _, err = suffice("plot", "portrait", model, table, "-o", "picture.png")
    assert code == 2
    assert "There is no picture 'portrait'; there are 'densities'" in err
    code, _, err = suffice("plot", "densities", model, table, "-c", "lenth", "-o", "picture.png")
    assert code == 3
    assert "did you mean 'length'?" in err
    code, _, err = suffice("plot", "regions", model, table, "-o", "picture.png")
    assert code == 2
    assert "this picture shows 2. Add --columns length,width." in err
    code, _, err = suffice("plot", "nomogram", model, table, "-o", "picture.png")
    assert code == 3
    assert err.endswith("Train the model with --model weighted or --model naive, or draw evidence.\n")


def test_compare(suffice, table):
    code, out, _ = suffice(
        "compare", table, "-t", "kind", "-m", "bayes,logistic,k-nn,prior-only,DecisionTreeClassifier"
    )
    lines = _lines(out)
    assert code == 0
    assert lines[0] == "120 rows, target kind, 5 folds; best log-loss first"
    end = lines.index("To train the best") - 1
    assert lines[-1].startswith("suffice train flowers.csv --target kind")
    assert {line.split()[0] for line in lines[2:end]} == {
        "bayes",
        "logistic",
        "k-nn",
        "prior-only",
        "DecisionTreeClassifier",
    }
    losses = [float(line.split()[1]) for line in lines[2:end]]
    assert losses == sorted(losses)


def test_what_compare_names_is_what_train_makes(suffice, tmp_path, monkeypatch):
    """Every contestant's command trains that very model, and no two are the same."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    words = np.array([["leaf", "cup", "hot"], ["wave", "salt", "cold"]])
    table = pa.table(
        {
            "a": rng.normal(y),
            "b": rng.normal(-y),
            "c": rng.choice(["x", "z"], 300),
            "t": [" ".join(rng.choice([*words[k], "and", "the", "some", "more"], 8)) for k in y],
            "y": [f"k{k}" for k in y],
        }
    )
    csv.write_csv(table, "rows.csv")
    code, out, err = suffice("compare", "rows.csv", "-t", "y", "--folds", "2", "--json")
    assert code == 0, err
    models = {line["name"]: line for line in json.loads(out)["models"]}
    assert {name for name, line in models.items() if line["train"]} == set(OURS)
    assert len({line["log_loss"][0] for line in models.values()}) == len(models)
    for name, line in models.items():
        if line["train"] is None:
            continue
        words = shlex.split(line["train"])[1:-1]
        code, out, err = suffice(*words, f"{name}.model", "--folds", "2", "--json")
        assert code == 0, err
        found = json.loads(out)["quality"][0]["log_loss"]["value"]
        assert found == pytest.approx(line["log_loss"][0], rel=1e-6), name


def test_the_command_of_the_winner_reads_the_rows_as_they_were_compared(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    cells = ["k. A." if i % 9 == 0 else f"{v:.2f}" for i, v in enumerate(x)]
    table = {"größe": cells, "zip": rng.integers(1, 9, 200), "w": rng.normal(size=200), "y": np.where(x > 0, "a", "b")}
    csv.write_csv(pa.table(table), "rows.csv")
    Path("rows.csv").write_bytes(Path("rows.csv").read_text().encode("cp850"))
    options = ["--missing", "k. A.", "--encoding", "cp850", "--kind", "zip=category", "--kind", "w=ignore"]
    words = ["compare", "rows.csv", "-t", "y", "-m", "naive,prior-only", "--folds", "2", *options, "--json"]
    code, out, err = suffice(*words)
    assert code == 0, err
    best = json.loads(out)["models"][0]
    code, out, err = suffice(*shlex.split(best["train"])[1:-2], "--folds", "2", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["quality"][0]["log_loss"]["value"] == pytest.approx(best["log_loss"][0], rel=1e-9)
    assert {one["name"]: one["kind"] for one in found["columns"]} == {"größe": "number", "zip": "category"}


def test_report(suffice, model, table):
    code, out, _ = suffice("report", model, table, "-o", "page.html")
    text = Path("page.html").read_text()
    assert code == 0
    assert out == f"page.html is written ({len(text.encode()):,} bytes)\n"
    assert text.count("data:image/png;base64,") >= 5
    assert "suffice report flowers.model flowers.csv -o page.html" in text
    code, out, _ = suffice("report", model, table, "--json")
    assert json.loads(out)["data"]["target"] == "kind"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tennis", "no 0.357 0.021 0.795"),
        ("spam", "click here to claim your money 0.999"),
        ("digits", "dark or not (Bernoulli)"),
        ("heights", "The boundary, where both are equally probable, is 167.9 cm."),
    ],
)
def test_demo(suffice, name, said):
    code, out, err = suffice("demo", name)
    assert (code, err) == (0, "")
    assert any(said in line for line in _lines(out))


def test_demo_as_json_and_as_rows(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert json.loads(suffice("demo", "tennis", "--json")[1])["name"] == "tennis"
    assert suffice("demo", "spam", "-o", "spam.csv")[1] == "24 rows written: spam.csv\n"
    assert csv.read_csv("spam.csv").column_names == ["text", "kind"]


def test_inspect_in_words(suffice, tmp_path, monkeypatch):
    """Numbers without exponents, a column of zeros as 0, long names cut, shares of nothing left out, telling words."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{5200 + i if k else 3100 + i},0,{'a' * 40 if k else ''},{'cheap pills now' if k else 'lunch at noon'} {i},{k}"
        for i in range(20)
        for k in (0, 1)
    ]
    Path("mixed.csv").write_text("\n".join(["mass,hops,domain,said,k", *lines]) + "\n")
    assert suffice("train", "mixed.csv", "-t", "k", "-o", "mixed.model", "--folds", "2")[0] == 0
    found = json.loads(suffice("inspect", "mixed.model", "--json")[1])
    typical = {column["name"]: column["typical"] for column in found["columns"]}
    assert [text.split(" ± ")[0] for text in typical["mass"]] == ["3,110", "5,210"]
    assert typical["hops"] == ["0 ± 0", "0 ± 0"]
    assert typical["domain"][1] == f"{'a' * 24}… 100%"
    assert {"lunch", "noon"} <= set(typical["said"][0].split())
    assert {"cheap", "pills"} <= set(typical["said"][1].split())


def test_evaluate_on_the_rows_it_learned_says_so(suffice, model, table, flowers):
    warning = "The model was trained on as many rows of each class."
    assert warning in suffice("evaluate", model, table)[1]
    csv.write_csv(flowers.slice(0, 80), "some.csv")
    assert warning not in suffice("evaluate", model, "some.csv")[1]


def test_yes_and_no_mean_the_same_however_they_are_read(suffice, tmp_path, monkeypatch):
    """A query finds truth values where the file spells words: the same rows, so the same answers, and the same sums."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    smoker = rng.choice(["yes", "no"], 200)
    label = np.where((smoker == "yes") ^ (rng.random(200) < 0.2), "ill", "well")
    lines = [f"{a},{b}\n" for a, b in zip(smoker, label, strict=True)]
    Path("rows.csv").write_text("smoker,label\n" + "".join(lines))
    Path("some.csv").write_text("smoker,label\n" + "".join(lines[:50]))
    query = "select * from 'rows.csv'"
    for rows, model in (("rows.csv", "file.model"), (query, "query.model")):
        assert suffice("train", rows, "-t", "label", "-o", model, "--folds", "2")[0] == 0
    answers = {
        suffice("predict", model, rows)[1] for model in ("file.model", "query.model") for rows in ("rows.csv", query)
    }
    assert len(answers) == 1
    for i, rows in enumerate(("some.csv", "select * from 'some.csv'")):
        for model in ("file", "query"):
            assert suffice("forget", f"{model}.model", rows, "-o", f"{model}{i}.model")[0] == 0
            assert suffice("learn", f"{model}{i}.model", rows, "--in-place")[0] == 0
            found = json.loads(suffice("inspect", f"{model}{i}.model", "--json")[1])
            assert [row["rows"] for row in found["classes"]] == [(label == "ill").sum(), (label == "well").sum()]
            assert all(text.count("%") == 2 for text in found["columns"][0]["typical"])


def test_forget_names_the_column_that_is_not_there(suffice, model, table, flowers):
    csv.write_csv(flowers.drop_columns(["width"]), "narrow.csv")
    code, _, err = suffice("forget", model, "narrow.csv", "-o", "left.model")
    assert code == 3
    assert err.startswith("suffice: The rows have no column 'width', which the model reads; ")


def test_export(suffice, model, tmp_path):
    written = [str(tmp_path / name) for name in ("a.scorer", "a.html", "scorer.js")]
    code, out, _ = suffice("export", model, "--js", written[0], "--html", written[1], "--script", written[2], "--json")
    assert (code, json.loads(out)) == (0, {"schema": 1, "written": written})
    assert "Suffice" in (tmp_path / "scorer.js").read_text()
    code, _, err = suffice("export", model, "--js", written[0])
    assert code == 2
    assert "exists" in err
    code, _, err = suffice("export", model)
    assert code == 2
    assert "--html" in err


def test_audit_lists_source_rows(suffice, flowers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kind = flowers.column("kind").to_pylist()
    worst = max(range(120), key=lambda i: flowers.column("length")[i].as_py() if kind[i] == "clover" else -9)
    kind[worst] = "aster"
    kind[0] = None
    csv.write_csv(flowers.set_column(4, "kind", [kind]), "wrong.csv")
    code, out, err = suffice("audit", "wrong.csv", "--target", "kind", "--most", "3")
    lines = _lines(out)
    assert code == 0
    assert "'plant_id' identifies the row" in err
    assert lines[0] == "119 rows of wrong.csv, target kind; least probable labels first"
    assert lines[1] == "1 further rows have no label"
    assert lines[3].split()[:2] == [str(worst + 1), "aster"]
    assert "clover" in lines[3]
    assert len(lines) == 7
    for model in ("full", "additive", "naive"):
        found = json.loads(suffice("audit", "wrong.csv", "-t", "kind", "--model", model, "--json")[1])
        assert found["rows"] == 119
        assert len(found["suspects"]) == 20
        first = found["suspects"][0]
        assert (first["row"], first["label"], first["instead"]) == (worst + 1, "aster", "clover")
    assert suffice("audit", "wrong.csv")[0] == 2


def test_diff_of_two_files(suffice, model, flowers, fitted):
    csv.write_csv(flowers.slice(0, 30), "more.csv")
    assert suffice("learn", model, "more.csv", "-o", "larger.model")[0] == 0
    code, out, _ = suffice("diff", model, "larger.model")
    lines = _lines(out)
    assert code == 0
    assert lines[0] == "class rows before rows now prior before prior now"
    assert lines[1].split()[:2] == ["aster", "60"]
    found = json.loads(suffice("diff", model, "larger.model", "--json")[1])
    expected = fitted.difference(library.load("larger.model"))
    assert [c["name"] for c in found["columns"]] == [c.name for c in expected.columns]
    assert found["columns"][0]["divergence"] == pytest.approx(expected.columns[0].divergence)
    assert found["classes"][0]["rows"][0] == 60


def test_ask_names_the_cell_worth_measuring(suffice, table, flowers):
    naive = library.BayesClassifier(model="naive").fit(flowers.drop_columns(["plant_id"]), "kind")
    naive.save("naive.model")
    Path("hole.csv").write_text("length,width,colour\n,2.5,red\n")
    code, out, _ = suffice("ask", "naive.model", "hole.csv")
    expected = library.decision.value_of(naive, {"width": 2.5, "colour": "red"})
    assert code == 0
    assert _lines(out)[0] == f"{expected.action} now, at an expected cost of {expected.risk:.4f}"
    assert _lines(out)[2] == f"length {expected.cells[0].saved:.4f}"
    found = json.loads(suffice("ask", "naive.model", "hole.csv", "--person", "0.1", "--json")[1])
    assert (found["action"], found["risk"]) == ("reject", pytest.approx(0.1))
    assert 0 < found["cells"][0]["saved"] < 0.1
    library.BayesClassifier().fit(flowers.drop_columns(["plant_id"]), "kind").save("full.model")
    code, _, err = suffice("ask", "full.model", "hole.csv")
    assert code in (2, 4)
    assert "model='naive'" in err


def test_inspect_parameters(suffice, model, fitted):
    found = json.loads(suffice("inspect", model, "--parameters", "--json")[1])["parameters"]
    expected = fitted.parameters()
    assert [line["value"] for line in found] == pytest.approx(expected["value"].tolist())
    assert {line["column"] for line in found} == set(expected["column"])
    code, out, _ = suffice("inspect", model, "--parameters")
    assert code == 0
    assert "standard error" in out


@pytest.fixture
def messages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    words = {"tea": ["leaf", "cup", "hot"], "sea": ["wave", "salt", "cold"]}
    about = rng.choice(["tea", "sea"], 200)
    texts = [" ".join(rng.choice([*words[a], "and", "the", "some", "more"], 8)) for a in about]
    csv.write_csv(pa.table({"text": texts, "size": rng.normal(size=200), "about": about}), "rows.csv")
    return "rows.csv"


def _advice(err):
    """The options that a complaint recommends."""
    return shlex.split(re.search(r"(--(model|drop)[^,]*?)(,|\.?$)", err.strip())[1])


def test_hints_about_texts_lead_somewhere(suffice, messages):
    assert suffice("train", messages, "-t", "about", "-o", "a.model")[0] == 0
    code, _, err = suffice("plot", "words", "a.model", messages, "-o", "words.png")
    assert code != 0
    assert suffice("train", messages, "-t", "about", *_advice(err), "-o", "words.model")[0] == 0
    assert suffice("plot", "words", "words.model", messages, "-o", "words.png")[0] == 0
    code, _, err = suffice("sample", "a.model")
    assert code != 0
    assert suffice("train", messages, "-t", "about", *_advice(err), "-o", "numbers.model")[0] == 0
    assert suffice("sample", "numbers.model")[0] == 0
    assert suffice("train", messages, "-t", "about", "--drop", "size", "-o", "texts.model")[0] == 0
    code, _, err = suffice("sample", "texts.model")
    assert "suffice plot words" in err
    assert _advice(err) == ["--model", "naive", "--family", "text=Multinomial"]


def test_images_have_a_shape(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    suffice("demo", "digits", "-o", "digits.csv")
    assert suffice("train", "digits.csv", "-t", "digit", "--model", "naive", "--folds", "2", "-o", "a.model")[0] == 0
    assert suffice("plot", "images", "a.model", "digits.csv", "-o", "square.png")[0] == 0
    assert suffice("plot", "images", "a.model", "digits.csv", "--shape", "8x8", "-o", "same.png")[0] == 0
    assert Path("square.png").read_bytes() == Path("same.png").read_bytes()
    code, _, err = suffice("plot", "images", "a.model", "digits.csv", "--shape", "8x9", "-o", "a.png")
    assert (code, err) == (
        2,
        "suffice: --shape is 8x9, 72 cells; the model has 64 columns. Add --shape with as many cells.\n",
    )
    code, _, err = suffice("plot", "images", "a.model", "digits.csv", "--shape", "8", "-o", "a.png")
    assert "HEIGHTxWIDTH is needed" in err
