"""Tables on standard output."""

import sys
from collections.abc import Iterable
from typing import Any


def print_tables(tables: Iterable[Any], as_json: bool) -> None:
    """Print tables as CSV or JSON lines, each batch of rows as soon as it is computed."""
    from suffice.sources.files.lines import csv_lines, json_lines

    header = True
    for table in tables:
        sys.stdout.buffer.write(json_lines(table) if as_json else csv_lines(table, header=header))
        sys.stdout.buffer.flush()
        header = False
