"""Formats of numbers and dates: what is spelled in one is read back from it, and ambiguous columns follow the others."""

import datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.columns.apply_schema import apply_schema
from suffice.columns.date_formats import date_formats, parse_dates
from suffice.columns.number_formats import number_formats, parse_numbers
from suffice.columns.schema import BooleanFormat, DateFormat, Declared, NumberFormat, TextFormat
from suffice.columns.schema_inference import infer_schema
from suffice.errors import DataError, ParameterError

FORMS = [
    NumberFormat(decimal, thousands, sign)
    for decimal in ".,"
    for thousands in ("", " ", "'", ".,".replace(decimal, ""))
    for sign in ("", "€", "%", "CHF")
]


def spelled(value: float, form: NumberFormat) -> str:
    text = f"{value:,.4f}".replace(",", "T").replace(".", form.decimal).replace("T", form.thousands)
    return f"{text} {form.sign}" if form.sign else text


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(FORMS), st.lists(st.integers(-(10**12), 10**12), min_size=3))
def test_numbers_come_back_from_their_spelling(form, ten_thousandths):
    values = [n / 10_000 for n in [*ten_thousandths, 12_345_678_9012]]
    cells = pa.array([*(spelled(v, form) for v in values), None, "n/a", " ? "])
    assert number_formats(cells.slice(0, len(values))) == [form]
    read, bad = parse_numbers(cells, form, ())
    assert bad is None
    assert read.to_pylist() == pytest.approx([*values, None, None, None])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2068, 12, 31)), min_size=1),
    st.sampled_from(["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d", "%d/%m/%y", "%Y-%m-%dT%H:%M:%S", "%m/%d/%Y %I:%M %p"]),
)
def test_dates_come_back_from_their_spelling(moments, pattern):
    moments = [m.replace(second=0, microsecond=0) for m in [*moments, datetime.datetime(2024, 5, 31, 12, 7)]]
    moments = moments if "%H" in pattern or "%I" in pattern else [m.replace(hour=0, minute=0) for m in moments]
    cells = pa.array([*(m.strftime(pattern) for m in moments), "-"])
    (form,) = date_formats(cells.slice(0, len(moments)))
    read, bad = parse_dates(cells, form, ())
    assert bad is None
    assert read.cast(pa.timestamp("us")).to_pylist() == [*moments, None]


def test_days_that_no_month_has_are_no_dates():
    assert date_formats(pa.array(["31.02.2024"])) == []
    read, bad = parse_dates(pa.array(["3.2.2024", "31.2.2024", "x", "?"]), DateFormat("dmy"), ())
    assert bad.to_pylist() == [False, True, True, False]
    assert read.to_pylist()[0] == datetime.date(2024, 2, 3)


@pytest.mark.parametrize(
    ("other", "form"),
    [("2,5", NumberFormat(",")), ("2.5", NumberFormat(".", ",")), ("2", NumberFormat(".", ","))],
)
def test_ambiguous_numbers_follow_those_that_are_not(other, form):
    schema = infer_schema(pa.table({"a": ["1,234", "5,678"], "b": [other, "7"]}), Declared())
    assert schema.columns["a"] == form
    assert "ambiguous: '1,234' could also be" in schema.remarks[0]
    assert infer_schema(pa.table({"a": ["1,234"]}), Declared(), semicolons=True).columns["a"] == NumberFormat(",")


def test_points_may_separate_thousands_where_commas_separate_decimals():
    table = pa.table({"a": ["1.234", "5.678"], "b": ["2,5", "7"]})
    assert infer_schema(table, Declared()).columns["a"] == NumberFormat(",", ".")
    assert infer_schema(table.select(["a"]), Declared()).columns["a"] == NumberFormat()


@pytest.mark.parametrize(
    ("columns", "order"),
    [
        ({"a": ["03/04/2024"]}, "mdy"),
        ({"a": ["03.04.2024"]}, "dmy"),
        ({"a": ["03/04/2024"], "b": ["25/12/2024"]}, "dmy"),
        ({"a": ["03/04/2024"], "b": ["12/25/2024"]}, "mdy"),
        ({"a": ["03/04/2024"], "b": ["1,5"]}, "dmy"),
    ],
)
def test_ambiguous_dates_are_named(columns, order):
    schema = infer_schema(pa.table(columns), Declared())
    assert schema.columns["a"] == DateFormat(order)
    assert any(remark.startswith("a: dates") and "ambiguous" in remark for remark in schema.remarks)


def test_tokens_are_missing_among_numbers_and_categories_elsewhere():
    table = pa.table({"n": ["1", "?", "NA", "n/a", "k.A."], "c": ["x", "?", "NA", "y", "k.A."]})
    schema = infer_schema(table, Declared(missing=("k.A.",)))
    read, bad = apply_schema(table, schema)
    assert not bad
    assert read.to_pydict() == {"n": [1, None, None, None, None], "c": ["x", "?", "NA", "y", None]}
    assert schema.columns == {"n": NumberFormat(), "c": TextFormat()}
    assert "c: '?', 'NA' stays a category (--missing '?' if it is a missing cell)" in schema.remarks


def test_truth_is_spelled_out():
    table = pa.table({"t": ["true", "FALSE", None], "w": ["yes", "no", "yes"]})
    schema = infer_schema(table, Declared())
    assert schema.columns == {"t": BooleanFormat(), "w": TextFormat()}
    assert apply_schema(table, schema)[0]["t"].to_pylist() == [True, False, None]
    (bad,) = apply_schema(pa.table({"t": ["true", "yes"]}), schema)[1]
    assert (bad.row, bad.column, bad.cell) == (1, "t", "yes")


def test_kinds_as_declared():
    table = pa.table({"zip": ["01234", "99999"], "n": ["1", "unknown"]})
    schema = infer_schema(table, Declared(kinds={"zip": "category"}))
    assert apply_schema(table, schema)[0]["zip"].to_pylist() == ["01234", "99999"]
    with pytest.raises(DataError, match="Column 'n' is declared as number and has cells such as 'unknown'"):
        infer_schema(table, Declared(kinds={"n": "number"}))
    with pytest.raises(ParameterError, match="The kind of 'n' is 'numbr'; a column is one of 'number'"):
        Declared(kinds={"n": "numbr"})
