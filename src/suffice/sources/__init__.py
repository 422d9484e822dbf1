"""Where rows come from."""

from suffice.sources.memory import open_table

__all__ = ["open_table"]
