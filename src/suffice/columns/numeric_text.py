"""Text columns that are numeric except for a few tokens, which are probably missing cells."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import ArrowTable, is_string
from suffice.columns.cast import without_tokens
from suffice.columns.kinds import Kind, Name
from suffice.columns.number_formats import is_number, number_formats
from suffice.errors import quoted

_MAX_TOKENS = 10
_MIN_NUMBERS = 10  # distinct numbers; fewer may be categories, such as 0, 1, 2, 3+
_MIN_NUMBER_SHARE = 0.5  # of the cells that are not missing


@dataclass(frozen=True)
class NumericText:
    """A text column that is numeric except for some tokens."""

    name: Name
    categories: int
    cells: int
    tokens: tuple[str, ...]
    token_cells: int
    """Number of cells with one of the tokens."""
    of_one_format: bool
    """Whether one number format parses all numbers."""
    is_identifier: bool = False
    """Whether the column is dropped because all its cells differ."""

    def __str__(self) -> str:
        exceptions = f", and numbers except for {quoted(self.tokens)} in {self.token_cells:,} of {self.cells:,} cells"
        described = exceptions if self.tokens else f" of numbers{'' if self.of_one_format else ' in several formats'}"
        consequence = (
            "it is dropped as an identifier" if self.is_identifier else f"it is read as {self.categories:,} categories"
        )
        return f"Column {self.name!r} is text{described}: {consequence}."


def numeric_text(table: ArrowTable) -> list[NumericText]:
    """Categorical text columns whose cells are numbers in any format, except for a few tokens.

    >>> print(numeric_text(ArrowTable(pa.table({"price": [*map(str, range(50)), "on request"]})))[0])
    Column 'price' is text, and numbers except for 'on request' in 1 of 51 cells: it is read as 51 categories.
    """
    found = []
    for name, kind in zip(table.names, table.kinds, strict=True):
        cells = table.cells(name)
        if kind is Kind.CATEGORY and name not in table.declared and is_string(cells.type):
            found += _check_column(name, cells)
    return found


def _check_column(name: Name, cells: Any) -> list[NumericText]:
    if pa.types.is_string_view(cells.type):
        cells = cells.cast(pa.large_string())
    counts = pc.value_counts(without_tokens(cells, ()).drop_null())
    values, times = counts.field("values"), counts.field("counts")
    number = is_number(values)
    tokens = values.filter(pc.invert(number))
    token_cells, total = pc.sum(times.filter(pc.invert(number))).as_py() or 0, pc.sum(times).as_py() or 0
    if (
        len(tokens) > _MAX_TOKENS
        or len(values) - len(tokens) < _MIN_NUMBERS
        or token_cells > (1 - _MIN_NUMBER_SHARE) * total
    ):
        return []
    of_one_format = bool(number_formats(values.filter(number)))
    return [NumericText(name, len(values), total, tuple(tokens.to_pylist()), token_cells, of_one_format)]
