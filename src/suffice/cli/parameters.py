"""``suffice inspect --parameters``: the parameters of every class and column."""

from typing import Any

import msgspec
import numpy as np

from suffice.cli.model_summary import named_model_of
from suffice.cli.show import Page
from suffice.explain import parameters

_MAX_PRINTED = 400


class ParameterLine(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    label: Any
    family: str
    name: str
    value: float
    error: float | None
    rows: float


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of every class and column."""

    parameters: list[ParameterLine]


def parameters_of(path: str) -> Parameters:
    lines = [
        ParameterLine(
            column=p.column,
            label=p.label,
            family=p.family,
            name=p.name,
            value=p.value,
            error=p.error if np.isfinite(p.error) else None,
            rows=p.rows,
        )
        for p in parameters(*named_model_of(path))
    ]
    return Parameters(parameters=lines)


def draw(page: Page, found: Parameters) -> None:
    page.table(
        ["column", "class", "family", "parameter", "value", "standard error", "rows"],
        [
            (
                p.column,
                p.label,
                p.family,
                p.name,
                f"{p.value:.6g}",
                "" if p.error is None else f"{p.error:.3g}",
                f"{p.rows:,.6g}",
            )
            for p in found.parameters[:_MAX_PRINTED]
        ],
        right=(4, 5, 6),
    )
    if len(found.parameters) > _MAX_PRINTED:
        page.line(f"… and {len(found.parameters) - _MAX_PRINTED} more (--json has them all)")
