"""Builder of the columns and codings of a scoring form, without duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.columns.spelling import level_indices
from suffice.errors import NotExportableError
from suffice.export.cells import Coding, Column, Cuts, Places, Prefixes, Takes
from suffice.numerics.arrays import CodeArray, FloatArray


@dataclass(frozen=True)
class _LevelCoding:
    """The coding of a category before all levels of its column are collected."""

    column: int
    levels: tuple[Level, ...]
    codes: tuple[int, ...]
    unknown: int
    missing: int

    def over_levels(self, levels: Sequence[Level]) -> Places:
        found = np.array([*self.codes, self.unknown], dtype=np.int32)[level_indices(levels, self.levels)]
        return Places(self.column, found, self.unknown, self.missing)


@dataclass
class Inputs:
    """Columns by name, with the levels collected so far."""

    names: Sequence[Name]
    takes: dict[Name, Takes] = field(default_factory=dict)
    levels: dict[Name, list[Level]] = field(default_factory=dict)
    codings: list[Cuts | Prefixes | _LevelCoding] = field(default_factory=list)
    _index: dict[Name, int] = field(default_factory=dict)
    _coding_index: dict[object, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._index = {name: j for j, name in enumerate(self.names)}

    def index(self, name: Name) -> int:
        return self._index[name]

    def register(self, names: Sequence[Name], reads: str) -> None:
        """Register columns and their domains, even if no term needs them."""
        for name in names:
            self.takes.setdefault(name, "levels" if reads == "levels" else "numbers")

    def numbers(self, names: Sequence[Name], takes: Takes = "numbers") -> CodeArray:
        """The indices of numeric columns."""
        for name in names:
            if takes != "numbers" or name not in self.takes:  # keep the narrower domain
                self.takes[name] = takes
        return np.array([self.index(name) for name in names], dtype=np.int32)

    def cuts(self, name: Name, cuts: FloatArray, missing: int = -1) -> int:
        """A coding of numbers by cuts."""
        at = int(self.numbers([name])[0])
        cuts = np.asarray(cuts, dtype=np.float64)
        return self._add(("cuts", at, cuts.tobytes(), missing), Cuts(at, cuts, missing))

    def level_codes(
        self,
        name: Name,
        levels: Sequence[Level],
        codes: Sequence[int],
        unknown: int = -1,
        missing: int = -1,
        takes: Takes = "levels",
    ) -> int:
        """A coding of a category by codes of levels."""
        for level in levels:
            if not isinstance(level, (str, int, float, np.integer, np.floating)):
                raise NotExportableError(
                    f"Column {name!r} has the level {level!r}",
                    "outside Python levels are text, numbers or booleans",
                    "Convert the column, or omit it",
                )
        self.takes[name] = takes
        known = self.levels.setdefault(name, [])
        known += [level for level, at in zip(levels, level_indices(levels, known), strict=True) if at < 0]
        at = self.index(name)
        key = ("places", at, tuple(map(repr, levels)), tuple(codes), unknown, missing)
        return self._add(key, _LevelCoding(at, tuple(levels), tuple(codes), unknown, missing))

    def prefixes(self, name: Name, lengths: tuple[int, ...], spelled: tuple[tuple[str, ...], ...]) -> int:
        """A coding of unknown levels by their prefixes."""
        return self._add(("prefixes", name, lengths, spelled), Prefixes(self.index(name), lengths, spelled))

    def presence(self, name: Name, reads: str) -> int:
        """A coding by presence: 0 for a present cell, 1 for a missing one."""
        return self.cuts(name, np.zeros(0), 1) if reads == "numbers" else self.level_codes(name, (), (), 0, 1)

    def _add(self, key: object, coding: Cuts | Prefixes | _LevelCoding) -> int:
        if key not in self._coding_index:
            self._coding_index[key] = len(self.codings)
            self.codings.append(coding)
        return self._coding_index[key]

    def columns(self, names: Sequence[str]) -> tuple[Column, ...]:
        """The columns, with their names in the rows."""
        return tuple(
            Column(spelled, self.takes.get(name, "numbers"), tuple(self.levels.get(name, ())))
            for name, spelled in zip(self.names, names, strict=True)
        )

    def all_codings(self) -> tuple[Coding, ...]:
        """All codings; those of categories are over all levels of their column."""
        return tuple(
            coding.over_levels(self.levels[self.names[coding.column]]) if isinstance(coding, _LevelCoding) else coding
            for coding in self.codings
        )
