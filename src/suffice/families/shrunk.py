"""Class tables shrunk toward the pooled table, with leave-one-out scores in closed form."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from suffice.errors import ParameterError
from suffice.families.base import B, ClassDensities
from suffice.families.settings import number
from suffice.families.weights import BlockWeights
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.scored_rows import ScoredRows
from suffice.numerics.tables import LeaveOneOutTables, shrunken_tables

Strength: TypeAlias = float | Literal["tuned"]

_STRENGTHS: dict[bool, FloatArray] = {True: np.exp2(np.arange(0.0, 8.0)), False: np.exp2(np.arange(-2.0, 10.0))}

# minimum gain of a finer partition of a column: nats, and standard errors
_MIN_GAIN_NATS, _MIN_GAIN_ERRORS = 3.0, 2.0


def check_strength(who: str, strength: object) -> None:
    if strength != "tuned":
        if isinstance(strength, str):
            raise ParameterError(f"{who}'s strength is {strength!r}", "it must be a number > 0 or 'tuned'")
        number(who, "strength", strength)


@dataclass(frozen=True, eq=False)
class Stage:
    """Runs of levels. The class share of a run, within a run of the previous stage, is shrunk toward the pooled share."""

    first: IntArray
    """The first level of each run."""
    strengths: FloatArray
    """Candidate strengths, or the chosen one."""
    binary: bool = False
    """Whether runs are ordered, as the leaves of a binary tree."""
    table: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    """log p(run | class) / p(run), (classes, runs)."""

    @classmethod
    def of(cls, first: IntArray, strength: Strength, *, binary: bool = False) -> "Stage":
        tried = _STRENGTHS[binary] if strength == "tuned" else np.array([strength], dtype=np.float64)
        return cls(first, tried, binary)

    @property
    def rough(self) -> "Stage":
        """With a subset of the candidate strengths."""
        return Stage(self.first, self.strengths[1::3], self.binary) if len(self.strengths) > 3 else self


@dataclass(frozen=True, eq=False)
class ShrunkColumn:
    """The tables of one column, (classes, levels)."""

    counts: FloatArray
    tables: LeaveOneOutTables
    """The tables for a left-out row of weight 1."""
    log_mass: FloatArray
    """log p(level) over all classes together; for bins of numbers, their density."""
    stages: tuple[Stage, ...]
    """From the coarsest to the levels themselves."""
    loss: float
    """Leave-one-out log-loss of the class given this column alone, nats per row."""

    def losses(self) -> FloatArray:
        """Leave-one-out −log p(class | level) of a row of each class and level, (classes, levels)."""
        log_prior = _log_prior(self.counts)[:, None]
        others, own = self.tables.others + log_prior, self.tables.own + log_prior
        top = np.maximum(others.max(axis=0), own.max(axis=0))
        rest = np.exp(others - top)
        rest = np.maximum(rest.sum(axis=0) - rest, 0.0)
        return np.asarray(np.log(rest + np.exp(own - top)) + top - own)

    def gains(self, before: FloatArray) -> bool:
        """Whether the leave-one-out loss is significantly less than ``before``, (classes, levels)."""
        less = before - self.losses()
        gain = float((self.counts * less).sum())
        return gain > max(_MIN_GAIN_NATS, _MIN_GAIN_ERRORS * float(np.sqrt((self.counts * less**2).sum())))

    def scaled_mass(self, log_share: FloatArray) -> "ShrunkColumn":
        """With the mass of each level multiplied by a number, for densities."""
        return replace(self, log_mass=self.log_mass + log_share)

    def without(self, weight: float) -> LeaveOneOutTables:
        """The tables for a left-out row of some weight."""
        return self.tables if weight == 1.0 else _shrunk(self.counts, self.stages, weight)[0]


def shrink(counts: FloatArray, strength: Strength, *, binary: bool) -> ShrunkColumn:
    """Shrink counts with the given strength, or with that of least leave-one-out log-loss."""
    return shrink_in_stages(counts, [Stage.of(np.arange(counts.shape[1]), strength, binary=binary)])


def shrink_in_stages(counts: FloatArray, stages: Sequence[Stage]) -> ShrunkColumn:
    """Runs of levels within coarser runs; the strength of each stage is selected given the previous ones."""
    rows = counts.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        log_mass = np.log(counts.sum(axis=0) / rows)
    tables, tuned, loss = _shrunk(counts, stages, 1.0)
    return ShrunkColumn(counts, tables, log_mass, tuned, loss / max(rows, 1e-300))


def _shrunk(
    counts: FloatArray, stages: Sequence[Stage], weight: float
) -> tuple[LeaveOneOutTables, tuple[Stage, ...], float]:
    log_prior, unit = _log_prior(counts), np.full(len(counts), weight)
    before: tuple[IntArray, LeaveOneOutTables] | None = None
    tuned = []
    for stage in stages:
        whole = len(stage.first) == counts.shape[1]
        runs = counts if whole else np.add.reduceat(counts, stage.first, axis=1)
        within = None if before is None else (np.searchsorted(stage.first, before[0]), before[1])
        tables, best, loss = shrunken_tables(runs, unit, stage.strengths, log_prior, binary=stage.binary, within=within)
        before = stage.first, tables
        tuned.append(Stage(stage.first, np.array([best]), stage.binary, tables.full))
    return tables, tuple(tuned), loss


def _log_prior(counts: FloatArray) -> FloatArray:
    rows = counts.sum(axis=1) + 0.5
    return np.asarray(np.log(rows / rows.sum()))


def write_left_out(
    columns: Sequence[ShrunkColumn],
    places: CodeArray,
    left_out_weight: FloatArray,
    into: ScoredRows,
    first: int,
    threads: int,
) -> None:
    """Write leave-one-out scores of rows with known levels of columns, from ``first`` on; a row is left out with weight
    ``left_out_weight``."""
    start = np.cumsum([0, *(column.counts.shape[1] for column in columns)])

    def tables(weight: float) -> LeaveOneOutTables:
        made = [column.without(weight) for column in columns]
        nothing = np.zeros((0, into.classes))
        own = np.concatenate([nothing, *(table.own.T for table in made)])
        return LeaveOneOutTables(own, own, np.concatenate([nothing, *(table.others.T for table in made)]))

    into.set_leave_one_out_by_weight(first, places, start, left_out_weight, tables, threads)


class LeaveOneOutDensity(ClassDensities[B]):
    """A density over levels of columns with leave-one-out scores in closed form."""

    columns: tuple[ShrunkColumn, ...]
    table: FloatArray
    """log p(level | class) / p(level), (classes, concatenated levels of all columns)."""

    @property
    @abstractmethod
    def start(self) -> IntArray:
        """Offsets of the levels of each column, with the total at the end."""

    @abstractmethod
    def weighted(self, weights: BlockWeights) -> ClassDensities[B]:
        """With the log density of each column times a weight."""

    @abstractmethod
    def places(self, block: B, threads: int = 1) -> CodeArray:
        """The level of each cell, (rows, columns), −1 where it is missing or unknown."""

    def left_out_by_column(self, block: B, y: CodeArray) -> list[FloatArray]:
        """Leave-one-out scores of each column, (rows, classes), for learned rows."""
        return [_left_out(c.tables, at, y) for c, at in zip(self.columns, self.places(block).T, strict=True)]

    def put_left_out(self, block: B, left_out_weight: FloatArray, into: ScoredRows, first: int, threads: int) -> None:
        """Write the leave-one-out scores of each column into scored rows, from ``first`` on; a row is left out with
        weight ``left_out_weight``."""
        write_left_out(self.columns, self.places(block, threads), left_out_weight, into, first, threads)

    def evidence(self, block: B) -> tuple[list[str], FloatArray]:
        """Evidence by column, up to a constant per row."""
        at = self.places(block)
        table = np.concatenate([self.table.T, np.zeros((1, len(self.table)))])
        return [str(name) for name in block.names], table[np.where(at < 0, -1, at + self.start[:-1])]

    @property
    def evidence_total(self) -> FloatArray:
        """The sum of the evidence over all counted rows, (columns, classes)."""
        of_rows = np.concatenate([np.zeros(0), *(c.counts.sum(axis=0) for c in self.columns)])
        before = np.concatenate([np.zeros((len(self.table), 1)), np.cumsum(self.table * of_rows, axis=1)], axis=1)
        return np.asarray(np.diff(before[:, self.start], axis=1).T)

    @property
    def log_mass(self) -> FloatArray:
        """Pooled log probabilities of the concatenated levels, the factor shared by all classes."""
        return np.concatenate([np.zeros(0), *(c.log_mass for c in self.columns)])


def _left_out(tables: LeaveOneOutTables, at: CodeArray, y: CodeArray) -> FloatArray:
    out = np.zeros((len(at), len(tables.full)))
    rows = np.flatnonzero(at >= 0)
    out[rows] = tables.others[:, at[rows]].T
    out[rows, y[rows]] = tables.own[y[rows], at[rows]]
    return out


def concatenated_tables(columns: Sequence[ShrunkColumn], n_classes: int) -> FloatArray:
    """The concatenated full tables."""
    return np.concatenate([np.zeros((n_classes, 0)), *(c.tables.full for c in columns)], axis=1)
