"""CSV files: what separates the cells and what the columns are is found out, and lines that do not fit are named."""

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from suffice.columns.arrow_table import ArrowTable
from suffice.columns.table import check_names
from suffice.errors import DataError
from suffice.sources.files.query import Query, literal, refusing

_MOST = 1000  # bad lines that are remembered
_SHOWN = 5
_LOOKED_AT = 20_480  # rows, as DuckDB does when it finds out what columns are
_NUMBERED = re.compile(r"(.*)_\d+")


class CommaSeparated(Query):
    """Lines with fewer or more cells than the header, or with cells of another type than the ones before, are collected.

    When the last line was read they are an error, or, with ``bad_lines="skip"``, a warning. They have not been handed out.
    """

    def __init__(self, paths: Sequence[str], name: str, bad_lines: str) -> None:
        super().__init__(f"from read_csv({literal(paths)}, store_rejects=true, rejects_limit={_MOST})", name)
        self._paths, self._skips = paths, bad_lines == "skip"

    def _relation(self, connection: Any) -> Any:
        """DuckDB takes yes and no, t and f, for true and false. They are names like any others, unless spelled so."""
        found = connection.sql(self._query)
        two = [name for name, kind in zip(found.columns, found.types, strict=True) if str(kind) == "BOOLEAN"]
        if not two:
            return found
        # no rejects of this look at the rows are remembered
        as_text = f"read_csv({literal(self._paths)}, ignore_errors=true, types={{{_varchar(two)}}})"
        seen = f"select {', '.join(map(_name, two))} from {as_text} limit {_LOOKED_AT}"
        spelled = ", ".join(f"bool_and(lower(trim({_name(n)})) in ('true', 'false'))" for n in two)
        fine = connection.sql(f"select {spelled} from ({seen})").fetchall()[0]
        names = [name for name, ok in zip(two, fine, strict=True) if ok is False]
        if not names:
            return found
        return connection.sql(f"{self._query.removesuffix(')')}, types={{{_varchar(names)}}})")

    def _walk(self) -> Iterator[ArrowTable]:
        with refusing(self.name):
            connection = self._connect()  # a new one: what was rejected is kept there
            relation = self._relation(connection)
            self._check_header(connection, relation.columns)
            yield from self._streamed(connection, relation)
            self._report(connection)

    def _check_header(self, connection: Any, columns: Sequence[str]) -> None:
        """DuckDB makes a second ``age`` an ``age_1``; where that may have happened, look at the header itself."""
        if not any((stem := _NUMBERED.fullmatch(name)) and stem[1] in columns for name in columns):
            return
        first = literal(self._paths[0])
        separator, quote, skipped = connection.sql(
            f"select Delimiter, Quote, SkipRows from sniff_csv({first}, ignore_errors=true)"
        ).fetchall()[0]
        quoting = "" if quote == "(empty)" else f", quote={literal(quote)}"
        header = connection.sql(
            f"from read_csv({first}, delim={literal(separator)}{quoting}, skip={skipped}, header=false, "
            "all_varchar=true, ignore_errors=true) limit 1"
        ).fetchall()[0]
        check_names([name for name in header if name is not None])

    def _report(self, connection: Any) -> None:
        bad = connection.sql(
            "select file_path, line, csv_line, error_message from reject_errors join reject_scans using (scan_id, file_id)"
            " order by file_path, line"
        ).fetchall()
        if not bad:
            return
        several = len(self._paths) > 1
        shown = "; ".join(
            f"line {line:,}{f' of {path!r}' if several else ''} is {text.strip()[:80]!r} ({_first_line(problem)})"
            for path, line, text, problem in bad[:_SHOWN]
        )
        count = f"{len(bad):,}{' or more' if len(bad) >= _MOST else ''} line{'s' if len(bad) > 1 else ''}"
        found = f"{self.name} has {count} unlike the others: {shown}{' …' if len(bad) > _SHOWN else ''}"
        if self._skips:
            warnings.warn(f"{found}. They were skipped.", UserWarning, stacklevel=2)
            return
        raise DataError(
            found,
            "every line must have the same columns, and a column cells of one type",
            "Mend them, or leave them out: suffice.rows(path, bad_lines='skip')",
        )


def _name(column: str) -> str:
    return '"{}"'.format(column.replace('"', '""'))


def _varchar(columns: Sequence[str]) -> str:
    """The types of some columns, as ``read_csv`` takes them."""
    return ", ".join(f"{_name(column)}: 'VARCHAR'" for column in columns)


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0].rstrip(".")
