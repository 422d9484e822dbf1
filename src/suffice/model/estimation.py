"""Estimation of weights and parts: a pure function of the tally and its row sample."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.blocks import BlockData
from suffice.families.base import AnyDensities
from suffice.families.class_prior import Dirichlet, Given, Uniform
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.model.counted import CountedModel
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.blas import one_blas_thread
from suffice.parts.block_scores import BlockScores, ColumnScores, FamilyScores, TextScores
from suffice.parts.discretised import is_discretised
from suffice.parts.fitting import Fitting, correct_texts, fit
from suffice.parts.forests import with_forests
from suffice.parts.kept_rows import KeptRows
from suffice.parts.recount import Recount
from suffice.parts.shrinkage import shrinkage
from suffice.parts.weighted_parts import WeightedParts

_MAX_FOLDED_ROWS = 8_000  # kept rows in folds
_FOLDS = 3  # of the out-of-fold estimates for weighting forests
_LEFT_OUT_FOLDS = 5  # of the out-of-fold estimates for left-out scores of every row
# up to so many rows, or rows per score, everything is re-estimated without each fold before forests are weighted
_MAX_REFITTED_ROWS, _MAX_REFITTED_ROWS_PER_SCORE = 1_000, 10


def fit_weights(
    counted: CountedModel, threads: int, recount: Recount | None = None, known: WeightedParts | None = None
) -> WeightedParts:
    """Weights fitted to the kept rows. Parts are planned on them, or their plans and counts are ``known``.

    If overfitting is possible, everything is re-estimated without each fold, and scores are shrunk toward the class
    shares as far as that lowers the out-of-fold log-loss.
    """
    return _estimated(counted, threads, recount, known, every=False)[0]


def left_out_joint(
    counted: CountedModel, threads: int, known: WeightedParts | None
) -> tuple[WeightedParts, FloatArray]:
    """Fitted weights, and the left-out scores added to the log prior of each kept row, up to a constant per row.

    Counts, covariances and bags leave out the row, weights and corrections its fold, and plans nothing. If few rows are
    kept, everything except forests is estimated without the fold.
    """
    weighted_parts, joint = _estimated(counted, threads, None, known, every=True)
    log_prior = prior_of_rows(counted, counted.in_units(weighted_parts.unit))
    return weighted_parts, joint - np.where(np.isfinite(log_prior), log_prior, 0.0)


def _estimated(
    counted: CountedModel, threads: int, recount: Recount | None, known: WeightedParts | None, *, every: bool
) -> tuple[WeightedParts, FloatArray]:
    with one_blas_thread():
        fitting, weighted_parts, left_out, _ = _fit(counted, threads, recount, known, every=every)
        doubtful = fitting.is_doubtful(left_out)
        grows = counted.weighing == "full" and bool(fitting.tables)
        folded = doubtful or (
            grows and fitting.kept.count <= max(_MAX_REFITTED_ROWS, _MAX_REFITTED_ROWS_PER_SCORE * fitting.scores)
        )
        if folded:
            log_prior, added, y, weight = _out_of_fold(counted, _LEFT_OUT_FOLDS if every else _FOLDS, threads)
            trust = shrinkage(log_prior, added, y, weight) if doubtful else 1.0
            weighted_parts, left_out = (
                weighted_parts.tempered(trust),
                fitting.log_prior + trust * (left_out - fitting.log_prior),
            )
        if grows or every:
            offset = log_prior + trust * added if folded else fitting.cross_fitted(left_out)
        if every:
            left_out[: len(offset)] = offset
        if grows:
            weighted_parts, left_out = with_forests(weighted_parts, fitting, offset, left_out)
        return correct_texts(weighted_parts, fitting, left_out)


def _out_of_fold(
    counted: CountedModel, folds: int, threads: int
) -> tuple[FloatArray, FloatArray, CodeArray, FloatArray]:
    """Out-of-fold scores of the first kept rows: the log prior, the scores added to it, the classes, and the
    weights."""
    sample = counted.tally.sample
    assert sample is not None
    some = (
        counted.with_kept_weights(sample.weight * (np.arange(sample.rows) < _MAX_FOLDED_ROWS), threads)
        if sample.rows > _MAX_FOLDED_ROWS
        else counted
    )
    rows = some.tally.sample
    assert rows is not None
    unit, observed = rows.units(len(counted.classes))
    weight = rows.weight / unit[rows.y]
    added = np.zeros((rows.rows, len(counted.classes)))
    cells = rows.blocks(counted.tally.columns)
    for here in _folds(rows.duplicate_groups, weight, observed, folds):
        there = np.flatnonzero(here)
        # in units of one row, so that a common factor of all weights has no effect, not even by rounding
        others = some.with_kept_weights(weight - here, threads)
        if len(there) and np.count_nonzero(others.tally.weight) > 1:
            _, weighted_parts, _, densities = _fit(others, threads, None, None)
            weighted = others.with_weights(densities, weighted_parts)
            found = _added(
                others, weighted, weighted_parts, [None if c is None else c.take(there) for c in cells], threads
            )
            added[there] += (here / weight)[there, None] * found
    return prior_of_rows(some, some.in_units(unit)), added, rows.y, weight


def _folds(alike: IntArray, weight: FloatArray, observed: bool, folds: int) -> FloatArray:
    """The weight of each row in each fold, (folds, rows). Equal rows share a fold, unless weights count
    observations."""
    first = np.arange(len(alike)) if observed else alike
    count = np.round(weight) if observed else np.ones(len(alike))
    place = (np.arange(folds)[:, None] - first) % folds
    share = np.maximum(np.ceil((count - place) / folds), 0.0) / np.maximum(count, 1.0)
    return np.asarray(share * weight)


def _added(
    counted: CountedModel,
    densities: Sequence[AnyDensities],
    weighted_parts: WeightedParts,
    read: Sequence[BlockData | None],
    threads: int,
) -> FloatArray:
    """The scores of weighted blocks and parts, which are added to the log prior."""
    out = np.zeros((next(cells.rows for cells in read if cells is not None), len(counted.classes)))
    with np.errstate(over="ignore"):
        for density, cells in zip(densities, read, strict=True):
            if cells is not None:
                density.add_odds_to(out, cells, threads)
        weighted_parts.add_to(out, counted.table_blocks(read), threads)
    return out


def _fit(
    counted: CountedModel, threads: int, recount: Recount | None, known: WeightedParts | None, *, every: bool = False
) -> tuple[Fitting, WeightedParts, FloatArray, list[AnyDensities]]:
    """Fit weights and parts; returns the fitting, its result, the left-out log joint, and the unweighted densities of
    the blocks."""
    sample = counted.tally.sample
    assert sample is not None
    unit, observed = sample.units(len(counted.classes))
    unit = unit if known is None else known.unit
    rows = counted.in_units(unit)
    log_prior = prior_of_rows(counted, rows)
    cells, densities = sample.blocks(counted.tally.columns), rows.estimates()
    blocks = [
        _scores(rows, i, density, read)
        for i, density, read in rows.weighted(zip(range(len(cells)), densities, cells, strict=True))
    ]
    weight = sample.weight / unit[sample.y]
    left_out_weight = np.minimum(weight, 1.0) if observed else weight
    kept = KeptRows(sample.y, weight, left_out_weight, sample.duplicate_groups, sample.keys, observed)
    fitting = Fitting(
        blocks,
        kept,
        counted.classes,
        log_prior,
        threads,
        joint=counted.has_parts,
        ignores_missing=counted.missing == "ignore",
        every=every,
    )
    return fitting, *fit(fitting, unit, counted.tally.weight, recount, known), densities


def prior_of_rows(counted: CountedModel, rows: CountedModel) -> FloatArray:
    """The empirical log p(class) of the rows. Given probabilities, class weights and class-dependent row weights are
    applied to the prior after the fit."""
    came = Dirichlet() if isinstance(counted.prior, (Given, Uniform)) else counted.prior
    with np.errstate(divide="ignore"):
        return np.log(came.probabilities(rows.tally.weight, rows.classes, rows.rule))


def _scores(rows: CountedModel, i: int, density: AnyDensities, cells: BlockData | None) -> BlockScores:
    block = rows.blocks[i]
    if isinstance(density, (Bins, PooledTable)):
        return ColumnScores(density, cells)
    if block.family.is_weighted:
        from suffice.families.text.discounted import Discounted  # for text alone

        assert isinstance(density, Discounted)
        return TextScores(density, cells, corrected=block.family.is_corrected)
    return FamilyScores(block.family, rows.rule, rows.classes, cells, tabled=is_discretised(block))
