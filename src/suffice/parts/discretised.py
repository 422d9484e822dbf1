"""Which blocks are weighted, and which are discretised so that parts can read their columns."""

from suffice.columns.table import MAX_DENSE_COLUMNS
from suffice.families.assignment import Block
from suffice.families.histogram import Histogram
from suffice.families.pooled_categorical import PooledCategorical

DISCRETISING_FAMILIES = (Histogram, PooledCategorical)
"""Families that discretise their columns."""
_MAX_DISCRETISED_COLUMNS = 512  # columns of a block of another family that are discretised for parts


def is_weighable(block: Block) -> bool:
    """Whether its cells can be stored in the row sample and left out of its density."""
    if block.family.is_weighted:
        return True
    return block.reads != "objects" and not block.family.needs_all_rows and len(block.columns) <= MAX_DENSE_COLUMNS


def is_discretised(block: Block) -> bool:
    """Whether its columns are discretised, by its family or separately."""
    if isinstance(block.family, DISCRETISING_FAMILIES):
        return True
    return block.reads in ("numbers", "levels") and len(block.columns) <= _MAX_DISCRETISED_COLUMNS
