"""Text columns of numbers except for a few tokens, which are probably missing cells."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable, is_string
from suffice.columns.cast import without_tokens
from suffice.columns.kinds import Kind, Name
from suffice.columns.spelled_numbers import is_number, number_formats
from suffice.errors import quoted

_MOST_TOKENS = 10
_LEAST_NUMBERS = 10  # distinct numbers; fewer may be categories, such as 0, 1, 2, 3+
_LOWEST_NUMBER_SHARE = 0.5  # of the cells that are not missing


@dataclass(frozen=True)
class NearlyNumbers:
    """A text column that holds numbers except for some tokens."""

    name: Name
    categories: int
    cells: int
    tokens: tuple[str, ...]
    strays: int
    """Number of cells that hold a token."""
    of_one_format: bool
    """Whether the numbers could be read as a column of numbers."""
    is_identifier: bool = False
    """Whether it is left out, since no two cells are equal."""

    def __str__(self) -> str:
        but = f", and numbers but for {quoted(self.tokens)} in {self.strays:,} of {self.cells:,} cells"
        held = but if self.tokens else f" that holds numbers{'' if self.of_one_format else ' of several formats'}"
        read = (
            "it is taken for an identifier" if self.is_identifier else f"it is read as {self.categories:,} categories"
        )
        return f"Column {self.name!r} is text{held}: {read}."


def nearly_numbers(table: ArrowTable) -> list[NearlyNumbers]:
    """Categorical text columns that are numbers in any format, except for at most a few tokens.

    >>> print(nearly_numbers(ArrowTable(pa.table({"price": [*map(str, range(50)), "on request"]})))[0])
    Column 'price' is text, and numbers but for 'on request' in 1 of 51 cells: it is read as 51 categories.
    """
    found = []
    for name, kind in zip(table.names, table.kinds, strict=True):
        cells = table.cells(name)
        if kind is Kind.CATEGORY and name not in table.declared and is_string(cells.type):
            found += _found(name, cells)
    return found


def _found(name: Name, cells: Any) -> list[NearlyNumbers]:
    if pa.types.is_string_view(cells.type):
        cells = cells.cast(pa.large_string())
    counts = pc.value_counts(without_tokens(cells, ()).drop_null())
    values, times = counts.field("values"), counts.field("counts")
    number = is_number(values)
    tokens = values.filter(pc.invert(number))
    strays, total = pc.sum(times.filter(pc.invert(number))).as_py() or 0, pc.sum(times).as_py() or 0
    if (
        len(tokens) > _MOST_TOKENS
        or len(values) - len(tokens) < _LEAST_NUMBERS
        or strays > (1 - _LOWEST_NUMBER_SHARE) * total
    ):
        return []
    alike = bool(number_formats(values.filter(number)))
    return [NearlyNumbers(name, len(values), total, tuple(tokens.to_pylist()), strays, alike)]
