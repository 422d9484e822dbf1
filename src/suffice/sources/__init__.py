"""Where rows come from."""

from suffice.sources.memory import is_plain, open_table, plain_rows
from suffice.sources.opening import as_source, open_source

__all__ = ["as_source", "is_plain", "open_source", "open_table", "plain_rows"]
