"""Learning and forgetting rows in a saved model."""

import copy
import warnings
from collections.abc import Sequence
from typing import Any, Literal

from suffice.cli.alignment import aligned, check_columns, with_class_names
from suffice.cli.change import Change, changed
from suffice.cli.declarations import declared
from suffice.cli.folders import FILE
from suffice.cli.loaded_rows import inferred_target
from suffice.cli.output_files import changed_model_path
from suffice.cli.rows import open_rows
from suffice.errors import ModelFileError, StaleWarning
from suffice.estimators.bayes import BayesClassifier
from suffice.estimators.model_file import load
from suffice.sources.batches import FrameBatches


def update_model(
    verb: Literal["learn", "forget"],
    model: str,
    rows: Sequence[str],
    target: str | None,
    out: str | None,
    in_place: bool,
    force: bool,
    encoding: str | None,
) -> Change:
    """Learn or forget rows, all or none: the file is written after the last row."""
    place = changed_model_path(model, out, in_place, force)
    estimator = load(model)
    if not isinstance(estimator, BayesClassifier):
        raise ModelFileError(
            f"{model!r} contains a {type(estimator).__name__}", "only a BayesClassifier learns and forgets rows"
        )
    before = copy.copy(estimator)
    warnings.simplefilter("ignore", StaleWarning)  # the page has the warning
    count = 0
    for table in open_rows(rows, declared(encoding=encoding), estimator.model_.schema).batches():
        names, classes = estimator.model_.names, estimator.classes_.tolist()
        check_columns(estimator.model_, table)
        part = with_class_names(aligned(table, estimator.model_).table, names, classes)
        target = inferred_target(target, part, names, classes)
        dropped = [name for name in part.column_names if name == FILE and name not in estimator.model_.names]
        batch = FrameBatches("the rows", _given(part.drop_columns(dropped)))
        if verb == "learn":
            estimator.partial_fit(batch, target)
        else:
            estimator.forget(batch, target)
        count += table.rows
    estimator.save(place)
    return changed(before, estimator, count, place)


def _given(table: Any) -> Any:
    return lambda: [table]
