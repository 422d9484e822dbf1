"""What may stand for rows that are not in memory, and the source that it opens."""

import importlib
import inspect
import os
from collections.abc import Iterator
from typing import Any, Literal

from suffice.sources.source import Source


def open_source(rows: Any) -> Source | None:
    """The source that ``rows`` stands for; None where they are in memory, and a table can be made of them.

    Texts and paths are files and queries; else the library is told by where its class comes from, so that none is
    loaded to see whether it was used.
    """
    if isinstance(rows, Source):
        return rows
    if isinstance(rows, (str, os.PathLike)):
        return _files().open_files(rows)  # type: ignore[no-any-return]
    home, name = type(rows).__module__.partition(".")[0], type(rows).__name__
    if home == "pyspark" and name == "DataFrame":
        return importlib.import_module("suffice.sources.spark").SparkRows(rows)  # type: ignore[no-any-return]
    if home in ("dask", "dask_expr") and name == "DataFrame":
        return importlib.import_module("suffice.sources.dask").DaskRows(rows)  # type: ignore[no-any-return]
    return _streamed(rows)


def as_source(rows: Any) -> Source:
    """The source that ``rows`` stands for, or one with a table in memory for its only part."""
    found = open_source(rows)
    return _batches().Tables("the table", lambda: [rows]) if found is None else found


def rows(where: str | os.PathLike[str], *, bad_lines: Literal["stop", "skip"] = "stop") -> Source:
    """Rows of files, of a database or of a query, to be given to ``fit`` and ``predict``.

    ``where`` is what ``fit`` takes as it is; this is for saying what to do with lines of CSV files that do not fit the
    others: ``"stop"``, with their numbers, or ``"skip"`` them, with a warning.

    >>> from suffice import rows
    >>> rows("select 1 as a, 'x' as label").first(lambda table: table.names)
    ['a', 'label']
    """
    return _files().open_files(where, bad_lines)  # type: ignore[no-any-return]


def _files() -> Any:
    return importlib.import_module("suffice.sources.files")


def _streamed(rows: Any) -> Source | None:
    """Batches from a data set, a lazy frame, a relation, a list of frames, an iterator, or a function that returns one."""
    kind = type(rows)
    home, name = kind.__module__, f"the {kind.__name__}"
    if home == "pyarrow._dataset":
        return _batches().RecordBatches(name, rows.to_batches)  # type: ignore[no-any-return]
    if home.startswith("polars") and kind.__name__ == "LazyFrame":
        return _batches().Tables(name, rows.collect_batches)  # type: ignore[no-any-return]
    if kind.__name__ == "DuckDBPyRelation":
        return _batches().RecordBatches(name, rows.to_arrow_reader)  # type: ignore[no-any-return]
    if isinstance(rows, list) and rows and all(hasattr(part, "__arrow_c_stream__") for part in rows):
        return _batches().Tables(name, lambda: rows)  # type: ignore[no-any-return]
    if isinstance(rows, Iterator):
        return _batches().Tables(name, lambda: rows, again=False)  # type: ignore[no-any-return]
    if inspect.isroutine(rows):
        return _batches().Tables(name, rows)  # type: ignore[no-any-return]
    return None


def _batches() -> Any:
    return importlib.import_module("suffice.sources.batches")
