"""How rows are held out to estimate quality: by folds, by groups, in order of time, or as test rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.errors import DataError
from suffice.evaluate import Assessment
from suffice.evaluate.folds import FoldSplit, group_folds, stratified_folds, time_folds
from suffice.numerics.arrays import AnyArray, IntArray
from suffice.report.subject import Subject


@dataclass(frozen=True, eq=False)
class TestRows:
    """Test rows, with the model's posteriors."""

    name: str
    rows: pa.Table
    assessment: Assessment
    numbers: IntArray
    """Row numbers in the source, from 1."""
    total: int
    """Number of labelled rows; ``rows`` has all of them or a sample."""

    def __str__(self) -> str:
        sampled = self.rows.num_rows < self.total
        return f"{f'a sample of {self.rows.num_rows:,} of ' if sampled else ''}{self.total:,} rows of {self.name}"


@dataclass(frozen=True, eq=False)
class Judging:
    """How rows are held out. ``group`` and ``time`` name columns of the rows, which must not be features."""

    folds: int = 5
    seed: int = 0
    group: str | None = None
    time: str | None = None
    test: TestRows | None = None

    def split(self, subject: Subject) -> FoldSplit:
        """The folds of the rows, shuffled by ``seed``."""
        rows = len(subject.labels)
        if rows < self.folds:
            raise DataError(f"There are {rows} rows", f"{self.folds} folds need as many", "Add --folds 2")
        if self.group is not None:
            return FoldSplit(group_folds(_cells(subject, self.group), rows, self.folds))
        if self.time is not None:
            return FoldSplit(time_folds(_moments(subject, self.time), rows, self.folds), is_ordered=True)
        _, codes = np.unique(subject.labels, return_inverse=True)
        return FoldSplit(stratified_folds(codes.astype(np.int32), self.folds, self.seed))

    def __str__(self) -> str:
        if self.test is not None:
            return str(self.test)
        if self.time is not None:
            return f"{self.folds} parts in the order of {self.time}, each by a model of earlier rows"
        apart = "" if self.group is None else f", no {self.group} in two folds"
        return f"{self.folds}-fold cross-validation{apart}"


def _cells(subject: Subject, name: str) -> AnyArray:
    column = subject.rows.column(name)
    if column.null_count:
        raise DataError(
            f"Column {name!r} has {column.null_count:,} missing cells",
            "folds need a value in every row",
            f'Drop such rows: "select * from … where {name} is not null"',
        )
    return np.unique(np.asarray(column.to_pylist(), dtype=object), return_inverse=True)[1]


def _moments(subject: Subject, name: str) -> Any:
    kind = subject.rows.column(name).type
    if not (pa.types.is_temporal(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        some = next((v for v in subject.rows.column(name).to_pylist() if v is not None), None)
        raise DataError(f"Column {name!r} contains {str(some)!r}", "--time needs dates or numbers")
    return _cells(subject, name)
