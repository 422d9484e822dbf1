"""Array types used in signatures."""

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
SingleArray: TypeAlias = NDArray[np.float32]
IntArray: TypeAlias = NDArray[np.int64]
CodeArray: TypeAlias = NDArray[np.int32]
BoolArray: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]
SparseRows: TypeAlias = "sp.csr_array[Any, Any] | sp.csr_matrix[Any]"
AnyRows: TypeAlias = "AnyArray | SparseRows"


def frozen(array: AnyArray) -> AnyArray:
    """The array, made read-only."""
    array.setflags(write=False)
    return array


def inner(a: FloatArray, b: FloatArray) -> float:
    """Σ a b over all cells, in a fixed order. (BLAS would use threads, which are slow when cores are busy.)"""
    return float(np.einsum("i,i->", a.ravel(), b.ravel()))
