"""Expressions of numbers, as text that is safe to put into others."""

from collections.abc import Sequence


def literal(value: float) -> str:
    """A finite number, spelled so that it comes back to the last bit and is never taken for a decimal."""
    spelled = repr(float(value))
    return spelled if "e" in spelled else f"{spelled}e0"


def total(terms: Sequence[str]) -> str:
    """The sum, as a balanced tree: parsers go down it, and thousands of columns would be too deep for them."""
    return _joined(list(terms), "+") if terms else "0e0"


def product(factors: Sequence[str]) -> str:
    return _joined(list(factors), "*")


def _joined(parts: list[str], sign: str) -> str:
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return f"({_joined(parts[:half], sign)} {sign} {_joined(parts[half:], sign)})"
