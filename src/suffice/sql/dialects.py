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

Spell: TypeAlias = Callable[[float], str]

_MOST_ARGUMENTS = 100  # of a function of SQLite


class Dialect(ABC):
    """The SQL of one kind of database. Names and values are always quoted."""

    double: str

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
        """Whether a text cell can have this value: databases store neither NUL nor lone surrogates."""
        return "\0" not in value and value.encode("utf-8", "ignore").decode() == value

    def text(self, value: str) -> str:
        """A quoted text."""
        return "'" + value.replace("'", "''") + "'"

    def number(self, column: str) -> str:
        """A column as double precision, NULL where it is not a number."""
        return f"NULLIF(CAST({column} AS {self.double}), CAST('NaN' AS {self.double}))"

    def truth_number(self, column: str) -> str:
        """A column of numbers or booleans as double precision."""
        return self.number(column)

    def literal(self, value: float) -> str:
        """A number of double precision."""
        return f"CAST('-Infinity' AS {self.double})" if np.isneginf(value) else literal(value)

    searches: bool = False
    """Whether an interval among many is found faster by binary search in arrays."""

    def interval(self, x: str, cuts: FloatArray) -> str:
        """The number of sorted cuts that are not above a number."""
        return by_cuts(x, cuts, [str(i) for i in range(len(cuts) + 1)])

    def looked_up(self, place: str, values: FloatArray, spell: Spell = rounded) -> str:
        """The value at a place from 0 on; NULL where there is no place."""
        spelled = [self.literal(v) if np.isinf(v) else spell(v) for v in values]
        return unless_missing(place, by_cuts(place, range(1, len(values)), spelled))

    def greatest(self, numbers: Sequence[str]) -> str:
        """The largest of some numbers."""
        return f"GREATEST({', '.join(numbers)})"

    def log_gamma(self, z: str) -> str:
        """log Γ of a positive number: Stirling's series at z + 10, and back by Γ(z + 1) = z Γ(z)."""
        far = f"({z} + {literal(ACCURATE_FROM)})"
        square = f"({far} * {far})"
        series = literal(COEFFICIENTS[-1])
        for term in reversed(COEFFICIENTS[:-1]):
            series = f"({literal(term)} + {series} / {square})"
        main = f"({far} - 0.5e0) * ln({far}) - {far} + {literal(0.5 * float(np.log(2 * np.pi)))} + {series} / {far}"
        back = product([f"({z} + {literal(i)})" for i in range(ACCURATE_FROM)])
        return total([main, f"-ln({back})"])

    def step(self, name: str, query: str) -> str:
        """A named step of a query, so that the planner does not inline its expressions at each use."""
        return f"{name} AS ({query})"

    def whole(self, query: str) -> str:
        """The complete query."""
        return query


class DuckDB(Dialect):
    """DuckDB."""

    double = "DOUBLE"

    searches = True

    def looked_up(self, place: str, values: FloatArray, spell: Spell = rounded) -> str:
        return f"{_array('[]', values, self.double, spell)}[{place} + 1]"

    def log_gamma(self, z: str) -> str:
        return f"lgamma({z})"


class Postgres(Dialect):
    """PostgreSQL."""

    double = "double precision"

    def name(self, name: Name) -> str:
        if len(str(name).encode("utf-8", "surrogatepass")) > 63:
            raise NoSqlError(f"{str(name)!r} is too long a name", "PostgreSQL cuts names at 63 bytes", "Rename it")
        return super().name(name)

    def text(self, value: str) -> str:
        # E'…' means the same whatever standard_conforming_strings is set to
        plain = super().text(value)
        return "E" + plain.replace("\\", "\\\\") if "\\" in value else plain

    def truth_number(self, column: str) -> str:
        spelled = f"CAST({column} AS text)"  # booleans and numbers share no cast
        number = f"CASE {spelled} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {spelled} END"
        return self.number(f"({number})")

    def interval(self, x: str, cuts: FloatArray) -> str:
        return f"width_bucket({x}, {_array('{}', cuts, self.double, literal)})" if len(cuts) else "0"

    def looked_up(self, place: str, values: FloatArray, spell: Spell = rounded) -> str:
        return f"({_array('{}', values, self.double, spell)})[{place} + 1]"

    def step(self, name: str, query: str) -> str:
        return super().step(name, f"{query} OFFSET 0")


def _array(brackets: str, values: FloatArray, double: str, spell: Spell) -> str:
    """An array constant: a CASE of a thousand branches takes longer to plan than to run."""
    spelled = ",".join("-Infinity" if np.isneginf(v) else spell(v).removesuffix("e0") for v in values)
    return f"CAST('{brackets[0]}{spelled}{brackets[1]}' AS {double}[])"


class SQLite(Dialect):
    """SQLite from 3.35, built with its mathematical functions (as Python's is)."""

    double = "REAL"

    def number(self, column: str) -> str:
        return f"CAST({column} AS REAL)"  # there is no NaN: it is stored as NULL

    def literal(self, value: float) -> str:
        return "-9e999" if np.isneginf(value) else literal(value)

    def greatest(self, numbers: Sequence[str]) -> str:
        if len(numbers) == 1:
            return numbers[0]
        if len(numbers) > _MOST_ARGUMENTS:
            return self.greatest([self.greatest(numbers[:_MOST_ARGUMENTS]), *numbers[_MOST_ARGUMENTS:]])
        return f"MAX({', '.join(numbers)})"

    def step(self, name: str, query: str) -> str:
        return f"{name} AS MATERIALIZED ({query})"


class Snowflake(Dialect):
    """Snowflake: the query is written in plain SQL and transpiled by sqlglot."""

    double = "DOUBLE"

    def whole(self, query: str) -> str:
        try:
            import sqlglot
        except ImportError as error:
            raise MissingPackageError("dialect='snowflake' needs sqlglot", "", "pip install 'suffice[sql]'") from error
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
