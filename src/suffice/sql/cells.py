"""The cells of a row, each named once at the start of the query and used by name after that."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from suffice.columns.kinds import Level, Name
from suffice.errors import NoSqlError
from suffice.sql.dialects import Dialect
from suffice.sql.expressions import literal


@dataclass
class Cells:
    """Expressions over the columns of the table, by the name they have in the query."""

    dialect: Dialect
    named: dict[str, str] = field(default_factory=dict)

    def number(self, name: Name) -> str:
        """A cell as a number, NULL where it is missing."""
        return self._named(self.dialect.number(self.dialect.name(name)))

    def truth(self, name: Name) -> str:
        """The same of a column that may hold truth values."""
        return self._named(self.dialect.truth_number(self.dialect.name(name)))

    def level(self, name: Name, levels: Sequence[Level]) -> tuple[str, list[str | None]]:
        """A cell as it is compared with levels, and how each of those is spelled; None if no cell can have it."""
        column = self.dialect.name(name)
        kinds = {type(level) for level in levels}
        if kinds <= {str}:
            texts = [self.dialect.text(v) if self.dialect.holds(v) else None for v in map(str, levels)]
            return self._named(f"CAST({column} AS VARCHAR)"), list(texts)
        if kinds <= {bool}:
            return self._named(f"CAST({column} AS BOOLEAN)"), [str(bool(v)).upper() for v in levels]
        numbers = [
            float(v) for v in levels if isinstance(v, (int, float)) and not isinstance(v, bool) and float(v) == v
        ]
        if len(numbers) == len(levels):
            return self.number(name), [literal(v) for v in numbers]
        raise NoSqlError(
            f"Column {name!r} has levels that are {' and '.join(sorted(kind.__name__ for kind in kinds))}",
            "in SQL they must be all text, all numbers or all truth values",
        )

    def _named(self, expression: str) -> str:
        for alias, known in self.named.items():
            if known == expression:
                return alias
        alias = f"suffice_x{len(self.named)}"
        self.named[alias] = expression
        return alias
