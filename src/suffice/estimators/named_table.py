"""Checks of tables in memory with named columns, as for files."""

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.inputs import LabelsLike
from suffice.columns.kinds import Name
from suffice.columns.labels import Labels, plain_labels
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.missing import is_missing
from suffice.estimators.identifiers import numbers_as_text, split_identifiers, warn_left_out, warn_of_text
from suffice.estimators.label_column import label_copies, refuse_continuous, refuse_label_copies, refuse_missing
from suffice.numerics.arrays import AnyArray


def check_labels(y: LabelsLike, label: Name) -> None:
    """Refuse missing and continuous labels."""
    values = plain_labels(y)
    if values.ndim != 1:
        return  # rejected with the message for arrays
    refuse_missing(_missing(values), label, len(values), in_memory=True)
    if values.dtype.kind == "f" and (values != np.floor(values)).any():
        refuse_continuous(np.unique(values).tolist(), label, len(values), in_memory=True)


def _missing(values: AnyArray) -> int:
    if values.dtype.kind == "f":
        return int(np.count_nonzero(np.isnan(values)))
    if values.dtype != object:
        return 0
    each = values.tolist()
    try:
        some = any(map(is_missing, set(each)))
    except TypeError:  # unhashable values
        some = True
    return sum(map(is_missing, each)) if some else 0


def to_learn_from(
    table: ArrowTable | MatrixTable, labels: Labels, label: Name, named: frozenset[Name] | None
) -> tuple[ArrowTable | MatrixTable, tuple[Name, ...]]:
    """The table without identifiers, and their names, with a warning; refused if a column equals the label."""
    refuse_continuous(labels.classes, label, table.rows, in_memory=True)
    kept, out = split_identifiers(table, table.names, named)
    warn_left_out(out)
    warn_of_text(numbers_as_text(table, kept, out, named))
    refuse_label_copies(_copies(table, labels, frozenset(kept)), label, table.rows, in_memory=True)
    return (table.only(kept) if out else table), tuple(out)


def _copies(table: ArrowTable | MatrixTable, labels: Labels, names: frozenset[Name]) -> frozenset[Name]:
    try:
        own = pa.DictionaryArray.from_arrays(pa.array(labels.codes), pa.array(list(labels.classes)))
    except (pa.ArrowException, TypeError):  # labels of a type that Arrow lacks
        return frozenset()
    return label_copies(pa.chunked_array([own]), table, names)
