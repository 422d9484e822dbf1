"""Cells of a row and their codes, each computed once in a step of the query and referred to by an alias."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from suffice.columns.kinds import Level, Name
from suffice.errors import NoSqlError
from suffice.numerics.arrays import AnyArray
from suffice.sql.dialects import Dialect
from suffice.sql.expressions import literal, unless_missing
from suffice.sql.steps import QueryStep
from suffice.sql.words import WordSums

_MAX_COMPARED_CUTS = 7  # beyond which arrays are searched


@dataclass
class CellSteps:
    """Steps of cells, codes, indices into pair tables, and normal scores. Each step depends only on those before it."""

    dialect: Dialect
    values: QueryStep = field(default_factory=lambda: QueryStep("x"))
    search_steps: list[QueryStep] = field(default_factory=list)
    codes: QueryStep = field(default_factory=lambda: QueryStep("g"))
    indices: QueryStep = field(default_factory=lambda: QueryStep("y"))
    scores: QueryStep = field(default_factory=lambda: QueryStep("z"))
    words: WordSums = field(init=False)

    def __post_init__(self) -> None:
        self.words = WordSums(self.dialect)

    @property
    def steps(self) -> list[QueryStep]:
        """The non-empty steps after the first."""
        return [step for step in (*self.search_steps, self.codes, self.indices, self.scores) if step.aliases]

    def number(self, name: Name) -> str:
        """A cell as a number, NULL where it is missing."""
        return self.values.name(self.dialect.number(self.dialect.name(name)))

    def number_or_boolean(self, name: Name) -> str:
        """``number`` of a column that may be boolean."""
        return self.values.name(self.dialect.number_or_boolean(self.dialect.name(name)))

    def is_missing(self, name: Name) -> str:
        """1 where a cell is missing."""
        return self.values.name(f"CASE WHEN {self.dialect.name(name)} IS NULL THEN 1 ELSE 0 END")

    def level(self, name: Name, levels: Sequence[Level]) -> tuple[str, list[str | None]]:
        """An expression of a cell to compare with levels, and the literal of each level; None if it cannot be stored."""
        column = self.dialect.name(name)
        kinds = {type(level) for level in levels}
        if kinds <= {str}:
            texts = [self.dialect.text(v) if self.dialect.can_store(v) else None for v in map(str, levels)]
            return self.values.name(f"CAST({column} AS VARCHAR)"), list(texts)
        if kinds <= {bool}:
            return self.values.name(f"CAST({column} AS BOOLEAN)"), [str(bool(v)).upper() for v in levels]
        numbers = [
            float(v) for v in levels if isinstance(v, (int, float)) and not isinstance(v, bool) and float(v) == v
        ]
        if len(numbers) == len(levels):
            return self.number(name), [literal(v) for v in numbers]
        raise NoSqlError(
            f"Column {name!r} has levels that are {' and '.join(sorted(kind.__name__ for kind in kinds))}",
            "in SQL they must all be text, all numbers or all booleans",
        )

    def interval(self, x: str, cuts: AnyArray, missing: str = "NULL") -> str:
        """The index of the interval between sorted cuts that contains a number."""
        searched = self.dialect.uses_arrays and len(cuts) > _MAX_COMPARED_CUTS
        found = self._binary_search(x, cuts) if searched else self.dialect.interval(x, cuts)
        return self.codes.name(unless_missing(x, found, missing))

    def _binary_search(self, x: str, cuts: AnyArray) -> str:
        """``interval`` by binary search, with one step of the query per bit."""
        index = "0"
        for bit in range(len(cuts).bit_length()):
            if bit == len(self.search_steps):
                self.search_steps.append(QueryStep(f"b{bit}_"))
            half = 1 << (len(cuts).bit_length() - 1 - bit)
            cut = self.dialect.lookup(index, cuts[half - 1 :: 2 * half], literal)  # NULL beyond the last
            index = self.search_steps[bit].name(f"2 * {index} + CASE WHEN {x} >= {cut} THEN 1 ELSE 0 END")
        return index

    def level_index(self, name: Name, levels: Sequence[Level], last: int | None = None, missing: str = "NULL") -> str:
        """The index of a cell's level; levels from ``last`` on share that index; NULL for any other cell."""
        cell, spelled = self.level(name, levels)
        places = range(len(levels)) if last is None else (min(i, last) for i in range(len(levels)))
        cases = " ".join(f"WHEN {text} THEN {i}" for text, i in zip(spelled, places, strict=True) if text is not None)
        found = f"CASE {cell} {cases} END" if cases else "NULL"
        return self.codes.name(found if missing == "NULL" else unless_missing(cell, found, missing))
