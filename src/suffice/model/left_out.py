"""Leave-one-out log joints of learned rows from the tally, in closed form where families have one."""

from collections.abc import Iterator, Sequence

import numpy as np

from suffice.columns.blocks import BlockData
from suffice.columns.class_codes import ClassCodes
from suffice.columns.documents import Rows
from suffice.columns.labels import Labels
from suffice.columns.table import Table
from suffice.families.reading import BATCH_CELLS
from suffice.model.counted import CountedModel
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.statistics import Tally


def left_out_log_densities(
    counted: CountedModel, table: Table, labels: Labels, weight: FloatArray | None, threads: int
) -> tuple[FloatArray, FloatArray]:
    """Leave-one-out for learned rows: log p(class), (rows, classes), and
    log p(row's cells | class), (blocks, rows, classes). Weights of blocks are not applied."""
    table = counted.with_columns(table)
    y = counted.places(labels)
    prior = np.empty((table.rows, len(counted.classes)))
    parts = np.empty((len(counted.blocks), *prior.shape))
    start = 0
    for batch in table.batches(BATCH_CELLS):
        rows = slice(start, start + batch.rows)
        start = rows.stop
        w = None if weight is None else weight[rows]
        prior[rows], parts[:, rows] = left_out_of_read(counted, counted.read(batch, threads), y[rows], w, threads)
    return prior, parts


def left_out_of_read(
    counted: CountedModel, read: Sequence[BlockData], y: CodeArray, weight: FloatArray | None, threads: int
) -> tuple[FloatArray, FloatArray]:
    """``left_out_log_densities`` of rows in blocks."""
    prior = np.empty((len(y), len(counted.classes)))
    parts = np.empty((len(counted.blocks), *prior.shape))
    with np.errstate(over="ignore"):
        _leave_out(counted, read, y, weight, threads, prior, parts)
    return prior, parts


def _leave_out(
    counted: CountedModel,
    read: Sequence[BlockData],
    y: CodeArray,
    weight: FloatArray | None,
    threads: int,
    prior: FloatArray,
    parts: FloatArray,
) -> None:
    for rows, tally, w in _without(counted, y, weight):
        mine, every = y[rows], np.arange(len(y[rows]))
        left = np.repeat(tally.weight[None], len(mine), axis=0)
        left[every, mine] = np.maximum(left[every, mine] - (1.0 if w is None else w), 0.0)
        with np.errstate(divide="ignore"):
            prior[rows] = np.log(counted.prior.probabilities(left, counted.classes, counted.rule))
        codes = ClassCodes(mine, len(counted.classes), w)
        for out, block, statistic, cells in zip(parts, counted.blocks, tally.statistics, read, strict=True):
            out[rows] = block.left_out(statistic, counted.rule, counted.classes, cells.take(rows), codes, threads)


def _without(
    counted: CountedModel, y: CodeArray, weight: FloatArray | None
) -> Iterator[tuple[Rows, Tally, FloatArray | None]]:
    """The tally to leave rows out of, with their weights, by groups of rows."""
    if counted.class_weight is None:
        yield slice(None), counted.tally, weight
        return
    w = np.ones(len(y)) if weight is None else weight
    if counted.class_weight != "balanced":
        yield slice(None), counted.by_class_weight, w * counted.class_factors(counted.tally.weight)[y]
        return
    # balanced class weights change without the row: equally for all rows of one class and weight
    kinds, which = np.unique(np.column_stack([y, w]), axis=0, return_inverse=True)
    for k, (klass, each) in enumerate(kinds):
        rows = np.flatnonzero(which.ravel() == k)
        less = counted.tally.weight.copy()
        less[int(klass)] = max(less[int(klass)] - each, 0.0)
        factor = counted.class_factors(less)
        # a class that is empty without the row has no factor; subtracting the row is then independent of it
        factor[int(klass)] = factor[int(klass)] or 1.0
        yield rows, counted.tally.scaled(factor), w[rows] * factor[int(klass)]
