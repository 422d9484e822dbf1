"""Escaping of column names that msgspec does not allow as fields: with double quotes, backslashes or control characters.

Internally, these characters are replaced by characters from Unicode's private use area.
"""

from collections.abc import Mapping
from typing import Any

_ESCAPED = {code: 0xE000 + code for code in (*range(0x20), ord('"'), ord("\\"))}
UNESCAPED = {inner: code for code, inner in _ESCAPED.items()}


def escaped_name(name: str) -> str:
    """A name that is valid for a msgspec field.

    >>> unescaped_text(escaped_name('12" pipe'))
    '12" pipe'
    """
    return name.translate(_ESCAPED)


def unescaped_text(text: str) -> str:
    """A text with the original names."""
    return text.translate(UNESCAPED)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with names of objects replaced, at any depth."""
    if isinstance(value, dict):
        return {names.get(name, name): renamed(inner, names) for name, inner in value.items()}
    return [renamed(inner, names) for inner in value] if isinstance(value, list) else value
