"""Every way in which rows may come, and how to look at answers that come back the same way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest


def _polars(frame: pd.DataFrame) -> Any:
    import polars as pl

    return pl.from_pandas(frame)


def _arrow(frame: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame, preserve_index=False)


def _csv(frame: pd.DataFrame, folder: Path) -> Path:
    path = folder / "rows.csv"
    frame.to_csv(path, index=False)
    return path


def _parquet(frame: pd.DataFrame, folder: Path) -> Path:
    path = folder / "rows.parquet"
    frame.to_parquet(path, index=False, row_group_size=50)
    return path


def _dask(frame: pd.DataFrame) -> Any:
    dd = pytest.importorskip("dask.dataframe")
    # the last one is without rows
    return dd.concat([dd.from_pandas(frame, npartitions=5), dd.from_pandas(frame.iloc[:0], npartitions=1)])


def _spark(frame: pd.DataFrame, spark: Any) -> Any:
    """As many partitions as cores, and one without rows."""
    table = spark.createDataFrame(_arrow(frame))
    return table.union(table.limit(0))


def _batches(frame: pd.DataFrame) -> list[pd.DataFrame]:
    return [frame.iloc[part] for part in np.array_split(np.arange(len(frame)), 4)]


BACKENDS: dict[str, Callable[[pd.DataFrame, Path, Callable[[], Any]], Any]] = {
    "pandas": lambda frame, folder, spark: frame,
    "polars": lambda frame, folder, spark: _polars(frame),
    "polars lazy": lambda frame, folder, spark: _polars(frame).lazy(),
    "arrow": lambda frame, folder, spark: _arrow(frame),
    "arrow reader": lambda frame, folder, spark: _arrow(frame).to_reader(max_chunksize=70),
    "arrow data set": lambda frame, folder, spark: ds.dataset(_parquet(frame, folder)),
    "batches": lambda frame, folder, spark: _batches(frame),
    "iterator": lambda frame, folder, spark: iter(_batches(frame)),
    "function": lambda frame, folder, spark: lambda: iter(_batches(frame)),
    "csv": lambda frame, folder, spark: _csv(frame, folder),
    "parquet": lambda frame, folder, spark: _parquet(frame, folder),
    "query": lambda frame, folder, spark: f"select * from '{_parquet(frame, folder)}'",
    "dask": lambda frame, folder, spark: _dask(frame),
    "spark": lambda frame, folder, spark: _spark(frame, spark()),
}

PARAMETERS = [
    pytest.param(name, marks=pytest.mark.xdist_group("spark")) if name == "spark" else name for name in BACKENDS
]


def collected(answers: Any) -> Any:
    """Answers as an array: those of clusters stand in the last columns of a frame."""
    if isinstance(answers, np.ndarray):
        return answers
    frame = answers.toArrow().to_pandas() if hasattr(answers, "toArrow") else answers.compute()
    names = [name for name in frame if name == "prediction" or name.startswith("probability_")]
    return frame[names[0]].to_numpy() if names == ["prediction"] else frame[names].to_numpy()
