"""``suffice predict``: costs, a person to ask, another prior and sets, against closed forms and fresh rows."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

import suffice as library
from suffice.decision import correct_priors

MODELS = ("naive", "additive", "full")


def _drawn(n, seed, share=0.3):
    """Two overlapping classes: a number and a level that both depend on the class."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < share
    return pa.table(
        {
            "x": rng.normal(1.6 * ill).round(4),
            "c": np.where(rng.random(n) < np.where(ill, 0.7, 0.3), "red", "blue"),
            "state": np.where(ill, "ill", "well"),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("decisions")
    csv.write_csv(_drawn(3000, 1), place / "rows.csv")
    csv.write_csv(_drawn(4000, 2), place / "fresh.csv")
    return place


@pytest.fixture
def answers(suffice, folder, monkeypatch):
    """Rows answered by a model of the table, trained once for each kind, and the notes."""
    monkeypatch.chdir(folder)

    def run(model, *words, rows="fresh.csv"):
        file = f"{model}.model"
        if not (folder / file).exists():
            assert suffice("train", "rows.csv", "-t", "state", "--model", model, "-o", file)[0] == 0
        code, out, err = suffice("predict", file, rows, "--json", *words)
        assert code == 0, err
        return [json.loads(line) for line in out.splitlines()], err

    return run


def _p(rows):
    return np.array([[row["probability_ill"], row["probability_well"]] for row in rows])


@pytest.mark.parametrize("model", MODELS)
def test_one_model_and_two_costs_are_two_decisions(answers, model):
    plain, _ = answers(model)
    p = _p(plain)
    dear, _ = answers(model, "--cost", "ill:well=10")
    assert np.array_equal(_p(dear), p)
    assert [r["prediction"] for r in plain] == np.where(p[:, 0] >= 0.5, "ill", "well").tolist()
    assert [r["prediction"] for r in dear] == np.where(10 * p[:, 0] > p[:, 1], "ill", "well").tolist()
    assert [r["risk"] for r in dear] == pytest.approx(np.minimum(p[:, 1], 10 * p[:, 0]).tolist())


def test_costs_from_a_file_may_have_other_actions(answers, folder):
    (folder / "costs.csv").write_text("class,treat,send home,reject\nill,0,50,2\nwell,5,0,2\n")
    rows, note = answers("naive", "--cost", "costs.csv")
    p = _p(rows)
    risks = np.column_stack([5 * p[:, 1], 50 * p[:, 0], np.full(len(p), 2.0)])
    expected = [("treat", "send home", None)[i] for i in risks.argmin(axis=1)]
    assert [r["prediction"] for r in rows] == expected
    assert [r["rejected"] for r in rows] == [one is None for one in expected]
    assert f"{expected.count(None):,} of 4,000 rows are rejected" in note


@pytest.mark.parametrize("model", MODELS)
def test_a_price_for_asking_is_chows_rule(answers, model):
    rows, _ = answers(model, "--reject", "0.2")
    unsure = 1 - _p(rows).max(axis=1) > 0.2
    assert [r["rejected"] for r in rows] == unsure.tolist()
    assert 0 < unsure.mean() < 1


@pytest.mark.parametrize("model", MODELS)
def test_budgets_hold_on_fresh_rows(answers, model, folder):
    truth = csv.read_csv(folder / "fresh.csv")["state"].to_pylist()
    asked, _ = answers(model, "--at-most-asked", "20%")
    share = np.mean([row["rejected"] for row in asked])
    assert 0.1 < share <= 0.2
    decided, _ = answers(model, "--at-most-wrong", "10%")
    wrong = [row["prediction"] != y for row, y in zip(decided, truth, strict=True) if not row["rejected"]]
    assert len(wrong) > 1500
    assert np.mean(wrong) <= 0.1


@pytest.mark.parametrize("model", MODELS)
def test_sets_hold_the_class_at_the_promised_rate(answers, model, folder):
    truth = csv.read_csv(folder / "fresh.csv")["state"].to_pylist()
    rows, _ = answers(model, "--sets", "90%")
    covered = np.mean([y in row["set"] for row, y in zip(rows, truth, strict=True)])
    assert 0.88 <= covered <= 0.93  # the promise is on average over held-out rows
    assert np.mean([len(row["set"]) for row in rows]) < 1.6


def test_a_promise_under_another_prior(answers, folder):
    """Held-out rows are resampled to the prior that is named."""
    csv.write_csv(_drawn(4000, 3, share=0.05), folder / "rare.csv")
    rows, _ = answers("naive", "--prior", "ill=5%", "--at-most-asked", "5%", rows="rare.csv")
    assert np.mean([row["rejected"] for row in rows]) <= 0.05
    plain, _ = answers("naive", "--at-most-asked", "5%", rows="rare.csv")
    assert [r["prediction"] for r in plain].count("ill") > [r["prediction"] for r in rows].count("ill")


def test_another_prior_is_that_of_training_with_it(suffice, answers, folder):
    """Train balanced, correct to the true prior: the classifier trained with the true one."""
    for name, prior in (("balanced", "uniform"), ("true", "ill=0.02,well=0.98")):
        words = ["--model", "naive", "--prior", prior, "-o", f"{name}.model"]
        assert suffice("train", "rows.csv", "-t", "state", *words)[0] == 0
    corrected, _ = answers("balanced", "--prior", "ill=2%")
    direct, _ = answers("true")
    assert np.abs(_p(corrected) - _p(direct)).max() < 1e-12
    p, _ = answers("full")
    other, _ = answers("full", "--prior", "ill=2%")
    trained = np.exp(library.load(folder / "full.model").model_.log_prior)
    assert np.allclose(_p(other), correct_priors(_p(p), trained, [0.02, 0.98]), atol=1e-12)


def test_csv_has_sets_as_text(suffice, folder, answers):
    answers("naive")
    _, out, _ = suffice("predict", "naive.model", "fresh.csv", "--sets", "99%", "--no-probabilities")
    assert {line.rsplit(",", 1)[1].strip('"') for line in out.splitlines()[1:]} <= {
        "ill",
        "well",
        "ill|well",
        "well|ill",
    }


def test_what_was_learned_since_makes_limits_out_of_date(suffice, folder, answers):
    answers("full")
    assert suffice("learn", "full.model", "fresh.csv", "-o", "more.model")[0] == 0
    code, _, err = suffice("predict", "more.model", "fresh.csv", "--sets", "95%")
    assert code == 2
    assert "'more.model' does not contain" in err
    assert "suffice train" in err
    assert suffice("predict", "more.model", "fresh.csv", "--reject", "0.1", "--cost", "ill:well=2")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cost", "ill:wel=3"], "--cost has 'wel'; did you mean 'well'?"),
        (["--cost", "ill:well=-3"], "TRUE_CLASS:PREDICTED=COST"),
        (["--cost", "ill=3"], "TRUE_CLASS:PREDICTED=COST"),
        (["--prior", "ill=40%,well=10%"], "prior"),
        (["--prior", "sick=40%"], "--prior has 'sick'"),
        (["--prior", "ill"], "CLASS=NUMBER"),
        (["--sets", "95"], "a share such as 5% or 0.05"),
        (["--at-most-asked", "few"], "--at-most-asked is 'few'"),
        (["--at-most-asked", "5%", "--reject", "1"], "Give one of them"),
    ],
)
def test_slips_are_named(suffice, folder, answers, words, said):
    answers("naive")
    code, out, err = suffice("predict", "naive.model", "fresh.csv", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_joints_need_a_textbook_model(suffice, answers):
    rows, _ = answers("naive", "--joint")
    joint = np.array([[row["joint_ill"], row["joint_well"]] for row in rows])
    assert np.allclose(joint / joint.sum(axis=1, keepdims=True), _p(rows), rtol=1e-9)
    answers("full")
    code, _, err = suffice("predict", "full.model", "fresh.csv", "--joint")
    assert code == 2
    assert "--model naive" in err


@pytest.mark.parametrize("model", MODELS)
def test_rows_unlike_the_learned_ones_get_a_note(suffice, answers, model):
    _, notes = answers(model)
    assert notes == ""
    strange = "select x + 9 as x, 'green' as c, state from 'fresh.csv'"
    _, notes = answers(model, rows=strange)
    assert "Column 'x' differs from the training rows: " in notes
    assert "100% of the cells hold levels that were never learned, such as 'green'" in notes
    code, out, _ = suffice("evaluate", f"{model}.model", strange, "-t", "state", "--json")
    assert code == 0
    found = {c["name"]: c for c in json.loads(out)["drift"]["columns"]}
    assert found["c"]["unseen"] == 1.0
    assert found["x"]["changes"]


def test_changed_shares_of_classes_get_a_note_with_the_option(suffice, answers, folder):
    csv.write_csv(_drawn(4000, 3, share=0.9), folder / "outbreak.csv")
    answers("full")
    _, notes = answers("full", rows="outbreak.csv")
    said = [line for line in notes.splitlines() if "Class " in line]
    assert "31% in the model" in said[0]
    option = said[0].split("add --prior '")[1].split("'")[0]
    assert float(option.split(",")[0].removeprefix("ill=")) == pytest.approx(0.9, abs=0.04)
    truth = csv.read_csv(folder / "outbreak.csv")["state"].to_pylist()
    before, after = (answers("full", *words, rows="outbreak.csv")[0] for words in ([], ["--prior", option]))
    right = [np.mean([r["prediction"] == y for r, y in zip(rows, truth, strict=True)]) for rows in (before, after)]
    assert right[1] > right[0] + 0.05
