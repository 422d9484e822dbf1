"""Checked calls of the forest kernels: trees on bootstrap samples, and class shares in their leaves."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray, IntArray, SingleArray
from suffice.numerics.contrasts import contrast_count
from suffice.numerics.kernels import check_rows

MAX_CODES, MAX_LEVELS, MAX_COLUMNS = 256, 32, 2**15 - 1
"""Limits: codes of an ordered column, levels of an unordered one, and columns of a forest."""
LEAF, MISSING_RIGHT = 0xFFFF, 0x8000
"""Values of ``Trees.column``: a leaf, and a bit that is set if missing cells go right."""
_NODE_BYTES = 16


@dataclass(frozen=True, eq=False)
class Trees:
    """Nodes in preorder, and the rows of each class in the leaves.

    A node splits one column of one-byte codes, of which 0 is a missing cell: codes up to its ``cut`` go left or, for levels,
    the codes in its set.
    """

    count: int
    is_level: AnyArray
    """(columns), 1 if the codes are unordered."""
    column: AnyArray
    """``LEAF``, or a column with the bit ``MISSING_RIGHT``."""
    cut: AnyArray
    sets: AnyArray
    """Bit sets of 32 codes, of the nodes that split levels."""
    leaf_size: AnyArray
    """The number of classes of each leaf; ``leaf_class`` and ``leaf_weight`` have the classes and their weights."""
    leaf_class: AnyArray
    leaf_weight: SingleArray

    @property
    def nodes(self) -> int:
        return len(self.column)

    @property
    def leaf_start(self) -> IntArray:
        """Offsets of the leaves of each tree, with the total at the end."""
        is_leaf = self.column == LEAF
        open_ = np.cumsum(np.where(is_leaf, -1, 1))
        ends = np.flatnonzero(open_ < np.minimum.accumulate(np.append(0, open_[:-1])))
        return np.append(0, np.cumsum(is_leaf)[ends]).astype(np.int64)

    @property
    def nbytes(self) -> int:
        arrays = (self.column, self.cut, self.sets, self.leaf_size, self.leaf_class, self.leaf_weight)
        return sum(array.nbytes for array in arrays)

    def __add__(self, other: "Trees") -> "Trees":
        names = ("column", "cut", "sets", "leaf_size", "leaf_class", "leaf_weight")
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names}
        return replace(self, count=self.count + other.count, **both)

    def check(self) -> None:
        """Raise if the nodes do not form complete trees."""
        if not isinstance(self.count, int) or not 0 < self.count <= self.nodes:
            raise ValueError(f"{self.nodes} nodes cannot be {self.count} trees")
        self.flat(np.ones(int(self.leaf_class.max(initial=1)) + 1))

    def flat(self, prior: FloatArray, threads: int = 1, *, inner: bool = False) -> "FlatTrees":
        """Trees laid out for prediction, with class shares of the leaves shrunk along the path from the ``prior``."""
        leaves, width = len(self.leaf_size), contrast_count(len(prior))
        nodes = np.zeros((self.nodes - leaves, _NODE_BYTES), dtype=np.uint8)
        root = np.empty(self.count, dtype=np.int32)
        shares = np.empty((leaves, width), dtype=np.float32)
        within = np.empty((len(nodes) if inner else 0, width), dtype=np.float32)
        _kernels.flatten_forest(
            self.column, self.cut, self.sets, self.is_level, self.leaf_size, self.leaf_class, self.leaf_weight, prior,
            nodes, root, shares, within, threads,
        )  # fmt: skip
        return FlatTrees(len(self.is_level), nodes, root, shares, within)


@dataclass(frozen=True, eq=False)
class FlatTrees:
    """Trees laid out for prediction."""

    columns: int
    nodes: AnyArray
    root: CodeArray
    shares: SingleArray
    """(leaves, contrasts), with only the second of two classes."""
    inner: SingleArray
    """The same for inner nodes, if requested."""

    def mean_shares(self, codes: AnyArray, threads: int) -> FloatArray:
        """Class shares averaged over all trees, (rows, classes)."""
        self._check(codes)
        out = np.zeros((len(codes), self.shares.shape[1]))
        _kernels.forest_shares(self.nodes, self.root, self.shares, codes, out, threads)
        return _by_class(out / len(self.root))

    def mean_steps(self, codes: AnyArray, threads: int) -> FloatArray:
        """Change of the mean shares at the nodes of each column, (rows, columns, classes)."""
        self._check(codes)
        if len(self.inner) != len(self.nodes):
            raise ValueError("steps need the shares of inner nodes")
        width = self.shares.shape[1]
        out = np.zeros((len(codes), self.columns * width))
        _kernels.forest_steps(self.nodes, self.root, self.shares, self.inner, codes, out, threads)
        steps = out.reshape(len(codes), self.columns, width) / len(self.root)
        return np.concatenate([-steps, steps], axis=2) if width == 1 else steps

    @property
    def root_shares(self) -> FloatArray:
        """The mean shares at the roots, (classes)."""
        inside = self.root >= 0
        found = np.concatenate([self.inner[self.root[inside]], self.shares[~self.root[~inside]]])
        return np.asarray(_by_class(found.astype(np.float64).mean(axis=0, keepdims=True))[0])

    def _check(self, codes: AnyArray) -> None:
        if codes.dtype != np.uint8 or codes.ndim != 2 or codes.shape[1] != self.columns:
            raise ValueError(f"codes {codes.shape} of type {codes.dtype} do not fit {self.columns} columns of bytes")


def _by_class(shares: FloatArray) -> FloatArray:
    return np.concatenate([1.0 - shares, shares], axis=1) if shares.shape[1] == 1 else shares


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Out-of-bag leaves of rows, (trees, rows), −1 where a row is in the bag; ``outside`` is its out-of-bag weight."""

    leaf: CodeArray
    outside: SingleArray

    def shares(
        self, trees: Trees, prior: FloatArray, threads: int, so_far: "OutOfBagShares | None" = None
    ) -> "OutOfBagShares":
        """The class shares of those leaves, added to those of other trees ``so_far``."""
        rows, width = self.leaf.shape[1], contrast_count(len(prior))
        out, total = (
            (np.zeros((rows, width)), np.zeros(rows)) if so_far is None else (so_far.sum.copy(), so_far.weight.copy())
        )
        found = trees.flat(prior, threads).shares
        _kernels.out_of_bag_shares(self.leaf, self.outside, trees.leaf_start, found, out, total, threads)
        return OutOfBagShares(out, total)


@dataclass(frozen=True, eq=False)
class OutOfBagShares:
    """Out-of-bag sums of class shares over trees, and sums of out-of-bag weights."""

    sum: FloatArray
    """(rows, contrasts)"""
    weight: FloatArray

    def mean(self) -> tuple[FloatArray, BoolArray]:
        """The out-of-bag mean, (rows, classes), and the mask of rows that have one."""
        return _by_class(self.sum / np.maximum(self.weight, 1e-300)[:, None]), self.weight > 0


@dataclass(frozen=True, eq=False)
class ForestRows:
    """Training rows of a forest.

    ``codes`` is (columns, rows); ``order`` has the columns to draw from, ``keys`` seed the bags of rows. If ``observed``,
    weights count observations, which are drawn one by one.
    """

    codes: NDArray[np.uint8]
    is_level: NDArray[np.uint8]
    order: IntArray
    keys: NDArray[np.uint64]
    y: CodeArray
    weight: FloatArray
    observed: bool

    def grow(
        self, n_classes: int, first: int, count: int, *, share: float, tried: int, seed: int, scored: int, threads: int,
    ) -> tuple[Trees, OutOfBag]:  # fmt: skip
        """``count`` trees, numbered from ``first``, each on a ``share`` of the rows. A node is split by the best of ``tried``
        columns that vary in it."""
        columns, rows = self.codes.shape
        check_rows("codes", rows, self.y, self.weight)
        if self.keys.shape != (rows,) or len(self.is_level) != columns:
            raise ValueError(f"{columns} columns of {rows} rows do not fit their keys or kinds")
        if columns > MAX_COLUMNS or n_classes > LEAF or not 0 <= scored <= rows or tried < 1:
            raise ValueError(f"a forest cannot have {columns} columns, {n_classes} classes and {scored} scored rows")
        *arrays, leaf, outside = _kernels.grow_forest(
            np.ascontiguousarray(self.codes), self.is_level, self.order, self.keys, self.y, self.weight, n_classes, share,
            self.observed, tried, first, count, seed, scored, threads,
        )  # fmt: skip
        trees = Trees(count, self.is_level, *arrays)
        return trees, OutOfBag(leaf.reshape(count, scored), outside.reshape(count, scored))
