"""What counts as a missing cell among Python objects, and among texts that stand for numbers or dates."""

TOKENS = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?", "-", ".")
"""In lower case: missing cells of a column that is numbers or dates but for them."""


def is_missing(value: object) -> bool:
    """None, NaN, or pandas' own markers, which do not like to be compared."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )
