"""A saved model and labelled rows, brought together."""

from collections.abc import Sequence
from typing import Any

from suffice.cli.gather import gather, guessed_target, with_known_labels
from suffice.cli.rows import open_rows
from suffice.errors import ModelFileError
from suffice.estimators.model_file import load
from suffice.model import Model
from suffice.report.subject import Subject


def subject_of(path: str, places: Sequence[str], target: str | None, seed: int = 0) -> Subject:
    """What reports and pictures are about."""
    estimator: Any = load(path)
    if not isinstance(getattr(estimator, "model_", None), Model):
        raise ModelFileError(f"{path!r} holds a {type(estimator).__name__}", "densities are needed for this")
    found = gather(open_rows(places), seed=seed)
    label = guessed_target(target, found.sample, estimator.model_.names, estimator.classes_.tolist())
    return Subject(estimator, with_known_labels(found.sample, label), label, found.total, " ".join(places))
