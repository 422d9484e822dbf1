"""Numeric SQL expressions that can be nested safely."""

from collections.abc import Sequence

from suffice.numerics.arrays import AnyArray

_DECIMALS = 13


def literal(value: float) -> str:
    """The literal of a finite number, exact and parsed as a double rather than a decimal."""
    spelled = repr(float(value))
    return spelled if "e" in spelled else f"{spelled.removesuffix('.0')}e0"


def rounded(value: float) -> str:
    """The literal of a score, rounded to 1e-13 since scores make up most of a query."""
    return literal(round(float(value), _DECIMALS) + 0.0)


def total(terms: Sequence[str]) -> str:
    """The sum as a balanced tree, since a chain of thousands of terms exceeds the recursion limit of parsers."""
    return _joined(list(terms), "+") if terms else "0e0"


def product(factors: Sequence[str]) -> str:
    return _joined(list(factors), "*")


def weighted_total(weights: AnyArray, terms: Sequence[str]) -> str:
    """Σ weight · term."""
    return total([f"{literal(w)} * {term}" for w, term in zip(weights, terms, strict=True) if w])


def by_cuts(x: str, cuts: "Sequence[float] | AnyArray", values: Sequence[str]) -> str:
    """The value of the interval between sorted cuts that contains x, by nested binary search."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    below, above = by_cuts(x, cuts[: half - 1], values[:half]), by_cuts(x, cuts[half:], values[half:])
    cut = cuts[half - 1]
    text = str(cut) if isinstance(cut, int) else literal(cut)
    return f"CASE WHEN {x} < {text} THEN {below} ELSE {above} END"


def unless_missing(x: str, value: str, missing: str = "NULL") -> str:
    """``value``, or ``missing`` if x is NULL."""
    return f"CASE WHEN {x} IS NULL THEN {missing} ELSE {value} END"


def _joined(parts: list[str], sign: str) -> str:
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return f"({_joined(parts[:half], sign)} {sign} {_joined(parts[half:], sign)})"
