"""A table of named, typed Arrow columns, the form that every frame library exports."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_documents import view_arrow
from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents, check_lengths
from suffice.columns.kinds import DATES, Kind, Level, Name
from suffice.columns.labels import Labels, labels_from_codes
from suffice.columns.level_codes import KnownLevels
from suffice.columns.spelling import normalise_level
from suffice.columns.table import Table, check_names, not_numeric_error
from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray, FloatArray


def _kind_of_type(name: Name, kind: Any) -> Kind:
    types = pa.types
    if types.is_dictionary(kind) and _kind_of_type(name, kind.value_type) is not Kind.SEQUENCE:
        return Kind.CATEGORY
    if types.is_boolean(kind):
        return Kind.BOOLEAN
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return Kind.NUMBER
    if types.is_date(kind):
        return Kind.DATE
    if types.is_timestamp(kind):
        return Kind.TIMESTAMP
    if types.is_time(kind) or types.is_duration(kind):
        return Kind.DURATION
    if is_string(kind):
        return Kind.CATEGORY
    if types.is_null(kind):
        return Kind.EMPTY
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return Kind.SEQUENCE
    raise DataError(
        f"Column {name!r} has cells of type {kind}",
        "numbers, booleans, dates, text and lists can be used",
        "Convert it, or leave it out",
    )


def is_string(kind: Any) -> bool:
    """Whether an Arrow type is a string type."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


_DECLARED = b"suffice.kind"
"""The metadata key of a field with a declared kind."""


def with_declared_kind(field: Any, kind: str | None) -> Any:
    """The Arrow field, with the kind of its column in its metadata if one is declared."""
    return field if kind is None else field.with_metadata({_DECLARED: kind.encode()})


_INSPECTED_ROWS = 1000  # rows inspected to tell sentences from names
_WORDS_OF_TEXT = 4.0  # minimum mean number of words per cell of a text column whose cells are mostly distinct


def _is_prose(column: Any) -> bool:
    """Whether the strings of a column are sentences rather than categories."""
    some = column.slice(0, _INSPECTED_ROWS).cast(pa.large_string()).drop_null()
    if pc.count_distinct(some).as_py() <= 0.5 * len(some):
        return False
    return bool(pc.sum(pc.count_substring_regex(some, r"\S+")).as_py() >= _WORDS_OF_TEXT * len(some))


FEW_CELLS = 1000
"""Number of cells up to which a Python loop is faster than loading Arrow's compute functions."""


def _encode_few(cells: Sequence[Any]) -> tuple[AnyArray, tuple[Level, ...]]:
    place: dict[Level, int] = {}
    known: dict[Any, int] = {None: -1}
    codes = []
    for cell in cells:
        code = known.get(cell)
        if code is None:
            code = place.setdefault(normalise_level(cell), len(place)) if cell == cell else -1
            known[cell] = code
        codes.append(code)
    return np.array(codes, np.int32), tuple(place)


_DAYS_PER_UNIT = {"s": 1 / 86_400, "ms": 1 / 86_400e3, "us": 1 / 86_400e6, "ns": 1 / 86_400e9}


class ArrowTable(Table):
    """Columns of an Arrow table. ``names`` replace its column names, which are always strings."""

    def __init__(
        self, table: Any, names: Sequence[Name] | None = None, part_of: "tuple[ArrowTable, int] | None" = None
    ) -> None:
        self.table = table
        self._part_of = part_of
        self._codes: dict[Name, tuple[AnyArray, tuple[Level, ...]]] = {}
        self._documents: dict[Name, Documents] = {}
        self.rows = int(table.num_rows)
        self.names = list(table.column_names) if names is None else list(names)
        check_names(self.names)
        self._position = {name: i for i, name in enumerate(self.names)}

    @cached_property
    def kinds(self) -> Sequence[Kind]:  # type: ignore[override]
        """Kinds of the columns, inferred at first use: only the first run of a stream needs them."""
        return [
            self.declared.get(name) or (Kind.TEXT if is_string(column.type) and _is_prose(column) else self._kind(name))
            for name, column in zip(self.names, self.table.columns, strict=True)
        ]

    @cached_property
    def declared(self) -> dict[Name, Kind | None]:
        """The declared kind of each column; None where the type of its cells decides."""
        kinds = {b"category": Kind.CATEGORY, b"text": Kind.TEXT}
        marked = zip(self.names, (field.metadata or {} for field in self.table.schema), strict=True)
        return {name: kinds.get(mark[_DECLARED]) for name, mark in marked if _DECLARED in mark}

    def numbers(self, names: Sequence[Name]) -> Numbers:
        values = np.empty((self.rows, len(names)), order="F")
        for j, name in enumerate(names):
            values[:, j] = self._floats(name)
        return Numbers(names, values)

    def _floats(self, name: Name) -> FloatArray:
        column, kind = self.cells(name), self._kind(name)
        if kind is Kind.CATEGORY:
            raise not_numeric_error(name, "text")
        if kind is Kind.SEQUENCE:
            raise not_numeric_error(name, "lists")
        if kind is Kind.EMPTY:
            return np.full(self.rows, np.nan)
        if pa.types.is_decimal(column.type) or kind is Kind.BOOLEAN:
            column = column.cast(pa.float64() if kind is Kind.NUMBER else pa.uint8())
        if kind not in DATES:
            return np.asarray(column.to_numpy(), dtype=np.float64)
        # days, whatever the unit of the type
        scale = (
            1 / 86_400e3
            if pa.types.is_date64(column.type)
            else _DAYS_PER_UNIT.get(getattr(column.type, "unit", ""), 1.0)
        )
        width = pa.int32() if column.type.bit_width == 32 else pa.int64()
        return np.asarray(column.cast(width).cast(pa.int64()).to_numpy(), dtype=np.float64) * scale

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        codes = np.empty((self.rows, len(names)), dtype=np.int32, order="F")
        levels: list[Sequence[Level]] = []
        for j, name in enumerate(names):
            column_codes, column_levels = self._encoded(name)
            codes[:, j] = column_codes
            levels.append(column_levels)
        return Levels(names, codes, np.zeros(len(names), np.int64), tuple(levels))

    def _encoded(self, name: Name) -> tuple[AnyArray, tuple[Level, ...]]:
        """Codes and levels of a column, computed once for a table and all its slices."""
        if self._part_of is not None:
            whole, start = self._part_of
            codes, levels = whole._encoded(name)
            return codes[start : start + self.rows], levels
        if name not in self._codes:
            self._codes[name] = self._encode(name)
        return self._codes[name]

    def _encode(self, name: Name) -> tuple[AnyArray, tuple[Level, ...]]:
        column, kind = self.cells(name), self._kind(name)
        if kind is Kind.EMPTY:
            return np.full(self.rows, -1, np.int32), ()
        if kind is Kind.SEQUENCE:
            raise DataError(f"Column {name!r} contains lists", "levels must be single values", "Give it Density(…)")
        if self.rows <= FEW_CELLS and not pa.types.is_dictionary(column.type):
            return _encode_few(column.to_pylist())
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        chunk = column.combine_chunks()
        if isinstance(chunk, pa.ChunkedArray):  # no rows, no chunk
            return np.zeros(0, np.int32), ()
        codes = chunk.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
        values = chunk.dictionary.to_pylist()
        # a dictionary may have duplicate levels, or null
        place: dict[Level, int] = {}
        known = [v for v in values if v is not None and v == v]
        for value in known:
            place.setdefault(normalise_level(value), len(place))
        if len(place) < len(values):
            moved = [place[normalise_level(v)] if v is not None and v == v else -1 for v in values]
            codes = np.array([*moved, -1], dtype=np.int32)[codes]
        return codes, tuple(place)

    def objects(self, name: Name) -> Objects:
        return Objects([name], self.cells(name).to_pylist())

    def documents(self, name: Name) -> Documents:
        if self._part_of is not None:
            whole, start = self._part_of
            return whole.documents(name).slice(start, start + self.rows)
        if name not in self._documents:
            self._documents[name] = Documents([name], check_lengths(view_arrow(self.cells(name))))
        return self._documents[name]

    def slice(self, start: int, stop: int) -> "ArrowTable":
        whole, offset = self._part_of or (self, 0)
        return ArrowTable(self.table.slice(start, stop - start), self.names, (whole, offset + start))

    def renamed(self, names: Sequence[Name]) -> "ArrowTable":
        return ArrowTable(self.table, names)

    def column(self, name: Name) -> AnyArray:
        column = self.cells(name)
        if pa.types.is_dictionary(column.type):
            codes, levels = self._encoded(name)
            named = np.empty(len(levels) + 1, dtype=object)  # the last place is for missing cells
            named[:-1] = levels
            return named[codes]
        if pa.types.is_floating(column.type) or not column.null_count:
            numbers: AnyArray = column.to_numpy()
            return numbers
        return np.array(column.to_pylist(), dtype=object)

    def labels(self, name: Name, threads: int) -> Labels:
        """One column as labels, without a Python object per row."""
        return labels_from_codes(*self._encoded(name), threads)

    def only(self, names: Sequence[Name]) -> "ArrowTable":
        """A selection of the columns."""
        return ArrowTable(self.table.select([self._position[name] for name in names]), names)

    def cells(self, name: Name) -> Any:
        """One column as an Arrow array."""
        return self.table.column(self._position[name])

    def _kind(self, name: Name) -> Kind:
        """The kind of a column by its type alone: sentences and categories are read alike."""
        return _kind_of_type(name, self.cells(name).type)
