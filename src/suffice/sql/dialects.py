"""SQL dialects: names, text, casts, and functions that some databases lack."""

from abc import ABC
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import MissingPackageError, NoSqlError, ParameterError
from suffice.numerics.arrays import FloatArray
from suffice.numerics.stirling import ACCURATE_FROM, COEFFICIENTS
from suffice.sql.expressions import by_cuts, literal, product, rounded, total, unless_missing

FormatNumber: TypeAlias = Callable[[float], str]

_MAX_SQLITE_ARGUMENTS = 100  # of a function


class Dialect(ABC):
    """The SQL dialect of a database. Names and values are always quoted."""

    double: str

    def name(self, name: Name) -> str:
        """A quoted identifier."""
        text = str(name)
        if not text or not self.can_store(text):
            raise NoSqlError(
                f"{name!r} cannot be the name of a column or table", "names are non-empty text without NUL"
            )
        return '"' + text.replace('"', '""') + '"'

    def table(self, table: "str | Sequence[str]") -> str:
        """A quoted name, or the quoted parts of a qualified name."""
        parts = [table] if isinstance(table, str) else list(table)
        if not parts or not all(isinstance(part, str) for part in parts):
            raise ParameterError(f"table is {table!r}", "it must be a name, or a sequence such as ('schema', 'table')")
        return ".".join(self.name(part) for part in parts)

    def can_store(self, value: str) -> bool:
        """Whether a text can be stored: databases allow neither NUL nor lone surrogates."""
        return "\0" not in value and value.encode("utf-8", "ignore").decode() == value

    def text(self, value: str) -> str:
        """A text literal."""
        return "'" + value.replace("'", "''") + "'"

    def number(self, column: str) -> str:
        """A column in double precision, NULL where it is NaN."""
        return f"NULLIF(CAST({column} AS {self.double}), CAST('NaN' AS {self.double}))"

    def number_or_boolean(self, column: str) -> str:
        """A column of numbers or booleans in double precision."""
        return self.number(column)

    def literal(self, value: float) -> str:
        """The literal of a number in double precision."""
        return f"CAST('-Infinity' AS {self.double})" if value == -np.inf else literal(value)

    uses_arrays: bool = False
    """Whether intervals are found by binary search in arrays."""

    def interval(self, x: str, cuts: FloatArray) -> str:
        """The number of sorted cuts ≤ x."""
        return by_cuts(x, cuts, [str(i) for i in range(len(cuts) + 1)])

    def lookup(self, index: str, values: FloatArray, format_: FormatNumber = rounded) -> str:
        """The value at an index; NULL if the index is NULL."""
        spelled = [self.literal(v) if np.isinf(v) else format_(v) for v in values]
        return unless_missing(index, by_cuts(index, range(1, len(values)), spelled))

    def greatest(self, numbers: Sequence[str]) -> str:
        """The maximum of expressions."""
        return f"GREATEST({', '.join(numbers)})"

    def log_gamma(self, z: str) -> str:
        """log Γ(z) of z > 0, by Stirling's series at z + 10 and the recurrence Γ(z + 1) = z Γ(z)."""
        shifted = f"({z} + {literal(ACCURATE_FROM)})"
        square = f"({shifted} * {shifted})"
        series = literal(COEFFICIENTS[-1])
        for term in reversed(COEFFICIENTS[:-1]):
            series = f"({literal(term)} + {series} / {square})"
        constant = literal(0.5 * float(np.log(2 * np.pi)))
        main = f"({shifted} - 0.5e0) * ln({shifted}) - {shifted} + {constant} + {series} / {shifted}"
        correction = product([f"({z} + {literal(i)})" for i in range(ACCURATE_FROM)])
        return total([main, f"-ln({correction})"])

    def step(self, name: str, query: str) -> str:
        """A named step of a query, written such that the planner does not inline its expressions."""
        return f"{name} AS ({query})"

    def complete(self, query: str) -> str:
        """The complete query."""
        return query


class DuckDB(Dialect):
    """DuckDB."""

    double = "DOUBLE"

    uses_arrays = True

    def lookup(self, index: str, values: FloatArray, format_: FormatNumber = rounded) -> str:
        return f"{_array('[]', values, self.double, format_)}[{index} + 1]"

    def log_gamma(self, z: str) -> str:
        return f"lgamma({z})"


class Postgres(Dialect):
    """PostgreSQL."""

    double = "double precision"

    def name(self, name: Name) -> str:
        if len(str(name).encode("utf-8", "surrogatepass")) > 63:
            raise NoSqlError(
                f"The name {str(name)!r} is too long", "PostgreSQL truncates names to 63 bytes", "Rename it"
            )
        return super().name(name)

    def text(self, value: str) -> str:
        # E'…' does not depend on the setting standard_conforming_strings
        plain = super().text(value)
        return "E" + plain.replace("\\", "\\\\") if "\\" in value else plain

    def number_or_boolean(self, column: str) -> str:
        spelled = f"CAST({column} AS text)"  # no cast applies to both booleans and numbers
        number = f"CASE {spelled} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {spelled} END"
        return self.number(f"({number})")

    def interval(self, x: str, cuts: FloatArray) -> str:
        return f"width_bucket({x}, {_array('{}', cuts, self.double, literal)})" if len(cuts) else "0"

    def lookup(self, index: str, values: FloatArray, format_: FormatNumber = rounded) -> str:
        return f"({_array('{}', values, self.double, format_)})[{index} + 1]"

    def step(self, name: str, query: str) -> str:
        return super().step(name, f"{query} OFFSET 0")


def _array(brackets: str, values: FloatArray, double: str, format_: FormatNumber) -> str:
    """An array literal, which is planned faster than a CASE of a thousand branches."""
    cells = ",".join("-Infinity" if v == -np.inf else format_(v).removesuffix("e0") for v in values.tolist())
    return f"CAST('{brackets[0]}{cells}{brackets[1]}' AS {double}[])"


class SQLite(Dialect):
    """SQLite ≥ 3.35, built with mathematical functions (as Python's is)."""

    double = "REAL"

    def number(self, column: str) -> str:
        return f"CAST({column} AS REAL)"  # NaN is stored as NULL

    def literal(self, value: float) -> str:
        return "-9e999" if value == -np.inf else literal(value)

    def greatest(self, numbers: Sequence[str]) -> str:
        if len(numbers) == 1:
            return numbers[0]
        if len(numbers) > _MAX_SQLITE_ARGUMENTS:
            return self.greatest([self.greatest(numbers[:_MAX_SQLITE_ARGUMENTS]), *numbers[_MAX_SQLITE_ARGUMENTS:]])
        return f"MAX({', '.join(numbers)})"

    def step(self, name: str, query: str) -> str:
        return f"{name} AS MATERIALIZED ({query})"


class Snowflake(Dialect):
    """Snowflake, by transpilation of the DuckDB query with sqlglot."""

    double = "DOUBLE"

    def complete(self, query: str) -> str:
        try:
            import sqlglot
        except ImportError as error:
            raise MissingPackageError(
                "dialect='snowflake' needs sqlglot", "", "Run pip install 'suffice[sql]'"
            ) from error
        return sqlglot.transpile(query, read="duckdb", write="snowflake")[0]


DIALECTS: dict[str, Dialect] = {
    "duckdb": DuckDB(),
    "postgres": Postgres(),
    "sqlite": SQLite(),
    "snowflake": Snowflake(),
}


def dialect_named(name: object) -> Dialect:
    if name not in DIALECTS:
        raise ParameterError(f"dialect is {name!r}", f"it must be one of {', '.join(map(repr, DIALECTS))}")
    return DIALECTS[str(name)]
