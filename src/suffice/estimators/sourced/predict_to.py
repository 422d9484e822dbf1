"""Predictions for rows that need not fit into memory, written to a file as they are computed."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError, ParameterError, quoted
from suffice.estimators.sourced.source_predictor import prediction_columns
from suffice.sources import as_source
from suffice.sources.files.writing import write_tables
from suffice.sources.source import LocalSource


def predict_to(
    model: Any,
    source: Any,
    target: str | os.PathLike[str],
    *,
    keep: Sequence[str] | None = None,
    probabilities: bool = True,
) -> int:
    """Write predictions for all rows of ``source`` to a CSV, Parquet or JSON lines file; return the number of rows.

    The rows keep their order. ``keep`` names columns to copy, by default those that the model does not use, such as
    identifiers. They are followed by ``prediction`` and, unless ``probabilities`` is False, the probability of each class.
    The file is renamed into place once it is complete.

    Parameters
    ----------
    model : fitted classifier
        The classifier.
    source : str, path, table or source
        The rows, as ``predict`` takes them.
    target : str or path
        A file that ends in .csv, .parquet or .jsonl.
    keep : sequence of str or None, default=None
        Columns to copy; by default those that the model does not read.
    probabilities : bool, default=True
        Whether to write the probability of each class.

    Returns
    -------
    int
        The number of rows written.

    Examples
    --------
    >>> import os, tempfile
    >>> from suffice import BayesClassifier, predict_to
    >>> data = "select i as id, i % 7 as a, if(i % 7 > 3, 'high', 'low') as label from range(100) t(i)"
    >>> model = BayesClassifier().fit(f"select * exclude (id) from ({data})", "label")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = predict_to(model, data, os.path.join(folder, "answers.csv"), keep=["id"], probabilities=False)
    ...     print(rows, open(os.path.join(folder, "answers.csv")).read().split()[:3])
    100 ['"id","prediction"', '0,"low"', '1,"low"']
    """
    opened = as_source(source)
    if not isinstance(opened, LocalSource):
        raise ParameterError(
            f"The rows are a {type(source).__name__}",
            "cluster frames are written by the cluster",
            "Use model.predict(frame).write.parquet(…)",
        )
    return write_tables(_answers(model, opened, keep, probabilities), target)


def _answers(model: Any, source: LocalSource, keep: Sequence[str] | None, probabilities: bool) -> Iterator[Any]:
    columns = prediction_columns(model.classes_, "predict")
    if probabilities:
        columns += prediction_columns(model.classes_, "predict_proba")
    for table in source.batches():
        kept = _kept(model, table, keep)
        check_names([*kept.column_names, *(name for name, _ in columns)])
        answers: list[Any] = [model.predict(table)]
        if probabilities:
            answers += list(np.ascontiguousarray(model.predict_proba(table).T))
        arrays = [
            *kept.columns,
            *(pa.array(answer.tolist() if answer.dtype == object else answer) for answer in answers),
        ]
        yield pa.table(arrays, names=[*kept.column_names, *(name for name, _ in columns)])


def _kept(model: Any, table: ArrowTable, keep: Sequence[str] | None) -> Any:
    if keep is None:
        used = set(getattr(model, "feature_names_in_", ()))
        return table.table.select([name for name in table.table.column_names if name not in used])
    absent = [name for name in keep if name not in table.names]
    if absent:
        raise DataError(
            f"There is no column {quoted(absent)} to keep", f"the columns are {quoted(list(table.names), most=10)}"
        )
    return table.table.select(list(keep))
