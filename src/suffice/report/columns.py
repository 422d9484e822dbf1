"""Kind and family of each column, the reason, and the goodness of fit."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow.compute as pc

from suffice.columns.kinds import DATES, Kind, Name
from suffice.errors import SufficeError
from suffice.explain import Marginals
from suffice.families.histogram import Histogram
from suffice.numerics.arrays import FloatArray
from suffice.report.profile import profile
from suffice.report.subject import Subject
from suffice.report.summary import ColumnPart, Fit, LeftOut
from suffice.sources import open_table

_GRID_POINTS = 400  # along a column
_MAX_LEVELS = 3
_MAX_SETTINGS_CHARACTERS = 120
MAX_FITS = 60
"""Maximum number of columns whose fit is measured; of more columns, the most important ones."""


def column_parts(subject: Subject, measured: Iterable[str]) -> list[ColumnPart]:
    """One part per column, in the order of the table; with the goodness of fit of the columns in ``measured``."""
    if not subject.has_densities:
        return [_weighed(subject, name) for name in subject.names]
    families = {str(name): block.family for block in subject.model.blocks for name in block.columns}
    closer = set(measured)
    return [
        ColumnPart(
            name=name,
            kind=str(subject.kinds[name]),
            family=type(families[name]).__name__,
            settings=str(families[name])[:_MAX_SETTINGS_CHARACTERS],
            why=_kind_reason(subject, name),
            missing=subject.features.column(name).null_count,
            fit=_fit(subject, name) if name in closer else None,
            profile=profile(subject, name) if name in closer else None,
        )
        for name in subject.names
    ]


def _weighed(subject: Subject, name: str) -> ColumnPart:
    """The part of a column of a model without families, such as logistic regression."""
    return ColumnPart(
        name=name,
        kind=str(subject.kinds[name]),
        family="",
        settings="",
        why=_kind_reason(subject, name),
        missing=subject.features.column(name).null_count,
    )


def _kind_reason(subject: Subject, name: str) -> str:
    column, kind = subject.features.column(name), subject.kinds[name]
    if kind is Kind.EMPTY:
        return "all cells missing"
    if kind is Kind.TEXT:
        words = pc.mean(pc.count_substring_regex(column.cast("string"), r"\S+")).as_py()
        return f"sentences, {words:.0f} words on average"
    if kind is Kind.SEQUENCE:
        return "lists"
    distinct = pc.count_distinct(column, mode="only_valid").as_py()
    if not distinct:
        return "all cells missing"
    if kind is Kind.CATEGORY:
        return f"{_count(distinct, 'name')}: {_most_frequent(column)}"
    if kind is Kind.BOOLEAN:
        return "yes or no"
    ends = pc.min_max(column).as_py()
    return f"{_count(distinct, 'different value')} from {short_number(ends['min'])} to {short_number(ends['max'])}"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _most_frequent(column: Any) -> str:
    values = pc.value_counts(column.drop_null())
    order = pc.sort_indices(values.field("counts"), sort_keys=[("", "descending")]).to_pylist()
    shown = ", ".join(_name(values[i]["values"].as_py()) for i in order[:_MAX_LEVELS])
    return f"{shown}, …" if len(order) > _MAX_LEVELS else shown


def _name(level: Any) -> str:
    """A level, truncated; blank levels are quoted."""
    return str(level)[:20] if str(level).strip() else repr(level)


def short_number(value: Any) -> str:
    """A number with four significant digits, or with all digits before the decimal point."""
    if not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def _fit(subject: Subject, name: str) -> Fit | None:
    """The largest distance between the assumed and the empirical distribution, over the classes."""
    try:
        found = (_level_distances if subject.kinds[name] is Kind.CATEGORY else _numeric_distances)(subject, name)
    except SufficeError:  # the family has no distribution for a column alone
        return None
    if found is None:
        return None
    worst = int(np.argmax(found))
    return Fit(distance=float(found[worst]), klass=subject.model.classes[worst])


def _numeric_distances(subject: Subject, name: Name) -> FloatArray | None:
    """The Kolmogorov–Smirnov distance in each class."""
    if subject.kinds[name] not in (Kind.NUMBER, *DATES, Kind.BOOLEAN):
        return None
    values = np.asarray(subject.table.numbers([name]).dense[:, 0], dtype=np.float64)
    known = values[np.isfinite(values)]
    points = np.unique(known)
    if len(points) < 2:
        return None
    binned = _is_binned(subject, name)
    discrete = binned or (len(points) <= 30 and bool((points == np.round(points)).all()))
    if discrete:
        density = _density(subject, name, points)
        if binned:  # the position within a bin is not modelled: it is that of the rows of all classes
            known_labels = subject.labels[np.isfinite(values)]
            share = np.array([(known_labels == label).mean() for label in subject.model.classes])
            density *= (np.unique_counts(known).counts / (density @ share))[:, None]
        mass = density / np.where(density.sum(axis=0) > 0, density.sum(axis=0), 1.0)
        upto = np.cumsum(mass, axis=0)
    else:
        room = 0.5 * float(np.ptp(points))
        points = np.unique(
            np.concatenate([np.linspace(points[0] - room, points[-1] + room, _GRID_POINTS), _quantiles(known)])
        )
        density = _density(subject, name, points)
        steps = np.diff(points)[:, None] * (density[1:] + density[:-1]) / 2
        total = steps.sum(axis=0)
        upto = np.vstack([np.zeros_like(total), np.cumsum(steps, axis=0)]) / np.where(total > 0, total, 1.0)
    off = np.zeros(len(subject.model.classes))
    for c, label in enumerate(subject.model.classes):
        of_class = np.sort(values[(subject.labels == label) & np.isfinite(values)])
        if len(of_class) >= 5:
            observed = np.searchsorted(of_class, points, side="right") / len(of_class)
            before = np.searchsorted(of_class, points, side="left") / len(of_class)
            gap = (
                np.abs(upto[:, c] - observed)
                if discrete
                else np.minimum(np.abs(upto[:, c] - observed), np.abs(upto[:, c] - before))
            )
            off[c] = gap.max()
    return off


def _is_binned(subject: Subject, name: Name) -> bool:
    return any(name in block.columns and isinstance(block.family, Histogram) for block in subject.model.blocks)


def _quantiles(values: FloatArray) -> FloatArray:
    return np.quantile(values, np.linspace(0, 1, _GRID_POINTS))


def _level_distances(subject: Subject, name: Name) -> FloatArray | None:
    """The total variation distance in each class."""
    found = subject.table.levels([name], None, 1)
    codes, levels = found.codes[:, 0], list(found.levels[0])
    if not levels:
        return None
    mass = np.exp(_counted(subject).log_density(open_table({name: levels})))
    off = np.zeros(len(subject.model.classes))
    for c, label in enumerate(subject.model.classes):
        of_class = codes[(subject.labels == label) & (codes >= 0)]
        if len(of_class) >= 5:
            observed = np.bincount(of_class, minlength=len(levels)) / len(of_class)
            off[c] = 0.5 * np.abs(mass[:, c] - observed).sum()
    return off


def _density(subject: Subject, name: Name, points: FloatArray) -> FloatArray:
    table = open_table(points[:, None]).renamed([name])
    return np.exp(_counted(subject).log_density(table))


def _counted(subject: Subject) -> Marginals:
    """The model without column weights, since weighted densities are no longer normalised."""
    return Marginals(subject.model.unweighted)


def left_out_parts(subject: Subject) -> list[LeftOut]:
    """Columns of the rows that the model does not use, each with the reason."""
    used = {*subject.names, subject.target}
    return [
        LeftOut(
            name=name,
            why=_reason_left_out(subject, name),
        )
        for name in subject.rows.column_names
        if name not in used
    ]


def _reason_left_out(subject: Subject, name: str) -> str:
    if name in subject.dropped:
        return "by --drop or --kind"
    return "identifies the row" if name in subject.identifiers else "not a column of the model"
