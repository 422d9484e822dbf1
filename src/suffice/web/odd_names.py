"""Column names that msgspec does not allow as fields: with double quotes, backslashes or control characters.

Internally, these characters are replaced by characters from Unicode's private use area.
"""

from collections.abc import Mapping
from typing import Any

_ODD = {code: 0xE000 + code for code in (*range(0x20), ord('"'), ord("\\"))}
OUTER = {inner: code for code, inner in _ODD.items()}


def inner_name(name: str) -> str:
    """A name that is valid for a msgspec field.

    >>> outer_text(inner_name('12" pipe'))
    '12" pipe'
    """
    return name.translate(_ODD)


def outer_text(text: str) -> str:
    """A text with the original names."""
    return text.translate(OUTER)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with some names of its objects changed, at any depth."""
    if isinstance(value, dict):
        return {names.get(name, name): renamed(inner, names) for name, inner in value.items()}
    return [renamed(inner, names) for inner in value] if isinstance(value, list) else value
