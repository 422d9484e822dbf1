"""The parts of a summary against closed forms."""

import numpy as np
import pyarrow as pa
import pytest

from suffice import BayesClassifier, Categorical, Gaussian
from suffice.evaluate import Assessment
from suffice.report import Subject, summarise
from suffice.report.calibration import calibration_part
from suffice.report.decisions import decision_part
from suffice.report.drivers import drivers
from suffice.report.page import page


def _subject(columns, labels, families=None):
    table = pa.table({**columns, "y": labels})
    model = BayesClassifier(families).fit(table.drop_columns(["y"]), np.asarray(labels))
    return Subject(model, table, "y", len(labels))


def _sure(p, truth):
    """Two classes; p of the second."""
    posterior = np.column_stack([1 - np.asarray(p), p])
    return Assessment(("no", "yes"), np.log(posterior), np.asarray(truth, dtype=np.int32))


def test_fit_is_the_distance_of_distributions():
    rng = np.random.default_rng(0)
    bell, steps = rng.normal(size=2000), rng.exponential(size=2000) ** 3
    y = np.repeat(["a", "b"], 1000)
    summary, _ = summarise(_subject({"bell": bell, "steps": steps}, y, Gaussian()), folds=2)
    off = {c.name: c.fit.distance for c in summary.columns}
    assert off["bell"] < 0.05
    assert off["steps"] > 0.3
    assert any("steps" in text for text in summary.warnings)


def test_fit_of_levels_is_what_smoothing_moved():
    colour = ["red"] * 6 + ["blue"] * 2 + ["red"] * 2 + ["blue"] * 6
    summary, _ = summarise(_subject({"colour": colour}, ["a"] * 8 + ["b"] * 8, Categorical()), folds=2)
    # 6 and 2 of 8 with one added to each: 7/10 and 3/10
    assert summary.columns[0].fit.distance == pytest.approx(0.75 - 0.7)


def test_reject_counts_errors_among_the_surest():
    found = decision_part(_sure([0.1, 0.2, 0.3, 0.45, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95], [0, 0, 0, 1, 0, 1, 1, 1, 1, 1]))
    by_share = {round(w.decided, 2): w.errors for w in found.reject}
    assert by_share[1.0] == pytest.approx(0.2)
    assert by_share[0.8] == 0.0
    assert found.confusion.rows == [[3, 1], [1, 5]]


def test_prices_are_costs_a_row():
    found = decision_part(_sure([0.1, 0.2, 0.3, 0.45, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95], [0, 0, 0, 1, 0, 1, 1, 1, 1, 1]))
    equal = next(p for p in found.prices if p.ratio == 1.0)
    assert equal.cost == pytest.approx(0.2, abs=0.01)
    assert (equal.never, equal.always) == (pytest.approx(0.6), pytest.approx(0.4))


def test_calibration_says_in_which_direction():
    rng = np.random.default_rng(0)
    p = rng.random(20_000)
    fair = calibration_part(_sure(p, rng.random(20_000) < p))
    assert fair.verdict == "the probabilities are well calibrated"
    shy = calibration_part(_sure(np.full(1000, 0.6), np.arange(1000) < 950))
    assert shy.verdict == "the model is strongly underconfident: its probabilities are off by 35.0% on average"
    bold = calibration_part(_sure(np.full(1000, 0.99), np.arange(1000) < 700))
    assert "strongly overconfident" in bold.verdict


def test_mistakes_are_the_surest_errors():
    x = np.concatenate([np.linspace(0, 1, 50), np.linspace(5, 6, 50)])
    y = np.repeat(["low", "high"], 50)
    y[3] = "high"  # mislabelled
    summary, _ = summarise(_subject({"x": x}, y), folds=5)
    first = summary.mistakes[0]
    assert (first.row, first.truth, first.answer) == (4, "high", "low")  # counted from 1
    assert first.because[0].name == "x"
    assert float(first.cells["x"]) == x[3]


def test_fit_of_bins_is_what_was_smoothed():
    """Bins hold whatever was seen, a spike at the last value too."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], [1500, 500])
    few = rng.integers(0, 3, 2000) + (y == "b")
    summary, _ = summarise(_subject({"few": few, "steps": rng.exponential(size=2000) ** 3}, y), folds=2)
    assert all(c.fit.distance < 0.06 for c in summary.columns)


def test_columns_that_speak_only_together_drive_it():
    rng = np.random.default_rng(0)
    a, b, noise = rng.integers(0, 2, (3, 2000))
    y = np.where(a == b, "same", "other")
    columns = {"a": a.astype(float), "b": b.astype(float), "noise": noise.astype(float)}
    summary, _ = summarise(_subject(columns, y), folds=2)
    assert {d.name for d in summary.drivers[:2]} == {"a", "b"}
    assert {d.name for d in summary.drivers} <= {"a", "b", "noise"}


def test_what_drives_it_comes_first():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 100)
    columns = {"noise": rng.normal(size=200), "signal": rng.normal(size=200) + 4 * (y == "b")}
    summary, _ = summarise(_subject(columns, y), folds=2)
    assert summary.drivers[0].name == "signal"
    noise = {"noise": rng.normal(size=200)}
    summary, _ = summarise(_subject(noise, y), folds=2)
    assert any("than the class shares" in text for text in summary.warnings)


def test_documents_are_explained_a_few_at_a_time(explained):
    """With other columns beside them that are weighed together: words keep their names."""
    rng = np.random.default_rng(0)
    y = np.repeat(["ham", "spam"], 100)
    texts = [
        f"letter{i} of today: the {'prize' if label == 'spam' else 'meeting'} is near" for i, label in enumerate(y)
    ]
    columns = {"text": texts, "signal": rng.normal(size=200) + (y == "spam"), "noise": rng.normal(size=200)}
    subject = _subject(columns, y)
    by_column, texts, rows = drivers(subject)
    assert max(explained) == 16
    assert sum(explained) == rows == 200
    assert subject.model.weighted_parts is not None
    found = {w.word: w for w in texts[0].words}
    assert {"prize", "meeting"} <= set(found)
    one_by_one = [subject.estimator.explain(subject.features.slice(i, 1)).row() for i in range(200)]
    expected = np.mean([abs(row.get("text: prize", 0.0)) for row in one_by_one])
    assert found["prize"].evidence == pytest.approx(expected)
    assert found["prize"].documents == 100
    # the column is the sum of its words
    sums = [abs(sum(w for name, w in row.items() if name.startswith("text: "))) for row in one_by_one]
    assert {d.name: d.evidence for d in by_column}["text"] == pytest.approx(np.mean(sums))
    assert {"signal", "noise"} <= {d.name for d in by_column}


def test_the_column_that_may_give_the_target_away_is_named():
    rng = np.random.default_rng(0)
    y = np.repeat(["paid", "owed"], 100)
    columns = {"noise": rng.normal(size=200), "receipt": np.where(y == "paid", "yes", "no")}
    summary, _ = summarise(_subject(columns, y), folds=2)
    assert any("Column receipt alone predicts nearly every class" in text for text in summary.warnings)


@pytest.mark.parametrize("telling", [True, False])
def test_what_is_said_of_missing_cells_is_so(telling):
    rng = np.random.default_rng(0)
    bad = rng.random(1500) < 0.2
    debt = rng.normal(0.5 * bad, 1.0)
    debt[rng.random(1500) < (np.where(bad, 0.6, 0.1) if telling else 0.2)] = np.nan
    columns = {"age": rng.normal(40 - 3 * bad, 9), "debt": pa.array(debt, from_pandas=True)}
    summary, _ = summarise(_subject(columns, np.where(bad, "bad", "good")), folds=2)
    text = " ".join(page(summary).split())
    if telling:
        assert summary.data.informative_missing == ["debt"]
    assert ("missing cells are evidence in debt." in text) == telling
    assert ("a missing cell is no evidence of the class" in text) == (not telling)


@pytest.mark.parametrize("kind", ["full", "naive"])
def test_loss_without_a_column_is_that_of_rows_left_out(kind):
    """Of the textbook model, the log-loss of a model without the column, less that with it."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 200)
    columns = {"noise": rng.normal(size=400), "signal": rng.normal(size=400) + 2 * (y == "b")}
    table = pa.table({**columns, "y": y})
    fitted = BayesClassifier(model=kind).fit(columns, y)
    summary, with_it = summarise(Subject(fitted, table, "y", 400), folds=2)
    loss = {d.name: d.loss for d in summary.drivers}
    assert loss["signal"].value > 5 * loss["signal"].error > 0
    assert abs(loss["noise"].value) < 4 * loss["noise"].error + 0.005
    if kind == "naive":
        alone = BayesClassifier(model=kind).fit({"noise": columns["noise"]}, y)
        _, without = summarise(Subject(alone, table, "y", 400), folds=2)
        rise = without.less(with_it)
        assert (loss["signal"].value, loss["signal"].error) == pytest.approx((rise.value, rise.error), rel=1e-2)
    text = " ".join(page(summary).split())
    assert f"{loss['signal'].value:+.4f} ± {loss['signal'].error:.4f}" in text
    assert "average precision" in text
