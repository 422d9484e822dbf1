"""Checks of values from a file against the annotations of fields."""

import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

_NUMBERS: dict[Any, type] = {float: Real, int: Integral}


def fits(value: object, hint: Any) -> bool:
    """Whether a value matches an annotation, as far as that can be checked at run time."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return any(value == one and type(value) is type(one) for one in inner)
    if hint in _NUMBERS:
        return isinstance(value, _NUMBERS[hint]) and not isinstance(value, bool)
    if origin is tuple:
        return isinstance(value, tuple) and _all_fit(value, inner)
    if origin in (Sequence, Collection, Iterable):
        return isinstance(value, (origin, np.ndarray)) and not isinstance(value, str) and _all_fit(value, (*inner, ...))
    if origin is Mapping:
        return isinstance(value, Mapping) and all(fits(one, inner[1]) for one in value.values())
    if origin is not None:
        return not isinstance(origin, type) or isinstance(value, origin)
    return hint is Any or not isinstance(hint, type) or isinstance(value, hint)


def _all_fit(values: Collection[object], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is ...:
        return not _is_restrictive(inner[0]) or all(fits(one, inner[0]) for one in values)
    return len(values) == len(inner) and all(fits(a, b) for a, b in zip(values, inner, strict=True))


def _is_restrictive(hint: Any) -> bool:
    """Whether an annotation restricts its values. Names and labels may be anything, so many of them need no check."""
    return get_origin(hint) is not None or (isinstance(hint, type) and "Hashable" not in hint.__name__)
