"""What counts as a missing cell among Python objects."""


def is_missing(value: object) -> bool:
    """None, NaN, or pandas' own markers, which do not like to be compared."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )
