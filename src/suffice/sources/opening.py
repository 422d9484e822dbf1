"""Opening of sources that are not in memory."""

import importlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from suffice.columns.inputs import TableLike
from suffice.columns.schema import Declared, DeclaredKind, Schema
from suffice.errors import ParameterError, quoted
from suffice.sources.source import LocalSource, Source


def open_source(rows: TableLike) -> Source | None:
    """The source of ``rows``; None if they are in memory.

    Strings and paths are files and queries. Other objects are dispatched by the module of their class, without importing
    its library.
    """
    if isinstance(rows, Source):
        return rows
    if isinstance(rows, (str, os.PathLike)):
        return _files(rows)
    home, name = type(rows).__module__.partition(".")[0], type(rows).__name__
    if home == "pyspark" and name == "DataFrame":
        return _cluster("spark", "SparkRows", rows)
    if home in ("dask", "dask_expr") and name == "DataFrame":
        return _cluster("dask", "DaskRows", rows)
    return _stream(rows)


def read_with_schema(source: Source, schema: Schema | None) -> Source:
    """The same rows with text columns parsed by a schema. (Columns of Dask and Spark are typed.)"""
    if schema is None or not isinstance(source, LocalSource):
        return source
    module = importlib.import_module("suffice.sources.with_schema")  # loads Arrow
    return source.with_schema(schema) or module.WithSchema(source, schema)


def as_source(rows: TableLike) -> Source:
    """The source of ``rows``; rows in memory become a source of one part."""
    found = open_source(rows)
    return _frames("the table", lambda: [rows]) if found is None else found


def rows(
    where: str | os.PathLike[str],
    *,
    bad_lines: Literal["stop", "skip"] = "stop",
    missing: Sequence[str] = (),
    encoding: str | None = None,
    kinds: Mapping[str, DeclaredKind] | None = None,
) -> Source:
    """Rows of files, a database or a query, for ``fit`` and ``predict``.

    ``fit`` also takes ``where`` directly; ``rows`` adds options for reading it. The fitted model reads later files with
    the same options.

    Parameters
    ----------
    where : str or path
        A file, a folder, a pattern, ``"database::table"``, ``"book.xlsx::sheet"`` or a query.
    bad_lines : {"stop", "skip"}, default="stop"
        Malformed lines of CSV files raise an error with their numbers, or are skipped with a warning.
    missing : sequence of str, default=()
        Tokens that are missing cells in every column. (Blanks, ``NA``, ``n/a``, ``NaN``, ``null``, ``None``, ``?``, ``-``
        and ``.`` are missing cells in columns of numbers or dates.)
    encoding : str or None, default=None
        Encoding of CSV files. ``None`` detects Unicode; any other encoding is assumed to be Windows-1252.
    kinds : mapping or None, default=None
        Declared kinds of columns: ``"number"``, ``"category"``, ``"text"`` or ``"date"``; they override inference.

    Returns
    -------
    Source
        Rows for ``fit`` and ``predict``.

    Examples
    --------
    >>> from suffice import rows
    >>> rows("select 1 as a, 'x' as label").first(lambda table: table.names)
    ['a', 'label']
    """
    if isinstance(missing, str):
        raise ParameterError(f"missing is {missing!r}", "it must be a sequence of tokens", f"Give [{missing!r}]")
    ignored = [name for name, kind in (kinds or {}).items() if kind == "ignore"]
    if ignored:
        raise ParameterError(f"The kind of {quoted(ignored)} is 'ignore'", "rows cannot drop columns", "Use a query")
    return _files(where, bad_lines, Declared(tuple(missing), encoding, dict(kinds or {})))


def _files(where: str | os.PathLike[str], *declared: object) -> Source:
    opened: Source = importlib.import_module("suffice.sources.files").open_files(where, *declared)
    return opened


def _cluster(module: str, name: str, frame: object) -> Source:
    opened: Source = getattr(importlib.import_module(f"suffice.sources.{module}"), name)(frame)
    return opened


def _stream(rows: TableLike) -> Source | None:
    """A source of a data set, a lazy frame, a relation, a list of frames, an iterator, or a function that returns one."""
    kind = type(rows)
    home, name = kind.__module__, f"the {kind.__name__}"
    if home == "pyarrow._dataset":
        return _records(name, rows.to_batches)
    if home.startswith("polars") and kind.__name__ == "LazyFrame":
        batched = getattr(rows, "collect_batches", None)  # Polars ≥ 1.34
        return _frames(name, batched or (lambda: [rows.collect()]))
    if kind.__name__ == "DuckDBPyRelation":
        return _records(name, rows.to_arrow_reader)
    if isinstance(rows, list) and rows and all(hasattr(part, "__arrow_c_stream__") for part in rows):
        return _frames(name, lambda: rows)
    if isinstance(rows, Iterator):
        return _frames(name, lambda: rows, rereadable=False)
    if inspect.isroutine(rows):
        return _frames(name, rows)
    return None


def _records(name: str, read: Callable[[], Any]) -> Source:
    opened: Source = importlib.import_module("suffice.sources.batches").RecordBatches(name, read)
    return opened


def _frames(name: str, read: Callable[[], Any], *, rereadable: bool = True) -> Source:
    opened: Source = importlib.import_module("suffice.sources.batches").FrameBatches(name, read, rereadable=rereadable)
    return opened
