"""A table that is one column of text."""

from collections.abc import Sequence

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Name
from suffice.columns.level_codes import KnownLevels
from suffice.columns.table import Table, not_numeric_error
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray
from suffice.numerics.text import DocumentViews


class DocumentsTable(Table):
    """One document per row, in a column called ``"text"`` unless another name is given."""

    def __init__(self, views: DocumentViews, name: Name = "text") -> None:
        self._documents = Documents([name], views)
        self.rows = self._documents.rows
        self.names: Sequence[Name] = [name]
        self.kinds = [Kind.TEXT]

    def documents(self, name: Name) -> Documents:
        return self._documents

    def numbers(self, names: Sequence[Name]) -> Numbers:
        raise not_numeric_error(self.names[0], "text")

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        raise self._only_text("levels")

    def objects(self, name: Name) -> Objects:
        raise self._only_text("objects")

    def column(self, name: Name) -> AnyArray:
        raise self._only_text("labels")

    def _only_text(self, wanted: str) -> DataError:
        return DataError(
            "The rows are a list of texts", f"{wanted} need a table with columns", "Wrap it: {'text': texts}"
        )

    def slice(self, start: int, stop: int) -> "DocumentsTable":
        return DocumentsTable(self._documents.slice(start, stop).views, self.names[0])

    def only(self, names: Sequence[Name]) -> Table:
        raise self._only_text("labels")

    def renamed(self, names: Sequence[Name]) -> "DocumentsTable":
        return DocumentsTable(self._documents.views, names[0])

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        return False
