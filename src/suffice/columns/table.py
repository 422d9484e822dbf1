"""The interface of a table: columns as numbers, levels or objects."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Name
from suffice.columns.level_codes import KnownLevels
from suffice.errors import DataError, quoted

MAX_DENSE_COLUMNS = 4096
"""Tables with more columns are not made dense, and steps that are expensive per column are skipped."""


class Table(ABC):
    """Named columns of equal length. Only subclasses depend on the library that stores them."""

    names: Sequence[Name]
    kinds: Sequence[Kind]
    rows: int

    @abstractmethod
    def numbers(self, names: Sequence[Name]) -> Numbers:
        """The columns as one matrix, NaN where a cell is missing."""

    @abstractmethod
    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        """The columns as level codes. Codes may refer to ``known`` levels; other levels then count as missing."""

    @abstractmethod
    def objects(self, name: Name) -> Objects:
        """One column as Python objects."""

    @abstractmethod
    def documents(self, name: Name) -> Documents:
        """One column as text."""

    @abstractmethod
    def slice(self, start: int, stop: int) -> "Table":
        """A slice of the rows, without a copy."""

    @abstractmethod
    def only(self, names: Sequence[Name]) -> "Table":
        """A selection of the columns."""

    @abstractmethod
    def renamed(self, names: Sequence[Name]) -> "Table":
        """The same columns under other names."""

    @abstractmethod
    def column(self, name: Name) -> object:
        """One column as an array of labels."""

    def without(self, name: Name) -> "Table":
        """The table without one column."""
        return self.only([other for other in self.names if other != name])

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        """Whether reading these columns as numbers copies them."""
        return True

    def rows_of(self, cells: int) -> int:
        """The approximate number of rows with this number of cells."""
        return max(1, cells // max(1, len(self.names)))

    def batches(self, cells: int) -> Iterator["Table"]:
        """The table in batches of rows, each with approximately this number of cells."""
        step = self.rows_of(cells)
        if step >= self.rows:
            yield self
            return
        for start in range(0, self.rows, step):
            yield self.slice(start, min(self.rows, start + step))


def check_names(names: Sequence[Name]) -> None:
    """Refuse duplicate column names."""
    if isinstance(names, range):
        return
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"Several columns are named {quoted(twice)}", "column names must be unique", "Rename them")


def not_numeric_error(name: Name, found: str) -> DataError:
    return DataError(
        f"Column {name!r} contains {found}",
        "numbers are needed here",
        f"Give it Categorical() — families={{{name!r}: Categorical()}} — or convert it to numbers",
    )


def not_text_column_error(name: Name, found: str) -> DataError:
    return DataError(
        f"Column {name!r} contains {found}", "text is needed here", "Give it another family, or convert it"
    )
