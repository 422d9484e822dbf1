"""Audit of labels: each label is scored by a model of the other rows."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from suffice.cli.folders import FILE
from suffice.cli.loaded_rows import is_folder, labelled_only, target_of
from suffice.errors import DataError
from suffice.estimators.bayes import BayesClassifier
from suffice.evaluate import suspects
from suffice.model import Weighing
from suffice.sources.source import LocalSource


class SuspectLine(msgspec.Struct, frozen=True, kw_only=True):
    """One row, counted from 1 in the order of the source; probabilities are those of a model without it."""

    row: int
    label: Any
    probability: float
    instead: Any
    """The most probable other label."""
    instead_probability: float
    file: str = ""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    target: str
    rows: int
    unlabelled: int
    disputed: int
    """Number of rows with a label more probable than their own."""
    suspects: list[SuspectLine]


def audit_labels(
    source: LocalSource,
    target: str | None,
    model: Weighing | None,
    most: int,
    drop: Sequence[str],
    name: str,
    show_step: Callable[[str], object],
) -> Audit:
    """Score the labels of a source, which is read into memory. Columns in ``drop`` are ignored."""
    import pyarrow as pa

    show_step("reading")
    batches = [table.table for table in source.batches()]
    if not batches:
        raise DataError("There are no rows", "at least two of different classes are needed")
    every = pa.concat_tables(batches, promote_options="permissive").drop_columns(list(drop))
    label = target_of(target, every)
    rows = labelled_only(every, label)
    place = np.flatnonzero(every.column(label).is_valid().to_numpy())
    files = rows.column(FILE) if is_folder(rows) else None
    show_step("leave-one-out")
    found = suspects(BayesClassifier(model=model), rows if files is None else rows.drop_columns([FILE]), label)
    lines = [
        SuspectLine(
            row=int(place[one.row]) + 1,
            label=one.label,
            probability=one.probability,
            instead=one.instead,
            instead_probability=one.instead_probability,
            file="" if files is None else str(files[one.row].as_py()),
        )
        for one in (found[i] for i in range(min(most, len(found))))
    ]
    return Audit(
        source=name,
        target=label,
        rows=rows.num_rows,
        unlabelled=every.num_rows - rows.num_rows,
        disputed=found.disputed,
        suspects=lines,
    )
