"""Numbers by a multi-resolution histogram (a Pólya tree)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.families.base import AnyFamily, Family, Rule
from suffice.families.forms import ColumnDensity
from suffice.families.left_out_bins import left_out_bins
from suffice.families.number_bins import cut
from suffice.families.number_draws import draw_numbers
from suffice.families.settings import number
from suffice.families.shrunk import LeaveOneOutDensity, ShrunkColumn, Strength, check_strength, concatenated_tables
from suffice.families.sparse_rows import column_parts
from suffice.families.support import refuse_infinite
from suffice.families.tails import Tail
from suffice.families.weights import BlockWeights, ColumnWeights
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.intervals import Intervals
from suffice.numerics.tables import grid_counts, grid_edge
from suffice.statistics import GridCounts

_INSPECTED_ROWS = 1_000  # for the precision of the grid
_MIN_REPETITION = 1.5  # mean frequency of integers that may be codes
# bits of mantissa; the minimum suffices for most columns, so models usually share their grid
_MIN_BITS, _MAX_BITS = 10, 44


@dataclass(frozen=True)
class Histogram(Family[Numbers, GridCounts]):
    """A histogram without assumptions on shape: spikes, gaps and long tails are allowed.

    At most ``bins`` bins have about equally many rows of all classes together; a frequent value has its own bin. The bins
    are the leaves of a binary tree (a Pólya tree). At every node the class share of the left half is shrunk toward the
    pooled share, which has the weight of ``strength`` rows. The resolution therefore adapts to the number of rows of a
    class. ``strength="tuned"`` minimises the leave-one-out log-loss of the class. Within a bin the density is uniform;
    beyond the outermost rows it has power-law tails with a scale estimated from the column.

    Numeric codes (of errors, products, places) have no order. If it lowers the leave-one-out log-loss, each value is a
    separate bin, shrunk by itself or within the ordered bins, and an unseen value between them scores 0.

    Numbers are counted on a grid of ten binary digits, or more (``bits``) for columns of small relative variation. Bins
    are formed at estimation; counts add and subtract exactly.

    Parameters
    ----------
    bins : int, default=64
        Maximum number of bins.
    strength : float or "tuned", default="tuned"
        Rows that the pooled share of a node counts for; ``"tuned"`` minimises the leave-one-out log-loss.

    Examples
    --------
    >>> Histogram(bins=32)
    Histogram(bins=32, strength='tuned')
    """

    bins: int = 64
    strength: Strength = "tuned"
    bits: int | tuple[int, ...] = field(default=(), repr=False)

    inspects_first_rows: ClassVar[bool] = True
    has_rule: ClassVar[bool] = False

    def __post_init__(self) -> None:
        number("Histogram", "bins", self.bins, least=2, most=4096)
        check_strength("Histogram", self.strength)

    def for_block(self, block: Numbers) -> "Histogram":
        if self.bits:
            return self
        some = block.take(slice(0, None, max(1, block.rows // _INSPECTED_ROWS))).dense.astype(np.float64)
        return replace(self, bits=tuple(_bits(column[np.isfinite(column)]) for column in some.T))

    def inspecting(self, block: Numbers) -> "Histogram":
        return self if isinstance(self.bits, int) else replace(self, bits=()).for_block(block)

    def is_compatible(self, statistic: GridCounts, *, exactly: bool) -> bool:
        asked = self.bits if isinstance(self.bits, tuple) else (self.bits,) * len(statistic.bits)
        return statistic.bits == asked if exactly else all(a >= b for a, b in zip(statistic.bits, asked, strict=True))

    def is_mergeable_with(self, other: AnyFamily) -> bool:
        return isinstance(other, Histogram)

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> GridCounts:
        bits = self.bits or _MIN_BITS
        bits = (bits,) * len(block.names) if isinstance(bits, int) else bits
        columns = [
            counted
            for some, values in column_parts(block)
            for counted in grid_counts(values, bits[some], y.codes, y.n_classes, y.weight, threads)
        ]
        if any(
            len(c) and not np.isfinite(grid_edge(c[[0, -1]], b)).all() for (c, _), b in zip(columns, bits, strict=True)
        ):
            refuse_infinite(block, "Histogram")
        return GridCounts.of(bits, columns, y.n_classes)

    def estimate(self, statistic: GridCounts, rule: Rule, classes: Sequence[Label]) -> "Bins":
        found, grids, ends = [], [], []
        for (cells, table), bits in zip(statistic.columns(), statistic.bits, strict=True):
            found.append(cut(cells, table, bits, self.bins, self.strength))
            grids.append(np.stack([grid_edge(cells, bits), table.sum(axis=0)]))
            ends.append(grid_edge(cells + 1, bits))
        columns = tuple(bins.column for bins in found)
        cuts, tails = tuple(bins.cuts for bins in found), tuple(bins.tails for bins in found)
        return Bins(concatenated_tables(columns, len(classes)), cuts, columns, tuple(grids), tuple(ends), tails)

    def left_out(
        self,
        statistic: GridCounts,
        rule: Rule,
        classes: Sequence[Label],
        block: Numbers,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """Bins, codes and strengths are re-estimated without the row, one column at a time."""
        out = np.zeros((block.rows, len(classes)))
        for j, x in enumerate(block.dense.astype(np.float64, copy=False).T):

            def score(less: GridCounts, number: float, j: int = j) -> FloatArray:
                row = Numbers((block.names[j],), np.array([[number]]))
                return np.asarray(self.estimate(less, rule, classes).log_density(row)[0])

            out += left_out_bins(statistic.select_columns(np.array([j])), self.bins, x, y, score)
        return out


def _bits(x: FloatArray) -> int:
    """The bits for which the middle half of each column has at least a hundred cells; for repeated integers, which may
    be codes, as many as are needed to distinguish them."""
    if not len(x):
        return _MIN_BITS
    largest = np.abs(x).max()
    if (
        2.0**_MIN_BITS < largest < 2.0**_MAX_BITS
        and (x == np.rint(x)).all()
        and len(np.unique(x)) <= len(x) / _MIN_REPETITION
    ):
        return int(np.ceil(np.log2(largest + 1)))
    last = len(x) - 1
    # quantile() takes six times as long
    low, high = np.interp([0.25 * last, 0.75 * last], np.arange(len(x)), np.sort(x))
    spread = high - low or float(x.std())
    if not 0 < spread < np.inf:
        return _MIN_BITS
    digits = np.log2(max(abs(low), abs(high)) / spread) if max(abs(low), abs(high)) > 0 else 0.0
    return int(np.clip(_MIN_BITS - 2 + np.ceil(digits), _MIN_BITS, _MAX_BITS))


@dataclass(frozen=True, eq=False)
class Bins(LeaveOneOutDensity[Numbers], ColumnDensity[Numbers]):
    """log p(bin | class) / p(bin): ``table`` (classes, concatenated bins of all columns), and the bounds between bins."""

    table: FloatArray
    cuts: tuple[FloatArray, ...]
    columns: tuple[ShrunkColumn, ...]
    grids: tuple[FloatArray, ...]
    """The counted cells of each column, (2, cells): lower bounds and numbers of rows."""
    ends: tuple[FloatArray, ...]
    """Upper bounds of these cells."""
    tails: tuple[tuple[Tail, Tail] | None, ...]
    """The tails below and above the rows of each column; none for weighted columns, which have odds but no density."""

    @cached_property
    def start(self) -> IntArray:
        return np.concatenate([[0], np.cumsum([c.tables.full.shape[1] for c in self.columns])]).astype(np.int64)

    def places(self, block: Numbers, threads: int = 1) -> CodeArray:
        out = self._intervals.indices(block.dense, threads)
        out[:, self._empty] = -1
        return out

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals(self.cuts)

    @cached_property
    def _empty(self) -> IntArray:
        """The columns without any cell."""
        return np.flatnonzero(np.diff(self.start) == 0)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        ends = [np.concatenate([[-np.inf], cuts, [np.inf]]) for cuts in self.cuts]
        spelled = [f"{n} in [{a:g}, {b:g})" for n, e in zip(names, ends, strict=True) for a, b in pairwise(e)]
        return spelled, self.table

    def linear_features(self, block: Numbers) -> FloatArray:
        out = np.zeros((block.rows, self.table.shape[1]))
        for start, at in zip(self.start, self.places(block).T, strict=False):
            rows = np.flatnonzero(at >= 0)
            out[rows, start + at[rows]] = 1.0
        return out

    def evidence(self, block: Numbers) -> tuple[list[str], FloatArray]:
        refuse_infinite(block, "Histogram")
        return super().evidence(block)

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        self._add(self._rows_with_mass if self.tails else self._rows, out, block, threads)
        for j, tails in enumerate(self.tails):
            if tails is None:
                continue
            x, log_mass = block.dense[:, j], self.columns[j].log_mass
            (low, high), (inside_low, inside_high) = tails, log_mass[[0, -1]]
            below, above = np.flatnonzero(x < low.edge), np.flatnonzero(x >= high.edge)
            out[below] += (low.log_density(x[below]) - inside_low)[:, None]
            out[above] += (high.log_density(x[above]) - inside_high)[:, None]

    def add_odds_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        self._add(self._rows, out, block, threads)

    def _add(self, rows: FloatArray, out: FloatArray, block: Numbers, threads: int) -> None:
        refuse_infinite(block, "Histogram")  # as in fitting: infinities would fall into the outermost bins
        low = np.zeros(len(self.cuts), dtype=np.int64)
        kernels.add_table_scores(self.places(block, threads), low, self.start, rows, out, threads)

    @cached_property
    def _rows(self) -> FloatArray:
        return kernels.class_rows(self.table)

    @cached_property
    def _rows_with_mass(self) -> FloatArray:
        return kernels.class_rows(self.table + self.log_mass)

    def column(self, j: int) -> "Bins":
        some = slice(j, j + 1)
        table = self.table[:, self.start[j] : self.start[j + 1]]
        return Bins(table, self.cuts[some], self.columns[some], self.grids[some], self.ends[some], self.tails[some])

    def weighted(self, weights: BlockWeights) -> "Bins":
        assert isinstance(weights, ColumnWeights)
        return replace(self, table=self.table * np.repeat(weights.values, np.diff(self.start)), tails=())

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        """Draw cells of the grid, positions within them, and tails; integers if only integers were counted."""
        ratio = np.exp(self.table[klass])
        return [
            np.full(n, np.nan)
            if tails is None
            else draw_numbers(grid, end, tails, cuts, ratio[first : first + len(cuts) + 1], n, rng)
            for grid, end, tails, cuts, first in zip(
                self.grids, self.ends, self.tails, self.cuts, self.start[:-1], strict=True
            )
        ]
