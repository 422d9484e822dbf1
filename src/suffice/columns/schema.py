"""The schema of a file: the formats of its columns, inferred once and reused for later files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from suffice.errors import DataError, ParameterError, quoted

DeclaredKind: TypeAlias = Literal["number", "category", "text", "date", "ignore"]


@dataclass(frozen=True)
class NumberFormat:
    """A number format: ``1.234,50 €`` has a decimal comma, a point between thousands, and a sign."""

    decimal: str = "."
    thousands: str = ""
    sign: str = ""

    def __str__(self) -> str:
        separators = {" ": "blanks", "'": "apostrophes"}
        found = [
            "decimal comma" if self.decimal == "," else "",
            f"thousands separated by {separators.get(self.thousands, repr(self.thousands))}" if self.thousands else "",
            f"{self.sign!r} removed" if self.sign else "",
        ]
        return ", ".join(["numbers", *filter(None, found)])


@dataclass(frozen=True)
class DateFormat:
    """The order of day, month and year; or a time of the day."""

    order: Literal["ymd", "dmy", "mdy", "clock"] = "ymd"

    def __str__(self) -> str:
        return {"ymd": "dates, year first", "dmy": "dates, day first", "mdy": "dates, month first", "clock": "times"}[
            self.order
        ]


@dataclass(frozen=True)
class BooleanFormat:
    """Booleans: true and false."""

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class TextFormat:
    """Categories or sentences, unchanged."""

    def __str__(self) -> str:
        return "text"


CellFormat: TypeAlias = NumberFormat | DateFormat | BooleanFormat | TextFormat


@dataclass(frozen=True)
class Declared:
    """The user's declarations about files: missing tokens of all columns, the encoding, and kinds of columns."""

    missing: tuple[str, ...] = ()
    encoding: str | None = None
    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wrong = {name: kind for name, kind in self.kinds.items() if kind not in get_args(DeclaredKind)}
        if wrong:
            raise ParameterError(
                f"The kind of {quoted(list(wrong))} is {quoted(list(wrong.values()))}",
                f"a column is one of {quoted(list(get_args(DeclaredKind)), most=9)}",
            )

    @property
    def ignored(self) -> list[str]:
        """Names of the columns to drop."""
        return [name for name, kind in self.kinds.items() if kind == "ignore"]

    def updated(self, other: "Declared") -> "Declared":
        """These declarations, with those of ``other`` added or taking precedence."""
        missing = tuple(dict.fromkeys((*self.missing, *other.missing)))
        return Declared(missing, other.encoding or self.encoding, {**self.kinds, **other.kinds})

    def check_columns(self, names: list[str], source: str) -> None:
        """Raise if a kind is declared for a column that does not exist."""
        unknown = [name for name in self.kinds if name not in names]
        if unknown:
            raise DataError(
                f"{source} has no column {quoted(unknown)}, whose kind is declared",
                f"the columns are {quoted(names, most=20)}",
            )


@dataclass(frozen=True)
class Schema:
    """Formats by column, and the declarations. ``remarks`` describes the inferred formats in sentences."""

    columns: Mapping[str, CellFormat]
    declared: Declared = field(default_factory=Declared)
    remarks: tuple[str, ...] = ()
