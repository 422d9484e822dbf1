"""The model of a ``BayesClassifier`` by its parameters, deprecated ones included."""

import warnings
from typing import Any, cast, get_args

from suffice.errors import ParameterError
from suffice.families.base import Family
from suffice.model import Missing, Weighing

_OLD_CHOICES = {"none": "naive", "temperature": "weighted", "weights": "additive", None: None}


def weighing_of(model: Any, families: Any, naive: Any, calibrate: Any) -> Weighing:
    """The value of ``model``; by default ``"naive"`` if one family is given for all columns, else ``"full"``."""
    asked = _deprecated_choice(naive, calibrate)
    if model is not None and asked is not None:
        raise ParameterError("model is given beside naive or calibrate", "model alone is enough", "Leave them out")
    found = model if asked is None else asked
    if found not in (None, *get_args(Weighing)):
        raise ParameterError(f"model is {found!r}", "it must be 'naive', 'weighted', 'additive', 'full' or None")
    return cast(Weighing, found or ("naive" if isinstance(families, Family) else "full"))


def missing_of(missing: Any, weighing: Weighing) -> Missing:
    """The value of ``missing``; by default ``"evidence"`` if the model has joint scores."""
    if missing not in (None, *get_args(Missing)):
        raise ParameterError(f"missing is {missing!r}", "it must be 'evidence', 'ignore' or None")
    together = weighing in ("additive", "full")
    if missing == "evidence" and not together:
        raise ParameterError(
            f"missing is 'evidence' in a {weighing!r} model",
            "missing cells are marginalised in such models",
            "Use model='full' or 'additive', or add a column that indicates missing cells",
        )
    return cast(Missing, missing or ("evidence" if together else "ignore"))


def _deprecated_choice(naive: Any, calibrate: Any) -> str | None:
    """The value of ``model`` equivalent to ``naive`` and ``calibrate``; None if these are not given."""
    if not isinstance(naive, bool) and naive != "deprecated":
        raise ParameterError(f"naive is {naive!r}", "it must be True or False", "Write model='naive'")
    if calibrate not in ("deprecated", *_OLD_CHOICES):
        raise ParameterError(f"calibrate is {calibrate!r}", "it was replaced by model", "Write model='weighted'")
    if naive is True and calibrate not in ("deprecated", None, "none"):
        raise ParameterError(
            f"calibrate is {calibrate!r} in a naive model", "naive models have no weights", "Leave it out"
        )
    found = "naive" if naive is True else _OLD_CHOICES.get(calibrate)
    if found is not None:
        warnings.warn(f"naive and calibrate are deprecated: write model={found!r}.", FutureWarning, stacklevel=5)
    return found
