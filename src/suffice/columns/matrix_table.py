"""A table backed by one matrix, a NumPy array of numbers or a scipy sparse matrix, without a copy."""

import importlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.columns.blocks import Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Name
from suffice.columns.level_codes import KnownLevels, integer_levels, value_levels
from suffice.columns.table import MAX_DENSE_COLUMNS, Table, not_text_column_error
from suffice.numerics.arrays import AnyArray, SparseRows


class MatrixTable(Table):
    """Columns of one matrix, named by position unless names are given."""

    def __init__(self, values: "AnyArray | SparseRows", names: Sequence[Name] | None = None) -> None:
        self.values = values
        self.rows = int(values.shape[0])
        self.names = range(values.shape[1]) if names is None else names
        kind = Kind.COUNT if not isinstance(values, np.ndarray) else Kind.NUMBER
        self.kinds = [Kind.BOOLEAN if values.dtype == bool else kind] * values.shape[1]

    def _columns(self, names: Sequence[Name]) -> "AnyArray | SparseRows":
        if self._are_all(names):
            return self.values
        positions = [self._position[name] for name in names]
        if isinstance(self.values, np.ndarray) and positions == list(
            range(positions[0], positions[0] + len(positions))
        ):
            return self.values[:, positions[0] : positions[0] + len(positions)]  # adjacent columns need no copy
        return self.values[:, positions]

    @cached_property
    def _position(self) -> dict[Name, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _are_all(self, names: Sequence[Name]) -> bool:
        return names == self.names or (len(names) == len(self.names) and list(names) == list(self.names))

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        if not isinstance(self.values, np.ndarray):
            return not takes_sparse
        return not self._are_all(names)

    def rows_of(self, cells: int) -> int:
        if isinstance(self.values, np.ndarray) or len(self.names) <= MAX_DENSE_COLUMNS:
            return super().rows_of(cells)  # such sparse rows may be made dense
        return max(1, cells * self.rows // max(1, self.values.nnz, self.rows))

    def numbers(self, names: Sequence[Name]) -> Numbers:
        return Numbers(names, self._columns(names))

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        values = self._columns(names)
        dense = values if isinstance(values, np.ndarray) else values.toarray()
        if dense.dtype.kind in "iub":
            coded = known.encoded(names, dense) if known is not None else None
            coded = coded or integer_levels(names, dense, threads)
            if coded is not None:
                return coded
        return value_levels(names, [dense[:, j] for j in range(dense.shape[1])])

    def objects(self, name: Name) -> Objects:
        dense = self.numbers([name]).dense
        return Objects([name], list(dense[:, 0]))

    def documents(self, name: Name) -> Documents:
        raise not_text_column_error(name, "numbers")

    def slice(self, start: int, stop: int) -> "MatrixTable":
        if isinstance(self.values, np.ndarray):
            return MatrixTable(self.values[start:stop], self.names)
        return MatrixTable(sliced_rows(self.values, start, stop), self.names)

    def only(self, names: Sequence[Name]) -> "MatrixTable":
        return MatrixTable(self._columns(names), names)

    def renamed(self, names: Sequence[Name]) -> "MatrixTable":
        return MatrixTable(self.values, names)

    def column(self, name: Name) -> AnyArray:
        dense: AnyArray = self.numbers([name]).dense[:, 0]
        return dense

    def cells(self, name: Name) -> Any:
        """One column as an Arrow array."""
        arrow = importlib.import_module("pyarrow")
        return arrow.chunked_array([arrow.array(self.column(name))])


def sliced_rows(rows: SparseRows, start: int, stop: int) -> SparseRows:
    """A slice of the rows of a sparse matrix that shares its cells; scipy's own slicing copies them."""
    ends = rows.indptr[start : stop + 1]
    here = slice(ends[0], ends[-1])
    sliced = sp.csr_array((stop - start, rows.shape[1]), dtype=rows.dtype)
    # the constructor would validate the indices again
    sliced.data, sliced.indices, sliced.indptr = rows.data[here], rows.indices[here], ends - ends[0]
    return sliced
