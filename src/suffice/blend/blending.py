"""One posterior of many scores: each column alone, all of them as correlated normals, and pairs of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from suffice.blend import discriminant, pairs
from suffice.blend.cell_correction import correct_cells
from suffice.blend.coding import Coding
from suffice.blend.discriminant import Discriminant
from suffice.blend.normal_scores import NormalScores
from suffice.blend.pairs import Pairs, PairTables
from suffice.blend.weights import Weights, fit_weights
from suffice.columns.labels import Label
from suffice.families.assignment import Assigned
from suffice.families.histogram import Bins, Histogram
from suffice.families.pooled_categorical import PooledCategorical, PooledTable
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.blas import one_blas_thread
from suffice.numerics.cell_sweeps import CellRows
from suffice.numerics.lanes import by_lane
from suffice.numerics.tables import Residuals
from suffice.numerics.weighing import ScoredRows
from suffice.posterior import posterior
from suffice.statistics import Scatter

Calibrate: TypeAlias = Literal["none", "temperature", "weights"]
"""Nothing fitted; how much all columns count, in one number; or how much each does, and what they say together."""

BLENDED = (Histogram, PooledCategorical)
"""The families whose columns can be blended."""

_FEWEST, _MOST = 4_000, 16_000  # rows that weights are fitted on …
_SCORES = 32_000  # … or as many as have so many scores of one kind …
_CELLS = 20_000_000  # … or of all kinds
_AT_ONCE = 1 << 22  # scores: 32 MiB
_COLUMN_RIDGE = 10.0

_DISCRIMINANT_RIDGE = 0.02  # of the spread of what it adds …
_FAR = 200.0  # … unless that is beyond measure, as where a level has one class only


@dataclass(frozen=True, eq=False)
class Blending:
    """What was found in a second look at rows, beside what was counted of each column.

    How columns are cut and scaled is fixed, so what was counted and summed of them goes on adding and can be taken away;
    the weights stay as they were fitted.
    """

    classes: tuple[Label, ...]
    seen: FloatArray
    """The weight of the rows of each class that were looked at."""
    column_weights: FloatArray
    """Of the columns of all blocks that take part, laid end to end."""
    bias: FloatArray
    scores: NormalScores
    discriminant: Discriminant | None
    discriminant_weight: float
    coding: Coding
    pairs: Pairs
    pair_weights: FloatArray
    correction: FloatArray
    """(cells of all pairs as they are grouped, classes): what is added to them; (0, classes) if nothing is."""

    @property
    def is_joint(self) -> bool:
        """Whether columns say something together, beside what each says alone."""
        return self.discriminant is not None or len(self.pair_weights) > 0

    def weights_of(self, densities: Sequence[Bins | PooledTable]) -> list[FloatArray]:
        """The weights of the columns of each block."""
        ends = np.cumsum([len(d.columns) for d in densities])
        return np.split(self.column_weights, ends[:-1])

    @cached_property
    def _tables(self) -> tuple[PairTables, FloatArray, IntArray]:
        tables = self.pairs.tables(self.coding, np.ones(len(self.classes)), 1)
        rows = tables.weighted_rows(self.pair_weights)
        rows[: len(self.correction), : len(self.classes)] += self.correction
        return tables, rows, np.zeros(len(self.pair_weights), dtype=np.int64)

    def add_to(self, joint: FloatArray, read: Sequence[Any], threads: int) -> None:
        """Add the biases and what the columns say together."""
        joint += self.bias
        if self.discriminant is not None:
            joint += self._all_together(self.discriminant, read, threads)
        if len(self.pair_weights):
            tables, rows, low = self._tables
            cells = tables.cells(self.coding.codes(read), threads)
            kernels.add_table_scores(cells, low, tables.start, rows, joint, threads)

    def _all_together(self, made: Discriminant, read: Sequence[Any], threads: int) -> FloatArray:
        return self.discriminant_weight * made.log_odds(self.scores.scores(read), threads)

    def evidence(self, read: Sequence[Any], blocks: Sequence[Assigned]) -> tuple[list[str], FloatArray]:
        """What ``add_to`` adds, in parts: names, and (rows, parts, classes)."""
        columns = [str(name) for block in blocks for name in block.columns]
        names, parts = ["(calibration)"], [np.tile(self.bias, (read[0].rows, 1))]
        if self.discriminant is not None:
            names.append("(all together)")
            parts.append(self._all_together(self.discriminant, read, 1))
        if len(self.pair_weights):
            tables, rows, _ = self._tables
            both: dict[str, FloatArray] = {}
            for k, at in enumerate(tables.cells(self.coding.codes(read), 1).T):
                i, j = self.pairs.columns[k]
                found = rows[np.where(at < 0, len(rows) - 1, tables.start[k] + at), : len(self.classes)]
                name = f"{columns[i]} × {columns[j]}"
                both[name] = both[name] + found if name in both else found
            names += both
            parts += both.values()
        return names, np.stack(parts, axis=1)

    def scaled(self, factor: float) -> "Blending":
        """With everything that was counted and summed counted ``factor`` times."""
        made = self.discriminant
        if made is not None:
            made = replace(made, scatter=made.scatter.scaled(factor))
        counted = replace(self.pairs, counts=self.pairs.counts * factor)
        return replace(self, seen=self.seen * factor, discriminant=made, pairs=counted)

    def changed(self, read: Sequence[Any], y: CodeArray, weight: FloatArray | None, sign: int) -> "Blending":
        """With rows added to what was counted and summed, or taken away; what was fitted to rows that go goes with them."""
        made = self.discriminant
        if made is not None:
            more = _scatter(self.scores, read, y, len(self.classes), weight, 1)
            made = replace(made, scatter=made.scatter + more if sign > 0 else made.scatter - more)
        counted = self.pairs.changed(self.coding, self.coding.codes(read), y, weight, sign)
        seen = self.seen + sign * kernels.class_weights(y, len(self.classes), weight, 1)
        kept = self.correction if sign > 0 else self.correction[:0]
        return replace(self, seen=seen, discriminant=made, pairs=counted, correction=kept)


def _scatter(
    scores: NormalScores,
    read: Sequence[Any],
    y: CodeArray,
    n_classes: int,
    weight: FloatArray | None,
    threads: int,
    known: FloatArray | None = None,
) -> Scatter:
    """The scatter of the scores, if they are not ``known`` worked out of never more than some rows at a time."""
    if known is not None:
        return Scatter.of(*kernels.scatter(known, y, n_classes, weight, threads))
    step = max(1, _AT_ONCE // scores.width)
    total: Scatter | None = None
    for start in range(0, len(y), step):
        rows = slice(start, start + step)
        z = scores.scores([block.take(rows) for block in read])
        part = Scatter.of(*kernels.scatter(z, y[rows], n_classes, None if weight is None else weight[rows], threads))
        total = part if total is None else total + part
    assert total is not None
    return total


def blend(
    densities: Sequence[Bins | PooledTable],
    read: Sequence[Any],
    y: CodeArray,
    weight: FloatArray | None,
    classes: tuple[Label, ...],
    log_prior: FloatArray,
    calibrate: Calibrate,
    threads: int,
) -> Blending:
    """Look at the rows that the densities were made of a second time."""
    rows, n_classes, columns = len(y), len(classes), sum(len(d.columns) for d in densities)
    seen = kernels.class_weights(y, n_classes, weight, threads)
    sample = _sample(rows, n_classes, columns)
    mine = np.ascontiguousarray(y[sample])
    counts = np.ones(len(mine)) if weight is None else np.ascontiguousarray(weight[sample])
    taken = [block.take(sample) for block in read]
    coding = Coding.of(densities)
    alone = ScoredRows.empty(mine, counts, n_classes, columns)
    ends = np.cumsum([0, *(len(d.columns) for d in densities)])
    for density, block, first in zip(densities, taken, ends, strict=False):
        density.put_left_out(block, alone, int(first), threads)
    if calibrate == "temperature":
        together = ScoredRows.of([alone.joint(np.ones(columns), np.zeros(alone.lanes))], mine, counts, n_classes)
        found = fit_weights(together, np.ones(1), np.ones(1, dtype=bool), log_prior, None, threads)
        return Blending(
            classes, seen, np.repeat(found.scores, columns), found.bias, NormalScores(()), None, 0.0, coding,
            Pairs(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros((n_classes, 0))), np.zeros(0),
            np.zeros((0, n_classes)),
        )  # fmt: skip
    ridge = np.full(columns, _COLUMN_RIDGE)
    scores = NormalScores.of(densities, n_classes, float(seen.sum()))
    made: Discriminant | None = None
    if scores.width and rows > n_classes:
        z = scores.scores(taken)
        with one_blas_thread():
            whole = z if len(z) == rows else None
            scatter = _scatter(scores, read, y, n_classes, weight, threads, whole)
            made = discriminant.choose(scatter, z, mine, counts, log_prior)
            said = made.left_out(z, mine)
        # a few rows that lie far apart must not make it sure of everything: what is drawn to zero is what it adds
        spread = min(float(counts @ said.var(axis=1) / counts.sum()), _FAR)
        ridge = np.append(ridge, max(1.0, _DISCRIMINANT_RIDGE * spread))
        alone = alone.widened(1)
        alone.put(columns, said)
    found = fit_weights(alone, ridge, np.arange(alone.parts) < columns, log_prior, None, threads, tol=1e-3)
    left = Residuals(mine, posterior(_said(alone, found, log_prior), log_prior), counts)
    codes = coding.codes(read)
    unit = np.ones(n_classes)
    loss = np.array([c.loss for d in densities for c in d.columns])
    chosen = pairs.choose(coding, loss, codes, y, weight, codes[sample], left, unit, threads)
    more: FloatArray | None = None
    if len(chosen.columns):
        tables = chosen.tables(coding, unit, threads)
        cells = tables.cells(codes[sample], threads)
        everything = alone.widened(len(chosen.columns))
        everything.put_left_out(alone.parts, cells, tables.start, tables.tables, threads)
        ridge = np.append(ridge, np.full(len(chosen.columns), pairs.RIDGE))
        found = fit_weights(everything, ridge, np.arange(len(ridge)) < columns, log_prior, found, threads)
        rest = CellRows(np.ascontiguousarray(cells.T), tables.start, mine, counts, _said(everything, found, log_prior))
        more = correct_cells(rest, log_prior, threads)
    own, of_pairs = found.scores[:columns], found.scores[columns + (made is not None) :]
    worth = float(found.scores[columns]) if made is not None else 0.0
    # what counts for nothing need not be looked at again
    counted = np.flatnonzero(of_pairs > 0) if more is None else np.arange(len(of_pairs))
    return Blending(
        classes,
        seen,
        own,
        found.bias,
        scores,
        made if worth > 0 else None,
        worth,
        coding,
        chosen.only(coding, counted),
        of_pairs[counted],
        np.zeros((0, n_classes)) if more is None else more,
    )


def _said(scored: ScoredRows, found: Weights, log_prior: FloatArray) -> FloatArray:
    """The log joint of the rows, up to a number each."""
    return scored.joint(found.scores, by_lane(log_prior + found.bias))


def _sample(rows: int, n_classes: int, columns: int) -> IntArray | slice:
    """The places of the rows that weights are fitted on: all of them if they are few."""
    most = int(np.clip(_SCORES // n_classes, _FEWEST, _MOST))
    most = min(most, max(_CELLS // (n_classes * (columns + pairs.most(columns))), 100))
    if rows <= most:
        return slice(0, rows)
    return np.random.default_rng(0).choice(rows, most, replace=False)
