"""Date formats: day first, month first or year first, with or without a time."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.cast import cast_cells, without_tokens
from suffice.columns.schema import DateFormat

_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
_OPTIONAL_TIME = rf"(?:[ T]{_TIME}(?: ?[AaPp][Mm]|Z|[+-]\d{{2}}:?\d{{2}})?)?"
_YEAR_LAST = rf"^(\d{{1,2}})[./-](\d{{1,2}})[./-](\d{{4}}|\d{{2}})({_OPTIONAL_TIME})$"
_YEAR_FIRST = rf"^(\d{{4}})[./-](\d{{1,2}})[./-](\d{{1,2}})({_OPTIONAL_TIME})$"
_TYPES = (pa.date32(), pa.timestamp("us"), pa.timestamp("us", "UTC"))
_EPOCH_DAY = "1970-01-01 "
_HALF_DAY_MICROSECONDS = 43_200_000_000  # microseconds


def date_formats(values: Any) -> list[DateFormat]:
    """The formats that parse all distinct, trimmed cells; two if no day is above 12.

    >>> date_formats(pa.array(["03/04/2024", "25/12/2024"])), len(date_formats(pa.array(["03/04/2024"])))
    ([DateFormat(order='dmy')], 2)
    """
    if _all_match(values, _YEAR_FIRST):
        tried: tuple[DateFormat, ...] = (DateFormat("ymd"),)
    elif _all_match(values, _YEAR_LAST):
        tried = (DateFormat("dmy"), DateFormat("mdy"))
    elif _all_match(values, f"^{_TIME}$"):
        tried = (DateFormat("clock"),)
    else:
        return []
    return [form for form in tried if parse_dates(values, form, ())[1] is None]


def parse_dates(cells: Any, form: DateFormat, missing: Sequence[str]) -> tuple[Any, Any]:
    """Days, times of day, or timestamps if cells have a time; and a mask of invalid cells, None if all are valid."""
    text = without_tokens(cells, missing)
    if form.order == "clock":
        times = pc.binary_join_element_wise(_EPOCH_DAY, pc.replace_substring_regex(text, r"^(\d):", r"0\1:"), "")
        found, bad = cast_cells(times, (pa.timestamp("us"),))
        return found.cast(pa.time64("us")), bad
    pattern = _YEAR_FIRST if form.order == "ymd" else _YEAR_LAST
    order = {"ymd": r"\1-\2-\3\4", "dmy": r"\3-\2-\1\4", "mdy": r"\3-\1-\2\4"}[form.order]
    text = pc.if_else(pc.match_substring_regex(text, pattern), text, "x")
    text = _padded(pc.replace_substring_regex(text, pattern, order))
    found, bad = cast_cells(pc.replace_substring_regex(text, r"(?i) ?[ap]m$", ""), _TYPES)
    return _to_24_hours(text, found), bad


def _padded(text: Any) -> Any:
    """ISO dates from numbers without leading zeros and years without a century."""
    for pattern, padded in (
        (r"^(69|[7-9]\d)-", r"19\1-"),
        (r"^(\d\d)-", r"20\1-"),
        (r"^(\d+)-(\d)-", r"\1-0\2-"),
        (r"^(\d+-\d+)-(\d)($|[ T])", r"\1-0\2\3"),
        (r"([ T])(\d):", r"\10\2:"),
    ):
        text = pc.replace_substring_regex(text, pattern, padded)
    return text


def _to_24_hours(text: Any, found: Any) -> Any:
    """Times of a 12-hour clock converted to 24 hours."""
    pm, am = (pc.match_substring_regex(text, rf"(?i){half}$") for half in ("pm", "am"))
    if not pc.any(pc.or_(pm, am)).as_py():
        return found
    twelve = pc.match_substring_regex(text, "[ T]12:")
    hours = pc.subtract(pc.and_(pm, pc.invert(twelve)).cast(pa.int64()), pc.and_(am, twelve).cast(pa.int64()))
    return pc.add(found, pc.multiply(hours, _HALF_DAY_MICROSECONDS).cast(pa.duration("us")))


def _all_match(values: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(values, pattern)).as_py())
