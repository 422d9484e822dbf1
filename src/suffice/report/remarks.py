"""Remarks on data quality: constants, repeated rows, near-identifiers, labels of similar spelling."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import is_string
from suffice.columns.kinds import Kind
from suffice.errors import quoted
from suffice.report.subject import Subject

_NEARLY = 0.95  # share of distinct cells
_FEWEST_ROWS = 20


def remarks(subject: Subject) -> list[str]:
    """Remarks as sentences; most tables have none."""
    found = [_constants(subject), _repeated(subject), _nearly_unique(subject), _labels(subject)]
    return [sentence for sentence in found if sentence]


def _distinct(cells: Any) -> int:
    return int(
        pc.count_distinct(cells.cast(pa.large_string()) if pa.types.is_string_view(cells.type) else cells).as_py()
    )


def _constants(subject: Subject) -> str:
    rows = subject.features
    names = [n for n in subject.names if not rows[n].null_count and _distinct(rows[n]) == 1 and rows.num_rows > 1]
    if not names:
        return ""
    return f"{f'Columns {quoted(names)} are' if len(names) > 1 else f'Column {names[0]!r} is'} the same in every row."


def _repeated(subject: Subject) -> str:
    rows = subject.rows.select([*subject.names, subject.target])
    if any(pa.types.is_nested(kind) for kind in rows.schema.types):
        return ""
    distinct = rows.group_by(rows.column_names, use_threads=False).aggregate([]).num_rows
    sample = "" if subject.total == rows.num_rows else f" of a sample of {rows.num_rows:,}"
    more = rows.num_rows - distinct
    repeat = f"{more:,} rows{sample} repeat" if more > 1 else f"1 row{sample} repeats"
    return f"{repeat} another row in every column, the target included." if more else ""


def _nearly_unique(subject: Subject) -> str:
    rows = subject.features
    names = []
    for name in subject.names:
        cells = rows[name].drop_null()
        if (
            subject.kinds[name] is Kind.CATEGORY
            and len(cells) >= _FEWEST_ROWS
            and _distinct(cells) >= _NEARLY * len(cells)
        ):
            names.append(name)
    return f"Column {quoted(names)} nearly names the row: --drop it if it is an identifier." if names else ""


def _labels(subject: Subject) -> str:
    cells = subject.rows[subject.target]
    if not is_string(cells.type):
        return ""
    alike: dict[str, list[str]] = {}
    for label in pc.unique(cells).drop_null().to_pylist():
        alike.setdefault(" ".join(label.casefold().split()), []).append(label)
    twins = [f"{quoted(labels)}" for labels in alike.values() if len(labels) > 1]
    if not twins:
        return ""
    column = '"{}"'.format(subject.target.replace('"', '""'))
    return (
        f"Classes that differ by case or blanks alone are kept apart: {'; '.join(twins[:5])}. To join them, train on the "
        f"query: select * replace (lower(trim({column})) as {column}) from '{subject.source}'"
    )
