"""Sources of rows."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.sources.memory import open_few as open_few
    from suffice.sources.memory import open_table as open_table
    from suffice.sources.memory import plain_rows as plain_rows
    from suffice.sources.opening import as_source as as_source
    from suffice.sources.opening import open_source as open_source
    from suffice.sources.opening import read_as as read_as

_HOMES = {
    "as_source": "opening",
    "open_few": "memory",
    "open_source": "opening",
    "open_table": "memory",
    "plain_rows": "memory",
    "read_as": "opening",
}

if not TYPE_CHECKING:
    __all__ = list(_HOMES)
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
