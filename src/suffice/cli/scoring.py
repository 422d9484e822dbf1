"""Predictions of the model in a file, without imports of modules for training."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from suffice.cli.alignment import aligned, check_columns, has_numbers
from suffice.cli.columns import unknown_column
from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Name
from suffice.columns.schema import Schema
from suffice.errors import DataError, ModelFileError, ParameterError
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.numerics.threads import thread_count
from suffice.persist import load_model
from suffice.posterior import log_posterior, posterior

if TYPE_CHECKING:
    from suffice.cli.decisions import Decider
    from suffice.cli.drift import DriftMonitor

PREDICTION = "prediction"


class Scorer:
    """p(class | row) of the model in a file."""

    def __init__(self, model: Model | None, estimator: Any = None) -> None:
        self._model, self._estimator = model, estimator
        if model is None:
            self.classes: list[Any] = estimator.classes_.tolist()
            self.columns: Sequence[Name] = list(getattr(estimator, "feature_names_in_", ()))
        else:
            self.classes, self.columns = list(model.classes), model.names

    @classmethod
    def of(cls, path: str) -> "Scorer":
        """Load from a file; scikit-learn is imported only for drop-ins and for models without class statistics."""
        try:
            return cls(load_model(path))
        except ModelFileError:
            return cls(None, _loaded(path))

    @property
    def schema(self) -> Schema | None:
        """The schema of the training files, if the model was trained on files."""
        found: Schema | None = getattr(self._estimator, "schema_", None) if self._model is None else self._model.schema
        return found

    @property
    def learned(self) -> list[float] | None:
        """The weight of the training rows of each class; None without class statistics."""
        return None if self._model is None else self._model.tally.weight.tolist()

    @property
    def model(self) -> Model | None:
        """The model, if the file has class statistics."""
        return self._model

    @property
    def trained_prior(self) -> FloatArray | None:
        """The class prior of the posteriors, if it is known."""
        if self._model is not None:
            return np.exp(self._model.log_prior)
        if hasattr(self._estimator, "model_"):
            return np.asarray(np.exp(self._estimator.model_.log_prior))
        known: FloatArray | None = getattr(self._estimator, "class_prior_", None)
        return known

    def can_score(self, table: ArrowTable) -> bool:
        """Whether the model can score these rows without conversion."""
        if self._model is None or not set(self._model.names) <= set(table.names):
            return False
        return has_numbers(aligned(table, self._model), self._model)

    def posterior(self, table: ArrowTable) -> FloatArray:
        """p(class | row), (rows, classes)."""
        if self._model is None:
            return np.asarray(self._estimator.predict_proba(table.table))
        return self._scored(table, self._model, posterior)

    def log_posterior(self, table: ArrowTable) -> FloatArray:
        """log p(class | row), (rows, classes)."""
        if self._model is None:
            return np.asarray(self._estimator.predict_log_proba(table.table))
        return self._scored(table, self._model, log_posterior)

    def _scored(self, table: ArrowTable, model: Model, finish: Callable[..., object]) -> FloatArray:
        if model.is_empty:
            raise DataError("The model has forgotten all its rows", "it needs rows to predict from")
        check_columns(model, table)
        out = np.empty((table.rows, len(self.classes)))
        threads = thread_count(None)
        for _, joint in model.log_joints(aligned(table, model), out, threads, odds=True):
            finish(joint, model.log_prior, threads)
        return out

    def joint(self, table: ArrowTable) -> FloatArray:
        """p(row, class), (rows, classes); an error for models other than textbook models."""
        if self._model is None or self._model.fits_weights:
            raise ParameterError(
                "--joint is given, but the model has no class-conditional densities",
                "only a textbook model has p(row, class)",
                "Train it with --model naive",
            )
        check_columns(self._model, table)
        return np.exp(self._model.log_joint(aligned(table, self._model)))

    def predictions(
        self,
        tables: Iterable[ArrowTable],
        keep: Sequence[str] | None,
        probabilities: bool,
        *,
        decider: "Decider | None" = None,
        joint: bool = False,
        lists: bool = False,
        monitor: "DriftMonitor | None" = None,
    ) -> Iterator[Any]:
        """Predictions as Arrow tables: the columns to keep, the prediction, and the probability of each class.

        Sets are lists or, for formats without lists, text with vertical bars between the classes.
        """
        for table in tables:
            kept = self._kept_columns(table, keep)
            p = self.posterior(table)
            if monitor is not None:
                monitor.add(table, p)
            columns = dict(zip(kept.column_names, kept.columns, strict=True))
            if decider is not None:
                p = decider.posterior(p)
            if decider is None or not decider.decides:
                columns[PREDICTION] = _labels_at(self.classes, p.argmax(axis=1).tolist())
            else:
                decision = decider.decision(p)
                columns[PREDICTION] = _labels_at([*decision.names.tolist(), None], decision.index.tolist())
                columns["rejected"], columns["risk"] = pa.array(decision.rejected.tolist()), _doubles(decision.risk)
            if decider is not None and decider.sets is not None:
                sets = [[str(label) for label in one] for one in decider.sets.labels(p)]
                columns["set"] = pa.array(sets, pa.list_(pa.string())) if lists else pa.array(map("|".join, sets))
            if probabilities:
                columns |= self._by_class("probability", p)
            if joint:
                columns |= self._by_class("joint", self.joint(table))
            yield pa.table(list(columns.values()), names=list(columns))

    def _by_class(self, what: str, values: FloatArray) -> dict[str, Any]:
        return {f"{what}_{label}": _doubles(values[:, c]) for c, label in enumerate(self.classes)}

    def _kept_columns(self, table: ArrowTable, keep: Sequence[str] | None) -> Any:
        if keep is None:
            used = set(self.columns)
            return table.table.select([name for name in table.table.column_names if name not in used])
        for name in keep:
            if name not in table.names:
                raise unknown_column(name, table.names, f"There is no column {name!r} to keep")
        return table.table.select(list(keep))


def _labels_at(labels: Sequence[Any], places: Sequence[int]) -> Any:
    """The labels at some positions, as text if they are of several types."""
    try:
        named = pa.array(labels)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        named = pa.array([None if label is None else str(label) for label in labels])
    known = named.to_pylist()
    return pa.array([known[i] for i in places], named.type)


def _doubles(column: FloatArray) -> Any:
    """The column as an Arrow array. (``pa.array`` would import numpy's masked arrays to check for them.)"""
    cells = np.ascontiguousarray(column)
    return pa.Array.from_buffers(pa.float64(), len(cells), [None, pa.py_buffer(cells)])


def _loaded(path: str) -> Any:
    from suffice.estimators.model_file import load

    return load(path)
