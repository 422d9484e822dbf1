"""Builder of the columns and codings of a form, without duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.columns.spelling import level_indices
from suffice.errors import NotExportableError
from suffice.export.cells import Coding, Column, Cuts, Places, Prefixes, Takes
from suffice.numerics.arrays import CodeArray, FloatArray


@dataclass(frozen=True)
class _Named:
    """The coding of a category, before all levels of its column are collected."""

    column: int
    levels: tuple[Level, ...]
    codes: tuple[int, ...]
    unknown: int
    missing: int

    def over(self, levels: Sequence[Level]) -> Places:
        found = np.array([*self.codes, self.unknown], dtype=np.int32)[level_indices(levels, self.levels)]
        return Places(self.column, found, self.unknown, self.missing)


@dataclass
class Inputs:
    """Columns by name, with the levels collected so far."""

    names: Sequence[Name]
    takes: dict[Name, Takes] = field(default_factory=dict)
    levels: dict[Name, list[Level]] = field(default_factory=dict)
    codings: list[Cuts | Prefixes | _Named] = field(default_factory=list)
    _place: dict[Name, int] = field(default_factory=dict)
    _known: dict[object, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._place = {name: j for j, name in enumerate(self.names)}

    def place(self, name: Name) -> int:
        return self._place[name]

    def read(self, names: Sequence[Name], reads: str) -> None:
        """Register columns and their kinds, whether or not a term needs them."""
        for name in names:
            self.takes.setdefault(name, "levels" if reads == "levels" else "numbers")

    def numbers(self, names: Sequence[Name], takes: Takes = "numbers") -> CodeArray:
        """The places of columns of numbers."""
        for name in names:
            if takes != "numbers" or name not in self.takes:  # the narrower kind is kept
                self.takes[name] = takes
        return np.array([self.place(name) for name in names], dtype=np.int32)

    def cuts(self, name: Name, cuts: FloatArray, missing: int = -1) -> int:
        """A coding of a number."""
        at = int(self.numbers([name])[0])
        cuts = np.asarray(cuts, dtype=np.float64)
        return self._added(("cuts", at, cuts.tobytes(), missing), Cuts(at, cuts, missing))

    def places(
        self,
        name: Name,
        levels: Sequence[Level],
        codes: Sequence[int],
        unknown: int = -1,
        missing: int = -1,
        takes: Takes = "levels",
    ) -> int:
        """A coding of a category by the codes of some levels."""
        for level in levels:
            if not isinstance(level, (str, int, float, np.integer, np.floating)):
                raise NotExportableError(
                    f"Column {name!r} has the level {level!r}",
                    "outside Python levels are text, numbers or truth values",
                    "Convert the column, or leave it out",
                )
        self.takes[name] = takes
        known = self.levels.setdefault(name, [])
        known += [level for level, at in zip(levels, level_indices(levels, known), strict=True) if at < 0]
        at = self.place(name)
        key = ("places", at, tuple(map(repr, levels)), tuple(codes), unknown, missing)
        return self._added(key, _Named(at, tuple(levels), tuple(codes), unknown, missing))

    def prefixes(self, name: Name, lengths: tuple[int, ...], spelled: tuple[tuple[str, ...], ...]) -> int:
        """A coding of unknown levels by their first characters."""
        return self._added(("prefixes", name, lengths, spelled), Prefixes(self.place(name), lengths, spelled))

    def presence(self, name: Name, reads: str) -> int:
        """A coding: 0 for a present cell, 1 for a missing one."""
        return self.cuts(name, np.zeros(0), 1) if reads == "numbers" else self.places(name, (), (), 0, 1)

    def _added(self, key: object, coding: Cuts | Prefixes | _Named) -> int:
        if key not in self._known:
            self._known[key] = len(self.codings)
            self.codings.append(coding)
        return self._known[key]

    def columns(self, names: Sequence[str]) -> tuple[Column, ...]:
        """The columns under their names in the rows."""
        return tuple(
            Column(spelled, self.takes.get(name, "numbers"), tuple(self.levels.get(name, ())))
            for name, spelled in zip(self.names, names, strict=True)
        )

    def finished(self) -> tuple[Coding, ...]:
        """The codings, those of categories over all levels of their column."""
        return tuple(
            coding.over(self.levels[self.names[coding.column]]) if isinstance(coding, _Named) else coding
            for coding in self.codings
        )
