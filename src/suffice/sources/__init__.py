"""Where rows come from."""

from suffice.sources.memory import is_plain, open_table, plain_rows

__all__ = ["is_plain", "open_table", "plain_rows"]
