"""The order and the keys of the classes in the label form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_DIGITS = "123456789"
_FIRST = 5  # of many classes, the most probable ones that get a key
_COMMANDS = {"skip": "s", "undo": "u", "other": "n"}
_COMMANDS_OF_MANY = {"skip": "ArrowRight", "undo": "ArrowLeft", "other": "+"}


@dataclass(frozen=True)
class ClassChoice:
    """A class with its key, if any, and its probability (None if hidden)."""

    label: str
    key: str
    probability: float | None


@dataclass(frozen=True)
class ClassChoices:
    """Choices of classes: few are in the model's order; of many, the most probable come first, and typing filters them.

    ``keys`` are the keys of the first classes shown, in order.
    """

    shown: tuple[ClassChoice, ...]
    keys: str
    many: bool

    @property
    def commands(self) -> dict[str, str]:
        """Keys of commands other than classes; with many classes, letters filter instead."""
        return _COMMANDS_OF_MANY if self.many else _COMMANDS


def choices(labels: Sequence[str], posterior: Mapping[str, float] | None) -> ClassChoices:
    """The choices of classes. With ``posterior`` None (hidden), the order does not depend on it.

    A class named by a digit has that digit as its key.

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
        # digits filter, so letters are free as keys
        first_keys = "abcde" if all(label.lstrip("-").isdecimal() for label in labels) else _DIGITS[:_FIRST]
        first = [] if posterior is None else sorted(labels, key=lambda label: -posterior[label])[:_FIRST]
        key_of = dict(zip(first, first_keys, strict=False))
        ordered = [*first, *(label for label in labels if label not in key_of)]
    shown = tuple(ClassChoice(label, key_of.get(label, ""), probability[label]) for label in ordered)
    return ClassChoices(shown, first_keys, many)
