"""Tables on standard output."""

import sys
from collections.abc import Iterable
from typing import Any


def print_tables(tables: Iterable[Any], as_json: bool) -> None:
    """As CSV or JSON lines, a run of rows as soon as it is there."""
    from suffice.sources.files.lines import csv_lines, json_lines

    header = True
    for table in tables:
        sys.stdout.buffer.write(json_lines(table) if as_json else csv_lines(table, header=header))
        sys.stdout.buffer.flush()
        header = False
