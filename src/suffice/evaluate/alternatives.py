"""Leave-one-out loss of alternative families for a column, from its counts.

The counts of a column are its cells rounded to a grid, so any family of one column can be fitted to them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from suffice.columns.blocks import Levels, Numbers, TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.errors import DataError
from suffice.families import (
    Categorical,
    Exponential,
    Gamma,
    Gaussian,
    Histogram,
    LogNormal,
    Poisson,
    PooledCategorical,
)
from suffice.families.assignment import Block
from suffice.families.base import AnyFamily
from suffice.families.shrunk import LeaveOneOutDensity
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.tables import grid_edge
from suffice.posterior import log_posterior
from suffice.statistics import Counts, GridCounts, Statistic

_SCORED_ROWS = 1_000  # evenly spaced over the counted rows


@dataclass(frozen=True)
class FamilyLoss:
    """A family, and the leave-one-out mean of −log p(class | column) for this column alone."""

    family: AnyFamily
    loss: float


def family_losses(model: Model) -> Iterator[tuple[Name, list[FamilyLoss]]]:
    """For each column with counts by value, the loss of its family, then those of alternative families, the best first."""
    priors = _priors_left(model)
    for block, statistic in zip(model.blocks, model.tally.statistics, strict=True):
        for name, cells, table in _counted(block, statistic):
            own_family = _alone(block.family)
            others = [_family_loss(model, priors, other, cells, table) for other in _others(cells)]
            possible = [found for found in others if found is not None]
            own = _family_loss(model, priors, own_family, cells, table)
            if own is not None:
                yield name, [own, *sorted(possible, key=lambda found: found.loss)]


def _counted(block: Block, statistic: Statistic) -> Iterator[tuple[Name, TableBlock, FloatArray]]:
    """The distinct cells of each column, and their counts, (classes, cells)."""
    if isinstance(block.family, Histogram) and isinstance(statistic, GridCounts):
        for name, (cells, table), bits in zip(block.columns, statistic.columns(), statistic.bits, strict=True):
            yield name, Numbers((name,), grid_edge(cells, bits)[:, None]), table
    elif isinstance(block.family, PooledCategorical) and isinstance(statistic, Counts):
        for name, levels, table in zip(block.columns, statistic.levels, statistic.columns(), strict=True):
            codes = np.arange(len(levels), dtype=np.int32)[:, None]
            yield name, Levels((name,), codes, np.zeros(1, np.int64), (levels,)), table


def _alone(family: AnyFamily) -> AnyFamily:
    """The family for a single column: the precision of its grid depends on the column."""
    return Histogram(family.bins, family.strength) if isinstance(family, Histogram) else family


def _others(cells: TableBlock) -> Sequence[AnyFamily]:
    if isinstance(cells, Levels):
        return [Categorical()]
    values = cells.dense[:, 0]
    found: list[AnyFamily] = [Gaussian()]
    if len(values) and values.min() > 0:
        found += [LogNormal(), Gamma()]
    if len(values) and values.min() >= 0:
        found.append(Poisson() if (values == np.round(values)).all() else Exponential())
    return found


def _family_loss(
    model: Model, priors: FloatArray, family: AnyFamily, cells: TableBlock, table: FloatArray
) -> FamilyLoss | None:
    """The loss of a family for a column; None if the family cannot model it."""
    klass, cell = np.nonzero(table)
    weight = table[klass, cell]
    if not len(weight):
        return None
    y: CodeArray = klass.astype(np.int32)
    try:
        block = Block(cells.names, family.for_block(cells), family.reads)
        counted = block.observe(cells.take(cell), ClassCodes(y, len(table), weight), 1)
        scored_rows = _spread(weight)
        density = _left_out(model, block, counted, cells.take(cell[scored_rows]), y[scored_rows])
    except DataError:
        return None
    logs = log_posterior(priors[y[scored_rows]] + density, model.log_prior)
    return FamilyLoss(block.family, -float(logs[np.arange(len(scored_rows)), y[scored_rows]].mean()))


def _left_out(model: Model, block: Block, counted: Statistic, cells: TableBlock, y: CodeArray) -> FloatArray:
    """Leave-one-out log p(cell | class), up to a constant per row."""
    if isinstance(block.family, (Histogram, PooledCategorical)):  # p(cell) cancels, so bins need not be recomputed
        density = block.estimate(counted, model.rule, model.classes)
        assert isinstance(density, LeaveOneOutDensity)
        return density.left_out_by_column(cells, y)[0]
    return block.left_out(counted, model.rule, model.classes, cells, ClassCodes(y, len(model.classes)), 1)


def _priors_left(model: Model) -> FloatArray:
    """log p(class) without a row of each class, (class of the row, classes)."""
    class_rows = model.tally.weight
    left = np.maximum(class_rows - np.eye(len(class_rows)), 0.0)
    with np.errstate(divide="ignore"):
        return np.log([model.prior.probabilities(one, model.classes, model.rule) for one in left])


def _spread(weight: AnyArray) -> AnyArray:
    """Indices of rows, each repeated in proportion to its weight."""
    total = float(weight.sum())
    at = (
        (np.arange(_SCORED_ROWS) + 0.5) * total / _SCORED_ROWS
        if total > _SCORED_ROWS
        else np.arange(round(total)) + 0.5
    )
    return np.minimum(np.searchsorted(np.cumsum(weight), at, side="right"), len(weight) - 1)
