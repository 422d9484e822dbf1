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
"""The name of evidence that is the same for every row."""


@dataclass(frozen=True)
class Candidate:
    """Scores that ask for weights ≥ 0, one for each ``ridge``."""

    ridge: FloatArray
    """How strongly each weight is drawn to zero, or to the weight they share."""
    shared: bool
    """Whether there is such a weight, as for the scores of single columns."""
    write: Callable[[ScoredRows, int], None]
    """Writes the left-out scores of the rows, from a place on."""


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
        """With counts added, or taken away."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """How many classes it counts."""

    @abstractmethod
    def fits(self, columns: int) -> bool:
        """Whether it can read tables of so many columns."""

    # — scores —

    @abstractmethod
    def tempered(self, factor: float) -> Self:
        """With its scores times a factor."""

    @abstractmethod
    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        """Add its weighed scores, up to a number a row."""

    @abstractmethod
    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """What ``add_to`` adds, split: names, and (rows, names, classes). A name is a column, ``CALIBRATION``, or what the
        part calls several columns together."""

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> "ColumnEvidence":
        """What ``add_to`` adds, one number a column, where the part has counted ``seen`` rows.

        Of a part whose evidence is by column already. Other parts define it: as Shapley values against those rows.
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
        """Names of the features φ and their weights β (classes, features), where what it adds is linear in them."""
        raise NotLinearError(
            f"The model has a {type(self).__name__.removesuffix('Part').lower()}",
            "the log of a mean share over trees is not linear in any fixed features of the row",
            "Fit with model='additive', 'weighted' or 'naive'",
        )

    def linear_features(self, read: Sequence[TableBlock]) -> FloatArray:
        """φ (rows, features), beside the weights of ``linear_terms``."""
        self.linear_terms(())  # refuses
        raise AssertionError("a part that hands out linear terms hands out their features too")


AnyPart: TypeAlias = Part[Any]
"""A part whose counts are of a type that is not known: those of a model."""


@dataclass(frozen=True, eq=False)
class ColumnEvidence:
    """Scores as a ``base`` (classes), the same for every row, and one number for each column and class."""

    base: FloatArray
    columns: FloatArray
    """(rows, columns, classes)"""

    @classmethod
    def none(cls, rows: int, columns: int, classes: int) -> "ColumnEvidence":
        return cls(np.zeros(classes), np.zeros((rows, columns, classes)))


class SampledPart(Part[FloatArray]):
    """A part that counts nothing: it is a function of the kept rows, and made anew when weights are fitted."""

    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> FloatArray:
        return np.zeros(0)

    def with_counts(self, counts: FloatArray) -> Self:
        return self

    def changed(self, counts: FloatArray, sign: int) -> Self:
        return self


class PlannedPart(Part[N]):
    """A part that is planned on the kept rows and weighed together with the others."""

    @staticmethod
    @abstractmethod
    def most(fitting: "Fitting") -> int:
        """How many scores it has at most."""

    @classmethod
    @abstractmethod
    def planned(cls, fitting: "Fitting") -> "Self | None":
        """Planned and counted on the kept rows, with no weights yet; None if there is nothing to count."""

    @abstractmethod
    def candidate(self, fitting: "Fitting") -> Candidate:
        """Its left-out scores."""

    @abstractmethod
    def weighed(self, weights: FloatArray, fitting: "Fitting", left_out: FloatArray) -> "Self | None":
        """With weights; None if it counts for nothing. A correction is fitted to the residuals of the ``left_out`` log
        joint, and added to it."""


AnyPlannedPart: TypeAlias = PlannedPart[Any]


def indicators(cells: CodeArray, start: IntArray) -> FloatArray:
    """1 where a row is in a cell of a table, (rows, cells of all tables); ``cells`` (rows, tables) are −1 where in none."""
    out = np.zeros((len(cells), int(start[-1])))
    rows, tables = np.nonzero(cells >= 0)
    out[rows, start[tables] + cells[rows, tables]] = 1.0
    return out


@dataclass(frozen=True, eq=False)
class TablePart(PlannedPart[FloatArray]):
    """A part that counts cells of tables."""

    counts: FloatArray
    """(classes, cells)"""

    def with_counts(self, counts: FloatArray) -> Self:
        return replace(self, counts=counts)

    def changed(self, counts: FloatArray, sign: int) -> Self:
        return self.with_counts(np.maximum(self.counts + sign * counts, 0.0))

    @property
    def n_classes(self) -> int:
        return len(self.counts)
