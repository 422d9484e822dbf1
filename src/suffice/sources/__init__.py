"""Where rows come from."""

from suffice.sources.memory import is_plain, open_table

__all__ = ["is_plain", "open_table"]
