"""The dialect of a CSV file, detected by DuckDB."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from suffice.columns.table import check_names
from suffice.sources.files.query import literal

_NUMBERED_NAME = re.compile(r"(.*)_\d+")


@dataclass(frozen=True)
class CsvDialect:
    """The separator, the quote, and the number of lines before the header."""

    delimiter: str
    quote: str
    skipped: int
    has_header: bool

    @classmethod
    def of(cls, connection: Any, path: str) -> "CsvDialect":
        found = connection.sql(
            f"select Delimiter, Quote, SkipRows, HasHeader from sniff_csv({literal(path)}, ignore_errors=true)"
        ).fetchall()[0]
        return cls(*found)

    def check_header(self, connection: Any, path: str, columns: Sequence[str]) -> None:
        """Raise for duplicate column names. DuckDB renames a second ``age`` to ``age_1``, so the header is read again."""
        if not any((stem := _NUMBERED_NAME.fullmatch(name)) and stem[1] in columns for name in columns):
            return
        quoting = "" if self.quote == "(empty)" else f", quote={literal(self.quote)}"
        header = connection.sql(
            f"from read_csv({literal(path)}, delim={literal(self.delimiter)}{quoting}, skip={self.skipped}, header=false, "
            "all_varchar=true, ignore_errors=true) limit 1"
        ).fetchall()[0]
        check_names([name for name in header if name is not None])
