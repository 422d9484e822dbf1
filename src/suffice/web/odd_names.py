"""Columns whose names msgspec gives no field: those with double quotes, backslashes or control characters.

Inside, such a name has other characters in the place of these, from Unicode's private use.
"""

from collections.abc import Mapping
from typing import Any

_ODD = {code: 0xE000 + code for code in (*range(0x20), ord('"'), ord("\\"))}
OUTER = {inner: code for code, inner in _ODD.items()}


def inner_name(name: str) -> str:
    """A name that a field may have.

    >>> outer_text(inner_name('12" pipe'))
    '12" pipe'
    """
    return name.translate(_ODD)


def outer_text(text: str) -> str:
    """A text with names as they are."""
    return text.translate(OUTER)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value from JSON with some names of its objects, at any depth, changed."""
    if isinstance(value, dict):
        return {names.get(name, name): renamed(inner, names) for name, inner in value.items()}
    return [renamed(inner, names) for inner in value] if isinstance(value, list) else value
