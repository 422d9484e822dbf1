"""Missing cells among Python objects, and tokens for missing cells in text columns of numbers or dates."""

MISSING_TOKENS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", ".")
"""Lower-case tokens that are missing cells in a column of numbers or dates."""


def is_missing(value: object) -> bool:
    """Whether a cell is None, NaN, or a missing value of pandas (by type: it cannot be compared)."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )
