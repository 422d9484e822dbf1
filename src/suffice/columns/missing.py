"""Missing cells among Python objects, and tokens for missing cells in text columns of numbers or dates."""

TOKENS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", ".")
"""Lower-case tokens that are missing cells in a column that otherwise holds numbers or dates."""


def is_missing(value: object) -> bool:
    """Whether a cell is None, NaN, or a marker of pandas, which cannot be compared."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )
