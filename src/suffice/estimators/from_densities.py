"""A textbook model from densities with given parameters."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import DataError, ParameterError, quoted
from suffice.families.assignment import Block
from suffice.families.given_parameters import ROWS, AnyGivenParameters, GivenParameters
from suffice.model import Model
from suffice.statistics import Tally


def families_of(densities: Any) -> Any:
    """The families, in the form of the ``families`` parameter."""
    return (
        {key: _one(known).family for key, known in densities.items()}
        if isinstance(densities, Mapping)
        else _one(densities).family
    )


def given_model(densities: Any, settings: dict[str, Any]) -> Model:
    """The model whose maximum-likelihood estimates are the given parameters."""
    each = _by_columns(densities)
    first = each[0][1]
    for columns, known in each:
        if known.classes != first.classes:
            raise DataError(
                f"Columns {quoted(list(columns))} have densities of {quoted(list(known.classes))}",
                f"others have densities of {quoted(list(first.classes))}",
            )
        if known.columns != len(columns):
            raise DataError(
                f"Columns {quoted(list(columns))} have a density of {known.columns} columns", "the numbers must agree"
            )
    blocks = tuple(Block(columns, known.family.for_columns(columns), known.family.reads) for columns, known in each)
    tally = Tally(
        first.classes,
        np.full(len(first.classes), ROWS),
        tuple(columns for columns, _ in each),
        tuple(known.statistic for _, known in each),
    )
    names: Any = (
        each[0][0] if isinstance(densities, GivenParameters) else tuple(name for columns, _ in each for name in columns)
    )
    return Model(blocks=blocks, names=names, tally=tally, **settings)


def _by_columns(densities: Any) -> list[tuple[Sequence[Name], AnyGivenParameters]]:
    if not isinstance(densities, Mapping):
        return [(range(_one(densities).columns), _one(densities))]
    if not densities:
        raise ParameterError("densities is empty", "at least one column is needed")
    return [(key if isinstance(key, tuple) else (key,), _one(known)) for key, known in densities.items()]


def _one(known: Any) -> AnyGivenParameters:
    if not isinstance(known, GivenParameters):
        raise ParameterError(
            f"A density is {known!r}",
            "it must be the result of given of a family, such as Gaussian.given(mean=…, sd=…)",
        )
    return known
