"""Documents as views of their characters, without copies and without an object per token."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.missing import is_missing
from suffice.errors import DataError
from suffice.numerics.arrays import IntArray
from suffice.numerics.text import MAX_CHARACTERS, DocumentViews, view_strings

if TYPE_CHECKING:
    from suffice.columns.analyser import Analyser
    from suffice.columns.bags import Bags

Rows: TypeAlias = "slice | IntArray"
"""A selection of rows of a block: a slice, or indices."""


@dataclass(frozen=True, eq=False)
class Documents:
    """A column of text: one document per row."""

    names: Sequence[Name]
    views: DocumentViews
    _bags: "dict[Analyser, Bags]" = field(default_factory=dict, repr=False)

    @property
    def rows(self) -> int:
        return len(self.views.length)

    def bags(self, analyser: "Analyser", threads: int = 1) -> "Bags":
        """The bags of an analyser, cached with the documents."""
        if analyser not in self._bags:
            self._bags[analyser] = analyser.bags(self.views, threads)
        return self._bags[analyser]

    def slice(self, start: int, stop: int) -> "Documents":
        return self.take(slice(start, stop))

    def take(self, rows: Rows) -> "Documents":
        """A subset of the documents, with the cached bags."""
        v = self.views
        bags = {analyser: found.take(rows) for analyser, found in self._bags.items()}
        return Documents(self.names, DocumentViews(v.address[rows], v.length[rows], v.form[rows], v.owner), bags)


def view_documents(documents: Any) -> DocumentViews:
    """A column of text: a list or array of strings, or an object that exports Arrow. None and NaN are missing.

    >>> view_documents(["a tea", None, "no tea"]).length.tolist()
    [5, 0, 6]
    """
    if isinstance(documents, str):
        raise DataError("The documents are one string", "a sequence of texts is needed", "Wrap it in a list")
    dimensions = getattr(documents, "ndim", 1)
    if dimensions != 1:
        raise DataError(f"The documents have {dimensions} dimensions", "a sequence of texts is needed")
    if exports_arrow(documents):
        views: DocumentViews = importlib.import_module("suffice.columns.arrow_documents").view_arrow(documents)
        return check_lengths(views)
    return view_texts(documents.tolist() if hasattr(documents, "tolist") else list(documents))


def exports_arrow(documents: Any) -> bool:
    """Whether documents export Arrow without a copy; a column of Python objects does not."""
    exports = hasattr(documents, "__arrow_c_array__") or hasattr(documents, "__arrow_c_stream__")
    return exports and getattr(documents, "dtype", None) != np.dtype(object)


def view_texts(texts: list[Any]) -> DocumentViews:
    """Views of strings in a list, which must not be changed afterwards."""
    views = view_strings(texts)
    if isinstance(views, int) and is_missing(texts[views]):
        views = view_strings([None if is_missing(text) else text for text in texts])
    if isinstance(views, int):
        raise not_text_error(views, texts[views])
    return check_lengths(views)


def check_lengths(views: DocumentViews) -> DocumentViews:
    if len(views.length) and views.length.max() > MAX_CHARACTERS:
        row = int(views.length.argmax())
        raise DataError(
            f"Document {row} has {views.length[row]:,} characters", f"{MAX_CHARACTERS:,} are allowed", "Split it"
        )
    return views


def not_text_error(row: int, value: object) -> DataError:
    todo = (
        "Decode it, for example by value.decode('utf-8')"
        if isinstance(value, bytes)
        else "Replace it by text, or drop it"
    )
    shown = repr(value)
    return DataError(f"Document {row} is {shown if len(shown) < 60 else type(value).__name__}", "text is needed", todo)


def view_missing(name: Name, rows: int) -> Documents:
    """A column of missing documents."""
    return Documents([name], view_texts([None] * rows))
