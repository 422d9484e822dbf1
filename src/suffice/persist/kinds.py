"""The kinds of values in a model file, by tag.

A new statistic or part needs a line in ``model_kinds``, where families are those of their registry; a test asserts that none
is missing. Tags are stable, so that saved files stay readable when classes are renamed.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any

from suffice.errors import ModelFileError, quoted
from suffice.persist.fields import fits
from suffice.persist.shapes import Shape, Sizes, axis_lengths, invalid_field


@dataclass(frozen=True)
class SavedKind:
    """A dataclass whose fields are saved, except those that begin with an underscore."""

    of: Callable[[], type[Any]]
    """A function that returns the class, which is imported when its first value is read."""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    check: Callable[[Any, Sizes], None] | None = None
    """A check of relations between fields beyond their shapes."""

    @cached_property
    def type(self) -> type[Any]:
        return self.of()

    @property
    def is_loaded(self) -> bool:
        return "type" in self.__dict__

    def to_fields(self, value: Any) -> dict[str, Any]:
        """The fields to write."""
        return {f.name: getattr(value, f.name) for f in fields(self.type) if not f.name.startswith("_")}

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        """The value from the fields read."""
        known = {f.name: f for f in fields(self.type) if not f.name.startswith("_")}
        unknown = [name for name in parts if name not in known]
        if unknown:
            raise ModelFileError(f"{self.type.__name__} has no {quoted(unknown)}", f"it has {quoted(list(known), 20)}")
        missing = [n for n, f in known.items() if n not in parts and f.default is f.default_factory is MISSING]
        if missing:
            raise ModelFileError(f"{self.type.__name__} is saved without {quoted(missing)}", "it is required")
        for name, value in parts.items():
            if name not in self.shapes and not fits(value, known[name].type):
                raise invalid_field(name, f"is a {type(value).__name__}")
        loaded = self.type(**parts)
        sizes = axis_lengths(loaded, self.shapes)
        if self.check is not None:
            self.check(loaded, sizes)
        return loaded


class Kinds:
    """A closed set of kinds by tag."""

    def __init__(self, by_tag: Mapping[str, SavedKind]) -> None:
        self._by_tag = dict(by_tag)

    @cached_property
    def _tags(self) -> dict[type, str]:
        return {kind.type: tag for tag, kind in self._by_tag.items()}

    def extended(self, by_tag: Mapping[str, SavedKind]) -> "Kinds":
        return Kinds({**self._by_tag, **by_tag})

    @property
    def types(self) -> set[type]:
        return set(self._tags)

    def tag_of(self, value: object) -> str | None:
        """The tag of a value, by its exact type."""
        return self._tags.get(type(value))

    def kind_of(self, tag: str) -> SavedKind:
        if tag not in self._by_tag:
            raise ModelFileError(
                f"The model file contains a {tag!r}, which is unknown",
                "it was written by another version, or needs suffice.load",
                "Try suffice.load, or upgrade suffice",
            )
        return self._by_tag[tag]

    def axis_lengths(self, value: object) -> Sizes:
        """The number of classes (c) and columns (k) of a loaded value."""
        tag = self._tag_of_loaded(value)
        if tag is None:
            return {}
        found = axis_lengths(value, self._by_tag[tag].shapes)
        for part in self._by_tag[tag].to_fields(value).values():
            for inner in part if isinstance(part, tuple) and part and self._tag_of_loaded(part[0]) else ():
                for letter, length in self.axis_lengths(inner).items():
                    if letter in "ck" and found.setdefault(letter, length) != length:
                        raise invalid_field(tag, f"has parts for {length} and for {found[letter]} classes or columns")
        return found

    def _tag_of_loaded(self, value: object) -> str | None:
        """The tag of a loaded value, among the kinds loaded so far."""
        return next((tag for tag, kind in self._by_tag.items() if kind.is_loaded and kind.type is type(value)), None)
