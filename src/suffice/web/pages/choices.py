"""The classes a labeller chooses from: in which order, and by which keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_DIGITS = "123456789"
_FIRST = 5  # of many classes: the most probable, each with a key
_COMMANDS = {"skip": "s", "undo": "u", "other": "n"}
_COMMANDS_OF_MANY = {"skip": "ArrowRight", "undo": "ArrowLeft", "other": "+"}


@dataclass(frozen=True)
class ClassChoice:
    """A class with its key (or none), and how probable it is (None where that is hidden)."""

    label: str
    key: str
    probability: float | None


@dataclass(frozen=True)
class ClassChoices:
    """Few classes stand in their own order; of many, the most probable come first, and typing filters them.

    ``keys`` are those of the first that are shown, in their order.
    """

    shown: tuple[ClassChoice, ...]
    keys: str
    many: bool

    @property
    def commands(self) -> dict[str, str]:
        """Keys of what is no class; letters filter where there are many."""
        return _COMMANDS_OF_MANY if self.many else _COMMANDS


def choices(labels: Sequence[str], posterior: Mapping[str, float] | None) -> ClassChoices:
    """Of the classes; ``posterior`` is None where it is hidden, and then the order does not depend on it.

    A class whose name is a digit has that digit for its key.

    >>> [(choice.label, choice.key) for choice in choices(["0", "2", "other"], None).shown]
    [('0', '0'), ('2', '2'), ('other', '1')]
    """
    probability: Mapping[str, float | None] = dict.fromkeys(labels) if posterior is None else posterior
    own = {label for label in labels if len(label) == 1 and label in f"0{_DIGITS}"}
    many = len(labels) > len(_DIGITS) and len(own) < len(labels)
    if not many:
        free = iter(digit for digit in _DIGITS if digit not in own)
        key_of = {label: label if label in own else next(free) for label in labels}
        first_keys, ordered = "", list(labels)
    else:
        # numbers are typed to filter by, which leaves letters free
        first_keys = "abcde" if all(label.lstrip("-").isdecimal() for label in labels) else _DIGITS[:_FIRST]
        first = [] if posterior is None else sorted(labels, key=lambda label: -posterior[label])[:_FIRST]
        key_of = dict(zip(first, first_keys, strict=False))
        ordered = [*first, *(label for label in labels if label not in key_of)]
    shown = tuple(ClassChoice(label, key_of.get(label, ""), probability[label]) for label in ordered)
    return ClassChoices(shown, first_keys, many)
