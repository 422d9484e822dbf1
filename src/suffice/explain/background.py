"""Background rows, over which a model is averaged with some cells replaced: its stored rows, or given ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from suffice.columns.blocks import NO_COLUMN, BlockData, Levels, Numbers
from suffice.columns.documents import Documents, view_missing
from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Name
from suffice.columns.table import Table
from suffice.errors import DataError, ParameterError, quoted
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.threads import thread_count


class FittedClassifier(Protocol):
    """A fitted classifier of this package."""

    model_: Model
    classes_: AnyArray

    def _open(self, X: TableLike, reset: bool) -> Table: ...


@dataclass(frozen=True, eq=False)
class Background:
    """Rows as blocks of a model, in an order that is independent of their classes."""

    model: Model
    read: Sequence[BlockData]

    @classmethod
    def of(cls, estimator: FittedClassifier, X: TableLike = None) -> "Background":
        """The given rows, by default the stored rows of the model."""
        model = estimator.model_.current
        if X is not None:
            table = model.with_columns(estimator._open(X, reset=False))
            return cls(model, model.read(table, thread_count()))
        return cls.with_kept_weights(model)

    @classmethod
    def with_kept_weights(cls, model: Model) -> "Background":
        """The stored rows of a model."""
        sample = model.tally.sample
        read = [] if sample is None else sample.blocks(model.tally.columns)
        found = [cells for cells in read if cells is not None]
        if not found or len(found) < len(read):
            raise DataError(
                "The model keeps no rows, or only some of their columns", "effects are averaged over rows", "Pass X"
            )
        return cls(model, found)

    @property
    def rows(self) -> int:
        return self.read[0].rows

    def place(self, column: Name) -> tuple[int, int]:
        """The block of a column of numbers or categories, and its index in the block."""
        for i, cells in enumerate(self.read):
            if column in cells.names and isinstance(cells, (Numbers, Levels)):
                return i, list(cells.names).index(column)
        known = [name for cells in self.read if isinstance(cells, (Numbers, Levels)) for name in cells.names]
        raise ParameterError(
            f"There is no column {column!r} of numbers or categories", f"there are {quoted(known, most=20)}"
        )

    def take(self, rows: AnyArray | slice) -> "Background":
        return replace(self, read=[cells.take(rows) for cells in self.read])

    def log_joint(self, model: Model) -> FloatArray:
        """Log joint (rows, classes), up to a constant per row."""
        out = np.empty((self.rows, len(model.classes)))
        model.score(self.read, out, thread_count(), odds=True)
        return out

    def codes(self, column: Name) -> AnyArray:
        """The cells of a column: numbers, NaN if missing; or level codes, −1 if missing or unknown."""
        i, j = self.place(column)
        cells = self.read[i]
        if isinstance(cells, Numbers):
            return np.asarray(cells.column(j).dense[:, 0], dtype=np.float64)
        assert isinstance(cells, Levels)
        return cells.indices_in(j, cells.levels[j])

    def levels(self, column: Name) -> Sequence[Any] | None:
        """The levels of a categorical column."""
        i, j = self.place(column)
        cells = self.read[i]
        return cells.levels[j] if isinstance(cells, Levels) else None

    def with_column(self, column: Name, codes: AnyArray) -> "Background":
        """The rows with the cells of one column replaced by numbers or level codes."""
        return self._changed(column, codes, absent=False)

    def without(self, column: Name) -> "Background":
        """The rows with a column of numbers, categories or documents marginalised."""
        text = next(
            (i for i, cells in enumerate(self.read) if isinstance(cells, Documents) and column in cells.names), None
        )
        if text is not None:
            return replace(self, read=[*self.read[:text], view_missing(column, self.rows), *self.read[text + 1 :]])
        return self._changed(column, np.full(self.rows, np.nan), absent=True)

    def _changed(self, column: Name, codes: AnyArray, *, absent: bool) -> "Background":
        i, j = self.place(column)
        cells, read = self.read[i], list(self.read)
        if isinstance(cells, Numbers):
            values = np.array(cells.dense, dtype=np.float64)
            values[:, j] = codes
            read[i] = Numbers(cells.names, values, cells.absent | {column} if absent else cells.absent)
        elif isinstance(cells, Levels):
            changed = np.array(cells.codes, dtype=np.int64)
            changed[:, j] = NO_COLUMN if absent else codes + cells.low[j]
            read[i] = replace(cells, codes=changed)
        return replace(self, read=read)


@dataclass(frozen=True, eq=False)
class FoldModels:
    """The models without each fold of the first stored rows."""

    rows: Background
    y: CodeArray
    weight: FloatArray
    fold: CodeArray
    models: Sequence[Model]
    scale: float
    """Factor from the standard error over these rows to that over all rows."""

    @classmethod
    def of(cls, estimator: FittedClassifier | Model, folds: int = 5, most: int = 3_000) -> "FoldModels | None":
        """Fold models; None if the model stores no rows, or if a class occurs in one fold only."""
        model = (estimator if isinstance(estimator, Model) else estimator.model_).current
        sample = model.tally.sample
        if sample is None or not model.fits_weights:
            return None
        some = np.arange(sample.rows) < most
        fold = (sample.duplicate_groups % folds).astype(np.int32)
        models = [
            replace(model.with_kept_weights(sample.weight * (some & (fold != k)), thread_count()), fitted=None).current
            for k in range(folds)
        ]
        if any(np.count_nonzero(each.tally.weight) < len(model.classes) for each in models):
            return None
        background, count = Background.with_kept_weights(model), int(some.sum())
        kept = sample.weight[:count]
        scale = float(np.sqrt(kept.sum() / model.tally.weight.sum()))
        return cls(background.take(slice(0, count)), sample.y[:count], kept, fold[:count], models, scale)
