"""Densities with given parameters, as statistics of 2⁴⁰ rows whose maximum-likelihood estimate equals them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.blocks import Cells
from suffice.columns.labels import Label, encode_labels, plain_labels
from suffice.errors import DataError, ParameterError, quoted
from suffice.families.base import Family
from suffice.numerics.arrays import FloatArray
from suffice.statistics import Statistic

ByClass: TypeAlias = Mapping[Any, ArrayLike] | ArrayLike
"""A parameter of each class, or one for all classes."""

B = TypeVar("B", bound=Cells)
S = TypeVar("S", bound=Statistic)

ROWS = 2.0**40
"""Number of rows that given parameters count for: standard errors vanish, and multiplication by a power of two is
exact."""


@dataclass(frozen=True, eq=False)
class GivenParameters(Generic[B, S]):
    """A family with the parameters of each class, as ``given`` of the family returns it.

    ``BayesClassifier.from_densities`` makes a model of one or several. The maximum-likelihood estimate equals the parameters.
    """

    family: Family[B, S]
    classes: tuple[Label, ...]
    statistic: S
    columns: int = 1


AnyGivenParameters: TypeAlias = GivenParameters[Any, Any]


def by_class(who: str, **parameters: ByClass) -> tuple[tuple[Label, ...], list[FloatArray]]:
    """The sorted classes, and each parameter, a mapping from class or one value for all, as an array with a class
    axis."""
    named = {name: value for name, value in parameters.items() if isinstance(value, Mapping)}
    if not named:
        raise ParameterError(
            f"{who}.given got {quoted(list(parameters))} without classes",
            "at least one must be a mapping from class to value",
            f"For example {who}.given({next(iter(parameters))}={{'a': …, 'b': …}}, …)",
        )
    first = next(iter(named.values()))
    classes = encode_labels(plain_labels(list(first))).classes
    for name, value in named.items():
        if set(value) != set(classes):
            raise DataError(
                f"{who}.given has {name} of {quoted(list(value))}", f"every parameter must have {quoted(list(classes))}"
            )
    return classes, [_array(who, name, value, classes) for name, value in parameters.items()]


def _array(who: str, name: str, value: ByClass, classes: tuple[Label, ...]) -> FloatArray:
    each = [value[c] for c in classes] if isinstance(value, Mapping) else [value] * len(classes)
    out = np.array(each, dtype=np.float64)
    if not np.isfinite(out).all():
        raise DataError(f"{who}.given has {name} {value!r}", "parameters must be finite")
    return out


def check_within(who: str, name: str, value: FloatArray, least: float, most: float = np.inf) -> None:
    """Refuse a parameter outside its range; a range without upper bound excludes its lower bound."""
    inside = (value > least) if most == np.inf else (value >= least) & (value <= most)
    if not inside.all():
        allowed = f"larger than {least:g}" if most == np.inf else f"from {least:g} to {most:g}"
        raise DataError(f"{who}.given has {name} {value[~inside].flat[0]:g}", f"it must be {allowed}")


def rows_of(classes: tuple[Label, ...]) -> FloatArray:
    """The weight of one column, (classes, 1)."""
    return np.full((len(classes), 1), ROWS)
