"""The tally: classes, class weights, one statistic per block, and the row sample. It is additive."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import DataError, ForgetError, MergeError, quoted
from suffice.numerics.arrays import FloatArray, IntArray, frozen
from suffice.statistics.base import NeverLearnedError, Statistic, subtract_checked

if TYPE_CHECKING:
    from suffice.statistics.row_sample import RowSample  # imports text and tokens


@dataclass(frozen=True, eq=False)
class Tally:
    """The sum over the rows. Classes are matched by label, blocks and their columns by name.

    ``sample`` is None if no rows are kept.
    """

    classes: tuple[Label, ...]
    weight: FloatArray
    columns: tuple[Sequence[Name], ...]
    statistics: tuple[Statistic, ...]
    sample: "RowSample | None" = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", frozen(np.ascontiguousarray(self.weight, dtype=np.float64)))

    def __add__(self, other: "Tally") -> "Tally":
        mine, theirs = self._aligned(other)
        return replace(
            mine,
            weight=mine.weight + theirs.weight,
            statistics=tuple(a + b for a, b in zip(mine.statistics, theirs.statistics, strict=True)),
            sample=_merged_sample(mine, theirs),
        )

    def __sub__(self, other: "Tally") -> "Tally":
        unknown = [c for c in other.classes if c not in self.classes]
        if unknown:
            raise ForgetError(f"Class {quoted(unknown)} was never learned", f"the classes are {quoted(self.classes)}")
        mine, theirs = self._aligned(other)
        try:
            weight = subtract_checked(mine.weight, theirs.weight, "rows")
        except NeverLearnedError as error:
            raise ForgetError(
                f"Asked to forget {error.subtracted:g} rows of class {mine.classes[error.where[0]]!r}, "
                f"but only {error.counted:g} were learned",
                "only what was learned can be forgotten",
            ) from None
        statistics = []
        for columns, a, b in zip(mine.columns, mine.statistics, theirs.statistics, strict=True):
            try:
                statistics.append(a - b)
            except NeverLearnedError as error:
                raise _with_names(error, mine.classes, columns) from None
        sample = None if mine.sample is None or theirs.sample is None else mine.sample - theirs.sample
        return replace(mine, weight=weight, statistics=tuple(statistics), sample=sample)

    def scaled(self, factor: float | FloatArray) -> "Tally":
        """The tally with all weights multiplied by ``factor``; an array has a factor for each class."""
        if isinstance(factor, float) and factor == 1.0:
            return self
        sample = None if self.sample is None else self.sample.scaled(factor)
        statistics = tuple(s.scaled(factor) for s in self.statistics)
        return replace(self, weight=self.weight * factor, statistics=statistics, sample=sample)

    def reindex_classes(self, classes: tuple[Label, ...]) -> "Tally":
        """The tally over a superset of its classes."""
        if classes == self.classes:
            return self
        place = {c: i for i, c in enumerate(classes)}
        index = np.array([place[c] for c in self.classes], dtype=np.int64)
        weight = np.zeros(len(classes))
        weight[index] = self.weight
        statistics = tuple(s.reindex_classes(index, len(classes)) for s in self.statistics)
        sample = None if self.sample is None else self.sample.reindex_classes(index, len(classes))
        return Tally(classes, weight, self.columns, statistics, sample)

    def select_classes(self, index: IntArray, classes: tuple[Label, ...]) -> "Tally":
        """The tally of some classes, renamed to ``classes``."""
        sample = None if self.sample is None else self.sample.select_classes(index)
        return Tally(
            classes, self.weight[index], self.columns, tuple(s.select_classes(index) for s in self.statistics), sample
        )

    def without_empty(self, keep: Sequence[Label]) -> "Tally":
        """The tally without classes of weight zero, except those to keep."""
        kept = [i for i, c in enumerate(self.classes) if self.weight[i] > 0 or c in keep]
        if len(kept) == len(self.classes):
            return self
        return self.select_classes(np.array(kept, dtype=np.int64), tuple(self.classes[i] for i in kept))

    def aligned_sample(self, first: "Tally") -> "RowSample | None":
        """The sample, aligned with the classes and columns of another tally, which are a superset."""
        moved = self if self.columns == first.columns else self._with_columns_of(first)
        return moved.reindex_classes(first.classes).sample

    def _aligned(self, other: "Tally") -> tuple["Tally", "Tally"]:
        classes = union(self.classes, other.classes)
        return self.reindex_classes(classes), other._with_columns_of(self).reindex_classes(classes)

    def _with_columns_of(self, first: "Tally") -> "Tally":
        if self.columns == first.columns:
            return self
        available = {frozenset(c): i for i, c in enumerate(self.columns)}
        statistics = []
        order, moved = [], []
        for columns in first.columns:
            at = available.get(frozenset(columns))
            if at is None:
                raise _different_columns(first.columns, self.columns)
            place = {name: j for j, name in enumerate(columns)}
            index: IntArray = np.array([place[name] for name in self.columns[at]], dtype=np.int64)
            statistics.append(self.statistics[at].reindex_columns(index, len(columns)))
            order.append(at)
            moved.append(index)
        if len(statistics) != len(self.statistics):
            raise _different_columns(first.columns, self.columns)
        sample = None if self.sample is None else self.sample.permuted_columns(order, moved)
        return Tally(self.classes, self.weight, first.columns, tuple(statistics), sample)


def _merged_sample(a: Tally, b: Tally) -> "RowSample | None":
    """The sum of both samples. If one tally has rows but no sample, the sample of the other becomes partial."""
    if a.sample is not None and b.sample is not None:
        return a.sample + b.sample
    kept, other = (a.sample, b) if b.sample is None else (b.sample, a)
    return kept if kept is None or not other.weight.any() else kept.partial


def union(a: tuple[Label, ...], b: tuple[Label, ...]) -> tuple[Label, ...]:
    """The sorted union of labels."""
    if a == b:
        return a
    try:
        return tuple(sorted(set(a) | set(b)))  # type: ignore[type-var]
    except TypeError:
        raise DataError(
            f"Labels {quoted(a)} cannot be sorted together with {quoted(b)}",
            "labels of one model must be of one type",
            "Convert them all to text, or all to numbers",
        ) from None


def _different_columns(mine: Sequence[Sequence[Name]], theirs: Sequence[Sequence[Name]]) -> MergeError:
    a, b = ({name for block in blocks for name in block} for blocks in (mine, theirs))
    if a == b:
        return MergeError("The two models group their columns differently", "equal families are needed to merge")
    return MergeError(
        f"The two models have different columns: {quoted(sorted(map(str, a ^ b)))} only in one of them",
        "the same columns are needed to merge",
    )


def _with_names(error: NeverLearnedError, classes: tuple[Label, ...], columns: Sequence[Name]) -> ForgetError:
    klass, column = (classes[error.where[0]], columns[error.where[1]])
    return ForgetError(
        f"Asked to subtract {error.subtracted:g} {error.what} of column {column!r} from class {klass!r}, which has "
        f"{error.counted:g}",
        "only what was learned can be forgotten",
    )
