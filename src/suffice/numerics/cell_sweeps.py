"""Ridge correction of the cells of several tables, where each row is in one cell of each table.

softmax(offset + Σ V[cell]) with a ridge on V, fitted by block coordinate descent over tables: cells of one table share no row,
so a Newton step for all of them needs only sums. Two sweeps are enough.
"""

from dataclasses import dataclass

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.contrasts import contrast_count, contrast_ridge, from_contrasts, to_contrasts
from suffice.numerics.kernels import check_rows
from suffice.numerics.softmax import padded

_SWEEPS = 2


@dataclass(frozen=True, eq=False)
class CellRows:
    """Rows with class, weight, offset, and the cell of each row in each table."""

    cells: CodeArray
    """(rows, tables), −1 if a row is in no cell."""
    start: IntArray
    """Offsets of the cells of each table in their concatenation, with the total at the end."""
    y: CodeArray
    weight: FloatArray
    offset: FloatArray
    """(rows, classes)"""

    def __post_init__(self) -> None:
        check_rows("cells", len(self.cells), self.y, self.weight)
        tables = len(self.start) - 1
        if len(self.offset) != len(self.y) or tables != self.cells.shape[1]:
            raise ValueError(f"{self.cells.shape} cells, {self.offset.shape} scores and {tables} tables do not fit")

    @property
    def classes(self) -> int:
        return int(self.offset.shape[1])

    def fit(self, ridge: float) -> FloatArray:
        """V, (cells of all tables, classes)."""
        offset = padded(to_contrasts(self.offset))
        out = np.zeros((int(self.start[-1]), offset.shape[1]))
        _kernels.cell_sweeps(*self._problem(offset, ridge), out)
        return from_contrasts(out[:, : contrast_count(self.classes)], self.classes)

    def across_folds(self, ridge: float, fold: CodeArray, threads: int) -> FloatArray:
        """Out-of-fold corrections, (rows, classes), by V fitted without the fold of each row."""
        offset = padded(to_contrasts(self.offset))
        out = np.zeros(offset.shape)
        _kernels.cell_sweeps_by_fold(*self._problem(offset, ridge), fold, int(fold.max(initial=0)) + 1, out, threads)
        return from_contrasts(out[:, : contrast_count(self.classes)], self.classes)

    def _problem(
        self, offset: FloatArray, ridge: float
    ) -> tuple[CodeArray, IntArray, CodeArray, FloatArray, FloatArray, int, int, float, int]:
        contrast_ridge_ = contrast_ridge(ridge, self.classes)
        return (
            self.cells,
            self.start,
            self.y,
            self.weight,
            offset,
            contrast_count(self.classes),
            self.classes,
            contrast_ridge_,
            _SWEEPS,
        )
