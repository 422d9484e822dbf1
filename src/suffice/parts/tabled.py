"""Which blocks are weighted, and which are discretised so that parts can read their columns."""

from suffice.columns.table import WIDE
from suffice.families.assignment import Block
from suffice.families.histogram import Histogram
from suffice.families.pooled_categorical import PooledCategorical

CUT = (Histogram, PooledCategorical)
"""The families that cut columns themselves."""
_CUT_BESIDE = 512  # columns of another family that are cut beside it


def is_weighable(block: Block) -> bool:
    """Whether its rows can be kept, and left out of it."""
    if block.family.is_weighed:
        return True
    return block.reads != "objects" and not block.family.whole and len(block.columns) <= WIDE


def is_tabled(block: Block) -> bool:
    """Whether its columns are cut, by its family or beside it."""
    if isinstance(block.family, CUT):
        return True
    return block.reads in ("numbers", "levels") and len(block.columns) <= _CUT_BESIDE
