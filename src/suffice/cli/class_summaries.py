"""Short summaries of a column in each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.errors import SufficeError
from suffice.explain import Marginals, class_words
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.model.drift import date_columns
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.tables import grid_edge
from suffice.sources import open_table
from suffice.statistics import Counts, GridCounts, TextCounts

_LEVELS, _WORDS = 3, 5
_MIN_SHARE = 0.005  # smaller shares round to 0%
_LEVEL_CHARACTERS = 24


def class_summaries(model: Model, block: Block, statistic: Any, j: int) -> list[str]:
    """A short text for one column of a block in each class; empty if its statistic has no short summary."""
    if isinstance(statistic, GridCounts):
        return _on_grid(*statistic.columns()[j], statistic.bits[j], is_date=block.columns[j] in date_columns(model))
    if isinstance(statistic, TextCounts):
        return [" ".join(_short(w.word) for w in words) for words in class_words(statistic.views[0], _WORDS)]
    mean, weight = getattr(statistic, "mean", None), getattr(statistic, "weight", None)
    if mean is not None and weight is not None and block.reads == "numbers":
        return [
            _plain(m, 4) if s is None else f"{_plain(m, 4)} ± {_plain(s, 3)}"
            for m, s in zip(mean[:, j].tolist(), _spread(statistic, j), strict=True)
        ]
    if block.reads == "levels" and block.columns[j] in model.calendar:
        return _counted(statistic, j) if isinstance(statistic, Counts) else []
    if block.reads == "levels":
        return _levels(model, block.columns[j], statistic.levels[j] if hasattr(statistic, "levels") else ())
    return []


def _on_grid(cells: IntArray, table: FloatArray, bits: int, *, is_date: bool) -> list[str]:
    """Mean and standard deviation, approximated by the midpoints of grid cells."""
    middle = (grid_edge(cells, bits) + grid_edge(cells + 1, bits)) / 2
    rows = table.sum(axis=1)
    share = table / np.maximum(rows, 1e-300)[:, None]
    mean = share @ middle
    spread = np.sqrt((share * (middle - mean[:, None]) ** 2).sum(axis=1))
    return [
        _mean(m, s, is_date=is_date) if n > 0 else ""
        for m, s, n in zip(mean.tolist(), spread.tolist(), rows, strict=True)
    ]


def _mean(mean: float, spread: float, *, is_date: bool) -> str:
    """A mean ± a standard deviation; dates are days since 1970."""
    if is_date:
        return f"{np.datetime64(int(np.floor(mean)), 'D')} ± {_plain(spread, 2)} days"
    return f"{_plain(mean, 3)} ± {_plain(spread, 2)}"


def _spread(statistic: Any, j: int) -> list[float | None]:
    m2, weight = getattr(statistic, "m2", None), statistic.weight
    if m2 is None or weight.ndim != 2:
        return [None] * len(weight)
    return [float(v) for v in np.sqrt(m2[:, j] / np.maximum(weight[:, j], 1.0))]


def _plain(value: float, digits: int) -> str:
    """A number without an exponent, unless it is very large or very small.

    >>> _plain(3703.4, 3), _plain(0.2461, 3), _plain(1e-311, 3), _plain(2.5e12, 3)
    ('3,700', '0.246', '0', '2.5e+12')
    """
    if abs(value) < 1e-300:  # the first cell of a grid
        return "0"
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}" if "e+" in text and abs(value) < 1e9 else text


def _levels(model: Model, name: Name, levels: Sequence[Level]) -> list[str]:
    """The most probable levels of each class."""
    known = list(levels)
    if not known:
        return []
    try:
        p = np.exp(Marginals(model.unweighted).log_density(open_table({name: known})))
    except SufficeError:
        return []
    return _most_frequent(known, p.T)


def _counted(statistic: Counts, j: int) -> list[str]:
    """The most frequent calendar features of a date."""
    table = statistic.columns()[j]
    return _most_frequent(statistic.levels[j], table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300))


def _most_frequent(levels: Sequence[Any], share: FloatArray) -> list[str]:
    best = np.argsort(-share, axis=1, kind="stable")[:, :_LEVELS].tolist()
    return [
        ", ".join(f"{_short(levels[i])} {one[i]:.0%}" for i in places if one[i] >= _MIN_SHARE)
        for one, places in zip(share, best, strict=True)
    ]


def _short(level: Level) -> str:
    text = str(level)
    return (
        repr(text) if not text.strip() else text if len(text) <= _LEVEL_CHARACTERS else f"{text[:_LEVEL_CHARACTERS]}…"
    )
