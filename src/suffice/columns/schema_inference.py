"""Inference of the schema of a file from the text of its first rows."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.cast import without_tokens
from suffice.columns.date_formats import date_formats
from suffice.columns.missing import MISSING_TOKENS
from suffice.columns.number_formats import has_parentheses, number_formats
from suffice.columns.schema import BooleanFormat, CellFormat, DateFormat, Declared, NumberFormat, Schema, TextFormat
from suffice.errors import DataError, quoted

_DEFAULT_FORMATS = (NumberFormat(), DateFormat("ymd"), DateFormat("clock"), BooleanFormat(), TextFormat())


def infer_schema(
    text: Any, declared: Declared, *, known: Mapping[str, CellFormat] | None = None, semicolons: bool = False
) -> Schema:
    """The formats of text columns: as ``known``, as declared, or such that they parse all cells that are not missing.

    Ambiguous columns of numbers and dates take the format of the unambiguous columns. Without any,
    1,234 has decimals if the separators of the file are ``semicolons``.
    """
    known = known or {}
    names = [name for name in text.column_names if name not in known]
    candidates = {name: _Candidates.of(name, text.column(name), declared) for name in names}
    decimal = _decimal_of(candidates.values(), "," if semicolons else ".")
    order = _order_of(candidates.values(), decimal)
    formats = {name: one.choose(decimal, order) for name, one in candidates.items()}
    return Schema({**known, **formats}, declared, tuple(_remarks(candidates, formats)))


@dataclass(frozen=True, eq=False)
class _Candidates:
    """The formats that parse a column, an example cell with separators, and the missing tokens (in text, possible ones)."""

    formats: Sequence[CellFormat] = (TextFormat(),)
    example: str = ""
    tokens: Sequence[str] = ()
    remark: str = ""
    """A remark in addition to the format."""

    @classmethod
    def of(cls, name: str, cells: Any, declared: Declared) -> "_Candidates":
        kind = declared.kinds.get(name)
        if kind in ("category", "text", "ignore") or cells.null_count == len(cells):
            return cls()
        spelled = pc.unique(cells).drop_null()
        values = pc.unique(without_tokens(spelled, declared.missing)).drop_null()
        if kind is None and _are_digit_codes(values, len(cells) - cells.null_count):
            return cls(remark=f"leading zeros, so a category (--kind {shlex.quote(f'{name}=number')} if not)")
        found: list[CellFormat] = []
        if len(values) and kind != "date":
            found += number_formats(values)
        if len(values) and kind != "number" and not found:
            found += date_formats(values)
        if not found and kind is not None:
            raise _wrong_kind(name, kind, values)
        if not found:
            truth = pa.array(["true", "false"], spelled.type)
            if pc.all(pc.is_in(pc.utf8_lower(spelled), value_set=truth)).as_py():
                return cls((BooleanFormat(),))
        trimmed = pc.unique(pc.utf8_trim_whitespace(spelled))
        if not found:
            tokens = trimmed.filter(pc.is_in(pc.utf8_lower(trimmed), value_set=pa.array(MISSING_TOKENS, trimmed.type)))
            return cls(tokens=[t for t in tokens.to_pylist() if t and t not in declared.missing])
        separated = values.filter(pc.match_substring_regex(values, "[.,]"))
        tokens = trimmed.filter(pc.invert(pc.is_in(trimmed, value_set=values))).to_pylist()
        example = [*separated.slice(0, 1).to_pylist(), values[0].as_py()][0]
        remark = "negative numbers in parentheses" if has_parentheses(values) else ""
        return cls(found, example, [t for t in tokens if t], remark)

    @property
    def decimal(self) -> str:
        """The decimal separator, if the column is unambiguous."""
        form = self.formats[0]
        if len(self.formats) > 1 or not isinstance(form, NumberFormat):
            return ""
        return form.decimal if form.decimal == "," or form.thousands or "." in self.example else ""

    @property
    def order(self) -> str:
        """The order of day and month, if the column is unambiguous."""
        form = self.formats[0]
        return form.order if len(self.formats) == 1 and isinstance(form, DateFormat) else ""

    def choose(self, decimal: str, order: str) -> CellFormat:
        wanted = (form for form in self.formats if decimal == getattr(form, "decimal", "") or form == DateFormat(order))  # type: ignore[arg-type]
        return next(wanted, self.formats[0])


def _are_digit_codes(values: Any, cells: int) -> bool:
    """Whether cells are repeated strings of digits, some with leading zeros, such as zip codes."""
    return (
        0 < 2 * len(values) <= cells
        and bool(pc.all(pc.match_substring_regex(values, "^[0-9]+$")).as_py())
        and bool(pc.any(pc.match_substring_regex(values, "^0[0-9]")).as_py())
    )


def _decimal_of(candidates: Iterable[_Candidates], default: str) -> str:
    """The decimal separator of the unambiguous columns; the default if they disagree or there are none."""
    found = {one.decimal for one in candidates} - {""}
    return found.pop() if len(found) == 1 else "." if found else default


def _order_of(candidates: Iterable[_Candidates], decimal: str) -> str:
    """The date order of the unambiguous columns; by default month first with slashes, if numbers have a decimal point."""
    candidates = list(candidates)
    found = {one.order for one in candidates} & {"dmy", "mdy"}
    if len(found) == 1:
        return found.pop()
    ambiguous = [one.example for one in candidates if len(one.formats) > 1 and isinstance(one.formats[0], DateFormat)]
    return "mdy" if decimal == "." and all("/" in example for example in ambiguous) else "dmy"


def _remarks(candidates: Mapping[str, _Candidates], formats: Mapping[str, CellFormat]) -> list[str]:
    """Sentences about formats other than plain numbers, ISO dates and categories."""
    found: dict[str, list[str]] = {}
    for name, one in candidates.items():
        form, others = formats[name], [f for f in one.formats if f != formats[name]]
        if form not in _DEFAULT_FORMATS:
            ambiguity = f" (ambiguous: {one.example!r} could also be {others[0]})" if others else ""
            found.setdefault(f"{form}{ambiguity}", []).append(name)
        if one.remark:
            found.setdefault(one.remark, []).append(name)
        if one.tokens and form == TextFormat():
            hint = f"(--missing {shlex.quote(one.tokens[0])} if it is a missing cell)"
            found.setdefault(f"{quoted(list(one.tokens))} stays a category {hint}", []).append(name)
        elif one.tokens:
            found.setdefault(f"{quoted(list(one.tokens))} is a missing cell", []).append(name)
    return [f"{', '.join(names[:10])}{' …' if len(names) > 10 else ''}: {what}" for what, names in found.items()]


def _wrong_kind(name: str, kind: str, values: Any) -> DataError:
    some = values.slice(0, 200)
    alone = number_formats if kind == "number" else date_formats
    unreadable = [value for value in some.to_pylist() if not alone(pa.array([value]))] or some.to_pylist()
    return DataError(
        f"Column {name!r} is declared as {kind} and has cells such as {quoted(unreadable)}",
        f"all other cells than missing ones must be {kind}s of one format",
        "Declare those cells missing (--missing, or missing= of suffice.rows), or another kind",
    )
