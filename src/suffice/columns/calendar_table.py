"""Calendar features: month, weekday and hour of a date, as columns of levels beside the date itself."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from suffice.columns.blocks import NO_COLUMN, Levels, Numbers, Objects
from suffice.columns.documents import Documents
from suffice.columns.kinds import Kind, Level, Name
from suffice.columns.level_codes import KnownLevels
from suffice.columns.table import Table
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEVELS_OF_PART: dict[str, tuple[Level, ...]] = {
    "month": tuple(range(1, 13)),
    "weekday": _WEEKDAYS,
    "hour": tuple(range(24)),
}
_SPLIT_KINDS = (Kind.DATE, Kind.TIMESTAMP)  # both get the same columns: days in a file may be midnights in a frame
_DAY_ROUNDING = 1e-9  # days


def calendar_names(name: Name, kind: Kind) -> list[str]:
    """The names of the columns derived from a date; none for a column of another kind.

    >>> calendar_names("bought", Kind.DATE)
    ['bought (month)', 'bought (weekday)', 'bought (hour)']
    """
    return [_named(name, part) for part in _LEVELS_OF_PART] if kind in _SPLIT_KINDS else []


def _named(name: Name, part: str) -> str:
    return f"{name} ({part})"


def derived_columns(derived: Iterable[Name], names: Sequence[Name]) -> dict[Name, tuple[Name, str]]:
    """The date column, one of ``names``, and the part of the date for each derived column; other columns are skipped.

    >>> derived_columns(["bought (hour)", "sold (hour)"], ["bought", "price"])
    {'bought (hour)': ('bought', 'hour')}
    """
    wanted = set(derived)
    every = {_named(name, part): (name, part) for name in names for part in _LEVELS_OF_PART} if wanted else {}
    return {name: every[name] for name in every if name in wanted}


class CalendarTable(Table):
    """``table`` with columns derived from its dates, which are days since 1970, in UTC if they have a time zone."""

    def __init__(self, table: Table, dates: Mapping[Name, tuple[Name, str]]) -> None:
        self.table, self._dates = table, dates
        self.rows, self.names = table.rows, table.names

    @property
    def kinds(self) -> Sequence[Kind]:  # type: ignore[override]
        return self.table.kinds

    def levels(self, names: Sequence[Name], known: KnownLevels | None, threads: int) -> Levels:
        if not all(name in self._dates for name in names):
            return self.table.levels(names, known, threads)
        codes = np.empty((self.rows, len(names)), dtype=np.int64)
        for j, (date, part) in enumerate(self._dates[name] for name in names):
            found = self.table.numbers([date])
            codes[:, j] = (
                NO_COLUMN if date in found.absent else _level_codes(found.dense[:, 0].astype(np.float64), part)
            )
        levels = tuple(_LEVELS_OF_PART[self._dates[name][1]] for name in names)
        return Levels(names, codes, np.zeros(len(names), np.int64), levels)

    def numbers(self, names: Sequence[Name]) -> Numbers:
        return self.table.numbers(names)

    def objects(self, name: Name) -> Objects:
        return self.table.objects(name)

    def documents(self, name: Name) -> Documents:
        return self.table.documents(name)

    def slice(self, start: int, stop: int) -> "CalendarTable":
        return CalendarTable(self.table.slice(start, stop), self._dates)

    def only(self, names: Sequence[Name]) -> Table:
        return self.table.only(names)

    def renamed(self, names: Sequence[Name]) -> Table:
        return self.table.renamed(names)

    def column(self, name: Name) -> object:
        return self.table.column(name)

    def copies(self, names: Sequence[Name], takes_sparse: bool) -> bool:
        return self.table.copies(names, takes_sparse)


def _level_codes(days: FloatArray, part: str) -> CodeArray:
    """The level code of each date; −1 if it is missing.

    >>> _level_codes(np.array([0.0, 59.5, np.nan]), "month").tolist(), _level_codes(np.array([0.0, 59.5]), "hour").tolist()
    ([0, 2, -1], [0, 12])
    """
    valid = np.isfinite(days) & (np.abs(days) < np.iinfo(np.int32).max)
    days_rounded = np.where(valid, days, 0.0) + _DAY_ROUNDING
    day = np.floor(days_rounded)
    if part == "hour":
        code: AnyArray = np.floor(24 * (days_rounded - day)).astype(np.int32)
    elif part == "weekday":
        code = (day.astype(np.int64) + 3) % 7  # 1970 began on a Thursday
    else:
        code = day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % 12
    return np.where(valid, code, -1).astype(np.int32)
