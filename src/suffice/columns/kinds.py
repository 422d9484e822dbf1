"""Kinds of columns, which determine the default family and its input."""

import enum
from collections.abc import Hashable
from typing import TypeAlias

Name: TypeAlias = Hashable
"""The name of a column: its name in a frame, its position in an array."""

Level: TypeAlias = Hashable
"""A value of a categorical column."""


class Kind(enum.StrEnum):
    """The kind of the cells of a column."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    DURATION = "duration"  # or a time of the day
    CATEGORY = "category"
    TEXT = "text"  # sentences rather than categories
    COUNT = "count"  # a column of a sparse matrix
    SEQUENCE = "sequence"
    EMPTY = "empty"  # missing cells only, of an uninformative type


DATES = (Kind.DATE, Kind.TIMESTAMP, Kind.DURATION)
"""The kinds that are read as numbers of days."""
