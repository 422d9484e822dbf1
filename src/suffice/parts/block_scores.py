"""Left-out scores of each block."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.labels import Label
from suffice.families.base import AnyDensities, AnyFamily, Rule
from suffice.families.histogram import Bins, Histogram
from suffice.families.pooled_categorical import PooledCategorical, PooledTable
from suffice.families.weights import BlockWeights, ColumnWeights
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.part import Candidate

if TYPE_CHECKING:
    from suffice.families.text.discounted import Discounted
    from suffice.parts.fitting import Fitting

_COLUMN_RIDGE, _TEXT_RIDGE = 10.0, 1.0
_FOLDS = 5
_IMPOSSIBLE = -50.0  # lowest log density, relative to the largest, in place of −∞


class BlockScores(ABC):
    """A weighted block with its kept cells."""

    def __init__(self, cells: Any) -> None:
        self.cells = cells

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of scores."""

    @abstractmethod
    def candidate(self, fitting: "Fitting") -> Candidate:
        """Its left-out scores."""

    @abstractmethod
    def weights(self, found: FloatArray) -> BlockWeights:
        """The fitted weights of its scores, as its density takes them."""

    def table(self, y: CodeArray, weight: FloatArray, threads: int) -> Bins | PooledTable | None:
        """The density of its columns as bins or levels, from which parts are computed; None if parts do not read its
        columns."""
        return None


class ColumnScores(BlockScores):
    """Columns whose density has leave-one-out scores in closed form."""

    def __init__(self, density: Bins | PooledTable, cells: Any) -> None:
        super().__init__(cells)
        self._density = density

    @property
    def width(self) -> int:
        return len(self._density.columns)

    def candidate(self, fitting: "Fitting") -> Candidate:
        def write(into: ScoredRows, first: int) -> None:
            self._density.put_left_out(
                fitting.rows_of(self), fitting.rows.left_out_weight, into, first, fitting.threads
            )

        return Candidate(np.full(self.width, _COLUMN_RIDGE), shared=True, write=write)

    def weights(self, found: FloatArray) -> ColumnWeights:
        return ColumnWeights(found.copy())

    def table(self, y: CodeArray, weight: FloatArray, threads: int) -> Bins | PooledTable:
        return self._density


class TextScores(BlockScores):
    """A text, with two scores per view."""

    def __init__(self, density: "Discounted", cells: Any, *, corrected: bool) -> None:
        super().__init__(cells)
        self.density, self.corrected = density, corrected

    @property
    def width(self) -> int:
        return 2 * len(self.density.views)

    def candidate(self, fitting: "Fitting") -> Candidate:
        def write(into: ScoredRows, first: int) -> None:
            rows = fitting.rows
            parts = self.density.parts(fitting.rows_of(self), rows.y, rows.left_out_weight, fitting.threads)
            for place, part in enumerate(parts, start=first):
                into.set_score(place, part)

        return Candidate(np.full(self.width, _TEXT_RIDGE), shared=False, write=write)

    def weights(self, found: FloatArray) -> BlockWeights:
        from suffice.families.text.discounted import TextWeights  # for text alone

        return TextWeights(found.copy(), np.zeros(self.density.n_classes))

    @staticmethod
    def is_zero(weights: BlockWeights) -> bool:
        from suffice.families.text.discounted import TextWeights  # for text alone

        return isinstance(weights, TextWeights) and not weights.temperatures.any()


class FamilyScores(BlockScores):
    """A block of any other family: its log density, estimated from other folds of the kept rows."""

    def __init__(self, family: AnyFamily, rule: Rule, classes: Sequence[Label], cells: Any, *, tabled: bool) -> None:
        super().__init__(cells)
        self._family, self._rule, self._classes, self._tabled = family, rule, classes, tabled

    @property
    def width(self) -> int:
        return 1

    def candidate(self, fitting: "Fitting") -> Candidate:
        def write(into: ScoredRows, first: int) -> None:
            into.set_score(first, self._out_of_fold(fitting))

        return Candidate(np.full(1, _COLUMN_RIDGE), shared=True, write=write)

    def _out_of_fold(self, fitting: "Fitting") -> FloatArray:
        kept, rows = fitting.kept, fitting.rows
        out = np.zeros((rows.count, len(self._classes)))
        fold = kept.folds(_FOLDS)
        for k in range(_FOLDS):
            others, here = np.flatnonzero(fold != k), np.flatnonzero(fold[fitting.span] == k)
            if not len(others) or not len(here):
                continue
            density = self._estimated(self.cells.take(others), kept.y[others], kept.weight[others], fitting.threads)
            out[here] = density.log_density(self.cells.take(fitting.span.start + here), fitting.threads)
        top = out.max(axis=1, keepdims=True)
        return np.maximum(out - np.where(np.isfinite(top), top, 0.0), _IMPOSSIBLE)

    def _estimated(self, cells: Any, y: CodeArray, weight: FloatArray, threads: int) -> AnyDensities:
        statistic = self._family.observe(cells, ClassCodes(y, len(self._classes), weight), threads)
        return self._family.estimate(statistic, self._rule, self._classes)

    def weights(self, found: FloatArray) -> ColumnWeights:
        return ColumnWeights(found.copy())

    def table(self, y: CodeArray, weight: FloatArray, threads: int) -> Bins | PooledTable | None:
        """Bins or levels of the kept rows under the default family, since a given family affects only the column's own
        score."""
        if not self._tabled:
            return None
        usual: Histogram | PooledCategorical = Histogram() if isinstance(self.cells, Numbers) else PooledCategorical()
        family: Any = usual.for_block(self.cells)
        counted = family.observe(self.cells, ClassCodes(y, len(self._classes), weight), threads)
        found: Bins | PooledTable = family.estimate(counted, self._rule, self._classes)
        return found
