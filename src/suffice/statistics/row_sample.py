"""The row sample: rows selected by a hash of their cells, as an additive statistic.

A row is in the sample if the hash of its cells is below a limit, which falls as rows are added. So the sample does not
depend on order, batches or engine, and can be added and subtracted. Equal rows are stored once, with the sum of their
weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from suffice.columns.blocks import BlockData, Levels, Numbers
from suffice.columns.kinds import Name
from suffice.columns.stored_cells import Hashes, StoredCells, mix_bits, spelling_digest, stack_cells, store_cells
from suffice.errors import ForgetError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.statistics.base import RELATIVE_ROUNDING

NO_LIMIT = 1 << 64
"""The limit of a sample of all rows."""
MAX_BYTES = 1 << 26
"""Maximum size of the cells of a sample, in bytes."""
_BATCH_ROWS = 1 << 16  # rows whose keys are computed together
_BATCH_CELLS = 1 << 22  # limit on the cells of these rows
_MAX_INSPECTED_WEIGHTS = 1_000
_MAX_MULTIPLE = 50  # of the common measure in the smallest weight
_MIN_WEIGHTS = 10  # k counts have a common divisor with a probability of about 2^-k
_MAX_EXCESS_PAIRS = 4.0  # ratio of observed to expected pairs of equal rows


@dataclass(frozen=True, eq=False)
class RowSample:
    """Rows, sorted by hash and class.

    ``cells`` has one entry per block of the tally, None for a block whose cells are not stored. Rows with a hash of at
    least ``limit`` are dropped; at most ``most`` distinct rows are kept.
    """

    most: int
    keys: Hashes
    y: CodeArray
    weight: FloatArray
    cells: tuple[StoredCells | None, ...]
    limit: int = NO_LIMIT

    @classmethod
    def of(
        cls, most: int, columns: Sequence[Sequence[Name]], blocks: Sequence[BlockData | None], y: CodeArray,
        weight: FloatArray | None,
    ) -> "RowSample":  # fmt: skip
        """The sample of rows."""
        w = np.ones(len(y)) if weight is None else weight
        step, salts = _batch_rows(blocks), _salts(columns, blocks)
        if len(y) <= min(most, step):
            cells = tuple(None if block is None else store_cells(block) for block in blocks)
            return cls(most, _keys(salts, cells, len(y)), y.astype(np.int32), w, cells)._canonical()
        keys, size = np.empty(len(y), np.uint64), np.empty(len(y), np.int64)
        for rows, part in _batches(blocks, len(y), step):
            keys[rows], size[rows] = _keys(salts, part, rows.stop - rows.start), _row_bytes(part)
        limit = _count_limit(keys, most)
        low = _below(keys, limit)
        order, first = _distinct(keys[low], y[low])
        limit = min(limit, _size_limit(keys[low[order[first]]], size[low[order[first]]]))
        low = _below(keys, limit)
        cells = tuple(None if block is None else store_cells(block, low) for block in blocks)
        return cls(most, keys[low], y[low].astype(np.int32), w[low], cells, limit)._canonical()

    def indices(self, columns: Sequence[Sequence[Name]], blocks: Sequence[BlockData | None], y: CodeArray) -> IntArray:
        """The index of each row in the sample; −1 if it is not kept."""
        salts, step = _salts(columns, blocks), _batch_rows(blocks)
        found = np.full(len(y), -1, dtype=np.int64)
        for rows, part in _batches(blocks, len(y), step):
            keys = _keys(salts, part, rows.stop - rows.start)
            first, last = (np.searchsorted(self.keys, keys, side) for side in ("left", "right"))
            for k in range(int((last - first).max(initial=0))):  # rows that differ only in their class
                at = np.minimum(first + k, len(self.keys) - 1)
                mine = (first + k < last) & (self.y[at] == y[rows])
                found[rows][mine] = at[mine]
        return found

    @property
    def rows(self) -> int:
        return len(self.keys)

    @property
    def is_complete(self) -> bool:
        """Whether no row has been dropped."""
        return self.limit == NO_LIMIT

    @property
    def partial(self) -> "RowSample":
        """The same rows, marked as an incomplete sample."""
        return replace(self, limit=min(self.limit, NO_LIMIT - 1))

    def blocks(self, columns: Sequence[Sequence[Name]]) -> list[BlockData | None]:
        """The cells as blocks, the input of families."""
        return [None if c is None else c.block(names) for c, names in zip(self.cells, columns, strict=True)]

    # — as a statistic —

    def __add__(self, other: "RowSample") -> "RowSample":
        return self._with(other, 1)._canonical()

    def __sub__(self, other: "RowSample") -> "RowSample":
        """Subtract a sample; rows dropped by either are ignored."""
        limit = min(self.limit, other.limit)
        return self._below(limit)._with(other._below(limit), -1)._canonical()

    def _with(self, other: "RowSample", sign: int) -> "RowSample":
        cells = tuple(
            None if a is None or b is None else stack_cells([a, b])
            for a, b in zip(self.cells, other.cells, strict=True)
        )
        return RowSample(
            min(self.most, other.most),
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.y, other.y]),
            np.concatenate([self.weight, sign * other.weight]),
            cells,
            min(self.limit, other.limit),
        )

    def scaled(self, factor: float | FloatArray) -> "RowSample":
        by = np.asarray(factor, dtype=np.float64)
        return replace(self, weight=self.weight * (by[self.y] if by.ndim else by))

    def reindex_classes(self, index: IntArray, n_classes: int) -> "RowSample":
        """Class i moved to index ``index[i]`` of ``n_classes``."""
        moved = index.astype(np.int32)[self.y]
        if (np.diff(index) > 0).all():
            return replace(self, y=moved)
        return replace(self, y=moved)._canonical()

    def select_classes(self, index: IntArray) -> "RowSample":
        """The rows of a selection of classes, in the order of ``index``."""
        place = np.full(int(max(self.y.max(initial=-1), index.max(initial=-1))) + 1, -1, dtype=np.int32)
        place[index] = np.arange(len(index), dtype=np.int32)
        moved = place[self.y]
        there = np.flatnonzero(moved >= 0)
        return replace(self, y=moved).take(there)._canonical()

    def permuted_columns(self, order: Sequence[int], index: Sequence[IntArray]) -> "RowSample":
        """The sample with blocks and their columns reordered."""
        found = [self.cells[i] for i in order]
        return replace(
            self, cells=tuple(None if c is None else c.permuted_columns(at) for c, at in zip(found, index, strict=True))
        )

    def with_cells(self, columns: Sequence[Sequence[Name]], cells: tuple[StoredCells | None, ...]) -> "RowSample":
        """The same rows with other columns. Hashes depend on the columns, so the sample must be complete."""
        return replace(self, keys=_keys(_salts(columns, cells), cells, self.rows), cells=cells)._canonical()

    # — canonical form —

    def take(self, rows: AnyArray) -> "RowSample":
        """A subset of the rows, in their order."""
        return replace(
            self,
            keys=self.keys[rows],
            y=self.y[rows],
            weight=self.weight[rows],
            cells=tuple(None if c is None else c.take(rows) for c in self.cells),
        )

    def _below(self, limit: int) -> "RowSample":
        if self.limit <= limit or not self.rows:
            return self
        return replace(self.take(_below(self.keys, limit)), limit=limit)

    def _canonical(self) -> "RowSample":
        """The canonical form: sorted, equal rows merged, and within the limits."""
        if not self.rows:
            return self
        order, first = _distinct(self.keys, self.y)
        keys, weight = self.keys[order], self.weight[order]
        total = weight if len(first) == len(keys) else np.add.reduceat(weight, first)
        size = np.add.reduceat(np.abs(weight), first) if len(first) < len(keys) else np.abs(weight)
        if (total < -RELATIVE_ROUNDING * size).any():
            raise ForgetError("A row was never learned", "only what was learned can be forgotten")
        stay = first[total > RELATIVE_ROUNDING * size]
        rows = order[stay]
        most = _count_limit(keys[stay], self.most) if len(stay) > self.most else NO_LIMIT
        limit = min(self.limit, most, _size_limit(keys[stay], _row_bytes(self.cells)[rows]))
        below = _below(keys[stay], limit)
        stay, rows = stay[below], rows[below]
        kept = self if np.array_equal(rows, np.arange(self.rows)) else self.take(rows)
        return replace(kept, weight=total[np.searchsorted(first, stay)], limit=limit)

    def units(self, n_classes: int) -> tuple[FloatArray, bool]:
        """The weight of one observation of each class; and whether weights count observations.

        If all weights are equal, it is that weight. If they are multiples of one weight, they may count equal rows, as
        in tables of few categories, or rows may have been weighted or copied. Weights count observations if the number
        of pairs of equal rows is as expected for columns that are independent given the class; then the unit is that
        weight, or 1 if there are few distinct rows with integer weights, since few counts often have a common divisor.
        Otherwise each class has its own unit: the greatest common measure of its weights, or their mean.
        """
        if not self.rows:
            return np.ones(n_classes), True
        everywhere = 1.0 if self.rows < _MIN_WEIGHTS and _are_integers(self.weight) else _common_measure(self.weight)
        if everywhere is not None and self._is_repeated_by_chance(np.full(n_classes, everywhere)):
            return np.full(n_classes, everywhere), True
        rows = np.bincount(self.y, minlength=n_classes)
        mean = np.bincount(self.y, self.weight, n_classes) / np.maximum(rows, 1)
        mean = np.where(rows > 0, mean, self.weight.mean())
        each = [_common_measure(self.weight[self.y == c]) if rows[c] else mean[c] for c in range(n_classes)]
        if any(unit is None for unit in each) or not self._is_repeated_by_chance(np.array(each, dtype=np.float64)):
            return mean, False
        return np.array(each, dtype=np.float64), True

    def _is_repeated_by_chance(self, unit: FloatArray) -> bool:
        """Whether weights above one unit can be due to rows that are equal by chance."""
        times = self.weight / unit[self.y]
        if times.max() < 1 + 1e-9:
            return True
        return float((times * (times - 1)).sum()) / 2 <= _MAX_EXCESS_PAIRS * self._expected_equal_pairs(times)

    @cached_property
    def duplicate_groups(self) -> IntArray:
        """The group of each row, from 0; rows that differ only in their class are in one group."""
        return np.cumsum(np.append(0, np.diff(self.keys) != 0)) if self.rows else np.zeros(0, np.int64)

    def _expected_equal_pairs(self, times: FloatArray) -> float:
        classes = int(self.y.max()) + 1
        rows = np.bincount(self.y, times, classes)
        equal = np.ones(classes)
        for kept in self.cells:
            for codes in () if kept is None else kept.cell_codes():
                both = codes.astype(np.int64) * classes + self.y
                counts = np.bincount(both, times, (int(codes.max()) + 1) * classes).reshape(-1, classes)
                equal *= (counts**2).sum(axis=0) / np.where(rows > 0, rows, 1.0) ** 2
        return float((rows**2 * equal).sum()) / 2


def _salts(columns: Sequence[Sequence[Name]], blocks: Sequence[object | None]) -> list[list[int]]:
    """The salt of the hashes of each column."""
    return [
        [] if block is None else [spelling_digest(name) for name in names]
        for names, block in zip(columns, blocks, strict=True)
    ]


def _keys(salts: Sequence[Sequence[int]], cells: Sequence[StoredCells | None], rows: int) -> Hashes:
    total = np.zeros(rows, dtype=np.uint64)
    for each, kept in zip(salts, cells, strict=True):
        if kept is not None:
            total += kept.hashes(each)
    return mix_bits(total)


def _sort_order(keys: Hashes, y: CodeArray) -> IntArray:
    """The order by key and class. (A stable sort merges the runs of two sorted samples; equal keys are rare.)"""
    order = np.argsort(keys, kind="stable")
    equal = np.diff(keys[order]) == 0
    return np.lexsort((y, keys)) if (equal & (np.diff(y[order]) < 0)).any() else order


def _distinct(keys: Hashes, y: CodeArray) -> tuple[IntArray, IntArray]:
    """The order of the rows, and the index in it of the first of each run of equal rows."""
    order = _sort_order(keys, y)
    return order, np.flatnonzero(np.append(True, (np.diff(keys[order]) != 0) | (np.diff(y[order]) != 0)))


def _below(keys: Hashes, limit: int) -> IntArray:
    """The indices of the keys below a limit."""
    return np.arange(len(keys)) if limit == NO_LIMIT else np.flatnonzero(keys < np.uint64(limit))


def _common_measure(weights: FloatArray) -> float | None:
    """The greatest common measure of the weights, by Euclid's algorithm; None if it is far below the smallest weight and
    weights are not integers."""
    if _are_integers(weights):
        return float(np.gcd.reduce(weights.round().astype(np.int64)))
    distinct = np.unique(weights)
    least = measure = float(distinct[0])
    for weight in distinct[:_MAX_INSPECTED_WEIGHTS].tolist():
        while weight > 1e-6 * least:
            measure, weight = weight, measure - weight * np.floor(measure / weight + 1e-9)
        if measure < least / _MAX_MULTIPLE:
            return None
    return measure


def _are_integers(weights: FloatArray) -> bool:
    return bool((np.abs(weights - weights.round()) <= RELATIVE_ROUNDING * weights).all())


def _batch_rows(blocks: Sequence[BlockData | None]) -> int:
    width = sum(len(block.names) for block in blocks if isinstance(block, (Numbers, Levels)))
    return max(1, min(_BATCH_ROWS, _BATCH_CELLS // max(1, width)))


def _batches(
    blocks: Sequence[BlockData | None], rows: int, step: int
) -> Iterator[tuple[slice, tuple[StoredCells | None, ...]]]:
    for start in range(0, rows, step):
        part = slice(start, min(rows, start + step))
        yield part, tuple(None if block is None else store_cells(block.take(part)) for block in blocks)


def _row_bytes(cells: Sequence[StoredCells | None]) -> IntArray:
    return np.asarray(sum(kept.row_bytes for kept in cells if kept is not None))


def _size_limit(keys: Hashes, size: IntArray) -> int:
    """The key of the first row at which the cumulative ``size`` exceeds ``MAX_BYTES``."""
    over = int(np.searchsorted(np.cumsum(size), MAX_BYTES, side="right"))
    return int(keys[over]) if over < len(keys) else NO_LIMIT


def _count_limit(keys: Hashes, most: int) -> int:
    """The key after the ``most`` smallest distinct keys; ``NO_LIMIT`` if there are no more."""
    few = 2 * most
    some = np.partition(keys, few)[:few] if len(keys) > 2 * few else keys
    distinct = np.unique(some)
    if len(distinct) <= most and len(some) < len(keys):  # many are equal
        distinct = np.unique(keys)
    return int(distinct[most]) if len(distinct) > most else NO_LIMIT
