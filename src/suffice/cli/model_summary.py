"""What is in a model file."""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from suffice.errors import ModelFileError, SufficeError
from suffice.explain import Marginals
from suffice.model import Model
from suffice.numerics.arrays import FloatArray, IntArray
from suffice.numerics.tables import grid_edge
from suffice.persist import load_model
from suffice.sources import open_table
from suffice.statistics import GridCounts

_LEVELS = 3


class ClassLine(msgspec.Struct, frozen=True, kw_only=True):
    label: Any
    rows: float
    prior: float


class ColumnLine(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    family: str
    typical: list[str]
    """In each class, in the order of the classes."""


class ModelSummary(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    bytes: int
    holds: str
    rule: str
    rows: float
    stale: bool
    classes: list[ClassLine]
    columns: list[ColumnLine]


def model_of(path: str) -> Model:
    """The sums in a file, of whichever estimator."""
    try:
        return load_model(path)
    except ModelFileError:
        from suffice.estimators.model_file import load

        estimator = load(path)
        if not isinstance(getattr(estimator, "model_", None), Model):
            raise ModelFileError(
                f"{path!r} holds a {type(estimator).__name__}", "it keeps weights, and no sums to look at"
            ) from None
        return estimator.model_  # type: ignore[no-any-return]


def model_summary(path: str, size: int) -> ModelSummary:
    model = model_of(path)
    prior = np.exp(model.log_prior)
    return ModelSummary(
        file=path,
        bytes=size,
        holds=", ".join(sorted({type(block.family).__name__ for block in model.blocks})),
        rule=str(model.rule),
        rows=float(model.tally.weight.sum()),
        stale=model.is_stale,
        classes=[
            ClassLine(label=label, rows=float(rows), prior=float(p))
            for label, rows, p in zip(model.classes, model.tally.weight, prior, strict=True)
        ],
        columns=[
            ColumnLine(name=str(name), family=type(block.family).__name__, typical=_typical(model, block, statistic, j))
            for block, statistic in zip(model.blocks, model.tally.statistics, strict=True)
            for j, name in enumerate(block.columns)
        ],
    )


def _typical(model: Model, block: Any, statistic: Any, j: int) -> list[str]:
    if isinstance(statistic, GridCounts):
        return _on_grid(*statistic.columns()[j], statistic.bits[j])
    mean, weight = getattr(statistic, "mean", None), getattr(statistic, "weight", None)
    if mean is not None and weight is not None and block.reads == "numbers":
        spread = _spread(statistic, j)
        return [
            f"{m:.4g}" if s is None else f"{m:.4g} ± {s:.3g}" for m, s in zip(mean[:, j].tolist(), spread, strict=True)
        ]
    if block.reads == "levels":
        return _levels(model, block.columns[j], statistic.levels[j] if hasattr(statistic, "levels") else ())
    return []


def _on_grid(cells: IntArray, table: FloatArray, bits: int) -> list[str]:
    """Mean and spread, as far as the cells of a grid tell them."""
    middle = (grid_edge(cells, bits) + grid_edge(cells + 1, bits)) / 2
    rows = table.sum(axis=1)
    share = table / np.maximum(rows, 1e-300)[:, None]
    mean = share @ middle
    spread = np.sqrt((share * (middle - mean[:, None]) ** 2).sum(axis=1))
    return [f"{m:.3g} ± {s:.2g}" if n > 0 else "" for m, s, n in zip(mean, spread, rows, strict=True)]


def _spread(statistic: Any, j: int) -> list[float | None]:
    m2, weight = getattr(statistic, "m2", None), statistic.weight
    if m2 is None or weight.ndim != 2:
        return [None] * len(weight)
    return [float(v) for v in np.sqrt(m2[:, j] / np.maximum(weight[:, j], 1.0))]


def _levels(model: Model, name: Any, levels: Any) -> list[str]:
    """The most probable levels of each class."""
    known = list(levels)
    if not known:
        return []
    try:
        p = np.exp(Marginals(replace(model, blending=None)).log_density(open_table({name: known})))
    except SufficeError:
        return []
    return [
        ", ".join(f"{known[i]} {p[i, c]:.0%}" for i in np.argsort(-p[:, c], kind="stable")[:_LEVELS])
        for c in range(len(model.classes))
    ]
