"""A table of a few rows as tuples of Python values, which scores single requests without building a frame."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents, view_texts
from suffice.columns.kinds import Kind, Level, Name
from suffice.columns.level_codes import KnownLevels
from suffice.columns.missing import is_missing
from suffice.columns.spelling import level_indices, normalise_level, unified_levels
from suffice.columns.table import Table, not_numeric_error
from suffice.numerics.arrays import AnyArray


class RecordsTable(Table):
    """Rows with a cell for each name, None where it is missing.

    >>> table = RecordsTable(["age", "job"], [(30, "clerk"), (None, "smith")])
    >>> table.numbers(["age"]).values.tolist()
    [[30.0], [nan]]
    >>> table.levels(["job"], None, 1).levels
    (('clerk', 'smith'),)
    """

    def __init__(self, names: Sequence[Name], records: Sequence[tuple[Any, ...]]) -> None:
        self.names = names
        self.records = records
        self.rows = len(records)
        self._position = {name: i for i, name in enumerate(names)}

    @property
    def kinds(self) -> list[Kind]:  # type: ignore[override]
        """Not inferred: the families are already chosen."""
        return [Kind.EMPTY] * len(self.names)

    def _cells(self, name: Name) -> list[Any]:
        position = self._position[name]
        return [record[position] for record in self.records]

    def numbers(self, names: Sequence[Name]) -> Numbers:
        at = [self._position[name] for name in names]
        cells = [[record[j] for j in at] for record in self.records]
        for column in (j for row in cells for j, cell in enumerate(row) if isinstance(cell, str)):
            raise not_numeric_error(names[column], "text")
        return Numbers(names, np.array(cells, dtype=np.float64))

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        if known is not None:
            coded = self._known_levels(names, known)
            if not known.keeps_unknown or (coded.codes < np.diff(known.starts)).all():
                return coded
        codes = np.full((self.rows, len(names)), -1, dtype=np.int32)
        levels: list[Sequence[Level]] = []
        for j, name in enumerate(names):
            place: dict[Level, int] = {}
            for i, cell in enumerate(self._cells(name)):
                if not is_missing(cell):
                    codes[i, j] = place.setdefault(normalise_level(cell), len(place))
            found = tuple(place)
            levels.append(unified_levels(found))
            if levels[-1] != found:
                codes[:, j] = np.array([*level_indices(found, levels[-1]), -1], dtype=np.int32)[codes[:, j]]
        return Levels(names, codes, np.zeros(len(names), np.int64), tuple(levels))

    def _known_levels(self, names: Sequence[Name], known: KnownLevels) -> Levels:
        """Codes of the cells in the levels of a model."""
        at = [self._position[name] for name in names]
        codes = np.array(
            [[known.code(column, record[j]) for column, j in enumerate(at)] for record in self.records], dtype=np.int32
        )
        return Levels(names, codes, np.zeros(len(names), np.int64), tuple(known.levels), known.starts)

    def objects(self, name: Name) -> Objects:
        return Objects([name], self._cells(name))

    def documents(self, name: Name) -> Documents:
        return Documents([name], view_texts(self._cells(name)))

    def slice(self, start: int, stop: int) -> "RecordsTable":
        return RecordsTable(self.names, self.records[start:stop])

    def only(self, names: Sequence[Name]) -> "RecordsTable":
        at = [self._position[name] for name in names]
        return RecordsTable(names, [tuple(record[j] for j in at) for record in self.records])

    def renamed(self, names: Sequence[Name]) -> "RecordsTable":
        return RecordsTable(names, self.records)

    def column(self, name: Name) -> AnyArray:
        out = np.empty(self.rows, dtype=object)
        out[:] = self._cells(name)
        return out
