"""The subject of a report or picture: a saved model with labelled rows."""

from dataclasses import replace
from typing import Any

from suffice.cli.alignment import with_class_names
from suffice.cli.loaded_rows import inferred_target, load_rows
from suffice.errors import ModelFileError
from suffice.estimators.model_file import load
from suffice.model import Model
from suffice.report.subject import Subject
from suffice.sources.source import LocalSource


def estimator_of(path: str) -> Any:
    """The fitted estimator in a file, which must have densities."""
    estimator: Any = load(path)
    if not isinstance(getattr(estimator, "model_", None), Model):
        raise ModelFileError(f"{path!r} contains a {type(estimator).__name__}", "a model with densities is needed")
    return estimator


def subject_of(estimator: Any, source: LocalSource, target: str | None, name: str, seed: int = 0) -> Subject:
    """The model with the loaded rows of a source."""
    names, classes = estimator.model_.names, estimator.classes_.tolist()
    found = load_rows(source, seed=seed)
    found = replace(found, sample=with_class_names(found.sample, names, classes))
    label = inferred_target(target, found.sample, names, classes)
    known, numbers = found.labelled(label)
    total = found.labels(label)
    weighed = getattr(estimator, "class_weight", None) is not None  # the sums are then no numbers of rows
    return Subject(
        estimator,
        known,
        label,
        total,
        name,
        numbers=numbers,
        unlabelled=found.total - total,
        learned=None if weighed else round(estimator.model_.tally.weight.sum()),
    )
