"""A table padded with absent columns, whose cells are all missing and so contribute nothing to any score."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import NO_COLUMN, Levels, Numbers, Objects
from suffice.columns.documents import Documents, view_missing
from suffice.columns.kinds import Kind, Level, Name
from suffice.columns.level_codes import KnownLevels
from suffice.columns.table import Table
from suffice.numerics.arrays import AnyArray


class PaddedTable(Table):
    """The columns of ``table``, followed by the ``absent`` ones."""

    def __init__(self, table: Table, absent: Sequence[Name]) -> None:
        self.table, self.absent = table, list(absent)
        self._is_absent = frozenset(absent)
        self.rows = table.rows
        self.names = [*table.names, *absent]
        self.kinds = [*table.kinds, *[Kind.EMPTY] * len(self.absent)]

    def _present_indices(self, names: Sequence[Name]) -> list[int]:
        return [j for j, name in enumerate(names) if name not in self._is_absent]

    def numbers(self, names: Sequence[Name]) -> Numbers:
        values = np.full((self.rows, len(names)), np.nan, order="F")
        present = self._present_indices(names)
        if present:
            values[:, present] = self.table.numbers([names[j] for j in present]).dense
        return Numbers(names, values, self._is_absent)

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        present = self._present_indices(names)
        codes = np.full((self.rows, len(names)), NO_COLUMN, dtype=np.int64)
        low = np.zeros(len(names), np.int64)
        levels: list[Sequence[Level]] = [()] * len(names)
        integers = False
        if present:
            known_present = (
                None
                if known is None
                else KnownLevels([known.levels[j] for j in present], keeps_unknown=known.keeps_unknown)
            )
            found = self.table.levels([names[j] for j in present], known_present, threads)
            codes[:, present], low[present], integers = found.codes, found.low, found.integers
            for j, column in zip(present, found.levels, strict=True):
                levels[j] = column
        return Levels(names, codes, low, tuple(levels), integers=integers)

    def objects(self, name: Name) -> Objects:
        return Objects([name], [None] * self.rows) if name in self.absent else self.table.objects(name)

    def documents(self, name: Name) -> Documents:
        return view_missing(name, self.rows) if name in self.absent else self.table.documents(name)

    def slice(self, start: int, stop: int) -> "PaddedTable":
        return PaddedTable(self.table.slice(start, stop), self.absent)

    def only(self, names: Sequence[Name]) -> "PaddedTable":
        present = self._present_indices(names)
        return PaddedTable(
            self.table.only([names[j] for j in present]), [name for name in names if name in self._is_absent]
        )

    def renamed(self, names: Sequence[Name]) -> "PaddedTable":
        n_present = len(self.table.names)
        return PaddedTable(self.table.renamed(names[:n_present]), names[n_present:])

    def column(self, name: Name) -> AnyArray:
        return np.asarray(self.table.column(name))
