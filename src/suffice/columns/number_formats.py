"""Number formats: decimal commas, thousands separators, currency and percent signs."""

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.cast import cast_cells, without_tokens
from suffice.columns.schema import NumberFormat

_SIGNS = ("%", "€", "$", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "JPY", "kr", "zł")
_SEPARATORS = (  # decimal, thousands
    (".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), (",", "'"),
)  # fmt: skip
_BLANKS = "[ \u00a0\u2009\u202f]"
_PATTERNS = {" ": _BLANKS, "'": "['’]", ",": ",", ".": r"\."}
_ENCLOSED = r"^\(([^()+-]*[0-9][^()+-]*)\)$"
_PLAIN = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"


def number_formats(values: Any) -> list[NumberFormat]:
    """The formats that parse all distinct, trimmed cells, those with fewer separators first.

    >>> number_formats(pa.array(["1.234,50 €", "2 €"]))
    [NumberFormat(decimal=',', thousands='.', sign='€')]
    >>> number_formats(pa.array(["(1,234.50)", "12"]))  # a negative number
    [NumberFormat(decimal='.', thousands=',', sign='')]
    >>> number_formats(pa.array(["1,234", "12"]))  # ambiguous
    [NumberFormat(decimal=',', thousands='', sign=''), NumberFormat(decimal='.', thousands=',', sign='')]
    """
    sign = ""
    if has_parentheses(values):
        values = _with_minus(values)
    if not _all_match(values, _PLAIN):
        others = pc.unique(pc.replace_substring_regex(values, rf"[\d.,'’+-]|{_BLANKS}", "")).to_pylist()
        if len(others) != 1 or others[0] not in ("", *_SIGNS):
            return []
        sign = others[0]
        values = _without_sign(values, sign)
    found = []
    for decimal, thousands in _SEPARATORS:
        used = not thousands or pc.any(pc.match_substring_regex(values, _PATTERNS[thousands])).as_py()
        if used and _all_match(values, _pattern(decimal, thousands)):
            found.append(NumberFormat(decimal, thousands, sign))
    # without a comma, 1.234 is ambiguous; for other cells a decimal comma makes no difference
    return [form for form in found if form.decimal == "." or form.thousands == "." or _uses_comma(values)]


def has_parentheses(values: Any) -> bool:
    """Whether some but not all cells are in parentheses, the accounting notation of negative numbers."""
    enclosed = pc.match_substring_regex(values, _ENCLOSED)
    return bool(pc.any(enclosed).as_py()) and not pc.all(enclosed).as_py()


def is_number(values: Any) -> Any:
    """Whether each cell is a number in any format, regardless of the other cells."""
    body = "|".join(_pattern(decimal, thousands) for decimal, thousands in _SEPARATORS)
    sign = "|".join(map(re.escape, _SIGNS))
    return pc.match_substring_regex(values, rf"^({sign})?{_BLANKS}*({_PLAIN}|{body}){_BLANKS}*({sign})?$")


def parse_numbers(cells: Any, form: NumberFormat, missing: Sequence[str]) -> tuple[Any, Any]:
    """Integers if all cells are, else floats; and a mask of cells not of this format, None if all are."""
    if form == NumberFormat():
        for kind in (pa.int64(), pa.float64()):  # the common case
            try:
                return cells.cast(kind), None
            except pa.ArrowInvalid:
                continue
    text = _with_minus(without_tokens(cells, missing))
    if form.sign:
        signed = pc.match_substring(text, form.sign)
        text = without_tokens(_without_sign(text, form.sign), ())
    fits = pc.match_substring_regex(text, f"^({_pattern(form.decimal, form.thousands)})$")
    if form.sign:
        fits = pc.and_(fits, signed)
    if form.thousands:
        text = pc.replace_substring_regex(text, _PATTERNS[form.thousands], "")
    if form.decimal == ",":
        text = pc.replace_substring(text, ",", ".")
    plain = pc.if_else(pc.fill_null(fits, True), text, "x")
    return cast_cells(plain, (pa.int64(), pa.float64()))


def _pattern(decimal: str, thousands: str) -> str:
    point = _PATTERNS[decimal]
    whole = r"\d+" if not thousands else rf"[1-9]\d{{0,2}}({_PATTERNS[thousands]}\d{{3}})+|\d+"
    return rf"[+-]?(({whole})({point}\d*)?|{point}\d+)([eE][+-]?\d+)?"


def _with_minus(text: Any) -> Any:
    """Cells with (12) written as -12."""
    return pc.replace_substring_regex(text, _ENCLOSED, r"-\1")


def _all_match(values: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(values, f"^({pattern})$")).as_py())


def _uses_comma(values: Any) -> bool:
    return bool(pc.any(pc.match_substring(values, ",")).as_py())


def _without_sign(text: Any, sign: str) -> Any:
    # Arrow hangs on replacing an empty pattern
    return pc.utf8_trim_whitespace(pc.replace_substring(text, sign, "")) if sign else text
