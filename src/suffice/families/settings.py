"""Validation of numeric hyper-parameters."""

from numbers import Real

from suffice.errors import ParameterError


def number(
    owner: str, name: str, value: object, *, least: float = 0.0, most: float = 1e300, optional: bool = False
) -> None:
    """Raise for a setting that is not a number from ``least`` to ``most`` (or None, where that means a default)."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, Real) or not least <= float(value) <= most:
        range_ = f"of at least {least:g}" if most == 1e300 else f"from {least:g} to {most:g}"
        other = ", or None" if optional else ""
        raise ParameterError(f"{owner}'s {name} is {value!r}", f"it must be a number {range_}{other}")
