"""Alignment of the columns of two models, if one has dropped an identifier that the other has learned from."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice.columns.stored_cells import StoredCells
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.numerics.arrays import IntArray
from suffice.statistics import RowSample, Statistic


def over_columns_of(first: Model, other: Model) -> Model:
    """``other`` with the columns of ``first``: columns that it lacks are missing in all of its rows, and its further
    columns are dropped. It is unchanged if the two models count different statistics.

    A dropped cell changes the key of a row, so a row sample that is not complete is dropped.
    """
    found = [_block_of(block, other.blocks) for block in first.blocks]
    for block, i in zip(first.blocks, found, strict=True):
        if i is not None and not block.family.is_mergeable_with(other.blocks[i].family):
            return other
    statistics = tuple(
        _empty(like, len(other.classes)) if i is None else _moved(other.tally.statistics[i], other.blocks[i], block)
        for block, like, i in zip(first.blocks, first.tally.statistics, found, strict=True)
    )
    sample = _sample(first, other, found)
    tally = replace(other.tally, columns=first.tally.columns, statistics=statistics, sample=sample)
    return replace(other, blocks=first.blocks, names=first.names, tally=tally, fitted=None)


def _block_of(block: Block, blocks: Sequence[Block]) -> int | None:
    """The index of the block that shares columns with this one."""
    return next((i for i, other in enumerate(blocks) if not set(other.columns).isdisjoint(block.columns)), None)


def _places(of: Block, among: Block) -> IntArray:
    """The index of the columns of one block in another, −1 for absent ones."""
    place = {name: j for j, name in enumerate(among.columns)}
    return np.array([place.get(name, -1) for name in of.columns], dtype=np.int64)


def _empty(like: Statistic, n_classes: int) -> Statistic:
    none = np.zeros(0, dtype=np.int64)
    return like.select_classes(none).reindex_classes(none, n_classes)


def _moved(statistic: Statistic, block: Block, to: Block) -> Statistic:
    places = _places(block, to)
    if (places < 0).any():
        statistic = statistic.select_columns(np.flatnonzero(places >= 0))
    return statistic.reindex_columns(places[places >= 0], len(to.columns))


def _sample(first: Model, other: Model, found: Sequence[int | None]) -> RowSample | None:
    mine, theirs = first.tally.sample, other.tally.sample
    drops = not set(other.names) <= set(first.names)
    if mine is None or theirs is None or not mine.rows or (drops and not theirs.is_complete):
        return None
    cells: list[StoredCells | None] = []
    for block, like, i in zip(first.blocks, mine.cells, found, strict=True):
        if i is None:
            kept = None if like is None else like.take(np.zeros(theirs.rows, dtype=np.int64))
            places = np.full(len(block.columns), -1)
        else:
            kept, places = theirs.cells[i], _places(block, other.blocks[i])
        cells.append(None if kept is None else kept.only(places))
    return theirs.with_cells(first.tally.columns, tuple(cells))
