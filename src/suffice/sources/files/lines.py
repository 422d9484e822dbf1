"""Arrow tables as lines of text."""

from typing import Any

import pyarrow as pa
import pyarrow.csv as csv


def json_lines(table: Any) -> bytes:
    """One JSON object per row; dates in ISO 8601."""
    import json

    lines = (json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist())
    return "".join(f"{line}\n" for line in lines).encode()


def csv_lines(table: Any, *, header: bool) -> bytes:
    """CSV lines, comma-separated, text in quotes."""
    sink = pa.BufferOutputStream()
    csv.write_csv(table, sink, csv.WriteOptions(include_header=header, quoting_style="needed"))
    written: bytes = sink.getvalue().to_pybytes()
    return written
