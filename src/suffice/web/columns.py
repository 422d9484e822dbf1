"""The columns of a model in JSON: their value types, and conversion of rows under the columns' own names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import msgspec

from suffice.columns.kinds import Level, Name
from suffice.columns.records_table import RecordsTable
from suffice.errors import ModelFileError, quoted
from suffice.families.bernoulli import Bernoulli
from suffice.model import Model
from suffice.web.escaped_names import escaped_name, renamed
from suffice.web.version import Version

ColumnKind = Literal["number", "boolean", "category", "text"]


@dataclass(frozen=True)
class JsonColumn:
    """A column, its name in JSON and the kind of its cells; ``levels`` are the levels learned so far."""

    name: Name
    key: str
    kind: ColumnKind
    levels: tuple[Level, ...] = ()

    @property
    def field_name(self) -> str:
        """The name of its field in a form, distinct from the form's other fields."""
        return f"cell:{self.key}"

    @cached_property
    def cell_type(self) -> Any:
        """The type by which msgspec decodes a cell."""
        if self.kind == "number":
            return float | None
        if self.kind == "boolean":
            return bool | float | None
        if self.kind == "text":
            return str | None
        kinds = {type(level) for level in self.levels}
        if kinds and kinds <= {str}:
            return str | None
        if kinds and kinds <= {int, float}:
            return int | float | None
        return str | int | float | bool | None

    def converted(self, cell: Any) -> Any:
        """A cell of a row stored for another model; missing if its type is not that of this column."""
        try:
            return msgspec.convert(cell, self.cell_type)
        except msgspec.ValidationError:
            return None


class Columns:
    """The columns of a model in their order."""

    def __init__(self, columns: Sequence[JsonColumn], names: Sequence[Name], marginalise: bool = False) -> None:
        self.columns = tuple(columns)
        self.names = names
        """The model's own list of names, so that the check for missing columns is an identity test."""
        self.marginalise = marginalise
        self.keys = tuple(column.key for column in columns)
        repeated = sorted({key for key in self.keys if self.keys.count(key) > 1})
        if repeated:
            raise ModelFileError(
                f"The model has several columns called {quoted(repeated)}", "names must be unique in JSON"
            )
        self.escaped_names = {key: inner for key in self.keys if (inner := escaped_name(key)) != key}

    @classmethod
    def of(cls, model: Model, keys: Sequence[str] | None = None) -> "Columns":
        """The columns of a model, named by ``keys`` if given."""
        found: dict[Name, tuple[ColumnKind, tuple[Level, ...]]] = {}
        for block, density in zip(model.blocks, model.densities, strict=True):
            for j, name in enumerate(block.columns):
                known = density.known_levels
                levels = tuple(known.levels[j]) if block.reads == "levels" and known is not None else ()
                found[name] = (_kind(block.reads, block.family, levels), levels)
        shown = [str(name) for name in model.names] if keys is None else list(keys)
        columns = [JsonColumn(name, key, *found[name]) for name, key in zip(model.names, shown, strict=True)]
        return cls(columns, model.names, model.marginalise)

    @classmethod
    def of_version(cls, version: Version) -> "Columns":
        """The columns of a version; a matrix made from a frame has the frame's names."""
        names = getattr(version.estimator, "feature_names_in_", None)
        return cls.of(version.model, None if names is None else [str(name) for name in names])

    @cached_property
    def row_type(self) -> type[msgspec.Struct]:
        """A msgspec struct with one field per column. Unknown fields are rejected; null is a missing cell. Columns are
        optional if the model marginalises missing columns."""
        return self._struct("Row", None if self.marginalise else msgspec.NODEFAULT, forbid_unknown_fields=True)

    @cached_property
    def _stored_rows(self) -> "msgspec.json.Decoder[msgspec.Struct]":
        return msgspec.json.Decoder(self._struct("StoredRow", None))

    def _struct(self, name: str, default: Any, **options: Any) -> type[msgspec.Struct]:
        fields = [
            (f"column_{i}", c.cell_type, msgspec.field(default=default, name=escaped_name(c.key)))
            for i, c in enumerate(self.columns)
        ]
        return msgspec.defstruct(name, fields, frozen=True, gc=False, **options)

    def table(self, rows: Sequence[msgspec.Struct]) -> RecordsTable:
        """Rows of ``row_type`` as a table."""
        return RecordsTable(self.names, [msgspec.structs.astuple(row) for row in rows])

    def table_from_json(self, rows: Sequence[Mapping[str, Any]]) -> RecordsTable:
        """Rows with JSON names as a table; msgspec rejects invalid rows."""
        return self.table([msgspec.convert(renamed(row, self.escaped_names), self.row_type) for row in rows])

    def stored(self, row: msgspec.Struct) -> str:
        """A row as JSON for the store, with cells in the order of the columns."""
        return msgspec.json.encode(dict(zip(self.keys, msgspec.structs.astuple(row), strict=True))).decode()

    def restored(self, texts: Sequence[str]) -> RecordsTable:
        """Stored rows as a table; see ``converted`` for rows stored for a model with other columns."""
        return RecordsTable(self.names, [self._cells(text) for text in texts])

    def _cells(self, text: str) -> tuple[Any, ...]:
        if self.escaped_names:
            return tuple(self.converted(msgspec.json.decode(text)).values())
        try:
            return msgspec.structs.astuple(self._stored_rows.decode(text))
        except msgspec.ValidationError:
            return tuple(self.converted(msgspec.json.decode(text)).values())

    def converted(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row with JSON names, reduced to these columns. Cells of another type are missing."""
        return {column.key: column.converted(row.get(column.key)) for column in self.columns}

    def from_form(self, form: Mapping[str, str]) -> dict[str, Any]:
        """A row from the fields of a form (see ``field_name``); empty fields are missing.
        Text that is not a number stays text and is rejected by validation."""
        return {column.key: _typed(column, form.get(column.field_name, "")) for column in self.columns}


def _kind(reads: str, family: object, levels: tuple[Level, ...]) -> ColumnKind:
    if reads == "documents":
        return "text"
    if reads == "levels":
        return "boolean" if levels and all(isinstance(level, bool) for level in levels) else "category"
    if reads in ("numbers", "terms"):
        return "boolean" if isinstance(family, Bernoulli) else "number"
    raise ModelFileError(
        "The model has columns of arbitrary objects", "only numbers, categories and text can be served"
    )


def _typed(column: JsonColumn, text: str) -> Any:
    if column.kind == "text":
        return text or None
    text = text.strip()
    if not text:
        return None
    if column.kind == "category":
        known = {str(level): level for level in column.levels}
        if text in known or not known or any(isinstance(level, str) for level in column.levels):
            return known.get(text, text)
    if text in ("true", "false"):
        return text == "true"
    return float(text) if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) else text
