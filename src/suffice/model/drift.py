"""Drift of new rows from the learned rows: cells out of range, unseen levels, changed distributions.

New rows are counted by the statistics of the model, as one class, and the two statistics are compared; so rows may come
in batches. A change is reported if it is both significant and relevant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Name
from suffice.columns.labels import Labels
from suffice.columns.schema import DateFormat
from suffice.columns.table import Table
from suffice.families.reading import observed
from suffice.model.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.numerics.tables import grid_edge
from suffice.statistics import Counts, GridCounts, Statistic
from suffice.statistics.centred import Centred

_FALSE_ALARM_RATE = 1e-5  # per check and column
# smallest relevant changes
_MIN_RARE_SHARE, _MIN_SHARE_CHANGE, _MIN_DISTANCE, _MIN_SHIFT = 0.01, 0.05, 0.1, 0.25
_MAX_NAMED_LEVELS = 3  # unseen levels listed in a message


@dataclass(frozen=True)
class ColumnDrift:
    """The drift of one column. Fields are None where the model has no counts to compare."""

    name: Name
    missing: tuple[float, float]
    """Share of missing cells: learned, new."""
    outside: float | None = None
    """Share of new cells outside the range of the learned numbers."""
    unseen: float | None = None
    """Share of new cells with an unseen level."""
    distance: float | None = None
    """Distance of the distributions, from 0 to 1: Kolmogorov–Smirnov for numbers, total variation for levels."""
    shift: float | None = None
    """Shift of the mean, in standard deviations of the learned rows, if only moments were counted."""
    changes: tuple[str, ...] = ()
    """Descriptions of the significant changes."""


@dataclass(frozen=True)
class NewRowCounts:
    """Statistics of new rows, counted as one class; those of several batches add."""

    rows: int
    statistics: tuple[Statistic | None, ...]

    @classmethod
    def of(cls, model: Model, table: Table, threads: int = 1) -> "NewRowCounts":
        labels = Labels.of([0], np.zeros(table.rows, dtype=np.int32), threads)
        rows = model.with_columns(table)
        return cls(
            table.rows,
            tuple(
                observed(block, rows, labels, None, threads) if isinstance(known, _COMPARABLE) else None
                for block, known in zip(model.blocks, model.tally.statistics, strict=True)
            ),
        )

    def __add__(self, other: "NewRowCounts") -> "NewRowCounts":
        both = zip(self.statistics, other.statistics, strict=True)
        return replace(
            self,
            rows=self.rows + other.rows,
            statistics=tuple(None if a is None or b is None else a + b for a, b in both),
        )


_COMPARABLE = (GridCounts, Counts, Centred)


def drift(model: Model, X: TableLike) -> list[ColumnDrift]:
    """The drift of new rows from those a model has learned, by column; changed columns first.

    Ranges, levels and distributions are compared where the model has counted them: numbers in a ``Histogram`` and levels.
    Of columns whose moments are counted, as in ``Gaussian``, the mean is compared; of texts nothing is.

    Parameters
    ----------
    model : Model
        The fitted model, ``model_`` of an estimator.
    X : table or array-like
        The new rows.

    Returns
    -------
    list of ColumnDrift
        Changed columns first.

    Examples
    --------
    >>> from suffice import BayesClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 500)
    >>> model = BayesClassifier().fit({"size": rng.normal(y)}, y)
    >>> drift(model.model_, {"size": rng.normal(4.0, size=500)})[0].changes
    ('58% of the cells lie outside -2.97 to 3.75', 'the distribution moved by 0.93')
    """
    from suffice.sources import open_table  # imported late: scoring needs no frames

    return compared(model, NewRowCounts.of(model, open_table(X)))


def compared(model: Model, new: NewRowCounts) -> list[ColumnDrift]:
    """The drift of rows that were counted."""
    found: list[ColumnDrift] = []
    total = float(model.tally.weight.sum())
    for block, known, now in zip(model.blocks, model.tally.statistics, new.statistics, strict=True):
        if isinstance(known, GridCounts) and isinstance(now, GridCounts):
            found += _numbers(block.columns, known, now, total, new.rows, date_columns(model))
        elif isinstance(known, Counts) and isinstance(now, Counts):
            found += _levels(block.columns, known, now, total, new.rows)
        elif isinstance(known, Centred) and isinstance(now, Centred):
            found += _means(block.columns, known, now, total, new.rows)
    return sorted(found, key=lambda column: -len(column.changes))


def date_columns(model: Model) -> frozenset[Name]:
    """Columns of dates in files, which are numbers of days."""
    formats = {} if model.schema is None else model.schema.columns
    return frozenset(name for name, form in formats.items() if isinstance(form, DateFormat) and form.order != "clock")


def _spelled(value: float, *, is_date: bool) -> str:
    if is_date:
        return str(np.datetime64(int(np.floor(value)), "D"))
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _numbers(
    names: Sequence[Name], known: GridCounts, now: GridCounts, total: float, rows: int, dates: frozenset[Name]
) -> "list[ColumnDrift]":
    found = []
    bits, columns = known.on_common_grid(now)
    for name, (cells, before, after), fine in zip(names, columns, bits, strict=True):
        was, seen = before.sum(axis=0), after.sum(axis=0)
        n, m = float(was.sum()), float(seen.sum())
        missing, changes = _missing(n, m, total, rows)
        if not n or not m:
            found.append(ColumnDrift(name, missing, changes=changes))
            continue
        inside = np.flatnonzero(was)[[0, -1]]
        outside = float(seen[: inside[0]].sum() + seen[inside[1] + 1 :].sum()) / m
        distance = float(np.abs(np.cumsum(was) / n - np.cumsum(seen) / m).max())
        if outside >= _MIN_RARE_SHARE and _exceeds(outside, m, 2.0 / (n + 1.0)):
            low, high = grid_edge(cells[inside], fine)
            ends = " to ".join(_spelled(float(end), is_date=name in dates) for end in (low, high))
            changes += (f"{outside:.0%} of the cells lie outside {ends}",)
        noise = np.sqrt(np.log(2.0 / _FALSE_ALARM_RATE) / 2.0 * (1.0 / n + 1.0 / m))
        if distance > max(_MIN_DISTANCE, noise):
            changes += (f"the distribution moved by {distance:.2f}",)
        found.append(ColumnDrift(name, missing, outside=outside, distance=distance, changes=changes))
    return found


def _levels(names: Sequence[Name], known: Counts, now: Counts, total: float, rows: int) -> "list[ColumnDrift]":
    found = []
    old, new = known.columns(), now.columns()
    for name, levels, before, others, after in zip(names, known.levels, old, now.levels, new, strict=True):
        was = dict(zip(levels, before.sum(axis=0).tolist(), strict=True))
        seen = dict(zip(others, after.sum(axis=0).tolist(), strict=True))
        n, m = sum(was.values()), sum(seen.values())
        missing, changes = _missing(n, m, total, rows)
        if not n or not m:
            found.append(ColumnDrift(name, missing, changes=changes))
            continue
        strange = {level: weight for level, weight in seen.items() if level not in was}
        unseen = sum(strange.values()) / m
        once = (
            sum(weight for weight in was.values() if weight <= 1.0) / n
        )  # Good–Turing estimate of the share of unseen levels
        if unseen >= once + _MIN_RARE_SHARE and _exceeds(unseen, m, max(once, 1.0 / (n + 1.0))):
            most = sorted(strange, key=lambda level: -strange[level])[:_MAX_NAMED_LEVELS]
            changes += (f"{unseen:.0%} of the cells hold levels that were never learned, such as {_listed(most)}",)
        distance = 0.5 * sum(abs(was.get(v, 0.0) / n - seen.get(v, 0.0) / m) for v in {*was, *seen})
        each = 1.0 / n + 1.0 / m
        noise = 0.5 * np.sqrt(len({*was, *seen}) * each) + np.sqrt(np.log(1.0 / _FALSE_ALARM_RATE) / 2.0 * each)
        if distance > max(_MIN_DISTANCE, noise):
            changes += (f"the shares of its levels moved by {distance:.2f}",)
        found.append(ColumnDrift(name, missing, unseen=unseen, distance=distance, changes=changes))
    return found


def _means(names: Sequence[Name], known: Centred, now: Centred, total: float, rows: int) -> "list[ColumnDrift]":
    found = []
    (was, means, squares), (seen, new, _) = _by_column(known), _by_column(now)
    n, m = was.sum(axis=0), seen.sum(axis=0)
    mean = _over(was * means, n)
    spread = np.sqrt(_over(squares + was * (means - mean) ** 2, n))
    for j, name in enumerate(names):
        missing, changes = _missing(float(n[j]), float(m[j]), total, rows)
        if not n[j] or not m[j]:
            found.append(ColumnDrift(name, missing, changes=changes))
            continue
        shift = float(new[0, j] - mean[j]) / float(spread[j]) if spread[j] > 0 else 0.0
        noise = np.sqrt(2.0 * np.log(2.0 / _FALSE_ALARM_RATE) * (1.0 / n[j] + 1.0 / m[j]))
        if abs(shift) > max(_MIN_SHIFT, noise):
            changes += (f"the mean moved by {shift:+.2f} standard deviations",)
        found.append(ColumnDrift(name, missing, shift=shift, changes=changes))
    return found


def _by_column(known: Centred) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight, mean and sum of squares, (classes, columns), also from joint moments."""
    if known.m2.ndim == 2:
        return known.weight, known.mean, known.m2
    weight = np.broadcast_to(known.weight[:, None], known.mean.shape)
    return weight, known.mean, np.diagonal(known.m2, axis1=1, axis2=2)


def _over(sums: FloatArray, weight: FloatArray) -> FloatArray:
    return np.asarray(sums.sum(axis=0) / np.where(weight > 0, weight, 1.0))


def _missing(n: float, m: float, total: float, rows: int) -> tuple[tuple[float, float], tuple[str, ...]]:
    """Shares of missing cells, learned and new, and a description of the change."""
    was, now = max(0.0, 1.0 - n / total), max(0.0, 1.0 - m / rows)
    noise = np.sqrt(np.log(2.0 / _FALSE_ALARM_RATE) / 2.0 * (1.0 / total + 1.0 / rows))
    changed = abs(now - was) > max(_MIN_SHARE_CHANGE, noise)
    return (was, now), (f"{now:.0%} of the cells are missing, {was:.0%} of the learned ones",) if changed else ()


def _exceeds(share: float, m: float, expected: float) -> bool:
    """Whether a share of m cells is significantly larger than ``expected``, by the Chernoff bound of the binomial
    tail."""
    if share <= expected:
        return False
    other = (1.0 - share) * np.log((1.0 - share) / (1.0 - expected)) if share < 1.0 else 0.0
    return bool(m * (share * np.log(share / expected) + other) > -np.log(_FALSE_ALARM_RATE))


def _listed(levels: Sequence[Any]) -> str:
    return ", ".join(repr(level) for level in levels)
