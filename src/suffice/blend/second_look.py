"""The second look at rows: how much each score counts that is made of what was counted in the first."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.blend import discriminant, pairs
from suffice.blend.blending import Blending, Calibrate
from suffice.blend.cell_correction import correct_cells
from suffice.blend.coding import Coding
from suffice.blend.discriminant import Discriminant
from suffice.blend.normal_scores import NormalScores
from suffice.blend.pairs import Pairs
from suffice.blend.weights import Weights, fit_weights
from suffice.columns.labels import Label
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics import kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.cell_sweeps import CellRows
from suffice.numerics.lanes import by_lane
from suffice.numerics.tables import Residuals
from suffice.numerics.weighing import ScoredRows
from suffice.posterior import posterior

_FEWEST, _MOST = 4_000, 16_000  # rows that weights are fitted on …
_SCORES = 32_000  # … or as many as have so many scores of one kind …
_CELLS = 20_000_000  # … or of all kinds
_LOOKED_AT = 2_000  # of these rows, to choose pairs
_COLUMN_RIDGE = 10.0

_DISCRIMINANT_RIDGE = 0.02  # of the spread of what it adds …
_FAR = 200.0  # … unless that is beyond measure, as where a level has one class only


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
    room = columns + 1 + pairs.most(columns) if calibrate == "weights" else columns
    alone = ScoredRows.empty(mine, counts, n_classes, columns, room)
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
        z = scores.scores(taken, threads)
        scatter = scores.scatter(read, y, n_classes, weight, threads, z if len(z) == rows else None)
        made = discriminant.choose(scatter, z, mine, counts, log_prior, threads)
        said = made.left_out(z, mine)
        # a few rows that lie far apart must not make it sure of everything: what is drawn to zero is what it adds
        spread = min(float(counts @ said.var(axis=1) / counts.sum()), _FAR)
        ridge = np.append(ridge, max(1.0, _DISCRIMINANT_RIDGE * spread))
        alone = alone.widened(1)
        alone.put(columns, said)
    # a part of these rows tells which pairs may help
    few = slice(0, None, max(1, -(-len(mine) // _LOOKED_AT)))
    first_rows = alone.some(few)
    found = fit_weights(first_rows, ridge, np.arange(alone.parts) < columns, log_prior, None, threads, tol=1e-2)
    p = posterior(_said(first_rows, found, log_prior), log_prior)
    heavier = counts.sum() / max(first_rows.weight.sum(), 1e-300)
    left = Residuals(first_rows.y, p, first_rows.weight * heavier)
    codes = coding.codes(read, threads)
    of_sample = codes[sample]
    unit = np.ones(n_classes)
    loss = np.array([c.loss for d in densities for c in d.columns])
    chosen = pairs.choose(coding, loss, codes, y, weight, of_sample[few], left, unit, threads)
    tables = chosen.tables(coding, unit, threads)
    cells = tables.cells(of_sample, threads)
    everything = alone.widened(len(chosen.columns))
    everything.put_left_out(alone.parts, cells, tables.start, tables.tables, threads)
    ridge = np.append(ridge, np.full(len(chosen.columns), pairs.RIDGE))
    found = fit_weights(everything, ridge, np.arange(len(ridge)) < columns, log_prior, found, threads)
    more: FloatArray | None = None
    if len(chosen.columns):
        rest = CellRows(cells, tables.start, mine, counts, _said(everything, found, log_prior))
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
