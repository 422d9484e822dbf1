"""Estimators in files."""

import os
from typing import Any

from suffice.errors import ModelFileError
from suffice.estimators.checkpoint import Checkpoint
from suffice.estimators.estimator_kinds import ESTIMATORS, KINDS_WITH_ESTIMATORS, check_savable
from suffice.persist import model_file


def save(estimator: object, path: "str | os.PathLike[str]") -> None:
    """Write a fitted estimator; raises for attributes that are other objects or functions."""
    check_savable(estimator)
    model_file.save(estimator, path, KINDS_WITH_ESTIMATORS)


def load(path: "str | os.PathLike[str]", *, max_bytes: int = model_file.MAX_BYTES) -> Any:
    """Load an estimator from a file written by ``save``; it can predict, learn further rows, merge and forget.

    Untrusted files are safe to load: they contain numbers and text, and nothing in them is executed. A damaged, truncated or
    malformed file, or one larger than ``max_bytes``, raises a ``ModelFileError``.

    Parameters
    ----------
    path : str or path
        A file written by ``save``.
    max_bytes : int, default=4 GiB
        Largest file that is read.

    Returns
    -------
    estimator
        The saved estimator.

    Examples
    --------
    >>> import suffice, tempfile
    >>> model = suffice.BayesClassifier(model="naive").fit([{"tea": 1.0}, {"tea": 5.0}], ["cold", "warm"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/tea.model")
    ...     suffice.load(f"{folder}/tea.model").predict([{"tea": 4.0}]).tolist()
    ['warm']
    """
    found = model_file.load(path, KINDS_WITH_ESTIMATORS, max_bytes)
    if isinstance(found, Checkpoint):
        return found.estimator
    if KINDS_WITH_ESTIMATORS.tag_of(found) not in ESTIMATORS:
        raise ModelFileError(f"The file holds a {type(found).__name__}", "an estimator is needed")
    return found


def load_checkpoint(path: "str | os.PathLike[str]") -> Checkpoint:
    """Load a checkpoint of a stream; an estimator saved on its own is at the start of a stream."""
    found = model_file.load(path, KINDS_WITH_ESTIMATORS)
    return found if isinstance(found, Checkpoint) else Checkpoint(found)
