"""What is fitted, from what was counted: a pure function of the tally and of the rows it keeps."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.columns.blocks import Block
from suffice.families.class_prior import Dirichlet, Given, Uniform
from suffice.model.counted import Counted
from suffice.numerics.arrays import FloatArray
from suffice.numerics.blas import one_blas_thread
from suffice.parts.blend import Blend
from suffice.parts.block_scores import BlockScores, ColumnScores, FamilyScores, TextScores
from suffice.parts.fitting import Fitting, fit
from suffice.parts.kept_rows import KeptRows
from suffice.parts.recount import Recount
from suffice.parts.shrinkage import shrinkage
from suffice.parts.tabled import CUT, is_tabled

_FOLDS, _MOST = 5, 8_000  # folds of kept rows, and rows in all


def fit_blend(counted: Counted, threads: int, recount: Recount | None = None, known: Blend | None = None) -> Blend:
    """Weights fitted to the kept rows. Parts are planned on them, or their plans and counts are ``known``.

    Where they may have been fitted to noise, all of it is estimated again without each fold of the rows, and drawn to the
    classes' shares as far as that helps to predict the fold.
    """
    with one_blas_thread():
        blend, doubtful = _fit(counted, threads, recount, known)
        return blend.tempered(_trust(counted, threads)) if doubtful else blend


def _trust(counted: Counted, threads: int) -> float:
    """How much of what is added to the log prior is borne out by rows that had no part in estimating it, from 0 to 1."""
    sample = counted.tally.sample
    assert sample is not None
    some = counted.without_kept(np.arange(_MOST, sample.rows), threads) if sample.rows > _MOST else counted
    rows = some.tally.sample
    assert rows is not None
    fold = rows.alike % _FOLDS
    unit, _ = rows.units(len(counted.classes))
    added = np.zeros((rows.rows, len(counted.classes)))
    cells = rows.blocks(counted.tally.columns)
    for k in range(_FOLDS):
        here = np.flatnonzero(fold == k)
        others = some.without_kept(here, threads)
        if len(here) and np.count_nonzero(others.tally.weight) > 1:
            blend, _ = _fit(others, threads, None, None)
            added[here] = _added(others, blend, [None if c is None else c.take(here) for c in cells], threads)
    log_prior = prior_of_rows(some, some.in_units(unit))
    return shrinkage(log_prior, added, rows.y, rows.weight / unit[rows.y])


def _added(counted: Counted, blend: Blend, read: Sequence[Block | None], threads: int) -> FloatArray:
    """What is added to the log prior of rows that were read, by blocks that are weighed and by parts."""
    densities = counted.weighed_estimates(blend)
    out = np.zeros((next(cells.rows for cells in read if cells is not None), len(counted.classes)))
    with np.errstate(over="ignore"):
        for density, cells in zip(densities, read, strict=True):
            if cells is not None:
                density.add_odds_to(out, cells, threads)
        blend.add_to(out, counted.tables(read), threads)
    return out


def _fit(counted: Counted, threads: int, recount: Recount | None, known: Blend | None) -> tuple[Blend, bool]:
    sample = counted.tally.sample
    assert sample is not None
    unit, observed = sample.units(len(counted.classes))
    unit = unit if known is None else known.unit
    rows = counted.in_units(unit)
    log_prior = prior_of_rows(counted, rows)
    cells = sample.blocks(counted.tally.columns)
    blocks = [
        _scores(rows, i, density, read)
        for i, density, read in rows.weighed(zip(range(len(cells)), rows.estimates(), cells, strict=True))
    ]
    weight = sample.weight / unit[sample.y]
    kept = KeptRows(sample.y, weight, np.minimum(weight, 1.0) if observed else weight, sample.alike)
    joint, ignores = counted.weighing == "additive", counted.missing == "ignore"
    fitting = Fitting(blocks, kept, counted.classes, log_prior, threads, joint=joint, ignores_holes=ignores)
    return fit(fitting, unit, counted.tally.weight, recount, known)


def prior_of_rows(counted: Counted, rows: Counted) -> FloatArray:
    """log p(class) of the rows as they came: given probabilities, class weights and weights that are a matter of the class
    change the prior after the fit."""
    came = Dirichlet() if isinstance(counted.prior, (Given, Uniform)) else counted.prior
    with np.errstate(divide="ignore"):
        return np.log(came.probabilities(rows.tally.weight, rows.classes, rows.rule))


def _scores(rows: Counted, i: int, density: Any, cells: Any) -> BlockScores:
    block = rows.blocks[i]
    if isinstance(block.family, CUT):
        return ColumnScores(density, cells)
    if block.family.is_weighed:
        return TextScores(density, cells, corrected=block.family.is_corrected)
    return FamilyScores(block.family, rows.rule, rows.classes, cells, tabled=is_tabled(block))
