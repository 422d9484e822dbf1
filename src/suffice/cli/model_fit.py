"""Fitting an estimator to loaded rows."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.cli.columns import unknown_column
from suffice.cli.loaded_rows import LoadedRows, labelled_only
from suffice.columns.arrow_table import ArrowTable
from suffice.columns.labels import encode_labels
from suffice.columns.schema import Declared
from suffice.errors import DataError
from suffice.estimators.designed import DesignMatrixClassifier
from suffice.estimators.named_table import check_labels, to_learn_from
from suffice.sources import open_table
from suffice.sources.batches import FrameBatches
from suffice.sources.source import LocalSource


def dropped_columns(
    names: str | None, declared: Declared, rows: Any, target: str, more: Sequence[str] = ()
) -> list[str]:
    """The columns to drop, by name or declared kind; an error if one does not exist."""
    wanted = [*(name for name in (names or "").split(",") if name), *declared.ignored, *more]
    for name in wanted:
        if name not in rows.column_names or name == target:
            raise unknown_column(name, [n for n in rows.column_names if n != target])
    return wanted


def fit_loaded(estimator: Any, found: LoadedRows, target: str, drop: list[str]) -> Any:
    """Fit to all rows of the source, even if only a sample of them is loaded."""
    dropped = set(drop) | ({"file"} - set(found.sample.column_names))
    full, labels = found.learnable, found.sample.column(target)
    source: LocalSource = FrameBatches(
        full.name, lambda: (_labelled(t.table, target, dropped) for t in full.batches()), schema=full.schema
    )
    if labels.null_count:
        sampled = "" if found.total == len(labels) else " sampled"
        warnings.warn(
            f"The class is missing in {labels.null_count:,} of {len(labels):,} rows{sampled}; they are not learned.",
            stacklevel=2,
        )
    classes = labels.unique().drop_null()
    if len(classes) < 2:
        raise DataError(
            f"Every row has the class {classes[0].as_py()!r}" if len(classes) else f"Column {target!r} is empty",
            "at least two classes are needed",
            "Give another column with --target",
        )
    if isinstance(estimator, DesignMatrixClassifier):
        return _in_memory(estimator, source, target)
    return estimator.fit(source, target)


def _in_memory(estimator: DesignMatrixClassifier, source: LocalSource, target: str) -> DesignMatrixClassifier:
    """Fit a design matrix to all rows at once, without identifiers."""
    rows = pa.concat_tables([table.table for table in source.batches()], promote_options="permissive")
    kept = labelled_only(rows, target)
    table = ArrowTable(kept.drop_columns([target]))
    labels = np.asarray(open_table(kept).column(target))
    check_labels(labels, target)
    known, _ = to_learn_from(table, encode_labels(labels), target, frozenset())
    return estimator.fit(kept.select([str(name) for name in known.names]), labels, source.schema)


def _labelled(table: Any, target: str, dropped: set[str]) -> Any:
    """The labelled rows, without some columns."""
    rows = table.filter(table.column(target).is_valid()) if table.column(target).null_count else table
    return rows.drop_columns([name for name in rows.column_names if name in dropped])
