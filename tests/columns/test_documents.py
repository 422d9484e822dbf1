"""Documents come in many forms; their tokens are the same in all of them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from suffice.columns.analyser import Words
from suffice.columns.documents import view_documents
from suffice.errors import DataError

TEXTS = ["Tea and milk", "", None, "ΟΔΟΣ Σ", "naïve café", "日本 語", "emoji 😀 ok", "Tea and milk"]


FORMS = {
    "list": list,
    "tuple": tuple,
    "object array": lambda t: np.array(t, dtype=object),
    "pandas object": lambda t: pd.Series(t, dtype=object),
    "pandas str": lambda t: pd.Series(t, dtype="str"),
    "pandas arrow": lambda t: pd.Series(t, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda t: pd.Series(t, dtype="category"),
    "polars": pl.Series,
    "arrow string": lambda t: pa.array(t, pa.string()),
    "arrow large_string": lambda t: pa.array(t, pa.large_string()),
    "arrow string_view": lambda t: pa.array(t, pa.string_view()),
    "arrow dictionary": lambda t: pa.array(t).dictionary_encode(),
    "arrow chunks": lambda t: pa.chunked_array([t[:3], [], t[3:]], pa.string()),
    "arrow slice": lambda t: pa.array(["x", *t, "y"], pa.string()).slice(1, len(t)),
    "arrow sliced dictionary": lambda t: pa.array(["x", *t, "y"]).dictionary_encode().slice(1, len(t)),
    "nan": lambda t: [float("nan") if v is None else v for v in t],
    "pandas NA": lambda t: [pd.NA if v is None else v for v in t],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_bags(form):
    views = view_documents(FORMS[form](TEXTS))
    bags, expected = Words().bags(views), Words().bags(view_documents(["" if t is None else t for t in TEXTS]))
    assert bags.vocabulary.strings() == expected.vocabulary.strings()
    for name in ("indptr", "ids", "counts", "lengths"):
        np.testing.assert_array_equal(getattr(bags, name), getattr(expected, name))
    assert np.flatnonzero(views.missing).tolist() == [2]


def test_numpy_strings():
    bags = Words().bags(view_documents(np.array(["tea", "café", ""])))
    assert bags.vocabulary.strings() == ["tea", "café"]


@pytest.mark.parametrize("nothing", [[], pa.array([], pa.string()), pa.chunked_array([], pa.string())])
def test_no_documents(nothing):
    bags = Words().bags(view_documents(nothing))
    assert bags.rows == 0
    assert len(bags.vocabulary) == 0


@pytest.mark.parametrize(
    "nulls", [pa.nulls(3), pa.array([None] * 3, pa.string()), pa.array([None] * 3).dictionary_encode()]
)
def test_nothing_but_missing_documents(nulls):
    views = view_documents(nulls)
    assert views.missing.all()
    assert Words().bags(views).lengths.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("documents", "says"),
    [
        (["a", b"b"], r"Document 1 is b'b'; text is needed. Decode it"),
        (["a", None, 3.5], r"Document 2 is 3.5; text is needed"),
        (["a", ["b"] * 99], r"Document 1 is list; text is needed"),
        ("a", r"one string; a sequence of texts is needed"),
        (np.array([["a"]]), r"2 dimensions"),
        (pa.array([1, 2]), r"type int64; text is needed"),
        (pa.array([b"a"]), r"type binary; text is needed"),
        (pa.array([b"fine", b"caf\xe9"]).cast(pa.string(), safe=False), r"Document 1 is not valid UTF-8"),
    ],
)
def test_what_is_no_text_is_named(documents, says):
    with pytest.raises(DataError, match=says):
        Words().bags(view_documents(documents))


def test_views_outlive_what_they_were_made_from():
    texts = [f"word{i} word{i}" for i in range(1000)]
    views = view_documents(texts)
    arrow = view_documents(pa.array(texts))
    texts.clear()
    for alive in (views, arrow):
        assert len(Words().bags(alive).vocabulary) == 1000
