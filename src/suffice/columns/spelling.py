"""Matching of levels across types: the text ``"1"`` matches the number 1, and ``"True"`` the boolean.

Files and frames store the same category as text or as a number. Numbers are compared with numbers by value, as in
Python, and texts with texts by their characters.
"""

from collections.abc import Iterable, Sequence

from suffice.columns.kinds import Level


def normalise_level(value: Level) -> Level:
    """The level; a whole number of type float is converted to an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def level_text(level: Level) -> str:
    """The text of a level."""
    return str(normalise_level(level))


def level_indices(levels: Sequence[Level], among: Sequence[Level]) -> list[int]:
    """The index of each level in ``among``; −1 if it is not there.

    >>> level_indices([2, 3, "x"], ["1", "2", "x"])
    [1, -1, 2]
    """
    place = {level: i for i, level in enumerate(among)}
    found = [place.get(level, -1) for level in levels]
    if -1 in found and _mixes_text((v for v, at in zip(levels, found, strict=True) if at < 0), among):
        by_text = {level_text(level): i for i, level in enumerate(among)}
        found = [by_text.get(level_text(v), -1) if at < 0 else at for v, at in zip(levels, found, strict=True)]
    return found


def merged_levels(mine: Sequence[Level], theirs: Sequence[Level]) -> tuple[Level, ...]:
    """The union of levels, as spelled in the first; all become texts if text and other types would be mixed.

    >>> merged_levels([1, 2], ["2", "1"]), merged_levels([1, 2], ["2", "x"])
    ((1, 2), ('1', '2', 'x'))
    """
    new = [v for v, at in zip(theirs, level_indices(theirs, mine), strict=True) if at < 0]
    return unified_levels((*mine, *new))


def unified_levels(levels: Sequence[Level]) -> tuple[Level, ...]:
    """The distinct levels of one column. If text and other types are mixed, all become texts, and 1 equals ``"1"``.

    >>> unified_levels([1, "1", "x"])
    ('1', 'x')
    """
    return tuple(dict.fromkeys(map(level_text, levels) if _mixes_text(levels, ()) else levels))


def _mixes_text(some: Iterable[Level], others: Iterable[Level]) -> bool:
    """Whether levels mix text and other types."""
    return len({isinstance(v, str) for levels in (some, others) for v in levels}) > 1
