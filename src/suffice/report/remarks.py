"""Remarks on data quality: constants, repeated rows, near-identifiers, labels of similar spelling."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from suffice.columns.arrow_table import is_string
from suffice.columns.kinds import Kind
from suffice.columns.schema import CellFormat, DateFormat, NumberFormat
from suffice.errors import quoted
from suffice.report.subject import Subject

_NEARLY_UNIQUE = 0.95  # share of distinct cells
_READ_BY_DUCKDB = (".csv", ".tsv", ".csv.gz", ".parquet", ".jsonl")
_MIN_ROWS = 20


def remarks(subject: Subject) -> list[str]:
    """Remarks as sentences; most tables have none."""
    found = [_constants(subject), _repeated(subject), _nearly_unique(subject), _labels(subject)]
    return [sentence for sentence in found if sentence]


def _distinct(cells: Any) -> int:
    return int(
        pc.count_distinct(cells.cast(pa.large_string()) if pa.types.is_string_view(cells.type) else cells).as_py()
    )


def _sampled(subject: Subject) -> str:
    return f" of a sample of {subject.rows.num_rows:,}" if subject.is_sample else ""


def _constants(subject: Subject) -> str:
    rows = subject.features
    names = [n for n in subject.names if not rows[n].null_count and _distinct(rows[n]) == 1 and rows.num_rows > 1]
    if not names:
        return ""
    named = f"Columns {quoted(names)} are" if len(names) > 1 else f"Column {names[0]!r} is"
    return f"{named} constant in all rows{_sampled(subject)}."


def _repeated(subject: Subject) -> str:
    rows = subject.rows.select([*subject.names, subject.target])
    if any(pa.types.is_nested(kind) for kind in rows.schema.types):
        return ""
    distinct = rows.group_by(rows.column_names, use_threads=False).aggregate([]).num_rows
    sample = _sampled(subject)
    more = rows.num_rows - distinct
    repeat = f"{more:,} rows{sample} repeat" if more > 1 else f"1 row{sample} repeats"
    used = " that is used" if len(subject.rows.column_names) > rows.num_columns else ""
    return f"{repeat} another row in every column{used}, the target included." if more else ""


def _nearly_unique(subject: Subject) -> str:
    rows = subject.features
    names = []
    for name in subject.names:
        cells = rows[name].drop_null()
        if (
            subject.kinds[name] is Kind.CATEGORY
            and len(cells) >= _MIN_ROWS
            and _distinct(cells) >= _NEARLY_UNIQUE * len(cells)
        ):
            names.append(name)
    return f"Column {quoted(names)} is nearly unique: --drop it if it is an identifier." if names else ""


def _labels(subject: Subject) -> str:
    cells = subject.rows[subject.target]
    if not is_string(cells.type):
        return ""
    spellings: dict[str, list[str]] = {}
    for label in pc.unique(cells).drop_null().to_pylist():
        spellings.setdefault(" ".join(label.casefold().split()), []).append(label)
    variants = [f"{quoted(labels)}" for labels in spellings.values() if len(labels) > 1]
    if not variants:
        return ""
    column = '"{}"'.format(subject.target.replace('"', '""'))
    apart = f"Classes that differ only by case or blanks are distinct: {'; '.join(variants[:5])}."
    if (rows := _query_source(subject)) is None:
        return f"{apart} To merge them, correct their spelling in the source."
    return (
        f"{apart} To merge them, train on the query: select * replace (lower(trim({column})) as {column}) from {rows}"
    )


def _query_source(subject: Subject) -> str | None:
    """The source as written in a query; None if a query would read its cells differently."""
    schema, source = subject.schema, subject.source
    if source.lower().startswith(("select ", "from ", "with ")):
        return f"({source})"
    plain = schema is None or all(form == NumberFormat() for form in schema.columns.values() if _is_spelled(form))
    utf_8 = schema is None or not any(remark.startswith("text in the encoding") for remark in schema.remarks)
    if not (plain and utf_8 and source.lower().endswith(_READ_BY_DUCKDB)):
        return None
    return "'{}'".format(source.replace("'", "''")) if Path(source).is_file() else None


def _is_spelled(form: CellFormat) -> bool:
    return isinstance(form, (NumberFormat, DateFormat)) and form != DateFormat("ymd")
