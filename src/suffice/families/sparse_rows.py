"""Sparse rows that are densified in batches, because cells that are not stored are not simply zero."""

import functools
import operator
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.families.base import ClassDensities
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Statistic

S = TypeVar("S", bound=Statistic)


def needs_every_cell(block: Numbers, threshold: float = 0.0) -> bool:
    """Whether sparse rows must be densified: a cell is missing (NaN), or zero is above the threshold."""
    if isinstance(block.values, np.ndarray):
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        total = block.values.data.sum()  # NaN if a cell is NaN, or if infinities of both signs are added
    return threshold < 0 or bool(np.isnan(total) and np.isnan(block.values.data).any())


def dense_parts(block: Numbers) -> Iterator[tuple[slice, Numbers]]:
    """The rows densified in batches."""
    step = max(1, (1 << 20) // max(1, len(block.names)))
    for start in range(0, block.rows, step):
        rows = slice(start, min(block.rows, start + step))
        yield rows, Numbers(block.names, Numbers(block.names, block.values[rows]).dense)


def column_parts(block: Numbers) -> Iterator[tuple[slice, AnyArray]]:
    """The columns densified in batches; a dense block is one batch."""
    if isinstance(block.values, np.ndarray):
        yield slice(None), block.values
        return
    by_column = block.values.tocsc()
    step = max(1, (1 << 22) // max(1, block.rows))
    for start in range(0, len(block.names), step):
        columns = slice(start, start + step)
        yield columns, by_column[:, columns].toarray()


def observe_parts(
    observe: Callable[[Numbers, ClassCodes, int], S],
    block: Numbers,
    y: ClassCodes,
    threads: int,
) -> S:
    """The statistic of the densified rows."""
    parts = [observe(part, y[rows], threads) for rows, part in dense_parts(block)]
    return functools.reduce(operator.add, parts)


def add_parts(density: ClassDensities[Numbers], out: FloatArray, block: Numbers, threads: int) -> None:
    """Add a density's scores of the densified rows."""
    for rows, part in dense_parts(block):
        density.add_to(out[rows], part, threads)
