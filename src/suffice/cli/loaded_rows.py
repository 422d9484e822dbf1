"""Rows loaded into memory: all of them, or a uniform sample if there are very many."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.cli.columns import unknown_column
from suffice.cli.folders import FILE, LABEL
from suffice.cli.uniform_sample import UniformSample
from suffice.columns.labels import Label
from suffice.errors import DataError, ParameterError, quoted
from suffice.numerics.arrays import IntArray
from suffice.sources.batches import FrameBatches
from suffice.sources.source import LocalSource

_UNNAMED = re.compile(r"column\d+")  # as DuckDB names columns
MAX_SAMPLED_ROWS = 20_000
"""Maximum number of rows that quality is estimated on."""


@dataclass(frozen=True, eq=False)
class LoadedRows:
    """A source, a ``sample`` of its rows (all of them if they are few), their ``total`` number, and the number of ``present``
    (non-missing) cells of each column."""

    source: LocalSource
    sample: Any
    total: int
    present: Mapping[str, int]
    numbers: IntArray
    """Row numbers of the sample in the source, from 1."""
    files: Any = None
    """The file name of each row, if the source is a folder of documents."""

    @property
    def learnable(self) -> LocalSource:
        """The training rows, without file names."""
        if self.sample.num_rows == self.total:
            table = self.sample
            return FrameBatches(self.source.name, lambda: [table], schema=self.source.schema)
        return self.source

    def labelled(self, target: str) -> tuple[Any, IntArray]:
        """The labelled rows of the sample, with their file names, and their row numbers."""
        rows = self.sample if self.files is None else self.sample.append_column(FILE, self.files)
        return labelled_rows(rows, self.numbers, target)

    def labels(self, target: str) -> int:
        """The number of labelled rows of the source."""
        return self.present[target]


def load_rows(source: LocalSource, *, most: int = MAX_SAMPLED_ROWS, seed: int = 0) -> LoadedRows:
    """Load a sample in one pass over the rows."""
    rng = np.random.default_rng([seed, 11])
    sample, total, present = UniformSample(most), 0, Counter[str]()
    for table in source.batches():
        sample = sample.with_rows(table, rng.random(table.rows), 0, total)
        total += table.rows
        cells = zip(table.table.column_names, table.table.columns, strict=True)
        present.update({name: table.rows - column.null_count for name, column in cells})
    rows = sample.table().table
    files = rows.column(FILE) if is_folder(rows) else None
    kept = rows if files is None else rows.drop_columns([FILE])
    return LoadedRows(source, kept, total, present, sample.numbers, files)


def is_folder(rows: Any) -> bool:
    return {FILE, LABEL} <= set(rows.column_names) and {"text", "body"} & set(rows.column_names) != set()


def target_of(target: str | None, rows: Any) -> str:
    """The name of the target column; an error if there is no such column."""
    names = rows.column_names
    if target is None:
        if LABEL in names and ("text" in names or "body" in names):
            return LABEL
        raise ParameterError(
            "No target column was given",
            f"the columns are {quoted(names, most=20)}",
            "Add --target COLUMN",
        )
    if target not in names and all(_UNNAMED.fullmatch(name) for name in names):
        raise DataError(
            f"There is no column {target!r}, and the first line has no column names",
            f"the columns are {quoted(names, most=20)}",
            "Add a line with column names, or give one of these",
        )
    if target not in names:
        raise unknown_column(target, names)
    return target


def inferred_target(target: str | None, rows: Any, used: Sequence[object], classes: Sequence[Label]) -> str:
    """The target: as given, or else the only column that the model does not use and whose values are all classes of the
    model."""
    if target is not None:
        return target_of(target, rows)
    others = [name for name in rows.column_names if name not in set(used)]
    known = {str(c) for c in classes}
    cells = {name: {str(v) for v in rows.column(name).unique().to_pylist() if v is not None} for name in others}
    found = [name for name in others if cells[name] and cells[name] <= known]
    if len(found) != 1:
        raise ParameterError(
            f"{len(found)} columns may contain the classes ({quoted(list(map(str, classes)))})",
            f"one is needed; the columns are {quoted(rows.column_names, most=20)}",
            "Add --target COLUMN",
        )
    return str(found[0])


def labelled_rows(rows: Any, numbers: IntArray, target: str) -> tuple[Any, IntArray]:
    """The labelled rows and their row numbers; an error if there are none."""
    return labelled_only(rows, target), numbers[rows.column(target).is_valid().to_numpy()]


def no_labels_error(target: str | None) -> DataError:
    return DataError(f"Column {target!r} is missing in every row", "classes are needed")


def labelled_only(rows: Any, target: str) -> Any:
    """The labelled rows; an error if there are none."""
    kept = rows.filter(rows.column(target).is_valid())
    if not kept.num_rows:
        raise no_labels_error(target)
    return kept
