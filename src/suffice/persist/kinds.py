"""The kinds of values in a model file, by tag.

A new statistic or part costs a line in ``model_kinds``, where families are those of their registry; a test asserts that none is
missing. Tags are stable, so that saved files stay readable when classes are renamed.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any

from suffice.errors import ModelFileError, quoted
from suffice.persist.fields import fits
from suffice.persist.shapes import Shape, Sizes, measured, wrong


@dataclass(frozen=True)
class SavedKind:
    """A dataclass whose fields go into the file, those that begin with a stroke excepted."""

    of: Callable[[], type[Any]]
    """Import path of the class, which is imported when its first value is read."""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    check: Callable[[Any, Sizes], None] | None = None
    """A check of relations between fields beyond their shapes."""

    @cached_property
    def type(self) -> type[Any]:
        return self.of()

    @property
    def is_loaded(self) -> bool:
        return "type" in self.__dict__

    def parts(self, value: Any) -> dict[str, Any]:
        """The fields to write."""
        return {f.name: getattr(value, f.name) for f in fields(self.type) if not f.name.startswith("_")}

    def built(self, parts: Mapping[str, Any]) -> Any:
        """The value from the fields read."""
        known = {f.name: f for f in fields(self.type) if not f.name.startswith("_")}
        unknown = [name for name in parts if name not in known]
        if unknown:
            raise ModelFileError(f"{self.type.__name__} has no {quoted(unknown)}", f"it has {quoted(list(known), 20)}")
        lacking = [n for n, f in known.items() if n not in parts and f.default is f.default_factory is MISSING]
        if lacking:
            raise ModelFileError(f"{self.type.__name__} is saved without {quoted(lacking)}", "it cannot do without")
        for name, value in parts.items():
            if name not in self.shapes and not fits(value, known[name].type):
                raise wrong(name, f"is a {type(value).__name__}")
        made = self.type(**parts)
        sizes = measured(made, self.shapes)
        if self.check is not None:
            self.check(made, sizes)
        return made


class Kinds:
    """A closed list of kinds, each with its tag."""

    def __init__(self, by_tag: Mapping[str, SavedKind]) -> None:
        self._by_tag = dict(by_tag)

    @cached_property
    def _tags(self) -> dict[type, str]:
        return {kind.type: tag for tag, kind in self._by_tag.items()}

    def with_more(self, by_tag: Mapping[str, SavedKind]) -> "Kinds":
        return Kinds({**self._by_tag, **by_tag})

    @property
    def types(self) -> set[type]:
        return set(self._tags)

    def tag_of(self, value: object) -> str | None:
        """The tag of a value, of exactly that type."""
        return self._tags.get(type(value))

    def tagged(self, tag: str) -> SavedKind:
        if tag not in self._by_tag:
            raise ModelFileError(
                f"The model file holds a {tag!r}, which is not known here",
                "it was made by another version, or is read by suffice.load only",
                "Try suffice.load, or upgrade suffice",
            )
        return self._by_tag[tag]

    def sizes(self, value: object) -> Sizes:
        """The number of classes (c) and columns (k) of a value that was read."""
        tag = self._tag_read(value)
        if tag is None:
            return {}
        found = measured(value, self._by_tag[tag].shapes)
        for part in self._by_tag[tag].parts(value).values():
            for inner in part if isinstance(part, tuple) and part and self._tag_read(part[0]) else ():
                for letter, length in self.sizes(inner).items():
                    if letter in "ck" and found.setdefault(letter, length) != length:
                        raise wrong(tag, f"has parts for {length} and for {found[letter]} classes or columns")
        return found

    def _tag_read(self, value: object) -> str | None:
        """The tag of a value that was read, among the kinds loaded so far."""
        return next((tag for tag, kind in self._by_tag.items() if kind.is_loaded and kind.type is type(value)), None)
