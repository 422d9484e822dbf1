"""Checks for columns that queries and exports cannot read."""

from collections.abc import Sequence

from suffice.columns.kinds import Name
from suffice.errors import SufficeError, quoted
from suffice.model.model import Model


def check_readable(model: Model, names: Sequence[Name], error: type[SufficeError]) -> None:
    """Refuse columns with names of equal spelling, and dates with derived calendar columns.

    ``names`` are the column names in rows.
    """
    spelled = [str(name) for name in names]
    if len(set(spelled)) < len(spelled):
        twice = [name for name in names if spelled.count(str(name)) > 1]
        raise error(
            f"Columns {quoted(twice)} are spelled alike", "in queries and exports names are text", "Rename them"
        )
    if model.calendar:
        date = next(iter(model.calendar.values()))[0]
        raise error(
            f"Column {date!r} is a date that the model splits into month, weekday and hour",
            "in queries and exports a date is a number of days",
            f"Name a family for it: families={{{date!r}: Histogram()}}",
        )
