"""A table: rows that can hand out any of their columns as numbers, as levels or as objects."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Name
from suffice.columns.level_codes import KnownLevels
from suffice.errors import DataError, quoted

WIDE = 4096
"""Columns beyond which a table is wide: it is not filled up, and what costs much a column is not done."""


class Table(ABC):
    """Named columns of equal length. Which library holds them is known to the subclass only."""

    names: Sequence[Name]
    kinds: Sequence[Kind]
    rows: int

    @abstractmethod
    def numbers(self, names: Sequence[Name]) -> Numbers:
        """The columns as one matrix, NaN where a cell is missing."""

    @abstractmethod
    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        """The columns as level codes. ``known`` levels, where given, may be used to code against; others count as missing."""

    @abstractmethod
    def objects(self, name: Name) -> Objects:
        """One column as Python objects."""

    @abstractmethod
    def documents(self, name: Name) -> Documents:
        """One column as text."""

    @abstractmethod
    def slice(self, start: int, stop: int) -> "Table":
        """Some of the rows, without copying them."""

    @abstractmethod
    def only(self, names: Sequence[Name]) -> "Table":
        """Some of the columns."""

    @abstractmethod
    def renamed(self, names: Sequence[Name]) -> "Table":
        """The same columns under other names."""

    @abstractmethod
    def column(self, name: Name) -> object:
        """One column as an array of labels."""

    def without(self, name: Name) -> "Table":
        """The other columns."""
        return self.only([other for other in self.names if other != name])

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        """Whether handing out these columns as numbers copies them."""
        return True

    def rows_of(self, cells: int) -> int:
        """How many rows have about so many cells."""
        return max(1, cells // max(1, len(self.names)))

    def batches(self, cells: int) -> Iterator["Table"]:
        """The table in runs of rows with about so many cells each."""
        step = self.rows_of(cells)
        if step >= self.rows:
            yield self
            return
        for start in range(0, self.rows, step):
            yield self.slice(start, min(self.rows, start + step))


def check_names(names: Sequence[Name]) -> None:
    """Refuse a table in which one name stands for two columns."""
    if isinstance(names, range):
        return
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(
            f"Columns {quoted(twice)} occur more than once", "a name must stand for one column", "Rename them"
        )


def not_numeric(name: Name, found: str) -> DataError:
    return DataError(
        f"Column {name!r} holds {found}",
        "numbers are needed here",
        f"Give it Categorical() — families={{{name!r}: Categorical()}} — or convert it to numbers",
    )


def not_text_column(name: Name, found: str) -> DataError:
    return DataError(f"Column {name!r} holds {found}", "text is needed here", "Give it another family, or convert it")
