"""The interface of a table: columns as numbers, levels or objects."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Name
from suffice.columns.level_codes import KnownLevels
from suffice.errors import DataError, quoted

WIDE = 4096
"""Number of columns beyond which a table is wide: it is not made dense, and steps that are costly per column are skipped."""


class Table(ABC):
    """Named columns of equal length. Only the subclass depends on the library that stores them."""

    names: Sequence[Name]
    kinds: Sequence[Kind]
    rows: int

    @abstractmethod
    def numbers(self, names: Sequence[Name]) -> Numbers:
        """The columns as one matrix, NaN where a cell is missing."""

    @abstractmethod
    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        """The columns as level codes. Given ``known`` levels, codes may refer to them; other levels count as missing."""

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
        """The table without some columns."""
        return self.only([other for other in self.names if other != name])

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        """Whether reading these columns as numbers copies them."""
        return True

    def rows_of(self, cells: int) -> int:
        """The number of rows with about so many cells in total."""
        return max(1, cells // max(1, len(self.names)))

    def batches(self, cells: int) -> Iterator["Table"]:
        """The table in batches of rows with about so many cells each."""
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
        raise DataError(f"Several columns are named {quoted(twice)}", "a name must stand for one column", "Rename them")


def not_numeric(name: Name, found: str) -> DataError:
    return DataError(
        f"Column {name!r} holds {found}",
        "numbers are needed here",
        f"Give it Categorical() — families={{{name!r}: Categorical()}} — or convert it to numbers",
    )


def not_text_column(name: Name, found: str) -> DataError:
    return DataError(f"Column {name!r} holds {found}", "text is needed here", "Give it another family, or convert it")
