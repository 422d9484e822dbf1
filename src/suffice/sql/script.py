"""Statements that create and fill a table, for databases that load neither Parquet nor Arrow."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from suffice.sql.dialects import Dialect, dialect_named

_STATEMENT_ROWS = 500  # rows per statement


def script(table: Any, name: "str | Sequence[str]", dialect: str = "duckdb", key: Sequence[str] = ()) -> Iterator[str]:
    """CREATE TABLE and INSERT statements of an Arrow table of texts and numbers, one at a time.

    The columns ``key`` are its primary key; without that index, SQLite scans the table for every joined row.

    >>> for statement in script(pa.table({"token": ["O'Neil"], "count": [2]}), "tokens"):
    ...     print(statement)
    CREATE TABLE "tokens" ("token" VARCHAR, "count" BIGINT);
    INSERT INTO "tokens" VALUES ('O''Neil', 2);
    """
    language = dialect_named(dialect)
    place = language.table(name)
    columns = [f"{language.name(field.name)} {_type(field.type, language)}" for field in table.schema]
    if key:
        columns.append(f"PRIMARY KEY ({', '.join(language.name(each) for each in key)})")
    yield f"CREATE TABLE {place} ({', '.join(columns)});"
    for batch in table.to_batches(max_chunksize=_STATEMENT_ROWS):
        cells = [map(_writer(column, language), column.to_pylist()) for column in batch.columns]
        rows = [f"({', '.join(row)})" for row in zip(*cells, strict=True)]
        if rows:
            yield f"INSERT INTO {place} VALUES {', '.join(rows)};"


def _type(kind: Any, language: Dialect) -> str:
    if pa.types.is_integer(kind):
        return "BIGINT"
    return language.double if pa.types.is_floating(kind) else "VARCHAR"


def _writer(column: Any, language: Dialect) -> Callable[[Any], str]:
    """The function that writes the values of a column."""
    if not column.null_count:
        if pa.types.is_integer(column.type):
            return str
        if pa.types.is_floating(column.type):
            return language.literal
        if pa.types.is_string(column.type):
            return language.text
    return lambda value: _literal(value, language)


def _literal(value: Any, language: Dialect) -> str:
    if isinstance(value, int):
        return str(value)
    return language.literal(value) if isinstance(value, float) else language.text(str(value))
