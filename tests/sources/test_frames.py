"""Kinds of column that arrays, lists and frames come with: each is read, in fit and in predict, or refused by name."""

import datetime as dt
import enum

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import BayesClassifier
from suffice.errors import DataError

N = 1000
RNG = np.random.default_rng(20)
Y = RNG.integers(0, 2, N)
X = np.round(RNG.normal(size=N) + 2 * Y, 2)
SIGN = np.where(X > 1, "a", "b")
DAYS = pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(np.round(X * 40), unit="D"))
PASSED = np.round(X * 40) - np.round(X[0] * 40)
BINS = [-9, -1, 0, 1, 2, 9]
MODELS = {"default": BayesClassifier, "naive": lambda: BayesClassifier(model="naive")}


def structured(*columns, **types):
    return np.array(list(zip(*columns, strict=True)), dtype=list(types.items()))


def same(one, other):
    """A table, and one that is read alike; the kind of family tells how."""
    return one, other


READ = {
    "lists of text and numbers": same([[a, x] for a, x in zip(SIGN.tolist(), X.tolist(), strict=True)], {0: SIGN, 1: X}),
    "tuples of text and truth": same([(a, bool(x > 0)) for a, x in zip(SIGN.tolist(), X, strict=True)], {0: SIGN, 1: X > 0}),
    "objects": same(np.array([SIGN, X], dtype=object).T, {0: SIGN, 1: X}),
    "intervals": same(pd.DataFrame({"x": pd.cut(X, BINS)}), {"x": pd.cut(X, BINS).astype(str)}),
    "intervals with holes": same(
        pd.DataFrame({"x": pd.cut(X, BINS[1:-1])}),
        {"x": [{0: "(-1, 0]", 1: "(0, 1]", 2: "(1, 2]"}.get(v) for v in np.ceil(X)]},
    ),
    "an array of intervals with holes": same(
        {"x": pd.arrays.IntervalArray(pd.cut(X, BINS[1:-1]))},
        {"x": [{0: "(-1, 0]", 1: "(0, 1]", 2: "(1, 2]"}.get(v) for v in np.ceil(X)]},
    ),
    "an array of intervals": same({"x": pd.arrays.IntervalArray(pd.cut(X, BINS))}, {"x": pd.cut(X, BINS).astype(str)}),
    "periods": same(
        pd.DataFrame({"x": DAYS.dt.to_period("M"), "a": SIGN}), {"x": DAYS.to_numpy().astype("M8[M]"), "a": SIGN}
    ),
    "categories of periods": same(
        pd.DataFrame({"x": DAYS.dt.to_period("M").astype("category")}), {"x": DAYS.dt.strftime("%Y-%m")}
    ),
    "structured array": same(structured(SIGN, X, a="U1", x="f8"), {"a": SIGN, "x": X}),
    "packed records": same(
        structured(X, (X > 1) * 3, x="f4", n="i1").view(np.recarray), {"x": X.astype("f4"), "n": (X > 1) * 3}
    ),
    "half precision": same(X[:, None].astype(np.float16), X[:, None].astype(np.float16).astype(float)),
    "a frame of half precision": same(
        pd.DataFrame({"x": X.astype(np.float16), "z": X.astype(np.float16)}),
        {"x": X.astype(np.float16).astype(float), "z": X.astype(np.float16).astype(float)},
    ),
    "half precision beside text": same(
        pd.DataFrame({"x": X.astype(np.float16), "a": SIGN}), {"x": X.astype(np.float16).astype(float), "a": SIGN}
    ),
    "extended precision": same(pd.DataFrame({"x": X.astype(np.longdouble)}), {"x": X}),
    "the other byte order": same(pd.DataFrame({"x": X.astype(">f8"), "a": SIGN}), {"x": X, "a": SIGN}),
    "a frame of the other byte order": same(pd.DataFrame({"x": X.astype(">f8")}), {"x": X}),
    "matrix": same(np.column_stack([X, X**2]).view(np.matrix), np.column_stack([X, X**2])),
    "matrix of text": same(SIGN[:, None].view(np.matrix), SIGN[:, None]),
    "enumeration": same(pl.DataFrame({"a": pl.Series(SIGN, dtype=pl.Enum(["b", "a"])), "x": X}), {"a": SIGN, "x": X}),
    "categories of polars": same(pl.DataFrame({"a": pl.Series(SIGN, dtype=pl.Categorical)}), {"a": SIGN}),
    "nullable": same(
        pd.DataFrame({"x": X, "n": np.round(X), "t": X > 0, "a": SIGN}).convert_dtypes(),
        {"x": X, "n": np.round(X), "t": X > 0, "a": SIGN},
    ),
    "nullable with holes": same(
        pd.DataFrame({"n": pd.array(np.where(X > 2, None, np.round(X)), dtype="Int64")}),
        {"n": np.where(X > 2, np.nan, np.round(X))},
    ),
    "days": same(DAYS.to_numpy().astype("M8[D]")[:, None], {0: DAYS}),
    "hours": same(DAYS.to_numpy().astype("M8[h]")[:, None], {0: DAYS}),
    "time passed": same(pd.DataFrame({"x": DAYS - DAYS[0], "a": SIGN}), {"x": PASSED, "a": SIGN}),
    "days passed": same((DAYS - DAYS[0]).to_numpy().astype("m8[D]")[:, None], PASSED[:, None]),
    "dates with holes": same(
        pd.DataFrame({"x": DAYS.where(X > 0), "a": SIGN}),
        {"x": [d.date() if x > 0 else None for d, x in zip(DAYS, X, strict=True)], "a": SIGN},
    ),
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", READ)
def test_a_kind_that_is_read(kind, model):
    table, plain = READ[kind]
    fitted, expected = MODELS[model]().fit(table, Y), MODELS[model]().fit(plain, Y)
    assert [type(b.family) for b in fitted.model_.blocks] == [type(b.family) for b in expected.model_.blocks]
    p = expected.predict_proba(plain)
    np.testing.assert_allclose(fitted.predict_proba(table), p, atol=1e-9)
    np.testing.assert_allclose(fitted.predict_proba(plain), p, atol=1e-9)
    assert fitted.score(table, Y) > 0.55
    first = table[:1] if not isinstance(table, dict) else {name: cells[:1] for name, cells in table.items()}
    np.testing.assert_allclose(fitted.predict_proba(first), p[:1], atol=1e-9)


class Colour(enum.Enum):
    RED = 1


REFUSED = {
    "bytes": (pd.DataFrame({"x": [b"a", b"b"] * 20}), "Column 'x' has cells of type binary"),
    "bytes in a structured array": (structured([b"a", b"b"] * 20, range(40), x="S1", z="f8"), "'x' has cells of type binary"),
    "vectors in a structured array": (np.zeros(40, dtype=[("x", "f8", (2,))]), "Column 'x' contains values of type ndarray"),
    "complex numbers": (pd.DataFrame({"x": np.ones(40) * 1j, "a": "u"}), "Column 'x' contains values of type complex"),
    "texts and numbers in one column": (pd.DataFrame({"x": ["a", 1] * 20}), "Column 'x' mixes int, str"),
    "mixed categories": (pd.DataFrame({"x": pd.Categorical(["a", 1] * 20)}), "Column 'x' mixes int, str"),
    "objects": (pd.DataFrame({"x": [Colour.RED] * 40}), "Column 'x' contains values of type Colour"),
    "structs": (pl.DataFrame({"x": [{"k": 1}] * 40}), "Column 'x' has cells of type struct"),
}  # fmt: skip
if hasattr(pl, "Int128"):  # not in the oldest Polars
    wide = pl.Series(range(40), dtype=pl.Int128)
    REFUSED["integers of 128 bits"] = (pl.DataFrame({"x": wide}), "'x' has cells of type Int128")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", REFUSED)
def test_a_kind_that_is_refused(kind, model):
    table, says = REFUSED[kind]
    with pytest.raises(DataError, match=says + ".*Convert"):
        MODELS[model]().fit(table, [0, 1] * 20)
    plain = dict.fromkeys(table.dtype.names, X) if getattr(table, "dtype", np.dtype(int)).names else {"x": X}
    with pytest.raises(DataError, match=says):
        MODELS[model]().fit(plain, Y).predict(table)


def test_a_structured_array_has_the_names_of_its_fields():
    rows = structured(SIGN, X, Y, a="U1", x="f8", label="i8")
    model = BayesClassifier().fit(rows, "label")
    assert model.feature_names_in_.tolist() == ["a", "x"]
    assert model.score(rows, "label") > 0.7


FORMS = {
    "array": lambda x: x,
    "single precision": lambda x: x.astype(np.float32),
    "lists": lambda x: x.tolist(),
    "objects": lambda x: x.astype(object),
    "frame": lambda x: pd.DataFrame(x, columns=["a", "b"]),
    "frame with text": lambda x: pd.DataFrame(x, columns=["a", "b"]).assign(t=np.where(x[:, 0] > 1, "u", "v")),
    "polars": lambda x: pl.DataFrame(x, schema=["a", "b"]),
    "records": lambda x: [{"a": a, "b": b, "day": dt.date(2024, 1, 1)} for a, b in x.tolist()],
}


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("form", FORMS)
def test_infinite_cells_are_refused_alike(form, model, value):
    rows = np.column_stack([X, np.where(np.arange(N) % 5 == 0, np.nan, X)])
    spoilt = rows.copy()
    spoilt[7, 1] = value
    says = "Column ('b'|1) has 1 infinite values.*Replace them by NaN"
    fitted = MODELS[model]().fit(FORMS[form](rows), Y)
    for refused in (
        lambda: MODELS[model]().fit(FORMS[form](spoilt), Y),
        lambda: fitted.predict(FORMS[form](spoilt)),
        lambda: fitted.predict_proba(FORMS[form](spoilt[7:8])),
        lambda: fitted.partial_fit(FORMS[form](spoilt), Y),
    ):
        with pytest.raises(DataError, match=says):
            refused()


class FrameWithoutAStream:
    """As a frame of Polars before 1.3: it has names and an array, and no Arrow stream."""

    columns = ("a", "b")

    def __array__(self, dtype=None, copy=None):
        return np.c_[X, X]


def test_a_frame_without_an_arrow_stream_is_refused_not_stripped_of_its_names():
    with pytest.raises(DataError, match=r"FrameWithoutAStream has columns but no Arrow stream.*Upgrade"):
        BayesClassifier().fit(FrameWithoutAStream(), Y)
