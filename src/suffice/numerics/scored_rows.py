"""Several scores per row and class, and the posterior under weights of the scores."""

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
from suffice.numerics.threads import at_once

_MOST_DOUBLES = 100_000  # scores; more are held in single precision, as weights fitted to so many need few digits
_FILL = 8
_WEIGHT_STEPS = (-3, 4)  # powers of √2: row weights that are distinguished in leave-one-out
_CURVATURE_PRODUCTS = 1e7  # multiplications spent on a rough curvature
_MOST_ROOT_LINES = 64  # contrasts; with more, roots of the curvature would mostly hold zeros of biases
_WORTH_SHARING, _SHARES = 1e8, 4  # so many, among threads


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows with class and weight, and several scores of each.

    Scores and biases are by contrast.
    """

    y: CodeArray
    weight: FloatArray
    classes: int
    parts: int
    lines: AnyArray
    """(rows · contrasts, room for parts), a multiple of eight, zero where there is none."""

    @classmethod
    def empty(cls, y: CodeArray, weight: FloatArray, classes: int, parts: int, room: int = 0) -> "ScoredRows":
        """Rows with scores of zero, to be filled in, and capacity for more scores."""
        check_rows("scores", len(y), y, weight)
        count, room = len(y) * contrast_count(classes), max(parts, room)
        real: Any = np.float32 if room * count > _MOST_DOUBLES else np.float64
        return cls(y, weight, classes, parts, np.zeros((count, _filled(room)), dtype=real))

    @classmethod
    def of(cls, scores: Sequence[FloatArray], y: CodeArray, weight: FloatArray, classes: int) -> "ScoredRows":
        """Scored rows from scores (rows, classes)."""
        out = cls.empty(y, weight, classes, len(scores))
        for part, score in enumerate(scores):
            out.put(part, score)
        return out

    def widened(self, more: int) -> "ScoredRows":
        """With so many more scores, initially zero, in the spare capacity."""
        if self.parts + more > self.lines.shape[1]:
            raise ValueError(f"there is no room for {self.parts + more} scores among {self.lines.shape[1]}")
        return replace(self, parts=self.parts + more)

    def some(self, rows: slice | IntArray) -> "ScoredRows":
        """A subset of the rows, packed."""
        lines = self.lines.reshape(len(self.y), self.contrasts, -1)[rows, :, : _filled(self.parts)]
        y, weight = np.ascontiguousarray(self.y[rows]), np.ascontiguousarray(self.weight[rows])
        packed = np.ascontiguousarray(lines).reshape(len(y) * self.contrasts, -1)
        return ScoredRows(y, weight, self.classes, self.parts, packed)

    def put(self, part: int, score: FloatArray) -> None:
        """Write one score, (rows, classes)."""
        self.lines[:, part] = to_contrasts(score).ravel()

    def put_left_out(
        self, first: int, cells: AnyArray, start: IntArray, tables: LeaveOneOutTables, threads: int
    ) -> None:
        """Write scores from ``first`` on: leave-one-out scores of the rows by tables (cells of all tables, classes).

        ``cells`` (rows, tables) is where in each table a row is, −1 if nowhere; a table begins at its ``start``.
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

    def put_left_out_by_weight(
        self, first: int, cells: CodeArray, start: IntArray, leaves: FloatArray, tables: Callable[[float], LeaveOneOutTables],
        threads: int,
    ) -> None:  # fmt: skip
        """The same where a weight goes with each row that ``leaves``: ``tables`` without a row of some weight."""
        sizes, which = _few_sizes(leaves)
        made = [tables(float(size)) for size in sizes]
        if len(made) == 1:
            self.put_left_out(first, cells, start, made[0], threads)
            return
        # the tables for all weights stand one after the other, as one table
        width = np.diff(start)
        each = [slice(a, b) for a, b in pairwise(start.tolist())]
        own, others = (
            np.concatenate([getattr(table, name)[rows] for rows in each for table in made])
            for name in ("own", "others")
        )
        moved = cells + which[:, None].astype(np.int32) * width.astype(np.int32)
        moved[cells < 0] = -1
        self.put_left_out(first, moved, start * len(made), LeaveOneOutTables(own, own, others), threads)

    @property
    def contrasts(self) -> int:
        return contrast_count(self.classes)

    def joint(self, weights: FloatArray, offset: FloatArray) -> FloatArray:
        """offset + Σ weight · score, (rows, classes), up to a constant per row."""
        found = self.lines[:, : self.parts] @ weights.astype(self.lines.dtype)
        return from_contrasts(found.reshape(-1, self.contrasts).astype(np.float64) + offset, self.classes)

    def loss(self, weights: FloatArray, offset: FloatArray, threads: int) -> tuple[float, FloatArray]:
        """Σ −log p(class of the row), and its gradient: of the weights, then of the offset (contrasts)."""
        padded, width = self._padded(weights), _filled(self.parts)
        if offset.shape != (self.contrasts,):
            raise ValueError(f"{self.contrasts} contrasts do not fit an offset of shape {offset.shape}")
        gradient, lines = np.empty(width + self.contrasts), self.lines[:, :width]
        value = _kernels.weighing_loss(lines, self.y, self.weight, padded, offset, self.classes, gradient, threads)
        return value, np.concatenate([gradient[: self.parts], gradient[width:]])

    def curvature(self, weights: FloatArray, offset: FloatArray, care: float, threads: int) -> FloatArray:
        """Second derivatives of the loss, from a sample of the rows, which grows with ``care``."""
        side = self.parts + self.contrasts
        every = max(1, int(len(self.y) / (care * max(_CURVATURE_PRODUCTS / (self.contrasts * side**2), side / 2))))
        some = len(self.weight[::every])
        factor = float(self.weight.sum() / max(self.weight[::every].sum(), 1e-300))
        # split by size alone, so that the result does not depend on the threads
        step = every * -(-some // (_SHARES if some * self.contrasts * side**2 > _WORTH_SHARING else 1))
        padded = self._padded(weights)

        def part(start: int) -> FloatArray:
            w = self.weight[start : start + step]
            lines = self.lines[start * self.contrasts : (start + len(w)) * self.contrasts]
            if self.contrasts > _MOST_ROOT_LINES:
                x = lines[:, : self.parts].reshape(len(w), self.contrasts, self.parts)[::every]
                return _curvature_by_blocks(x, factor * w[::every], weights, offset)
            roots = np.empty((len(w[::every]) * self.contrasts, side), dtype=self.lines.dtype)
            _kernels.weighing_roots(lines, w, padded, offset, self.parts, every, factor, roots)
            return np.asarray(roots.T @ roots, dtype=np.float64)

        return np.asarray(sum(at_once(part, range(0, len(self.y), step), threads)))

    def _padded(self, weights: FloatArray) -> FloatArray:
        if weights.shape != (self.parts,):
            raise ValueError(f"{self.parts} scores do not fit {weights.shape} weights")
        out = np.zeros(_filled(self.parts))
        out[: self.parts] = weights
        return out


def _curvature_by_blocks(x: AnyArray, w: FloatArray, weights: FloatArray, offset: FloatArray) -> FloatArray:
    """Second derivatives from rows of scores (rows, contrasts, parts), for many contrasts.

    Biases have Σ w (diag(p) − p pᵀ), so no root with a column for each of them is needed.
    """
    joint = x @ weights.astype(x.dtype) + offset
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    wp = w[:, None] * p
    away = x - np.einsum("rc,rck->rk", p, x)[:, None]
    roots = (np.sqrt(wp)[:, :, None] * away).reshape(-1, x.shape[2])
    mixed = np.einsum("rc,rck->kc", wp, away)
    return np.block([[roots.T @ roots, mixed], [mixed.T, np.diag(wp.sum(axis=0)) - wp.T @ p]])


def _few_sizes(weight: FloatArray) -> tuple[FloatArray, IntArray]:
    """A few sizes that weights nearly have, powers of √2, and which of them each has."""
    steps = np.clip(np.round(2 * np.log2(np.maximum(weight, 1e-300))), *_WEIGHT_STEPS).astype(np.int64)
    found, which = np.unique(steps, return_inverse=True)
    return np.exp2(found / 2), which


def _filled(parts: int) -> int:
    return -(-parts // _FILL) * _FILL
