"""Predictions for the rows of a source."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from suffice.columns.inputs import TableLike
from suffice.columns.schema import Schema
from suffice.errors import ParameterError
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sources import open_source, read_with_schema
from suffice.sources.source import LocalSource

if TYPE_CHECKING:
    from suffice.columns.arrow_table import ArrowTable  # loads Arrow


class SparkFrame(Protocol):
    """A Spark DataFrame, as a structural type."""

    @property
    def mapInArrow(self) -> Any: ...


class DaskFrame(Protocol):
    """A Dask DataFrame, as a structural type."""

    @property
    def map_partitions(self) -> Any: ...


ClusterFrame: TypeAlias = SparkFrame | DaskFrame


class SourcePredictorMixin:
    """A classifier that predicts rows of files, queries, streams and clusters as well as rows in memory.

    Predictions for rows read by this process are arrays; those for a frame of a cluster are a frame with further
    columns.
    """

    classes_: AnyArray

    @overload
    def predict(self, X: ClusterFrame) -> Any: ...

    @overload
    def predict(self, X: TableLike) -> AnyArray: ...

    def predict(self, X: TableLike) -> Any:
        """The most probable class of each row; ties go to the first."""
        return self._predictions("predict", X)

    @overload
    def predict_proba(self, X: ClusterFrame) -> Any: ...

    @overload
    def predict_proba(self, X: TableLike) -> FloatArray: ...

    def predict_proba(self, X: TableLike) -> Any:
        """p(class | x), (rows, classes), in the order of ``classes_``."""
        return self._predictions("predict_proba", X)

    @overload
    def predict_log_proba(self, X: ClusterFrame) -> Any: ...

    @overload
    def predict_log_proba(self, X: TableLike) -> FloatArray: ...

    def predict_log_proba(self, X: TableLike) -> Any:
        """log p(class | x), (rows, classes)."""
        return self._predictions("predict_log_proba", X)

    @property
    def _schema(self) -> Schema | None:
        """The schema of the training files."""
        found: Schema | None = getattr(self, "schema_", None)
        return found

    def _of_batch(self, table: "ArrowTable") -> Any:
        """A batch of a source, in the form of rows in memory."""
        return table

    def _predictions(self, method: str, X: TableLike) -> Any:
        source = open_source(X)
        plain: Callable[[Any], AnyArray] = getattr(super(), method)
        if source is None:
            return plain(X)
        check_is_fitted(self)
        source = read_with_schema(source, self._schema)
        return source.map_rows(lambda table: plain(self._of_batch(table)), prediction_columns(self.classes_, method))


def in_parts(X: TableLike, what: str, schema: Schema | None) -> LocalSource | None:
    """The source to read in batches, with its text read by a schema; None for rows in memory."""
    source = open_source(X)
    if source is None:
        return None
    source = read_with_schema(source, schema)
    if not isinstance(source, LocalSource):
        raise ParameterError(
            f"{what} was given a {type(X).__name__}",
            "cluster frames are accepted by fit and predict only",
            "Pass a part of it in memory",
        )
    return source


def prediction_columns(classes: AnyArray, method: str) -> list[tuple[str, np.dtype[Any]]]:
    """The names and types of the columns of predictions.

    >>> prediction_columns(np.array(["ham", "spam"]), "predict_proba")
    [('probability_ham', dtype('float64')), ('probability_spam', dtype('float64'))]
    """
    if method == "predict":
        return [("prediction", classes.dtype)]
    name = "probability" if method == "predict_proba" else "log_probability"
    return [(f"{name}_{label}", np.dtype(np.float64)) for label in classes.tolist()]
