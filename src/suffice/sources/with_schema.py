"""Sources whose text columns are parsed by a schema."""

from collections.abc import Iterator
from typing import Any

from suffice.columns.apply_schema import apply_schema
from suffice.columns.arrow_table import ArrowTable, is_string
from suffice.columns.schema import Declared, Schema
from suffice.columns.schema_inference import infer_schema
from suffice.errors import DataError
from suffice.sources.source import LocalSource


class WithSchema(LocalSource):
    """The rows of a typed source, such as Parquet, with text columns parsed by a schema."""

    def __init__(self, source: LocalSource, given: Schema) -> None:
        super().__init__(source.name)
        self._source, self._given = source, given

    @property
    def schema(self) -> Schema:
        return self._given

    @property
    def can_be_read_again(self) -> bool:
        return self._source.can_be_read_again

    def _runs(self) -> Iterator[ArrowTable]:
        start = 0
        for run in self._source.batches():
            yield convert_run(run.table, self._given, self.name, start)
            start += run.rows


def convert_run(table: Any, schema: Schema, name: str, start: int = 0) -> ArrowTable:
    """A batch with its text columns parsed by a schema; ``start`` rows precede it."""
    found, invalid = apply_schema(table, schema)
    for cell in invalid:
        raise DataError(
            f"Row {start + cell.row + 1:,} of {name} has {cell.cell[:80]!r} in column {cell.column!r}",
            f"the format of the column is {cell.form}",
            "Correct it, or declare such cells missing (--missing, missing=)",
        )
    return ArrowTable(found)


def with_declarations(source: LocalSource, declared: Declared) -> LocalSource:
    """The typed source with declared kinds and missing tokens."""
    if declared == Declared():
        return source

    def schema_of(first: ArrowTable) -> Schema:
        declared.check_columns([str(name) for name in first.names], source.name)
        text = [name for name in declared.kinds if is_string(first.cells(name).type)]
        return infer_schema(first.only(text).table, declared)

    return WithSchema(source, source.first(schema_of))
