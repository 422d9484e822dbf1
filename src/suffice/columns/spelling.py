"""Levels of equal spelling are one level: the text ``"1"`` equals the number 1, and ``"True"`` the boolean.

So a category matches whether it comes as a number or as text, since files and frames differ. Numbers
are compared with numbers by value, as in Python, and texts with texts by their characters.
"""

from collections.abc import Iterable, Sequence

from suffice.columns.kinds import Level


def tidy_level(value: Level) -> Level:
    """A level, with a whole number stored as a float converted to the integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def spelled(level: Level) -> str:
    """A level as text."""
    return str(tidy_level(level))


def places(levels: Sequence[Level], among: Sequence[Level]) -> list[int]:
    """The index of each level in others; −1 if it is not among them.

    >>> places([2, 3, "x"], ["1", "2", "x"])
    [1, -1, 2]
    """
    place = {level: i for i, level in enumerate(among)}
    found = [place.get(level, -1) for level in levels]
    if -1 in found and _of_two_kinds((v for v, at in zip(levels, found, strict=True) if at < 0), among):
        by_text = {spelled(level): i for i, level in enumerate(among)}
        found = [by_text.get(spelled(v), -1) if at < 0 else at for v, at in zip(levels, found, strict=True)]
    return found


def together(mine: Sequence[Level], theirs: Sequence[Level]) -> tuple[Level, ...]:
    """The union of levels, in the spelling of the first; as texts where a new text meets numbers, or the reverse.

    >>> together([1, 2], ["2", "1"]), together([1, 2], ["2", "x"])
    ((1, 2), ('1', '2', 'x'))
    """
    new = [v for v, at in zip(theirs, places(theirs, mine), strict=True) if at < 0]
    return alike((*mine, *new))


def alike(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Distinct levels of one column. Where texts and other types are mixed, all become texts, and 1 and ``"1"`` are equal.

    >>> alike([1, "1", "x"])
    ('1', 'x')
    """
    return tuple(dict.fromkeys(map(spelled, levels) if _of_two_kinds(levels, ()) else levels))


def _of_two_kinds(some: Iterable[Level], others: Iterable[Level]) -> bool:
    """Whether levels mix texts and other types."""
    return len({isinstance(v, str) for levels in (some, others) for v in levels}) > 1
