"""Summary of the contents of a model file."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from suffice.cli.class_summaries import class_summaries
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
    """A short summary of the column in each class, in the order of the classes."""


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
    """The model in the file of any estimator that has one."""
    return named_model_of(path)[0]


def named_model_of(path: str) -> tuple[Model, Sequence[Name] | None]:
    """The model and, if its columns are positions in a matrix that was a frame, the names of that frame."""
    try:
        return load_model(path), None
    except ModelFileError:
        from suffice.estimators.model_file import load

        estimator = load(path)
        if not isinstance(getattr(estimator, "model_", None), Model):
            raise ModelFileError(
                f"{path!r} contains a {type(estimator).__name__}", "it has weights but no statistics"
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
            ColumnLine(
                name=str(name), family=type(block.family).__name__, typical=class_summaries(model, block, statistic, j)
            )
            for block, statistic in zip(model.blocks, model.tally.statistics, strict=True)
            for j, name in enumerate(block.columns)
        ],
    )
