"""Options that are numbers: shares, and one number for each class."""

from collections.abc import Sequence
from typing import Any

from suffice.cli.columns import nearest
from suffice.errors import ParameterError, quoted


def share(option: str, typed: str) -> float:
    """A number strictly between 0 and 1, or a percentage.

    >>> share("--sets", "95%"), share("--sets", "0.95")
    (0.95, 0.95)
    """
    found = _number(typed)
    if found is None or not 0 < found < 1:
        raise ParameterError(f"{option} is {typed!r}", "a share such as 5% or 0.05 is needed, above 0 and below 1")
    return found


def by_class(option: str, typed: str, classes: Sequence[Any]) -> dict[Any, float]:
    """``yes=0.2,no=0.8`` as numbers by label; percentages are shares.

    >>> by_class("--prior", "yes=20%,no=0.8", ["no", "yes"])
    {'yes': 0.2, 'no': 0.8}
    """
    found: dict[Any, float] = {}
    for pair in _pairs(typed):
        name, equals, amount = pair.rpartition("=")
        number = _number(amount)
        if not equals or number is None:
            raise ParameterError(
                f"{option} contains {pair!r}", "CLASS=NUMBER is needed for each class, with commas between them"
            )
        label = label_named(name, classes, f"{option} has {name!r}")
        if label in found:
            raise ParameterError(f"{option} has class {name!r} twice", "each class has one number")
        found[label] = number
    return found


def label_named(name: str, classes: Sequence[Any], found: str | None = None) -> Any:
    """The label with this spelling."""
    known = {str(label): label for label in classes}
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean {quoted(near)}? The" if near else "the"
        listed = f"{hint} classes are {quoted(list(known), most=20)}"
        raise ParameterError(found or f"There is no class {name!r}", listed)
    return known[name]


def _pairs(typed: str) -> list[str]:
    """Split at commas, except commas within class names."""
    pairs: list[str] = []
    for piece in typed.split(","):
        if pairs and "=" not in pairs[-1]:
            pairs[-1] += f",{piece}"
        else:
            pairs.append(piece)
    return pairs


def _number(typed: str) -> float | None:
    percent = typed.strip().endswith("%")
    try:
        found = float(typed.strip().rstrip("%"))
    except ValueError:
        return None
    return found / 100 if percent else found
