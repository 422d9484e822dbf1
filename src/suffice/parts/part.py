"""A part: weighted scores of several columns together, from counts that add under a fixed plan."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.errors import NotLinearError
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.numerics.scored_rows import ScoredRows

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

N = TypeVar("N")

CALIBRATION = "(calibration)"
"""The name of the constant evidence."""


@dataclass(frozen=True)
class Candidate:
    """Scores to be weighted, with non-negative weights and one ``ridge`` per score."""

    ridge: FloatArray
    """The ridge of each weight: toward zero, or toward a shared weight."""
    shared: bool
    """Whether weights are shrunk toward the shared weight, as for the scores of single columns."""
    write: Callable[[ScoredRows, int], None]
    """Writes the left-out scores of the rows, from a given index on."""


class Part(ABC, Generic[N]):
    """A frozen dataclass: plan, counts of type ``N`` and weights.

    A new one is added to ``registry`` and to the kinds of the model file.
    """

    # — counts —

    @abstractmethod
    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> N:
        """The counts of rows under the plan: a statistic that adds."""

    @abstractmethod
    def with_counts(self, counts: N) -> Self:
        """The same plan with other counts."""

    @abstractmethod
    def changed(self, counts: N, sign: int) -> Self:
        """With counts added or subtracted."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """Number of classes."""

    @abstractmethod
    def fits(self, columns: int) -> bool:
        """Whether its plan is valid for tables of so many columns."""

    # — scores —

    @abstractmethod
    def tempered(self, factor: float) -> Self:
        """With its scores times a factor."""

    @abstractmethod
    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        """Add its weighted scores, up to a constant per row."""

    @abstractmethod
    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """The terms of ``add_to``: names, and (rows, names, classes). A name is a column, ``CALIBRATION``, or the
        part's name for several columns."""

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> "ColumnEvidence":
        """The evidence of ``add_to`` by column, for a part that has counted ``seen`` rows.

        The default is for parts whose evidence is by column. Other parts override it with Shapley values against the
        counted rows.
        """
        names, parts = self.evidence(read, columns)
        place = {name: i for i, name in enumerate(columns)}
        out = ColumnEvidence.none(len(parts), len(columns), parts.shape[2])
        for name, part in zip(names, parts.transpose(1, 0, 2), strict=True):
            if name == CALIBRATION:
                out.base[:] += part[0]
            else:
                out.columns[:, place[name]] += part
        return out

    def linear_terms(self, columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """Names of the features φ and their weights β (classes, features), if its score is linear in them."""
        raise NotLinearError(
            f"The model has a {type(self).__name__.removesuffix('Part').lower()}",
            "the log of a mean share over trees is not linear in any fixed features of the row",
            "Fit with model='additive', 'weighted' or 'naive'",
        )

    def linear_features(self, read: Sequence[TableBlock]) -> FloatArray:
        """φ (rows, features), beside the weights of ``linear_terms``."""
        self.linear_terms(())  # refuses
        raise AssertionError("a part with linear terms must have linear features")


AnyPart: TypeAlias = Part[Any]
"""A part whose type of counts is erased, as in a model."""


@dataclass(frozen=True, eq=False)
class ColumnEvidence:
    """Scores as a constant ``base`` (classes) and one number for each row, column and class."""

    base: FloatArray
    columns: FloatArray
    """(rows, columns, classes)"""

    @classmethod
    def none(cls, rows: int, columns: int, classes: int) -> "ColumnEvidence":
        return cls(np.zeros(classes), np.zeros((rows, columns, classes)))


class SampledPart(Part[FloatArray]):
    """A part without counts: a function of the kept rows, estimated again whenever weights are fitted."""

    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> FloatArray:
        return np.zeros(0)

    def with_counts(self, counts: FloatArray) -> Self:
        return self

    def changed(self, counts: FloatArray, sign: int) -> Self:
        return self


class PlannedPart(Part[N]):
    """A part that is planned on the kept rows and weighted together with the others."""

    @staticmethod
    @abstractmethod
    def most(fitting: "Fitting") -> int:
        """Maximum number of scores."""

    @classmethod
    @abstractmethod
    def planned(cls, fitting: "Fitting") -> "Self | None":
        """The part, planned and counted on the kept rows, without weights; None if there is nothing to count."""

    @abstractmethod
    def candidate(self, fitting: "Fitting") -> Candidate:
        """Its left-out scores."""

    @abstractmethod
    def weighted(self, weights: FloatArray, fitting: "Fitting", left_out: FloatArray) -> "Self | None":
        """The part with weights; None if all are zero. A correction is fitted to the residuals of the ``left_out`` log
        joint, and added to it."""


AnyPlannedPart: TypeAlias = PlannedPart[Any]


def indicators(cells: CodeArray, start: IntArray) -> FloatArray:
    """Indicators (rows, cells of all tables) of the cell of each row in each table; ``cells`` (rows, tables) are −1 for
    no cell."""
    out = np.zeros((len(cells), int(start[-1])))
    rows, tables = np.nonzero(cells >= 0)
    out[rows, start[tables] + cells[rows, tables]] = 1.0
    return out


@dataclass(frozen=True, eq=False)
class TablePart(PlannedPart[FloatArray]):
    """A part whose counts are of cells of tables."""

    counts: FloatArray
    """(classes, cells)"""

    def with_counts(self, counts: FloatArray) -> Self:
        return replace(self, counts=counts)

    def changed(self, counts: FloatArray, sign: int) -> Self:
        return self.with_counts(np.maximum(self.counts + sign * counts, 0.0))

    @property
    def n_classes(self) -> int:
        return len(self.counts)
