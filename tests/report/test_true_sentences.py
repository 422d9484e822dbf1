"""What the summary says is so."""

import numpy as np
import pyarrow as pa
import pytest
from msgspec.structs import replace

from suffice import BayesClassifier
from suffice.evaluate import Assessment
from suffice.explain import explain
from suffice.report import Subject, summarise
from suffice.report.drivers import drivers
from suffice.report.judging import Judging
from suffice.report.leakage import leaking_columns
from suffice.report.missing_cells import missing_cells_sentence
from suffice.report.mistakes import mistakes
from suffice.report.model_warnings import model_warnings
from suffice.report.quality import cross_validated
from suffice.report.row_posteriors import row_posteriors

MODELS = ["full", "additive", "naive"]


def _subject(columns, labels, model="full", *, apart=(), **settings):
    table = pa.table({**columns, "y": pa.array(labels)})
    names = [name for name in columns if name not in apart]
    estimator = BayesClassifier(model=model).fit(table.select(names), np.asarray(labels))
    return Subject(estimator, table, "y", len(labels), **settings)


@pytest.fixture(scope="module")
def loans():
    """2,000 rows of which the last hundred have the wrong label and a level that no other row has."""
    rng = np.random.default_rng(7)
    bad = rng.random(2000) < 0.4
    income = rng.normal(3.0 - 2.0 * bad, 0.6)
    branch = rng.choice(["north", "south", "east"], 2000).astype(object)
    branch[1900:] = [f"desk {i}" for i in range(100)]
    label = np.where(bad, "bad", "good")
    label[1900:] = np.where(bad[1900:], "good", "bad")
    return {"income": income, "branch": branch.tolist()}, label


@pytest.mark.parametrize("model", MODELS)
def test_rows_are_numbered_as_in_the_source(loans, model):
    columns, label = loans
    every_other = np.arange(1, 2000, 2)
    some = {name: np.asarray(cells, dtype=object)[every_other].tolist() for name, cells in columns.items()}
    some["key"] = [f"k{i + 1}" for i in every_other]
    subject = _subject(some, label[every_other], model, apart=("key",), numbers=every_other + 1)
    found = mistakes(subject, cross_validated(subject, Judging(5).split(subject)))
    assert found
    for one in found:
        assert one.identifiers == {"key": f"k{one.row}"}
        assert float(one.cells["income"]) == columns["income"][one.row - 1]


@pytest.mark.parametrize("model", MODELS)
def test_reasons_are_those_of_the_model_without_the_row(loans, model):
    """Levels that are there once are no evidence to a model that has not seen them; and reasons speak for the mistake."""
    subject = _subject(*loans, model)
    answered = cross_validated(subject, Judging(5).split(subject))
    found = mistakes(subject, answered, most=30)
    assert len(found) == 30
    for one in found:
        assert one.because
        assert all(reason.evidence > 0 for reason in one.because)
        assert one.because[0].name == "income"
        if one.row > 1900:
            assert [reason.name for reason in one.because] == ["income"]
        row = one.row - 1
        model_behind = answered.behind(row)
        rest = subject.features.slice(row, 1)
        log_p = np.log(model_behind_posterior(model_behind, subject, rest))
        assert np.allclose(np.exp(log_p[0]), answered.assessment.posterior[row], atol=1e-9)
        opened = subject.estimator._open(rest, reset=False)
        why = explain(model_behind, opened, np.asarray(model_behind.classes, dtype=object), one.answer, one.truth)
        own = dict(zip(why.features, why.evidence[0].tolist(), strict=True))
        assert one.because[0].evidence == pytest.approx(min(own["income"], 50.0), rel=1e-9)


def model_behind_posterior(model, subject, rows):
    from suffice.posterior import posterior

    joint = np.empty((rows.num_rows, len(model.classes)))
    for _, part in model.log_joints(subject.estimator._open(rows, reset=False), joint, 1):
        posterior(part, model.log_prior, 1)
    return joint


def _assessment(p_own):
    p = np.asarray(p_own, dtype=float)
    return Assessment(("a", "b"), np.log(np.column_stack([p, 1 - p])), np.zeros(len(p), dtype=np.int32))


def test_warnings_stand_on_paired_differences():
    """A few rows that are hard for both make both errors large, and their difference certain."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 50)
    subject = _subject({"x": rng.normal(size=100)}, y, "naive")
    hard = np.r_[np.full(90, 0.0), np.full(10, 8.0)]
    shares, ours = _assessment(0.5 * np.exp(-hard)), _assessment(0.7 * np.exp(-hard))
    gap = 2 * (shares.log_loss.error + ours.log_loss.error)
    assert gap > shares.log_loss.value - ours.log_loss.value  # the two errors alone would not tell
    assert ours.less(shares).error < 1e-9
    assert not any("than the class shares" in text for text in model_warnings(subject, ours, shares, [], []))
    worse = [text for text in model_warnings(subject, shares, ours, [], []) if "than the class shares" in text]
    assert worse
    assert "worse" in worse[0]
    noisy = _assessment(np.where(np.arange(100) % 2, 0.45, 0.56))
    unsure = [
        text for text in model_warnings(subject, noisy, _assessment(np.full(100, 0.5)), [], []) if "no better" in text
    ]
    assert unsure


@pytest.mark.parametrize("model", MODELS)
def test_the_column_that_gives_the_target_away_is_named_beside_a_text(model):
    rng = np.random.default_rng(1)
    y = rng.choice(["paid", "owed", "lost"], 1500, p=[0.5, 0.3, 0.2])
    words = {"paid": "thanks received", "owed": "please remind", "lost": "nobody answers"}
    texts = [f"{words[k] if rng.random() < 0.9 else 'nothing new'} case {rng.integers(1e6)} in the file" for k in y]
    columns = {"note": texts, "noise": rng.normal(size=1500), "state": np.where(rng.random(1500) < 0.999, y, "paid")}
    summary, _ = summarise(_subject(columns, y, model), folds=2)
    assert [one.column for one in summary.leaks if one.klass is None] == ["state"]
    assert any("Column state alone" in text for text in summary.warnings)
    assert not any("note" in text for text in summary.warnings)
    assert any("--drop state" in text for text in summary.next_steps)


def test_a_column_or_a_word_that_gives_one_class_away_is_named():
    rng = np.random.default_rng(2)
    y = rng.choice(["a", "b", "c"], 2000)
    closed = pa.array(np.where(y == "c", rng.normal(size=2000), np.nan), from_pandas=True)
    texts = [f"{'refunded in full' if k == 'b' else 'as usual here'} number {i} of many" for i, k in enumerate(y)]
    columns = {"x": rng.normal(size=2000) + (y == "a"), "closed": closed, "text": texts}
    found = leaking_columns(_subject(columns, y, "naive"))
    assert ("closed", "c", None) in [(one.column, one.klass, one.word) for one in found]
    assert [(one.column, one.klass) for one in found if one.word] == [("text", "b")]
    assert "x" not in [one.column for one in found]


def test_an_identifier_that_begins_with_the_class_is_named():
    rng = np.random.default_rng(4)
    y = rng.choice(["a", "b"], 600)
    shelf = {"a": "10", "b": "27"}
    columns = {
        "key": [f"{shelf[label]}{i:05d}" for label, i in zip(y, rng.integers(0, 999, 600), strict=True)],
        "other": [f"{i:07d}" for i in rng.integers(0, 999, 600)],
        "x": rng.normal(y == "a", 1.0),
    }
    found = leaking_columns(_subject(columns, y, "naive"))
    assert [(one.column, one.klass) for one in found] == [("key", None)]


def test_a_distribution_is_called_off_beyond_chance_alone():
    """Of ten rows the observed one is always far from the assumed one."""
    y = np.repeat(["few", "many"], [10, 90])
    subject = _subject({"x": np.random.default_rng(0).normal(size=100)}, y, "naive")
    part = summarise(subject, folds=2)[0].columns[0]
    for klass, told in (("few", False), ("many", True)):
        off = replace(part, fit=replace(part.fit, distance=0.4, klass=klass))
        assert told == any(
            "off by" in text for text in model_warnings(subject, _assessment(np.full(9, 0.5)), None, [off], [])
        )


def test_a_good_column_is_no_giveaway():
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b"], 1000)
    columns = {"x": rng.normal(size=2000) + 2 * (y == "b"), "z": rng.normal(size=2000) + 2 * (y == "b")}
    assert leaking_columns(_subject(columns, y, "naive")) == []


@pytest.mark.parametrize("model", MODELS)
def test_rows_that_were_learned_are_judged_without_themselves(model):
    """Of noise in sixty columns a model makes much of rows it has learned, and nothing of others."""
    rng = np.random.default_rng(4)
    y = rng.choice(["a", "b"], 300)
    columns = {f"x{j}": rng.normal(size=300) for j in range(60)}
    subject = _subject(columns, y, model)
    found = row_posteriors(subject)
    assert found.how == "leave-one-out"
    assert found.assessment.accuracy.value < 0.6
    new = {f"x{j}": rng.normal(size=200) for j in range(60)}
    table = pa.table({**new, "y": rng.choice(["a", "b"], 200)})
    other = Subject(subject.estimator, table, "y", 200)
    told = row_posteriors(other)
    assert told.how != found.how
    assert np.allclose(told.assessment.posterior, subject.estimator.predict_proba(table.drop_columns(["y"])))


def test_rows_that_are_partly_new_are_told_apart():
    rng = np.random.default_rng(5)
    y = rng.choice(["a", "b"], 400)
    x = rng.normal(size=400) + (y == "b")
    estimator = BayesClassifier().fit(pa.table({"x": x[:300]}), y[:300])
    found = row_posteriors(Subject(estimator, pa.table({"x": x[200:], "y": y[200:]}), "y", 200))
    assert found.how == "leave-one-out for the 100 rows that the model learned, 100 others predicted"
    as_is = estimator.predict_proba(pa.table({"x": x[200:]}))
    same = np.isclose(found.assessment.posterior, as_is, atol=1e-12).all(axis=1)
    assert same[100:].all()
    assert not same[:100].any()


def test_no_word_drives_it_from_a_single_row():
    rng = np.random.default_rng(6)
    y = np.repeat(["ham", "spam"], 300)
    texts = [
        f"{'a prize is' if k == 'spam' and rng.random() < 0.8 else 'the lunch is'} unique{i}"
        f" {'zyzzyva ' * 40 if i == 7 else ''} and so it was on every other day of the week"
        for i, k in enumerate(y)
    ]
    _, (found,), _ = drivers(_subject({"text": texts}, y))
    assert found.documents >= 300
    assert found.words
    assert all(word.documents >= 5 for word in found.words)
    assert any(word.word in ("prize", "lunch") or word.word.strip("‹› ") in "prize lunch" for word in found.words[:3])
    assert "lunch" in found.by_class[0].words
    assert "prize" in found.by_class[1].words


def test_words_of_single_rows_are_left_out_where_there_are_few_others():
    rng = np.random.default_rng(6)
    y = np.repeat(["ham", "spam"], 300)
    topic = np.where((y == "spam") ^ (rng.random(600) < 0.2), "prize", "lunch")
    texts = [" ".join([word, *(f"{c}{i}{c}" for c in "bcdfghjklm")]) for i, word in enumerate(topic)]
    _, (found,), _ = drivers(_subject({"text": texts}, y))
    assert found.words
    assert all(word.documents >= 5 for word in found.words)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("related", [True, False])
def test_missing_cells_sentence(model, related):
    """A textbook model makes nothing of them, which does not mean that they say nothing."""
    rng = np.random.default_rng(8)
    bad = rng.random(2000) < 0.3
    debt = rng.normal(size=2000) + bad
    debt[rng.random(2000) < np.where(bad & related, 0.5, 0.1)] = np.nan
    columns = {"age": rng.normal(size=2000) + 0.5 * bad, "debt": pa.array(debt, from_pandas=True)}
    summary, _ = summarise(_subject(columns, np.where(bad, "bad", "good"), model), folds=2)
    said = missing_cells_sentence(summary.data)
    assert ("is no evidence of the class" in said) == (not related and not summary.data.informative_missing)
    assert bool(summary.data.missing_by_class) == related
    if related:
        assert ("missing cells are evidence in debt" in said) == (model != "naive")
        assert ("which the model does not use" in said) == (model == "naive")
        assert (summary.data.missing_by_class[0].column, summary.data.missing_by_class[0].klass) == ("debt", "bad")
