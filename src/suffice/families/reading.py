"""Reading and counting the columns of a block."""

from dataclasses import replace

from suffice.columns.blocks import BlockData
from suffice.columns.labels import Labels
from suffice.columns.table import Table
from suffice.columns.term_rows import TermRows
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities
from suffice.families.support import check_amounts
from suffice.numerics.arrays import FloatArray
from suffice.statistics import Statistic

BATCH_CELLS = 1 << 20  # 8 MiB of doubles: size of a batch of rows that is copied


def with_inspected_rows(block: Block, table: Table, threads: int) -> Block:
    """The block with settings of its family derived from the first rows."""
    if not block.family.inspects_first_rows:
        return block
    return replace(block, family=block.family.for_block(read_block(table, block, None, threads)))


def copies(block: Block, table: Table) -> bool:
    """Whether reading a block copies its cells, so that a long table is read in batches."""
    if block.reads == "numbers":
        return block.family.transforms or table.copies(block.columns, block.family.takes_sparse)
    return block.reads == "terms"


def observed(block: Block, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> Statistic:
    """The statistic of the rows of a block, computed without a copy if the kernels can read the rows in place, else in
    batches."""
    total: Statistic | None = None
    start, y = 0, labels.class_codes(weight)
    for batch in table.batches(BATCH_CELLS) if copies(block, table) and not block.family.needs_all_rows else [table]:
        rows = slice(start, start + batch.rows)
        start = rows.stop
        part = block.observe(read_block(batch, block, None, threads), y[rows], threads)
        total = part if total is None else total + part
    assert total is not None
    return total


def read_block(table: Table, block: Block, density: AnyDensities | None, threads: int) -> BlockData:
    """The cells of the columns of a block, in the input type of its family."""
    if block.reads == "levels":
        return table.levels(block.columns, density.known_levels if density else None, threads)
    if block.reads == "objects":
        return table.objects(block.columns[0])
    if block.reads == "documents":
        return table.documents(block.columns[0])
    numbers = table.numbers(block.columns)
    if block.reads != "terms":
        return numbers
    check_amounts(numbers, type(block.family).__name__)
    return TermRows.of(numbers.names, numbers.values)
