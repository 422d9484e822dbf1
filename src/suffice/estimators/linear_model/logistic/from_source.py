"""Logistic regression over a source: batches are cached where the rows are, and only sums are returned."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.kinds import Kind
from suffice.columns.labels import Label
from suffice.errors import DataError, quoted
from suffice.estimators.identifiers import identifiers, kinds_follow_from_types, warn_left_out
from suffice.estimators.intake import no_weight, not_a_column, weight_values
from suffice.estimators.label_column import label_copies, label_dtype, labels_of, refuse_label_copies
from suffice.estimators.linear_model.logistic.batches import Rows
from suffice.estimators.linear_model.logistic.problem import Batch
from suffice.estimators.linear_model.logistic.start import sample_scatter
from suffice.estimators.sourced.learning import check_roles
from suffice.numerics.arrays import FloatArray
from suffice.sources.source import Cache, Source, Sum
from suffice.statistics import Scatter
from suffice.statistics.tally import union

T = TypeVar("T", bound=Sum)


@contextmanager
def rows_of(source: Source, label: Any, weight: Any, threads: int) -> Iterator[tuple[Rows, list[str]]]:
    """The batches of a source with their totals, and the names of their columns."""
    check_roles(label, weight)
    roles = _Roles(label, weight, source.threads(threads))
    names, left_out = roles.foreseen(source.empty_table()) or source.first(roles.features)
    warn_left_out(left_out)
    kept, seen = source.cache(lambda table: roles.block(table, names))
    try:
        refuse_label_copies(seen.label_copies, label, seen.count)
        if not seen.totals.any():
            raise no_weight()
        batches, features = _Batches(kept, seen.classes), len(names)
        scatter = seen.scatter
        yield Rows(batches, seen.classes, seen.label_dtype, seen.totals, seen.count, features, False, scatter), names
    finally:
        kept.release()


@dataclass(frozen=True)
class _Seen:
    """Totals of some rows."""

    classes: tuple[Label, ...]
    totals: FloatArray
    count: int
    label_dtype: Any
    label_copies: frozenset[Any]
    scatter: Scatter | None
    """The scatter of a sample, for the starting point, if columns are few."""

    def __add__(self, other: "_Seen") -> "_Seen":
        classes = union(self.classes, other.classes)
        a, b = self._among(classes), other._among(classes)
        return _Seen(
            classes,
            a.totals + b.totals,
            a.count + b.count,
            np.result_type(a.label_dtype, b.label_dtype),
            a.label_copies & b.label_copies,
            None if a.scatter is None or b.scatter is None else a.scatter + b.scatter,
        )

    def _among(self, classes: tuple[Label, ...]) -> "_Seen":
        """The totals reindexed to a superset of the classes."""
        if classes == self.classes:
            return self
        place = np.array([classes.index(c) for c in self.classes], dtype=np.int64)
        totals = np.zeros(len(classes))
        totals[place] = self.totals
        scatter = None if self.scatter is None else self.scatter.reindex_classes(place, len(classes))
        return replace(self, classes=classes, totals=totals, scatter=scatter)


@dataclass(frozen=True)
class _Roles:
    """Roles of the columns; sent to the workers."""

    label: str
    weight: str | None
    threads: int

    def foreseen(self, types: ArrowTable | None) -> tuple[list[str], list[Any]] | None:
        """The features, if they follow from types alone."""
        if types is None or self.label not in types.names:
            return None
        features = types.only([name for name in types.names if name not in (self.label, self.weight)])
        return self.features(types) if kinds_follow_from_types(features, frozenset()) else None

    def features(self, table: ArrowTable) -> tuple[list[str], list[Any]]:
        """The columns to learn from, and the identifiers among the others."""
        for name in (self.label, self.weight):
            if name is not None and name not in table.names:
                raise not_a_column(name, table.names)
        features = [str(name) for name in table.names if name not in (self.label, self.weight)]
        out = identifiers(table, features)
        kept = [name for name in features if name not in out]
        kinds = dict(zip(table.names, table.kinds, strict=True))
        others = [name for name in kept if kinds[name] not in (Kind.NUMBER, Kind.BOOLEAN)]
        if others or not kept:
            raise DataError(
                f"Column {quoted(others)} is not of numbers" if others else "There is no column besides the label",
                "LogisticRegression needs numbers",
                "Encode it or leave it out, or use BayesClassifier, which takes any column",
            )
        return kept, out

    def block(self, table: ArrowTable, names: list[str]) -> "tuple[_Block, _Seen]":
        x = np.ascontiguousarray(table.numbers(names).dense)
        wrong = np.count_nonzero(~np.isfinite(x), axis=0)
        if wrong.any():
            place = int(wrong.argmax())
            raise DataError(
                f"Column {names[place]!r} has {wrong[place]:,} cells that are missing or infinite in {table.rows:,} rows",
                "LogisticRegression needs numbers",
                "Fill them or leave those rows out, or use BayesClassifier, which goes without them",
            )
        labels, weight = labels_of(table, self.label, self.threads), self._weights(table)
        same = label_copies(table.cells(self.label), table, frozenset(names))
        totals = labels.weights(weight, self.threads)
        batch = Batch(x, labels.codes, weight)
        scatter = sample_scatter(batch, len(labels.classes), self.threads)
        seen = _Seen(labels.classes, totals, table.rows, label_dtype(table, self.label), same, scatter)
        return _Block(batch, labels.classes), seen

    def _weights(self, table: ArrowTable) -> FloatArray | None:
        if self.weight is None:
            return None
        return weight_values(np.ascontiguousarray(table.numbers([self.weight]).dense[:, 0]), table.rows)


@dataclass(frozen=True)
class _Block:
    """A batch with codes over its own classes, since the classes of all batches are not known yet."""

    batch: Batch
    classes: tuple[Label, ...]

    def within(self, classes: tuple[Label, ...]) -> Batch:
        own = self.classes
        unknown = [c for c in own if c not in classes]
        if unknown:
            raise DataError(f"Label {unknown[0]!r} is new", "every pass must give the same rows")
        place = np.array([classes.index(c) for c in own], dtype=np.int32)
        return self.batch if own == classes else replace(self.batch, y=place[self.batch.y])


@dataclass(frozen=True)
class _Batches:
    """Blocks, with the union of their classes."""

    kept: Cache[_Block]
    classes: tuple[Label, ...]

    def total(self, parts: Callable[[Batch], Iterable[T]]) -> T:
        classes = self.classes
        return self.kept.total(lambda block: parts(block.within(classes)))
