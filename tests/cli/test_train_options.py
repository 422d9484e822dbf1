"""``suffice train``: models, families, smoothing, priors and folds, against closed forms and the library."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

import suffice as library
from suffice.evaluate import cross_validate
from suffice.evaluate.folds import FoldSplit, group_folds, time_folds

DAY = "select 'rain' as outlook, 'hot' as temperature, 'high' as humidity, 'calm' as wind"
OVERCAST = "select 'overcast' as outlook, 'hot' as temperature, 'high' as humidity, 'windy' as wind"


@pytest.fixture
def tennis(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    suffice("demo", "tennis", "-o", "tennis.csv")

    def answer(day, *words):
        words = [
            "tennis.csv",
            "-t",
            "play",
            "--model",
            "naive",
            "--prior",
            "mle",
            "-o",
            "tennis.model",
            "--force",
            *words,
        ]
        code, _, err = suffice("train", *words)
        assert code == 0, err
        return json.loads(suffice("predict", "tennis.model", day, "--json", "--joint")[1])

    return answer


def test_play_tennis_by_counting(tennis):
    found = tennis(DAY, "--estimate", "mle")
    assert found["joint_yes"] == pytest.approx(9 / 14 * 3 / 9 * 2 / 9 * 3 / 9 * 6 / 9, rel=1e-12)
    assert found["joint_no"] == pytest.approx(5 / 14 * 2 / 5 * 2 / 5 * 4 / 5 * 2 / 5, rel=1e-12)
    assert round(found["joint_yes"], 6) == 0.010582
    assert round(found["joint_no"], 6) == 0.018286
    assert round(found["probability_no"], 4) == 0.6334


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0, 3.0])
def test_pseudo_counts_cure_the_zero(tennis, alpha):
    assert tennis(OVERCAST, "--estimate", "mle")["joint_no"] == 0
    found = tennis(OVERCAST, "--alpha", str(alpha))
    expected = 5 / 14 * alpha / (5 + 3 * alpha) * (2 + alpha) / (5 + 3 * alpha) * (4 + alpha) / (5 + 2 * alpha)
    assert found["joint_no"] == pytest.approx(expected * (3 + alpha) / (5 + 2 * alpha), rel=1e-12)


@pytest.fixture
def iris(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = load_iris()
    columns = {name.split(" (")[0].replace(" ", "_"): data.data[:, j] for j, name in enumerate(data.feature_names)}
    csv.write_csv(pa.table({**columns, "kind": data.target_names[data.target]}), "iris.csv")
    return data


@pytest.mark.parametrize(
    ("model", "theirs"), [("lda", LinearDiscriminantAnalysis()), ("qda", QuadraticDiscriminantAnalysis())]
)
def test_discriminant_analysis_is_that_of_scikit_learn(suffice, iris, model, theirs):
    words = ["-t", "kind", "--model", model, "--estimate", "mle", "--prior", "mle", "-o", "a.model"]
    assert suffice("train", "iris.csv", *words)[0] == 0
    rows = [json.loads(line) for line in suffice("predict", "a.model", "iris.csv", "--json")[1].splitlines()]
    p = np.array([[row[f"probability_{name}"] for name in iris.target_names] for row in rows])
    expected = theirs.fit(iris.data, iris.target).predict_proba(iris.data)
    # ours divides by the rows, theirs by the degrees of freedom
    assert np.allclose(p, expected, atol=0.02)
    assert np.array_equal(p.argmax(axis=1), expected.argmax(axis=1))


@pytest.mark.parametrize("model", ["naive", "lda", "qda", "logistic", "weighted", "additive", "bayes"])
def test_every_model_on_a_table_of_all_kinds(suffice, table, flowers, model):
    code, out, err = suffice("train", table, "-t", "kind", "--model", model, "-o", "a.model", "--json")
    assert code == 0, err
    summary = json.loads(out)
    assert summary["quality"][0]["log_loss"]["value"] < 0.6
    assert [q["name"] for q in summary["quality"]].count("logistic") == int(model != "logistic")
    assert (
        suffice(
            "predict", "a.model", table, "--sets", "90%", "--at-most-asked", "50%", "--prior", "aster=20%,broom=20%"
        )[0]
        == 0
    )
    assert suffice("evaluate", "a.model", table, "-t", "kind")[0] == 0


def test_logistic_regression_on_texts_goes_through_the_file(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    words = {"tea": ["leaf", "cup", "hot", "water"], "sea": ["wave", "salt", "cold", "water"]}
    label = rng.choice(["tea", "sea"], 1200)
    texts = [" ".join(rng.choice([*words[c], "and", "the", "of"], 9)) for c in label]
    csv.write_csv(pa.table({"text": texts, "size": rng.normal(size=1200), "about": label}), "rows.csv")
    code, out, _ = suffice("train", "rows.csv", "-t", "about", "--model", "logistic", "-o", "a.model", "--json")
    assert code == 0
    quality = json.loads(out)["quality"][0]
    assert quality["accuracy"]["value"] > 0.98
    rows = [json.loads(line) for line in suffice("predict", "a.model", "rows.csv", "--json")[1].splitlines()]
    assert np.mean([row["prediction"] == row["about"] for row in rows]) > 0.98


def test_families_by_name(suffice, table, flowers):
    words = ["-t", "kind", "--family", "length=gaussian", "--family", "width=Gamma", "-o", "a.model"]
    assert suffice("train", table, *words)[0] == 0
    found = json.loads(suffice("inspect", "a.model", "--json")[1])
    assert {c["name"]: c["family"] for c in found["columns"]} == {
        "length": "Gaussian",
        "width": "Gamma",
        "colour": "PooledCategorical",
    }
    assert (
        suffice("train", table, "-t", "kind", "--family", "length,width=MultivariateNormal", "--model", "naive")[0] == 0
    )


def test_class_weights(suffice, table, flowers):
    words = ["-t", "kind", "--model", "naive", "-o"]
    assert suffice("train", table, *words, "even.model", "--class-weight", "balanced")[0] == 0
    prior = np.exp(library.load("even.model").model_.log_prior)
    assert prior == pytest.approx([1 / 3] * 3)
    assert suffice("train", table, *words, "heavy.model", "--class-weight", "clover=3")[0] == 0
    prior = np.exp(library.load("heavy.model").model_.log_prior)
    assert prior == pytest.approx(np.array([61, 41, 61]) / 163)


def _visits(n=1500):
    """Patients who differ: knowing one visit of a patient helps with the next, as the patient's level is in the cells."""
    rng = np.random.default_rng(4)
    patient = rng.integers(0, 60, n)
    own = rng.normal(size=60)
    ill = rng.random(60) < 0.4
    day = np.sort(rng.integers(0, 400, n))
    return pa.table(
        {
            "patient": [f"p{i}" for i in patient],
            "day": pa.array((np.datetime64("2024-01-01") + day).astype("M8[D]")),
            "level": (own[patient] + 0.01 * rng.normal(size=n)).round(4),
            "state": np.where(ill[patient], "ill", "well"),
        }
    )


def test_folds_by_group_show_what_knowing_the_patient_was_worth(suffice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = _visits()
    csv.write_csv(rows, "visits.csv")

    def loss(*words):
        code, out, err = suffice("train", "visits.csv", "-t", "state", "--drop", "day", "--json", *words)
        assert code == 0, err
        found = json.loads(out)
        assert "patient" in {one["name"] for one in found["left_out"]} or "--group" not in words
        return found

    plain, apart = loss("--drop", "day,patient"), loss("--group", "patient")
    assert apart["quality"][0]["log_loss"]["value"] > plain["quality"][0]["log_loss"]["value"] + 0.2
    assert apart["judged_by"] == "5-fold cross-validation, no patient in two folds"
    direct = cross_validate(rows.select(["level"]), np.asarray(rows["state"]), groups=np.asarray(rows["patient"]), k=5)
    assert apart["quality"][0]["log_loss"]["value"] == pytest.approx(direct.log_loss.value, rel=1e-6)


@pytest.mark.parametrize("model", ["naive", "full", "logistic"])
def test_runs_in_time_are_answered_by_those_before(suffice, tmp_path, monkeypatch, model):
    monkeypatch.chdir(tmp_path)
    rows = _visits()
    csv.write_csv(rows.take(pa.array(np.random.default_rng(0).permutation(len(rows)))), "visits.csv")
    words = ["-t", "state", "--time", "day", "--drop", "patient", "--model", model, "--json"]
    code, out, err = suffice("train", "visits.csv", *words)
    assert code == 0, err
    found = json.loads(out)
    assert found["judged_by"] == "5 parts in the order of day, each by a model of earlier rows"
    if model == "logistic":
        return
    y, X = np.asarray(rows["state"]), rows.select(["level"])
    split = FoldSplit(time_folds(np.asarray(rows["day"]), len(y), 5), is_ordered=True)
    losses = []
    for before, now in split.parts():
        assert rows["day"].take(before).to_numpy().max() < rows["day"].take(now).to_numpy().min()
        fitted = library.BayesClassifier(model=model).fit(X.take(before), y[before])
        log_p = fitted.predict_log_proba(X.take(now))
        losses.append(-log_p[np.arange(len(now)), np.searchsorted(fitted.classes_, y[now])])
    assert found["quality"][0]["log_loss"]["value"] == pytest.approx(np.concatenate(losses).mean(), rel=1e-5)


def test_rows_of_their_own_to_judge_by(suffice, table, flowers):
    csv.write_csv(flowers.slice(0, 80), "old.csv")
    csv.write_csv(flowers.slice(80), "new.csv")
    words = ["-t", "kind", "--test", "new.csv", "-o", "a.model"]
    code, out, err = suffice("train", "old.csv", *words, "--json")
    assert code == 0, err
    summary = json.loads(out)
    assert summary["judged_by"] == "40 rows of new.csv"
    held = json.loads(suffice("evaluate", "a.model", "new.csv", "-t", "kind", "--json")[1])
    assert summary["quality"][0] == held["quality"][0]
    assert [q["name"] for q in summary["quality"]] == ["this model", "prior-only", "logistic"]
    assert len(library.load("a.model").held_out_.codes) == 40


def test_no_moment_is_in_two_runs_and_no_group_in_two_folds():
    rng = np.random.default_rng(1)
    times = rng.integers(0, 40, 2000)
    run = time_folds(times, 2000, 4)
    assert np.bincount(run).min() > 300
    for moment in range(40):
        assert len(set(run[times == moment])) == 1
    assert (np.diff(run[np.argsort(times)]) >= 0).all()
    assert all(len(set(group_folds(times, 2000, 5)[times == moment])) == 1 for moment in range(40))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--family", "lenght=Gaussian"], 3, "did you mean 'length'?"),
        (["--family", "length=Gausian"], 2, "did you mean 'Gaussian'?"),
        (["--family", "length"], 2, "COLUMN=FAMILY is needed"),
        (["--alpha", "0.5"], 2, "Add --model naive"),
        (["--estimate", "mle"], 2, "Add --model naive"),
        (["--model", "logistic", "--alpha", "1"], 2, "--alpha is given with --model logistic"),
        (["--prior", "aster=40%,broom=50%"], 2, "'clover'"),
        (["--class-weight", "rose=2"], 2, "--class-weight has 'rose'"),
        (["--group", "plant_id", "--time", "length"], 2, "quality is estimated in one way"),
        (["--time", "colour"], 3, "--time needs dates or numbers"),
        (["--group", "colour"], 3, "Column 'colour' has 8 missing cells"),
        (["--group", "nest"], 3, "There is no column 'nest'"),
        (["--test", "nowhere.csv"], 3, "nowhere.csv"),
    ],
)
def test_slips_are_named(suffice, table, words, code, said):
    found, _, err = suffice("train", table, "-t", "kind", *words)
    assert said in err
    assert found == code
