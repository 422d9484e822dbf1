"""Answers from a model file, without what only learning needs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from suffice.cli.alignment import aligned, check_columns, has_numbers
from suffice.cli.columns import unknown_column
from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.errors import DataError, ModelFileError
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.numerics.threads import thread_count
from suffice.persist import load_model
from suffice.posterior import log_posterior, posterior

PREDICTION = "prediction"


class Scorer:
    """p(class | row) of the model in a file."""

    def __init__(self, path: str) -> None:
        try:
            self._model: Model | None = load_model(path)
        except ModelFileError:
            self._model = None  # a drop-in, or weights alone: scikit-learn comes with it
            self._estimator = _loaded(path)
            self.classes: list[Any] = self._estimator.classes_.tolist()
            self.columns: Sequence[Name] = list(getattr(self._estimator, "feature_names_in_", ()))
        else:
            self.classes, self.columns = list(self._model.classes), self._model.names

    @property
    def learned(self) -> list[float] | None:
        """How many rows of each class went into the model, if it knows."""
        return None if self._model is None else self._model.tally.weight.tolist()

    def takes(self, table: ArrowTable) -> bool:
        """Whether rows like these can be answered as they are."""
        if self._model is None or not set(self._model.names) <= set(table.names):
            return False
        return has_numbers(aligned(table, self._model), self._model)

    def posterior(self, table: ArrowTable) -> FloatArray:
        """p(class | row), (rows, classes)."""
        if self._model is None:
            return np.asarray(self._estimator.predict_proba(table.table))
        return self._finished(table, self._model, posterior)

    def log_posterior(self, table: ArrowTable) -> FloatArray:
        """log p(class | row), (rows, classes)."""
        if self._model is None:
            return np.asarray(self._estimator.predict_log_proba(table.table))
        return self._finished(table, self._model, log_posterior)

    def _finished(self, table: ArrowTable, model: Model, finish: Callable[..., object]) -> FloatArray:
        if model.is_empty:
            raise DataError("The model has forgotten all it learned", "it needs rows to answer from")
        check_columns(model, table)
        out = np.empty((table.rows, len(self.classes)))
        threads = thread_count(None)
        for _, joint in model.log_joints(aligned(table, model), out, threads, odds=True):
            finish(joint, model.log_prior, threads)
        return out

    def answers(self, tables: Iterable[ArrowTable], keep: Sequence[str] | None, probabilities: bool) -> Iterator[Any]:
        """Arrow tables with columns that go along, the prediction and the probability of each class."""
        labels = self._labels()
        named = labels.to_pylist()
        for table in tables:
            p = self.posterior(table)
            kept = self._kept(table, keep)
            best = pa.array([named[c] for c in p.argmax(axis=1).tolist()], labels.type)
            names, columns = [*kept.column_names, PREDICTION], [*kept.columns, best]
            if probabilities:
                names += [f"probability_{label}" for label in self.classes]
                columns += [_doubles(np.ascontiguousarray(p[:, c])) for c in range(len(self.classes))]
            yield pa.table(columns, names=names)

    def _labels(self) -> Any:
        try:
            return pa.array(self.classes)
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # of several types
            return pa.array([str(label) for label in self.classes])

    def _kept(self, table: ArrowTable, keep: Sequence[str] | None) -> Any:
        if keep is None:
            used = set(self.columns)
            return table.table.select([name for name in table.table.column_names if name not in used])
        for name in keep:
            if name not in table.names:
                raise unknown_column(name, table.names, f"There is no column {name!r} to keep")
        return table.table.select(list(keep))


def _doubles(cells: FloatArray) -> Any:
    """As Arrow has them. (``pa.array`` would load numpy's masked arrays first, to see whether this is one.)"""
    return pa.Array.from_buffers(pa.float64(), len(cells), [None, pa.py_buffer(cells)])


def _loaded(path: str) -> Any:
    from suffice.estimators.model_file import load

    return load(path)
