"""The functional forms of the log densities of independent columns, shared by families.

A form has parameters of shape (classes, columns), is scored by a kernel, and can be restricted to one column, which
gives the evidence of the column.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar, Self, TypeVar

import numpy as np

from suffice.columns.blocks import ColumnCells, Levels, Numbers, starts
from suffice.columns.kinds import Level, Name
from suffice.columns.level_codes import KnownLevels
from suffice.columns.spelling import level_indices
from suffice.families.base import ClassDensities
from suffice.families.sparse_rows import add_parts, needs_every_cell
from suffice.numerics import kernels, scores
from suffice.numerics.arrays import AnyArray, FloatArray, frozen
from suffice.numerics.monotone_roots import monotone_roots

_IMAGINARY_ROUNDING = 1e-9  # imaginary part of a root that is real up to rounding, relative to its size
MAX_AMOUNT = 1e300  # amounts up to which densities are compared
_MAX_DEVIATION = 1e150  # in units of the scale: squares of such numbers are finite

C = TypeVar("C", bound=ColumnCells, contravariant=True)


@dataclass(frozen=True, eq=False)
class ColumnDensity(ClassDensities[C]):
    """Columns independent given the class."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, f.name, frozen(np.ascontiguousarray(value, dtype=np.float64)))

    @property
    def n_classes(self) -> int:  # type: ignore[override]
        return len(getattr(self, fields(self)[0].name))

    def column(self, j: int) -> Self:
        """The density of one column alone."""
        cut = {
            f.name: v[:, [j]]
            for f in fields(self)
            if isinstance(v := getattr(self, f.name), np.ndarray) and v.ndim == 2
        }
        return replace(self, **cut)

    def evidence(self, block: C) -> tuple[list[str], FloatArray]:
        parts = [self.column(j).log_density(cells) for j, cells in enumerate(block.by_column())]
        return [str(n) for n in block.names], np.stack(parts, axis=1)


class NumberDensity(ClassDensities[Numbers]):
    """A density of numbers that is a sum over cells."""

    @abstractmethod
    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        """log p of each cell, (rows, columns), under one class; with a slice, of row i under the i-th class of it."""

    def log_density_by_row(self, x: FloatArray, klass: int | slice = slice(None)) -> FloatArray:
        """log p of each row, (rows), under one class, or of row i under class i."""
        missing = np.isnan(x)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            cells = self.cell_log_density(np.where(missing, 1.0, x), klass)
        # in the far tail, where intermediate results overflow
        cells = np.where(np.isnan(cells), -np.inf, cells)
        return np.asarray(np.where(missing, 0.0, cells).sum(axis=1))


class CrossingDensity(NumberDensity):
    """A density of numbers for which all points of equal score of two classes can be computed."""

    @abstractmethod
    def column(self, j: int) -> Self:
        """The density of one column alone."""

    @abstractmethod
    def crossings(self, a: int, b: int, offset: float) -> FloatArray:
        """The numbers at which log p(x | a) − log p(x | b) + offset changes its sign, of one column."""


class TurningPointDensity(CrossingDensity):
    """A log density whose difference between two classes is monotone between a few known turning points."""

    @abstractmethod
    def turning_points(self, a: int, b: int) -> FloatArray:
        """Increasing ends of intervals in which log p(x | a) − log p(x | b) is monotone, of one column; the first and last are
        those of its numbers."""

    def crossings(self, a: int, b: int, offset: float) -> FloatArray:
        def difference(x: FloatArray) -> tuple[FloatArray, FloatArray]:
            first, second = (self.cell_log_density(x[:, None], c)[:, 0] for c in (a, b))
            return first - second + offset, np.abs(first) + np.abs(second) + abs(offset)

        return monotone_roots(difference, self.turning_points(a, b))


@dataclass(frozen=True, eq=False)
class LinearDensity(ColumnDensity[Numbers], CrossingDensity):
    """constant + slope · x"""

    constant: FloatArray
    slope: FloatArray

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if isinstance(block.values, np.ndarray):
            add = kernels.add_linear_scores if self._is_finite else scores.add_linear
            add(block.values, self.constant, self.slope, out, threads)
        elif self._has_constant and needs_every_cell(block):
            add_parts(self, out, block, threads)
        else:
            self._sparse.add_to(out, block.values, threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        # −inf · 0 is 0
        return np.where(x == 0, self.constant[klass], self.constant[klass] + self.slope[klass] * x)

    def crossings(self, a: int, b: int, offset: float) -> FloatArray:
        level, slope = self.constant[a] - self.constant[b] + offset, self.slope[a] - self.slope[b]
        with np.errstate(divide="ignore", invalid="ignore"):
            found = -level / slope
        return np.asarray(found[np.isfinite(found)])

    @cached_property
    def _is_finite(self) -> bool:
        return bool(np.isfinite(self.slope).all())

    @cached_property
    def _has_constant(self) -> bool:
        return bool(self.constant.any())

    @cached_property
    def _sparse(self) -> scores.SparseSlopes:
        return scores.SparseSlopes(self.constant, self.slope)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        features = [f(n) for n in names for f in (lambda n: f"1[{n}]", str)]
        return features, _interleaved(self.constant, self.slope)

    def linear_features(self, block: Numbers) -> FloatArray:
        x = block.dense.astype(np.float64)
        return _interleaved(~np.isnan(x), np.nan_to_num(x))


@dataclass(frozen=True, eq=False)
class StepDensity(NumberDensity, ColumnDensity[Numbers]):
    """above where x > threshold, else below"""

    below: FloatArray
    above: FloatArray
    threshold: float

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if isinstance(block.values, np.ndarray):
            kernels.add_step_scores(block.values, self.threshold, self.below, self.above, out, threads)
        elif needs_every_cell(block, self.threshold):
            add_parts(self, out, block, threads)
        else:
            self._sparse.add_to(out, block.values, threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        return np.where(x > self.threshold, self.above[klass], self.below[klass])

    @cached_property
    def _sparse(self) -> scores.SparseSteps:
        return scores.SparseSteps(self.threshold, self.below, self.above)

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return [f"{n}={v}" for n in names for v in (1, 0)], _interleaved(self.above, self.below)

    def linear_features(self, block: Numbers) -> FloatArray:
        x = block.dense
        return _interleaved(x > self.threshold, x <= self.threshold)


@dataclass(frozen=True, eq=False)
class QuadraticDensity(ColumnDensity[Numbers], CrossingDensity):
    """constant − curvature · (x − centre)²"""

    constant: FloatArray
    centre: FloatArray
    curvature: FloatArray

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        kernels.add_quadratic_scores(block.dense, self.constant, self.centre, self.curvature, out, threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        return np.asarray(self.constant[klass] - self.curvature[klass] * (x - self.centre[klass]) ** 2)

    def crossings(self, a: int, b: int, offset: float) -> FloatArray:
        both = np.array([a, b])
        bend, middle = self.curvature[both, 0], self.centre[both, 0].mean()
        away = self.centre[both, 0] - middle  # shifted, so that squares of distant centres do not cancel
        terms = np.stack([-bend, 2 * bend * away, self.constant[both, 0] - bend * away**2])
        roots = np.roots(terms[:, 0] - terms[:, 1] + [0.0, 0.0, offset])
        return np.asarray(np.sort(roots.real[np.abs(roots.imag) <= _IMAGINARY_ROUNDING * np.abs(roots)] + middle))

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        features = [f for n in names for f in (f"1[{n}]", str(n), f"{n}²")]
        constant = self.constant - self.curvature * self.centre**2
        return features, _interleaved(constant, 2 * self.curvature * self.centre, -self.curvature)

    def linear_features(self, block: Numbers) -> FloatArray:
        x = block.dense.astype(np.float64)
        known = np.nan_to_num(x)
        return _interleaved(~np.isnan(x), known, known**2)


@dataclass(frozen=True, eq=False)
class StudentDensity(ColumnDensity[Numbers], TurningPointDensity):
    """constant − power · log(1 + curvature · (x − centre)²)"""

    constant: FloatArray
    centre: FloatArray
    curvature: FloatArray
    power: FloatArray

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        kernels.add_student_scores(block.dense, self.constant, self.centre, self.curvature, self.power, out, threads)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        away = x - self.centre[klass]
        square = (self.curvature[klass] * away) * away  # the square alone may overflow
        return np.asarray(self.constant[klass] - self.power[klass] * np.log1p(square))

    def turning_points(self, a: int, b: int) -> FloatArray:
        """Zeros of a cubic, computed relative to each of the two centres for accuracy near both."""
        both = [(float(self.centre[c, 0]), float(self.curvature[c, 0]), float(self.power[c, 0])) for c in (a, b)]
        bends = [bend for _, bend, _ in both if bend > 0]
        if not bends:
            return np.zeros(0)  # a constant column
        found = [m + sign * _MAX_DEVIATION / np.sqrt(max(bends)) for m, _, _ in both for sign in (-1, 0, 1)]
        for (m, bend, power), (other, bend2, power2) in (both, both[::-1]):
            if bend > 0:
                ratio, apart = bend2 / bend, (other - m) * np.sqrt(bend)
                cubic = [
                    ratio * (power2 - power),
                    ratio * apart * (2 * power - power2),
                    ratio * power2 - power * (1 + ratio * apart**2),
                    -ratio * apart * power2,
                ]
                roots = np.roots(cubic)
                found += (
                    m + roots.real[np.abs(roots.imag) <= _IMAGINARY_ROUNDING * np.abs(roots)] / np.sqrt(bend)
                ).tolist()
        return np.unique(found)


@dataclass(frozen=True, eq=False)
class CellwiseDensity(ColumnDensity[Numbers], TurningPointDensity):
    """Any other function of a cell, computed with NumPy, one class at a time."""

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        if not isinstance(block.values, np.ndarray):
            add_parts(self, out, block, threads)
            return
        x = block.values.astype(np.float64)
        for c in range(self.n_classes):
            out[:, c] += self.log_density_by_row(x, c)


@dataclass(frozen=True, eq=False)
class LevelTable(ColumnDensity[Levels]):
    """log p(level | class): ``table`` (classes, concatenated levels of all columns)."""

    table: FloatArray
    levels: tuple[Sequence[Level], ...]

    numbered: ClassVar[bool] = False
    """Whether levels are the integers 0, 1, 2, …; other cells are then an error."""

    @cached_property
    def known_levels(self) -> KnownLevels:
        return KnownLevels(self.levels)

    def column(self, j: int) -> "LevelTable":
        start = starts(self.levels)
        return replace(self, table=self.table[:, start[j] : start[j + 1]], levels=(self.levels[j],))

    def add_to(self, out: FloatArray, block: Levels, threads: int) -> None:
        table = self._rows if block.levels == self.levels else self._over(block.levels)
        if not kernels.add_table_scores(block.codes, block.low, block.start, table, out, threads):
            self.handle_unknown(block)

    def unseen(self, j: int, levels: Sequence[Level]) -> FloatArray:
        """Scores (levels, classes) of levels that are not in the table of a column."""
        return np.zeros((len(levels), self.n_classes))

    def handle_unknown(self, block: Levels) -> None:
        """Called for a missing cell or an unknown level, which scores 0; subclasses raise or add."""

    @cached_property
    def _rows(self) -> FloatArray:
        return kernels.class_rows(self.table)

    def _over(self, levels: Sequence[Sequence[Level]]) -> FloatArray:
        """The table in the order of other levels; unknown ones are treated as missing."""
        for others, table in self._latest:  # the parts of one table share their levels
            if levels is others:
                return table
        out = np.zeros((int(starts(levels)[-1]) + 1, self._rows.shape[1]))
        mine = starts(self.levels)
        for j, (column, start) in enumerate(zip(levels, starts(levels)[:-1], strict=True)):
            at = np.array(level_indices(column, self.levels[j]), dtype=np.int64)
            known = np.flatnonzero(at >= 0)
            out[start + known] = self._rows[mine[j] + at[known]]
            unseen = np.flatnonzero(at < 0)
            if len(unseen):
                out[start + unseen, : self.n_classes] = self.unseen(j, [column[int(i)] for i in unseen])
        self._latest[:] = [(levels, out)]
        return out

    @cached_property
    def _latest(self) -> list[tuple[Sequence[Sequence[Level]], FloatArray]]:
        """Cache of the table in the order of the latest levels."""
        return []

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return [f"{n}={v}" for n, levels in zip(names, self.levels, strict=True) for v in levels], self.table

    def linear_features(self, block: Levels) -> FloatArray:
        start = starts(self.levels)
        out = np.zeros((block.rows, self.table.shape[1]))
        for j, levels in enumerate(self.levels):
            at = block.indices_in(j, levels)
            rows = np.flatnonzero(at >= 0)
            out[rows, start[j] + at[rows]] = 1.0
        return out

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        draws = []
        start = starts(self.levels)
        for j, levels in enumerate(self.levels):
            p = np.exp(self.table[klass, start[j] : start[j + 1]])
            named = np.empty(len(levels), dtype=object)
            named[:] = list(levels)
            draws.append(named[rng.choice(len(levels), size=n, p=p / p.sum())] if len(levels) else np.full(n, None))
        return draws


def _interleaved(*parts: AnyArray) -> FloatArray:
    """(rows, columns) arrays side by side, column by column."""
    stacked = np.stack([np.asarray(p, dtype=np.float64) for p in parts], axis=2)
    return stacked.reshape(len(stacked), -1)
