"""What the commands print is so."""

import json
import shlex

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

from suffice import BayesClassifier, load, rows
from suffice.cli import loaded_rows
from suffice.cli.outcome import USAGE


@pytest.fixture
def parcels(tmp_path, monkeypatch):
    """1,500 rows, some without a class, of which commands sample 300."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loaded_rows.load_rows, "__kwdefaults__", {"most": 300, "seed": 0})
    rng = np.random.default_rng(0)
    late = rng.random(1500) < 0.3
    label = [None if i % 7 == 0 else ("late" if one else "in time") for i, one in enumerate(late)]
    table = pa.table(
        {
            "parcel": [f"p{i + 1}" for i in range(1500)],
            "distance": rng.normal(size=1500) + late,
            "arrival": label,
        }
    )
    csv.write_csv(table, "parcels.csv")
    known = table.filter(table["arrival"].is_valid()).drop_columns(["parcel"])
    BayesClassifier().fit(known, "arrival").save("parcels.model")
    return table


def test_rows_of_a_sample_have_the_numbers_of_the_source(suffice, parcels):
    code, printed, _ = suffice("report", "parcels.model", "parcels.csv", "-t", "arrival", "--json")
    assert code == 0
    found = json.loads(printed)
    assert found["data"]["judged_rows"] < found["data"]["rows"] == 1500
    assert found["mistakes"]
    for one in found["mistakes"]:
        assert one["identifiers"] == {"parcel": f"p{one['row']}"}
        assert float(one["cells"]["distance"]) == parcels["distance"][one["row"] - 1].as_py()
        assert parcels["arrival"][one["row"] - 1].as_py() == one["truth"]


@pytest.mark.parametrize("most", [2000, 300])
def test_rows_without_a_class_are_no_part_of_a_sample(suffice, parcels, monkeypatch, most):
    """1,285 of the 1,500 have one."""
    monkeypatch.setattr(loaded_rows.load_rows, "__kwdefaults__", {"most": most, "seed": 0})
    words = ["parcels.csv", "-t", "arrival", "--folds", "2"]
    code, out, _ = suffice("train", *words, "--drop", "parcel", "--model", "naive", "-o", "naive.model")
    assert code == 0
    assert out.startswith("1,285 rows with a class, 215 without, 1 column, target arrival, 0 cells ")
    assert ("sample" in out) == (most == 300)
    assert load("naive.model").model_.tally.weight.sum() == 1285
    for model in ("naive.model", "parcels.model"):
        found = json.loads(suffice("report", model, *words, "--json")[1])
        assert found["verdict"][0] == "The model predicts arrival (in time, late) from 1 column, trained on 1,285 rows."
        assert ("sample" in found["judged_by"]) == (most == 300)
    _, out, _ = suffice("plot", "confusion", "naive.model", *words[:3], "-o", "a.svg")
    assert ("sample" in out) == (most == 300)
    code, out, err = suffice("compare", *words, "--models", "naive,prior-only")
    assert code == 0, err
    assert out.startswith(f"1,285 rows{', a sample of ' if most == 300 else ', target'}")


def test_mistakes_among_rows_of_their_own_have_the_numbers_of_their_source(suffice, parcels):
    words = ["--test", "parcels.csv", "-t", "arrival", "--json", "--folds", "2"]
    code, out, _ = suffice("train", "select * from 'parcels.csv' where arrival is not null limit 900", *words)
    found = json.loads(out)
    assert code == 0
    assert found["judged_by"].startswith("a sample of ")
    assert found["judged_by"].endswith(" of 1,285 rows of parcels.csv")
    assert found["mistakes"]
    for one in found["mistakes"]:
        assert one["identifiers"] == {"parcel": f"p{one['row']}"}
        assert parcels["arrival"][one["row"] - 1].as_py() == one["truth"]


def test_a_report_of_other_rows_is_not_of_the_rows_learned(suffice, parcels):
    found = json.loads(suffice("report", "parcels.model", "select * from 'parcels.csv' limit 500", "--json")[1])
    assert found["verdict"][0].endswith("trained on 1,285 rows.")
    assert found["verdict"][1].startswith("This report uses 428 rows: ")


def test_what_is_so_of_a_sample_is_not_claimed_of_all_rows(suffice, tmp_path, monkeypatch):
    """45 rows of a class, and one other cell in a column, of which a sample of 300 rows has few and none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loaded_rows.load_rows, "__kwdefaults__", {"most": 300, "seed": 0})
    rng = np.random.default_rng(0)
    kind = np.where(rng.random(1500) < 0.5, "a", "b")
    kind[:45] = "c"
    x = rng.normal(size=1500)
    csv.write_csv(pa.table({"x": x, "same": [1.5] * 1500, "y": kind}), "rows.csv")
    code, out, _ = suffice("train", "rows.csv", "-t", "y", "--model", "naive", "--folds", "2")
    assert code == 0
    assert "! Fewer than 20 rows of a sample of 300 have class c: its scores" in out
    assert "Column 'same' is constant in all rows of a sample of 300." in out
    assert "Columns: kinds and families (of a sample of 300 rows)" in out


def test_rows_that_differ_in_a_column_left_out_are_not_called_the_same(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = pa.table({"key": [f"k{i}" for i in range(60)], "x": [1.5, 2.5, 3.5] * 20, "y": ["a", "b", "b"] * 20})
    csv.write_csv(table, "rows.csv")
    for words in ([], ["--drop", "key"]):
        _, out, _ = suffice("train", "rows.csv", "-t", "y", "--model", "naive", "--folds", "2", *words)
        assert "57 rows repeat another row in every column that is used, the target included." in out


def test_the_option_that_leaves_a_leak_out_can_be_typed(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    y = rng.choice(["paid", "owed"], 200)
    for names in (["closed on"], ["state, of case"], ["closed on", "state, of case"]):
        table = pa.table({"x": rng.normal(size=200), **{name: np.char.upper(y) for name in names}, "y": y})
        csv.write_csv(table, "rows.csv")
        words = ["train", "rows.csv", "-t", "y", "--model", "naive", "--folds", "2", "--json"]
        step = next(text for text in json.loads(suffice(*words)[1])["next_steps"] if "train again with" in text)
        option = shlex.split(step.split("train again with ")[1].removesuffix("."))
        code, out, err = suffice(*words, *option)
        assert code == 0, err
        assert [one["name"] for one in json.loads(out)["columns"]] == ["x"]


def test_the_picture_of_a_row_is_of_that_row_of_the_source(suffice, parcels, monkeypatch):
    """And of no other row: the table is not gathered for it."""
    from suffice import plot

    drawn = []
    monkeypatch.setattr(
        plot.EvidenceDisplay, "from_estimator", classmethod(lambda cls, *a, **k: drawn.append((a, k)) or _Blank())
    )
    code, printed, _ = suffice("plot", "evidence", "parcels.model", "parcels.csv", "--row", "1234", "-o", "why.png")
    assert (code, printed) == (0, "why.png is written: row 1,234 of parcels.csv\n")
    ((_, table), _) = drawn[0]
    assert table.num_rows == 1
    assert table["distance"].to_pylist() == [parcels["distance"][1233].as_py()]


class _Blank:
    @property
    def figure_(self):
        from suffice.plot.style import toolkit

        return toolkit("figure").Figure()


def test_the_picture_of_a_text_explains_one_document(suffice, tmp_path, monkeypatch, explained):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(50)]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(200)]
    csv.write_csv(pa.table({"text": texts, "y": ["a", "b"] * 100}), "texts.csv")
    BayesClassifier().fit(rows("texts.csv"), "y").save("texts.model")
    assert suffice("plot", "evidence", "texts.model", "texts.csv", "--row", "150", "-o", "why.png")[0] == 0
    assert explained == [1]
    for picture in ("densities", "curves", "effect", "regions"):
        code, _, said = suffice("plot", picture, "texts.model", "texts.csv", "-o", f"{picture}.png")
        assert code == 2
        assert "Column 'text' is text" in said
        assert "Draw evidence or spy" in said


@pytest.mark.parametrize("kind", ["confusion", "reliability", "cost-curve", "risk-coverage", "prior-shift"])
def test_pictures_of_quality_leave_learned_rows_out(suffice, model, table, kind):
    code, printed, _ = suffice("plot", kind, model, table, "-o", "quality.png", "--json")
    assert code == 0
    assert json.loads(printed)["rows"] == "leave-one-out"


@pytest.mark.parametrize("model", ["full", "additive", "naive"])
def test_learn_merge_and_forget_are_the_model_of_all_rows(suffice, table, flowers, model):
    """To the last bit where all rows are kept; a textbook model, which keeps none, up to the rounding of its sums."""
    chosen = flowers.drop_columns(["plant_id"])
    csv.write_csv(chosen.slice(0, 70), "first.csv")
    csv.write_csv(chosen.slice(70), "second.csv")
    csv.write_csv(chosen, "all.csv")
    for name in ("first", "second", "all"):
        assert (
            suffice("train", f"{name}.csv", "-t", "kind", "--model", model, "-o", f"{name}.model", "--folds", "2")[0]
            == 0
        )
    learned = suffice("learn", "first.model", "second.csv", "-t", "kind", "-o", "learned.model")
    merged = suffice("merge", "first.model", "second.model", "-o", "merged.model")
    forgot = suffice("forget", "all.model", "second.csv", "-t", "kind", "-o", "forgot.model")
    for code, printed, _ in (learned, merged, forgot):
        assert code == 0
        kept = "equals the model trained on these" if model == "naive" else "keeps all"
        assert kept in printed
    ask = chosen.drop_columns(["kind"])
    p = {name: load(f"{name}.model").predict_proba(ask) for name in ("first", "all", "learned", "merged", "forgot")}
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(p["learned"], p["all"], **close)
    np.testing.assert_allclose(p["merged"], p["all"], **close)
    np.testing.assert_allclose(p["forgot"], p["first"], **close)


def test_what_does_not_follow_yet_is_said(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = rng.normal(size=10_100).round(3)
    table = pa.table({"x": x, "y": np.where(x + rng.logistic(size=10_100) > 0, "a", "b")})
    BayesClassifier(model="additive").fit(table.slice(0, 10_097), "y").save("large.model")
    csv.write_csv(table.slice(10_097), "three.csv")
    _, printed, _ = suffice("learn", "large.model", "three.csv", "-t", "y", "--in-place")
    assert "keeps all 10,100 rows: counts include all of them; weights do not include 3 of them" in printed
    _, printed, _ = suffice("forget", "large.model", "three.csv", "-t", "y", "--in-place")
    assert "keeps all 10,097 rows and equals the model trained on them" in printed
    BayesClassifier(model="additive", keep_rows=500).fit(table, "y").save("sampled.model")
    _, printed, _ = suffice("merge", "sampled.model", "sampled.model", "-o", "twice.model")
    assert "of 20,200 rows: counts of columns include all of them; weights, pairs and forests are estimated" in printed


def test_columns_are_not_blamed_for_a_prior_of_other_rows(suffice, tmp_path, monkeypatch):
    """Half of these patients are ill, and one in a hundred is said to be."""
    monkeypatch.chdir(tmp_path)
    patients = (
        "select if(i % 100 < 11, 'high', 'low') as count, 'healthy' as state from range(300) t(i)"
        " union all select if(i % 100 < 42, 'high', 'low'), 'ill' from range(300) t(i)"
    )
    _, out, _ = suffice("train", patients, "-t", "state", "--model", "naive", "--prior", "ill=1%,healthy=99%")
    assert "The model is worse than the class shares" in out
    assert "The columns do separate the classes" in out
    assert "poorly" not in out
    shuffled = patients.replace("< 11", "< 42")
    _, out, _ = suffice("train", shuffled, "-t", "state", "--model", "naive", "--prior", "ill=1%,healthy=99%")
    assert "The columns predict the target poorly" in out


@pytest.mark.parametrize("kind", ["densities", "curves", "regions", "ellipses", "effect", "images", "nomogram"])
def test_pictures_of_numbers_refuse_texts_with_what_can_be_drawn(suffice, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(50)]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(60)]
    csv.write_csv(pa.table({"text": texts, "y": ["a", "b"] * 30}), "texts.csv")
    assert suffice("train", "texts.csv", "-t", "y", "--folds", "2", "-o", "texts.model")[0] == 0
    code, _, err = suffice("plot", kind, "texts.model", "texts.csv", "-o", "drawn.png")
    assert code == USAGE
    assert "Column 'text' is text" in err
    assert "Draw evidence or spy" in err
    if kind == "densities":
        for other in ("evidence", "spy"):
            assert suffice("plot", other, "texts.model", "texts.csv", "-o", f"{other}.png")[0] == 0
