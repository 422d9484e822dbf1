"""Cells of a row and their codes, each computed once in a step of the query and used by name."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from suffice.columns.kinds import Level, Name
from suffice.errors import NoSqlError
from suffice.numerics.arrays import AnyArray
from suffice.sql.dialects import Dialect
from suffice.sql.expressions import literal, unless_missing
from suffice.sql.steps import QueryStep
from suffice.sql.words import WordSums

_MOST_COMPARED_CUTS = 7  # more are searched


@dataclass
class CellSteps:
    """Steps of cells, their codes, indices into pair tables, and normal scores: each step is computed from
    the steps before it."""

    dialect: Dialect
    read: QueryStep = field(default_factory=lambda: QueryStep("x"))
    searched: list[QueryStep] = field(default_factory=list)
    coded: QueryStep = field(default_factory=lambda: QueryStep("g"))
    placed: QueryStep = field(default_factory=lambda: QueryStep("y"))
    scored: QueryStep = field(default_factory=lambda: QueryStep("z"))
    words: WordSums = field(init=False)

    def __post_init__(self) -> None:
        self.words = WordSums(self.dialect)

    @property
    def steps(self) -> list[QueryStep]:
        """The non-empty steps after the first."""
        return [step for step in (*self.searched, self.coded, self.placed, self.scored) if step.aliases]

    def number(self, name: Name) -> str:
        """A cell as a number, NULL where it is missing."""
        return self.read.name(self.dialect.number(self.dialect.name(name)))

    def truth(self, name: Name) -> str:
        """As ``number``, for a column that may hold booleans."""
        return self.read.name(self.dialect.truth_number(self.dialect.name(name)))

    def is_missing(self, name: Name) -> str:
        """1 where a cell is missing."""
        return self.read.name(f"CASE WHEN {self.dialect.name(name)} IS NULL THEN 1 ELSE 0 END")

    def level(self, name: Name, levels: Sequence[Level]) -> tuple[str, list[str | None]]:
        """A cell as an expression to compare with levels, and the literal of each level; None if no cell can equal it."""
        column = self.dialect.name(name)
        kinds = {type(level) for level in levels}
        if kinds <= {str}:
            texts = [self.dialect.text(v) if self.dialect.holds(v) else None for v in map(str, levels)]
            return self.read.name(f"CAST({column} AS VARCHAR)"), list(texts)
        if kinds <= {bool}:
            return self.read.name(f"CAST({column} AS BOOLEAN)"), [str(bool(v)).upper() for v in levels]
        numbers = [
            float(v) for v in levels if isinstance(v, (int, float)) and not isinstance(v, bool) and float(v) == v
        ]
        if len(numbers) == len(levels):
            return self.number(name), [literal(v) for v in numbers]
        raise NoSqlError(
            f"Column {name!r} has levels that are {' and '.join(sorted(kind.__name__ for kind in kinds))}",
            "in SQL they must be all text, all numbers or all truth values",
        )

    def interval(self, x: str, cuts: AnyArray, missing: str = "NULL") -> str:
        """The index of the interval between sorted cuts that contains a number."""
        searched = self.dialect.searches and len(cuts) > _MOST_COMPARED_CUTS
        found = self._searched(x, cuts) if searched else self.dialect.interval(x, cuts)
        return self.coded.name(unless_missing(x, found, missing))

    def _searched(self, x: str, cuts: AnyArray) -> str:
        """As ``interval``, by binary search with one step of the query per bit."""
        place = "0"
        for bit in range(len(cuts).bit_length()):
            if bit == len(self.searched):
                self.searched.append(QueryStep(f"b{bit}_"))
            half = 1 << (len(cuts).bit_length() - 1 - bit)
            cut = self.dialect.looked_up(place, cuts[half - 1 :: 2 * half], literal)  # NULL beyond the last
            place = self.searched[bit].name(f"2 * {place} + CASE WHEN {x} >= {cut} THEN 1 ELSE 0 END")
        return place

    def place(self, name: Name, levels: Sequence[Level], last: int | None = None, missing: str = "NULL") -> str:
        """The index of a cell's level among some; levels from ``last`` on share one index; NULL for any other."""
        cell, spelled = self.level(name, levels)
        places = range(len(levels)) if last is None else (min(i, last) for i in range(len(levels)))
        cases = " ".join(f"WHEN {text} THEN {i}" for text, i in zip(spelled, places, strict=True) if text is not None)
        found = f"CASE {cell} {cases} END" if cases else "NULL"
        return self.coded.name(found if missing == "NULL" else unless_missing(cell, found, missing))
