"""The contents of a model file."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from suffice.cli.typical import typical
from suffice.columns.kinds import Name
from suffice.errors import ModelFileError
from suffice.model import Model
from suffice.persist import load_model


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
    return named_model_of(path)[0]


def named_model_of(path: str) -> tuple[Model, Sequence[Name] | None]:
    """The same, with the names of columns that are numbers in the model, as those of a matrix from a frame."""
    try:
        return load_model(path), None
    except ModelFileError:
        from suffice.estimators.model_file import load

        estimator = load(path)
        if not isinstance(getattr(estimator, "model_", None), Model):
            raise ModelFileError(
                f"{path!r} holds a {type(estimator).__name__}", "it keeps weights and no statistics"
            ) from None
        return estimator.model_, getattr(estimator, "feature_names_in_", None)


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
            ColumnLine(name=str(name), family=type(block.family).__name__, typical=typical(model, block, statistic, j))
            for block, statistic in zip(model.blocks, model.tally.statistics, strict=True)
            for j, name in enumerate(block.columns)
        ],
    )
