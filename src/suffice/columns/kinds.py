"""The kinds a column can be of. They decide what a family is offered, and which family is taken when none is named."""

import enum
from collections.abc import Hashable
from typing import TypeAlias

Name: TypeAlias = Hashable
"""What a column is called: its name in a frame, its position in an array."""

Level: TypeAlias = Hashable
"""What a value of a categorical column is called."""


class Kind(enum.StrEnum):
    """What the cells of a column are."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    DURATION = "duration"  # or a time of the day
    CATEGORY = "category"
    TEXT = "text"  # sentences, rather than one of a few names
    COUNT = "count"  # a column of a sparse matrix
    SEQUENCE = "sequence"
    EMPTY = "empty"  # nothing but missing cells, and a type that does not say more


DATES = (Kind.DATE, Kind.TIMESTAMP, Kind.DURATION)
"""The kinds that are numbers of days."""
