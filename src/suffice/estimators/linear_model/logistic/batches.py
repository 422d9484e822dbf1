"""Batches of rows, in memory or read once per step."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeAlias, TypeVar

import numpy as np

from suffice.columns.labels import Label, encode_labels
from suffice.errors import DataError, ParameterError
from suffice.estimators.linear_model.logistic.problem import Batch, Batches, InMemory
from suffice.numerics.arrays import AnyArray, AnyRows, CodeArray, FloatArray
from suffice.sources.source import Sum
from suffice.statistics import Scatter

T = TypeVar("T", bound=Sum)

Opened: TypeAlias = "tuple[AnyRows, AnyArray, FloatArray | None]"


@dataclass(frozen=True)
class Rows:
    """Batches with their totals: classes, class weights, and numbers of rows and columns; and the scatter of a sample,
    if it was computed in the same pass."""

    batches: Batches
    classes: tuple[Label, ...]
    label_dtype: Any
    totals: FloatArray
    count: int
    features: int
    single: bool
    scatter: Scatter | None = None


def in_memory(opened: Opened, threads: int) -> Rows:
    """One batch."""
    x, y, weight = opened
    labels = encode_labels(y, threads)
    return Rows(
        InMemory(Batch(x, labels.codes, weight)),
        labels.classes,
        y.dtype,
        labels.weights(weight, threads),
        x.shape[0],
        x.shape[1],
        single=x.dtype == np.float32,
    )


class Stream:
    """Batches from a repeatable source: an iterable that is not an iterator, or a function that returns one.

    ``opened`` validates a batch and returns its rows, labels and weights; its argument is whether the batch is the
    first one.
    """

    def __init__(self, source: Any, opened: Callable[[Any, bool], Opened], threads: int) -> None:
        if not callable(source) and (not isinstance(source, Iterable) or iter(source) is source):
            raise ParameterError(
                f"The batches are a {type(source).__name__}",
                "they are read once per step, so they must be an iterable that can start again",
                "Give a list, an object with __iter__, or a function that returns an iterator",
            )
        self._source, self._opened, self._threads = source, opened, threads
        self._place: dict[Label, int] = {}

    def _walk(self) -> Iterator[Any]:
        return iter(self._source() if callable(self._source) else self._source)

    def rows(self) -> Rows:
        """Read all batches once for classes, weights and sizes."""
        weights: dict[Label, float] = {}
        shapes, labelled, kinds = [], [], []
        for number, batch in enumerate(self._walk()):
            x, y, weight = self._opened(batch, number == 0)
            labels = encode_labels(y, self._threads)
            for label, total in zip(labels.classes, labels.weights(weight, self._threads), strict=True):
                weights[label] = weights.get(label, 0.0) + float(total)
            shapes.append(x.shape)
            labelled.append(y.dtype)
            kinds.append(x.dtype)
        if not shapes:
            raise DataError("There is no batch", "at least one with rows and labels is needed")
        classes = encode_labels(_array(list(weights), np.result_type(*labelled))).classes
        self._place = {label: i for i, label in enumerate(classes)}
        return Rows(
            self,
            classes,
            np.result_type(*labelled),
            np.array([weights[label] for label in classes]),
            sum(rows for rows, _ in shapes),
            shapes[0][1],
            single=all(kind == np.float32 for kind in kinds),
        )

    def total(self, parts: Callable[[Batch], Iterable[T]]) -> T:
        """The sum over all batches, from the first to the last."""
        return reduce(add, (part for batch in self._batches() for part in parts(batch)))

    def _batches(self) -> Iterator[Batch]:
        for batch in self._walk():
            x, y, weight = self._opened(batch, False)
            yield Batch(x, self._codes(y), weight)

    def _codes(self, y: AnyArray) -> CodeArray:
        labels = encode_labels(y, self._threads)
        unknown = [label for label in labels.classes if label not in self._place]
        if unknown:
            raise DataError(
                f"Label {unknown[0]!r} was not there on the first walk through the batches",
                "every pass must give the same rows",
            )
        return np.array([self._place[label] for label in labels.classes], dtype=np.int32)[labels.codes]


def _array(labels: list[Label], dtype: Any) -> AnyArray:
    out: AnyArray = np.empty(len(labels), dtype=dtype if dtype.kind in "iufb" else object)
    out[:] = labels
    return out
