"""Examples of the course by commands, with their numbers."""

import csv
import io

import numpy as np
import pytest

PATIENTS = (
    "select if(i < 11, 50, 60) as cells, 'healthy' as state from range(100) t(i)"
    " union all select if(i < 42, 50, 60), 'ill' from range(100) t(i)"
)
COUNTED = ["--model", "naive", "--estimate", "mle", "--kind", "cells=category"]
PATIENT = "select 50 as cells"


@pytest.fixture
def ask(suffice, tmp_path, monkeypatch):
    """The first row that a command prints, by name."""
    monkeypatch.chdir(tmp_path)

    def asked(*words):
        code, out, err = suffice(*words)
        assert code == 0, err
        return next(csv.DictReader(io.StringIO(out)))

    return asked


@pytest.fixture
def patients(suffice, ask):
    for name, prior in (("true", "healthy=80%,ill=20%"), ("even", "uniform")):
        code, _, err = suffice("train", PATIENTS, "-t", "state", *COUNTED, "--prior", prior, "-o", f"{name}.model")
        assert code == 0, err


def test_diabetes(ask, patients):
    found = ask("predict", "true.model", PATIENT, "--joint")
    assert float(found["joint_ill"]) == pytest.approx(0.084, rel=1e-12)
    assert float(found["joint_healthy"]) == pytest.approx(0.088, rel=1e-12)
    assert float(found["probability_ill"]) == pytest.approx(0.084 / 0.172, rel=1e-12)
    assert found["prediction"] == "healthy"


@pytest.mark.parametrize(("cost", "answer"), [("1.0476", "healthy"), ("1.0477", "ill")])
def test_costs_change_without_training(ask, patients, cost, answer):
    assert ask("predict", "true.model", PATIENT, "--cost", f"ill:healthy={cost}")["prediction"] == answer


def test_the_reject_option(ask, patients):
    asked = ask("predict", "true.model", PATIENT, "--reject", "0.48")
    assert (asked["prediction"], asked["rejected"], float(asked["risk"])) == ("", "true", 0.48)
    decided = ask("predict", "true.model", PATIENT, "--reject", "0.49")
    assert (decided["prediction"], decided["rejected"]) == ("healthy", "false")
    assert float(decided["risk"]) == pytest.approx(0.084 / 0.172, rel=1e-12)


def test_trained_balanced_and_corrected_to_the_true_prior(ask, patients):
    true = ask("predict", "true.model", PATIENT)
    corrected = ask("predict", "even.model", PATIENT, "--prior", "healthy=80%,ill=20%")
    assert true["prediction"] == corrected["prediction"]
    assert float(corrected["probability_ill"]) == pytest.approx(float(true["probability_ill"]), rel=1e-12)
    assert float(ask("predict", "even.model", PATIENT)["probability_ill"]) == pytest.approx(0.42 / 0.53, rel=1e-12)


def _day(*cells):
    names = ("outlook", "temperature", "humidity", "wind")
    return "select " + ", ".join(f"'{cell}' as {name}" for name, cell in zip(names, cells, strict=True))


def test_play_tennis(suffice, ask):
    assert suffice("demo", "tennis", "-o", "tennis.csv")[0] == 0
    counted = ["train", "tennis.csv", "-t", "play", "--model", "naive", "--prior", "mle", "--folds", "2"]
    assert suffice(*counted, "--estimate", "mle", "-o", "counts.model")[0] == 0
    found = ask("predict", "counts.model", _day("rain", "hot", "high", "calm"), "--joint")
    p, n = 3 / 9 * 2 / 9 * 3 / 9 * 6 / 9 * 9 / 14, 2 / 5 * 2 / 5 * 4 / 5 * 2 / 5 * 5 / 14
    assert (round(p, 6), round(n, 6), round(n / (p + n), 4)) == (0.010582, 0.018286, 0.6334)
    assert np.allclose([float(found[f"joint_{c}"]) for c in ("yes", "no")], [p, n], rtol=1e-12)
    assert float(found["probability_no"]) == pytest.approx(n / (p + n), rel=1e-12)
    overcast = _day("overcast", "hot", "high", "windy")
    assert float(ask("predict", "counts.model", overcast)["probability_no"]) == 0.0
    for alpha in (1.0, 0.3):  # Laplace, Lidstone
        assert suffice(*counted, "--alpha", str(alpha), "-o", "smooth.model", "--force")[0] == 0
        found = ask("predict", "smooth.model", overcast, "--joint")
        for label, days, of, counts in (("yes", 9, 14, (4, 2, 3, 3)), ("no", 5, 14, (0, 2, 4, 3))):
            levels = (3, 3, 2, 2)
            joint = days / of * np.prod([(k + alpha) / (days + alpha * m) for k, m in zip(counts, levels, strict=True)])
            assert float(found[f"joint_{label}"]) == pytest.approx(joint, rel=1e-12)


def test_a_query_that_finds_truths_for_yes_and_no(suffice, ask):
    """DuckDB takes yes and no of a CSV file for truths."""
    assert suffice("demo", "tennis", "-o", "tennis.csv")[0] == 0
    by_query = "select * from 'tennis.csv'"
    naive = ["-t", "play", "--model", "naive", "--folds", "2"]
    assert suffice("train", "tennis.csv", *naive, "-o", "tennis.model", "--test", by_query)[0] == 0
    judged = suffice("evaluate", "tennis.model", "tennis.csv")
    assert judged[0] == 0
    assert suffice("evaluate", "tennis.model", by_query)[1].splitlines()[1:] == judged[1].splitlines()[1:]
    assert suffice("learn", "tennis.model", by_query, "-o", "more.model")[0] == 0
    assert suffice("forget", "more.model", by_query, "-o", "less.model")[0] == 0
    assert suffice("report", "tennis.model", by_query, "--folds", "2", "--json")[0] == 0


def test_a_short_mail(suffice, ask):
    assert suffice("demo", "spam", "-o", "mails.csv")[0] == 0
    words = ["--model", "naive", "--family", "text=Bernoulli", "--kind", "text=text", "--folds", "2"]
    assert suffice("train", "mails.csv", "-t", "kind", *words, "-o", "mails.model")[0] == 0
    found = ask("predict", "mails.model", "select 'click here to claim your money' as text")
    assert found["prediction"] == "spam"
    assert float(found["probability_spam"]) > 0.99
    assert ask("predict", "mails.model", "select 'the minutes of the lunch' as text")["prediction"] == "ham"
