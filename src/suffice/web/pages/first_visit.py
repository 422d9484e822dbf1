"""Help for an empty service: an example request that runs unchanged."""

import json
import shlex
from typing import Any

from suffice.web.columns import Columns, JsonColumn


def example_request(columns: Columns, address: str, *, is_open: bool) -> str:
    """A shell command that submits a case."""
    row = {column.key: _example(column) for column in columns.columns}
    body = json.dumps({"cases": [{"id": "case-1", "row": row}]}, ensure_ascii=False, indent=1)
    lines = [f"curl {shlex.quote(f'{address}/v1/cases')}", "-H 'Content-Type: application/json'"]
    if not is_open:
        lines.append('-H "Authorization: Bearer $SUFFICE_TOKEN_LABEL"')
    return " \\\n  ".join([*lines, f"-d {shlex.quote(body)}"])


def _example(column: JsonColumn) -> Any:
    if column.kind == "text":
        return "the text of the case"
    if column.kind == "boolean":
        return True
    return column.levels[0] if column.levels else 1.5
