"""Several scores per row and class, and the loss of their weighted sum."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.contrasts import contrast_count, from_contrasts, to_contrasts
from suffice.numerics.kernels import check_rows
from suffice.numerics.tables import LeaveOneOutTables
from suffice.numerics.threads import parallel_map

_MAX_DOUBLE_SCORES = 100_000  # more are stored in single precision, which is enough to fit weights
_WIDTH_MULTIPLE = 8
_WEIGHT_STEPS = (-3, 4)  # exponents of √2 to which row weights are rounded for leave-one-out
_CURVATURE_PRODUCTS = 1e7  # multiplications for a rough curvature
_MAX_ROOT_CONTRASTS = 64  # with more, roots of the curvature would be mostly zeros of biases
_MIN_PARALLEL_PRODUCTS, _PARALLEL_PARTS = 1e8, 4  # for splitting a curvature


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows with class, weight, and several scores; scores and biases are by contrast."""

    y: CodeArray
    weight: FloatArray
    classes: int
    parts: int
    lines: AnyArray
    """(rows · contrasts, capacity for parts), padded with zeros to a multiple of eight."""

    @classmethod
    def empty(cls, y: CodeArray, weight: FloatArray, classes: int, parts: int, capacity: int = 0) -> "ScoredRows":
        """Rows with scores of zero, to be set later, and capacity for more."""
        check_rows("scores", len(y), y, weight)
        count, capacity = len(y) * contrast_count(classes), max(parts, capacity)
        real: Any = np.float32 if capacity * count > _MAX_DOUBLE_SCORES else np.float64
        return cls(y, weight, classes, parts, np.zeros((count, _padded_width(capacity)), dtype=real))

    @classmethod
    def of(cls, scores: Sequence[FloatArray], y: CodeArray, weight: FloatArray, classes: int) -> "ScoredRows":
        """Scored rows from scores (rows, classes)."""
        out = cls.empty(y, weight, classes, len(scores))
        for part, score in enumerate(scores):
            out.set_score(part, score)
        return out

    def with_more(self, more: int) -> "ScoredRows":
        """With a number of additional scores, initially zero, in the spare capacity."""
        if self.parts + more > self.lines.shape[1]:
            raise ValueError(f"{self.parts + more} scores exceed the capacity of {self.lines.shape[1]}")
        return replace(self, parts=self.parts + more)

    def take(self, rows: slice | IntArray) -> "ScoredRows":
        """A subset of the rows, without spare capacity."""
        lines = self.lines.reshape(len(self.y), self.contrasts, -1)[rows, :, : _padded_width(self.parts)]
        y, weight = np.ascontiguousarray(self.y[rows]), np.ascontiguousarray(self.weight[rows])
        packed = np.ascontiguousarray(lines).reshape(len(y) * self.contrasts, -1)
        return ScoredRows(y, weight, self.classes, self.parts, packed)

    def set_score(self, part: int, score: FloatArray) -> None:
        """Write one score, (rows, classes)."""
        self.lines[:, part] = to_contrasts(score).ravel()

    def set_leave_one_out(
        self, first: int, cells: AnyArray, start: IntArray, tables: LeaveOneOutTables, threads: int
    ) -> None:
        """Set scores from ``first`` on to the leave-one-out scores of tables (cells of all tables, classes).

        ``cells`` (rows, tables) has the cell of each row in each table, −1 if none; tables begin at ``start``.
        """
        shape = int(start[-1]), self.classes
        if tables.own.shape != shape or tables.others.shape != shape or len(start) != cells.shape[1] + 1:
            raise ValueError(f"{cells.shape[1]} sets of {start[-1]} cells in all do not fit tables {tables.own.shape}")
        if not 0 <= first <= self.parts - cells.shape[1]:
            raise ValueError(f"{cells.shape[1]} scores from {first} on do not fit {self.parts}")
        check_rows("cells", len(cells), self.y, self.weight)
        own, others = (np.ascontiguousarray(t, dtype=self.lines.dtype) for t in (tables.own, tables.others))
        _kernels.left_out_scores(
            np.ascontiguousarray(cells, dtype=np.int32),
            start,
            own,
            others,
            self.y,
            self.lines,
            self.contrasts,
            first,
            threads,
        )

    def set_leave_one_out_by_weight(
        self, first: int, cells: CodeArray, start: IntArray, leaves: FloatArray, tables: Callable[[float], LeaveOneOutTables],
        threads: int,
    ) -> None:  # fmt: skip
        """``set_leave_one_out`` where the weight ``leaves`` is removed with each row, by ``tables`` for a removed weight."""
        sizes, which = _rounded_weights(leaves)
        made = [tables(float(size)) for size in sizes]
        if len(made) == 1:
            self.set_leave_one_out(first, cells, start, made[0], threads)
            return
        # the tables of all weights are concatenated to one table
        width = np.diff(start)
        each = [slice(a, b) for a, b in pairwise(start.tolist())]
        own, others = (
            np.concatenate([getattr(table, name)[rows] for rows in each for table in made])
            for name in ("own", "others")
        )
        moved = cells + which[:, None].astype(np.int32) * width.astype(np.int32)
        moved[cells < 0] = -1
        self.set_leave_one_out(first, moved, start * len(made), LeaveOneOutTables(own, own, others), threads)

    @property
    def contrasts(self) -> int:
        return contrast_count(self.classes)

    def joint(self, weights: FloatArray, offset: FloatArray) -> FloatArray:
        """offset + Σ weight · score, (rows, classes), up to a constant per row."""
        found = self.lines[:, : self.parts] @ weights.astype(self.lines.dtype)
        return from_contrasts(found.reshape(-1, self.contrasts).astype(np.float64) + offset, self.classes)

    def loss(self, weights: FloatArray, offset: FloatArray, threads: int) -> tuple[float, FloatArray]:
        """Σ −log p(class of the row), and its gradient: of the weights, then of the offset (contrasts)."""
        padded, width = self._padded(weights), _padded_width(self.parts)
        if offset.shape != (self.contrasts,):
            raise ValueError(f"{self.contrasts} contrasts do not fit an offset of shape {offset.shape}")
        gradient, lines = np.empty(width + self.contrasts), self.lines[:, :width]
        value = _kernels.weighing_loss(lines, self.y, self.weight, padded, offset, self.classes, gradient, threads)
        return value, np.concatenate([gradient[: self.parts], gradient[width:]])

    def curvature(self, weights: FloatArray, offset: FloatArray, precision: float, threads: int) -> FloatArray:
        """The Hessian of the loss, from a sample of the rows that grows with ``precision``."""
        side = self.parts + self.contrasts
        every = max(1, int(len(self.y) / (precision * max(_CURVATURE_PRODUCTS / (self.contrasts * side**2), side / 2))))
        some = len(self.weight[::every])
        factor = float(self.weight.sum() / max(self.weight[::every].sum(), 1e-300))
        # split by size, so that the result does not depend on the number of threads
        step = every * -(-some // (_PARALLEL_PARTS if some * self.contrasts * side**2 > _MIN_PARALLEL_PRODUCTS else 1))
        padded = self._padded(weights)

        def part(start: int) -> FloatArray:
            w = self.weight[start : start + step]
            lines = self.lines[start * self.contrasts : (start + len(w)) * self.contrasts]
            if self.contrasts > _MAX_ROOT_CONTRASTS:
                x = lines[:, : self.parts].reshape(len(w), self.contrasts, self.parts)[::every]
                return _curvature_by_blocks(x, factor * w[::every], weights, offset)
            roots = np.empty((len(w[::every]) * self.contrasts, side), dtype=self.lines.dtype)
            _kernels.weighing_roots(lines, w, padded, offset, self.parts, every, factor, roots)
            return np.asarray(roots.T @ roots, dtype=np.float64)

        return np.asarray(sum(parallel_map(part, range(0, len(self.y), step), threads)))

    def _padded(self, weights: FloatArray) -> FloatArray:
        if weights.shape != (self.parts,):
            raise ValueError(f"{self.parts} scores do not fit {weights.shape} weights")
        out = np.zeros(_padded_width(self.parts))
        out[: self.parts] = weights
        return out


def _curvature_by_blocks(x: AnyArray, w: FloatArray, weights: FloatArray, offset: FloatArray) -> FloatArray:
    """The Hessian from scores (rows, contrasts, parts), for many contrasts.

    The block of biases is Σ w (diag(p) − p pᵀ), so roots need no columns for them.
    """
    joint = x @ weights.astype(x.dtype) + offset
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    wp = w[:, None] * p
    away = x - np.einsum("rc,rck->rk", p, x)[:, None]
    roots = (np.sqrt(wp)[:, :, None] * away).reshape(-1, x.shape[2])
    mixed = np.einsum("rc,rck->kc", wp, away)
    return np.block([[roots.T @ roots, mixed], [mixed.T, np.diag(wp.sum(axis=0)) - wp.T @ p]])


def _rounded_weights(weight: FloatArray) -> tuple[FloatArray, IntArray]:
    """Weights rounded to powers of √2: the distinct ones, and the index of each."""
    steps = np.clip(np.round(2 * np.log2(np.maximum(weight, 1e-300))), *_WEIGHT_STEPS).astype(np.int64)
    found, which = np.unique(steps, return_inverse=True)
    return np.exp2(found / 2), which


def _padded_width(parts: int) -> int:
    return -(-parts // _WIDTH_MULTIPLE) * _WIDTH_MULTIPLE
