"""A column of text."""

from suffice.families.text.family import Text

__all__ = ["Text"]
