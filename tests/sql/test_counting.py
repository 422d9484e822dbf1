"""What a database counts makes the model of ``fit`` on the rows."""

import numpy as np
import pyarrow as pa
import pytest

from sql.databases import DuckDB, ReadBack
from suffice import BayesClassifier, Bernoulli, Categorical, Exponential, Gamma, Gaussian, Poisson, Text
from suffice.errors import DataError, NegativeError, NoSqlError, ParameterError
from suffice.sql import counting

FAR = 'far "out"'
FAMILIES = {
    FAR: Gaussian(),
    "size": Gaussian(),
    "smokes": Bernoulli(),
    "calls": Poisson(),
    "wait": Exponential(),
    "job's": Categorical(alpha=0.5),
    "floor": Categorical(),
}
TARGET = "the class"


def drawn(rng, rows=1_500, labels=("no", "so-so", "O'Neil"), far=1e8):
    def holes(values, kind):
        return pa.array([None if rng.random() < 0.1 else v for v in values.tolist()], kind)

    y = rng.integers(0, len(labels), rows)
    size = rng.normal(y, 1.0)
    size[rng.random(rows) < 0.05] = np.nan
    return pa.table({
        FAR: holes(far + rng.normal(y, 1.0), pa.float64()),
        "size": holes(size, pa.float64()),
        "smokes": holes(rng.random(rows) < 0.2 + 0.2 * y, pa.bool_()),
        "calls": holes(rng.poisson(1 + y), pa.int64()),
        "wait": holes(rng.exponential(1.0 + y), pa.float64()),
        "job's": holes(rng.choice(["cook", "O'Neil", "a\\b", "", '"', "Ärztin"], rows), pa.string()),
        "floor": holes(rng.integers(0, 5, rows), pa.int64()),
        TARGET: pa.array([labels[c] for c in y]),
    })  # fmt: skip


def answer(table, database, families=FAMILIES):
    found = database.answers(table, counting(families, TARGET, "rows", database.dialect))
    return [{name: None if value == "" and name != "level" else value for name, value in row.items()} for row in found]


@pytest.mark.parametrize("estimate", ["mean", "mle", "predictive"])
def test_the_model_is_that_of_the_rows(estimate, database, rng):
    table = drawn(rng)
    settings = {"families": FAMILIES, "model": "naive", "estimate": estimate}
    counted = BayesClassifier(**settings).fit_counted(answer(table, database))
    fitted = BayesClassifier(**settings).fit(table, TARGET)
    new = drawn(rng).drop_columns(TARGET)
    assert counted.classes_.tolist() == fitted.classes_.tolist()
    assert counted.feature_names_in_.tolist() == fitted.feature_names_in_.tolist()
    np.testing.assert_allclose(counted.predict_proba(new), fitted.predict_proba(new), rtol=0, atol=1e-9)
    joint = fitted.predict_joint_log_proba(new)
    np.testing.assert_allclose(counted.predict_joint_log_proba(new), joint, rtol=1e-9, atol=1e-9)


def test_it_learns_forgets_merges_and_is_saved_like_any_other(rng, tmp_path):
    first, second = drawn(rng, far=1e6), drawn(rng, far=1e6)  # a sum of means has the digits of a mean
    model = BayesClassifier(FAMILIES, model="naive").fit_counted(answer(first, DuckDB()))
    model.partial_fit(second, TARGET).forget(first, TARGET)
    model.save(tmp_path / "counted.model")
    fitted = BayesClassifier(FAMILIES, model="naive").fit(second, TARGET)
    new = second.drop_columns(TARGET)
    np.testing.assert_allclose(model.predict_proba(new), fitted.predict_proba(new), rtol=0, atol=1e-9)
    both = fitted + BayesClassifier(FAMILIES, model="naive").fit_counted(answer(first, DuckDB()))
    whole = BayesClassifier(FAMILIES, model="naive").fit(pa.concat_tables([first, second]), TARGET)
    np.testing.assert_allclose(both.predict_proba(new), whole.predict_proba(new), rtol=0, atol=1e-9)


def test_labels_that_are_numbers_frames_and_tuples(rng):
    table = drawn(rng, labels=(1, 2, 10))
    rows = answer(table, DuckDB())
    fitted = BayesClassifier(FAMILIES, model="naive").fit(table, TARGET)
    for given in (rows, [tuple(row.values()) for row in rows], pa.Table.from_pylist(rows)):
        counted = BayesClassifier(FAMILIES, model="naive").fit_counted(given)
        assert counted.classes_.tolist() == [1, 2, 10]
        np.testing.assert_allclose(counted.predict_proba(table), fitted.predict_proba(table), rtol=0, atol=1e-9)


def test_a_class_in_which_a_column_is_missing_throughout(database, rng):
    table = drawn(rng)
    cells = zip(table["size"].to_pylist(), table[TARGET].to_pylist(), strict=True)
    size = [None if label == "no" else v for v, label in cells]
    table = table.set_column(1, "size", pa.array(size, pa.float64()))
    fitted = BayesClassifier(FAMILIES, model="naive").fit(table, TARGET)
    counted = BayesClassifier(FAMILIES, model="naive").fit_counted(answer(table, database))
    np.testing.assert_allclose(counted.predict_proba(table), fitted.predict_proba(table), rtol=0, atol=1e-9)


def test_a_warehouse_by_way_of_sqlglot(rng):
    table = drawn(rng)
    fitted = BayesClassifier(FAMILIES, model="naive").fit(table, TARGET)
    counted = BayesClassifier(FAMILIES, model="naive").fit_counted(answer(table, ReadBack()))
    np.testing.assert_allclose(counted.predict_proba(table), fitted.predict_proba(table), rtol=0, atol=1e-9)


def test_what_cannot_be_counted_is_refused_by_name(rng):
    for family in (Gamma(), Text(), "gaussian"):
        with pytest.raises(NoSqlError, match=r"Column 'a' is modelled by .*Gaussian, Bernoulli, Poisson"):
            counting({"a": family}, "y")
    with pytest.raises(ParameterError, match="families is"):
        counting({}, "y")
    with pytest.raises(ParameterError, match="The target 'y' has a family"):
        counting({"y": Gaussian()}, "y")
    table = drawn(rng)
    rows = answer(table, DuckDB())
    with pytest.raises(ParameterError, match=r"model is 'full'.*model='naive'"):
        BayesClassifier(FAMILIES).fit_counted(rows)
    with pytest.raises(ParameterError, match="Column 'wait' was counted, but has no family"):
        BayesClassifier({k: v for k, v in FAMILIES.items() if k != "wait"}, model="naive").fit_counted(rows)
    with pytest.raises(DataError, match="it must have the columns class, column, level"):
        BayesClassifier(FAMILIES, model="naive").fit_counted([(1, 2)])


@pytest.mark.parametrize(("column", "value", "error", "message"), [
    ("calls", -1, NegativeError, "Column 'calls' has negative values, with minimum -1; Poisson needs numbers ≥ 0"),
    ("size", np.inf, DataError, "Column 'size' has values that are infinite"),
    (TARGET, None, DataError, "1 rows have no class"),
])  # fmt: skip
def test_rows_that_fit_refuses_are_refused_when_the_answer_is_read(column, value, error, message, rng):
    table = drawn(rng)
    values = table[column].to_pylist()
    values[3] = value
    changed = table.set_column(table.column_names.index(column), column, pa.array(values, table[column].type))
    with pytest.raises(error, match=message):
        BayesClassifier(FAMILIES, model="naive").fit_counted(answer(changed, DuckDB()))
