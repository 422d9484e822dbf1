"""What databases spell differently: names, text, casts, and the functions that some lack."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import NoSqlError, ParameterError
from suffice.sql.expressions import literal, product, total

_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
_SHIFT = 10  # from there on the series is exact to the last digits


class Dialect(ABC):
    """How one kind of database is spoken to. What is handed in is quoted, never trusted."""

    double: str
    fence: str = ""
    """Behind a step of the query: keeps the planner from writing its expressions out wherever they are used."""

    def name(self, name: Name) -> str:
        """A quoted identifier."""
        spelled = str(name)
        if not spelled or not self.holds(spelled):
            raise NoSqlError(f"{name!r} cannot be the name of a column or table", "it must be text without zeros")
        return '"' + spelled.replace('"', '""') + '"'

    def table(self, table: "str | Sequence[str]") -> str:
        """A name, or the parts of a qualified one."""
        parts = [table] if isinstance(table, str) else list(table)
        if not parts or not all(isinstance(part, str) for part in parts):
            raise ParameterError(f"table is {table!r}", "it must be a name, or a sequence such as ('schema', 'table')")
        return ".".join(self.name(part) for part in parts)

    def holds(self, value: str) -> bool:
        """Whether a cell of text can have this value at all: databases know neither zeros nor half characters."""
        return "\0" not in value and value.encode("utf-8", "ignore").decode() == value

    @abstractmethod
    def text(self, value: str) -> str:
        """A quoted text."""

    def number(self, column: str) -> str:
        """A column as double precision, NULL where it is not a number."""
        return f"NULLIF(CAST({column} AS {self.double}), CAST('NaN' AS {self.double}))"

    def truth_number(self, column: str) -> str:
        """A column of numbers or of truth values as double precision."""
        return self.number(column)

    @abstractmethod
    def log_gamma(self, z: str) -> str:
        """log Γ of a positive number."""

    def literal(self, value: float) -> str:
        """A number of double precision."""
        return f"CAST('-Infinity' AS {self.double})" if np.isneginf(value) else literal(value)


class DuckDB(Dialect):
    """DuckDB."""

    double = "DOUBLE"

    def text(self, value: str) -> str:
        return "'" + value.replace("'", "''") + "'"

    def log_gamma(self, z: str) -> str:
        return f"lgamma({z})"


class Postgres(Dialect):
    """PostgreSQL."""

    double = "double precision"
    fence = " OFFSET 0"

    def name(self, name: Name) -> str:
        if len(str(name).encode("utf-8", "surrogatepass")) > 63:
            raise NoSqlError(f"{str(name)!r} is too long a name", "PostgreSQL cuts names at 63 bytes", "Rename it")
        return super().name(name)

    def text(self, value: str) -> str:
        # E'…' means the same whatever standard_conforming_strings is set to
        plain = value.replace("'", "''")
        return "E'" + plain.replace("\\", "\\\\") + "'" if "\\" in value else f"'{plain}'"

    def truth_number(self, column: str) -> str:
        spelled = f"CAST({column} AS text)"  # truth values have no cast to numbers that numbers have too
        number = f"CASE {spelled} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {spelled} END"
        return self.number(f"({number})")

    def log_gamma(self, z: str) -> str:
        """Stirling's series at z + 10, and back by Γ(z + 1) = z Γ(z)."""
        far = f"({z} + {literal(_SHIFT)})"
        square = f"({far} * {far})"
        series = literal(_STIRLING[-1])
        for term in reversed(_STIRLING[:-1]):
            series = f"({literal(term)} + {series} / {square})"
        main = f"({far} - 0.5e0) * ln({far}) - {far} + {literal(0.5 * float(np.log(2 * np.pi)))} + {series} / {far}"
        back = product([f"({z} + {literal(i)})" for i in range(_SHIFT)])
        return total([main, f"-ln({back})"])


DIALECTS: dict[str, Dialect] = {"duckdb": DuckDB(), "postgres": Postgres()}


def dialect_named(name: object) -> Dialect:
    if name not in DIALECTS:
        raise ParameterError(f"dialect is {name!r}", f"it must be one of {', '.join(map(repr, DIALECTS))}")
    return DIALECTS[str(name)]
