"""Uniform samples of streamed rows, which add."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.numerics.arrays import FloatArray, IntArray

_MAX_BYTES = 1 << 26
_MAX_ROWS_PER_PART = 1 << 40


@dataclass(frozen=True, eq=False)
class UniformSample:
    """The rows with the smallest random keys, so that the sum of two samples is a sample of all their rows.

    Rows with a key of at least ``limit`` are dropped.
    """

    most: int
    rows: Any = None
    keys: FloatArray = field(default_factory=lambda: np.empty(0))
    places: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    limit: float = 1.0

    def with_rows(self, table: ArrowTable, keys: FloatArray, part: int, start: int) -> "UniformSample":
        """The sample with further rows added, those of a part from its row ``start`` on."""
        low = np.flatnonzero(keys < self.limit)
        if not len(low):
            return self
        some = table.table if len(low) == table.rows else table.table.take(pa.array(low))
        return self + UniformSample(self.most, some, keys[low], low + (part * _MAX_ROWS_PER_PART + start), self.limit)

    def __add__(self, other: "UniformSample") -> "UniformSample":
        if self.rows is None or other.rows is None:
            kept = self if other.rows is None else other
            return replace(kept, limit=min(self.limit, other.limit))._trimmed()
        rows = pa.concat_tables([self.rows, other.rows], promote_options="permissive")
        keys, places = np.concatenate([self.keys, other.keys]), np.concatenate([self.places, other.places])
        return UniformSample(self.most, rows, keys, places, min(self.limit, other.limit))._trimmed()

    def _trimmed(self) -> "UniformSample":
        if self.rows is None:
            return self
        size = self.rows.nbytes
        room = self.most if size <= _MAX_BYTES else min(self.most, int(len(self.keys) * (_MAX_BYTES / size)))
        limit = self.limit if len(self.keys) <= room else float(np.partition(self.keys, room)[room])
        if limit > self.keys.max(initial=0.0):
            return self
        kept = np.flatnonzero(self.keys < limit)
        return UniformSample(
            self.most,
            self.rows.take(pa.array(kept)).combine_chunks(),
            self.keys[kept],
            self.places[kept],
            limit,
        )

    @property
    def numbers(self) -> IntArray:
        """Row numbers of ``table`` in the stream, from 1, if it has one part."""
        return np.sort(self.places) + 1

    def table(self) -> ArrowTable:
        """The rows in the order of the stream."""
        return ArrowTable(self.rows.take(pa.array(np.argsort(self.places, kind="stable"))).combine_chunks())
