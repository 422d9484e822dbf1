"""A saved ``BayesClassifier`` without the estimator: scikit-learn takes longer to import than everything else that a service
needs to start."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.columns.schema import Schema
from suffice.decision.held_out import HeldOut
from suffice.errors import ModelFileError, quoted
from suffice.estimators.held_out_kind import HELD_OUT_KIND
from suffice.model import Model
from suffice.numerics.arrays import AnyArray
from suffice.persist import model_file
from suffice.persist.fields import fits
from suffice.persist.kinds import SavedKind
from suffice.persist.model_kinds import KINDS
from suffice.persist.shapes import invalid_field

PARAMETERS = (
    "calibrate", "class_weight", "estimate", "families", "keep_rows", "missing", "missing_columns", "model", "n_jobs", "naive",
    "prior",
)  # fmt: skip
"""The constructor parameters of a ``BayesClassifier``, in the order of the file."""

FITTED_ATTRIBUTES: dict[str, Any] = {
    "classes_": np.ndarray,
    "n_features_in_": int,
    "feature_names_in_": np.ndarray,
    "model_": Model,
    "_label_dtype": np.dtype,
    "_form": str,
    "left_out_": tuple,
    "log_likelihood_": Any,
    "unlabelled_weight_": float,
    "held_out_": HeldOut,
    "schema_": Schema | None,
}
"""The fitted attributes of a ``BayesClassifier`` that are saved, with their types."""


class SavedBayesClassifier:
    """Parameters and fitted attributes of a ``BayesClassifier``, loaded from a file and savable again."""

    classes_: AnyArray
    model_: Model
    n_features_in_: int

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the file that the estimator would write."""
        model_file.save(self, path, _KINDS)


def load_without_estimator(path: "str | os.PathLike[str]") -> SavedBayesClassifier:
    """Load a ``BayesClassifier``; the file of any other estimator is refused."""
    found = model_file.load(path, _KINDS)
    if not isinstance(found, SavedBayesClassifier):
        raise ModelFileError(f"The file holds a {type(found).__name__}", "a BayesClassifier is needed")
    return found


def check_attributes(
    kind: str, parts: Mapping[str, Any], parameters: "tuple[str, ...] | list[str]", fitted: Mapping[str, Any]
) -> None:
    """Refuse attributes that the estimator does not have, or of another type."""
    unknown = [name for name in parts if name not in fitted and name not in parameters]
    if unknown:
        raise ModelFileError(f"{kind} has no {quoted(unknown)}", "it was made by another version")
    for name, value in parts.items():
        if name in fitted and not fits(value, fitted[name]):
            raise invalid_field(name, f"is a {type(value).__name__}")


def check_consistency(kind: str, estimator: Any, coherent: Callable[[Any], bool]) -> None:
    """Raise if the attributes of an estimator are inconsistent."""
    names, held = getattr(estimator, "feature_names_in_", None), getattr(estimator, "held_out_", None)
    named = names is None or names.shape == (estimator.n_features_in_,)
    judged = held is None or held.posterior.shape[1] == len(estimator.classes_)
    if not (coherent(estimator) and named and judged):
        raise ModelFileError(f"The {kind} in the file is inconsistent", "it is damaged, or was not written by suffice")


def fits_its_model(estimator: Any) -> bool:
    """Whether classes and columns of an estimator are those of its class statistics."""
    model = estimator.model_
    return len(model.names) == estimator.n_features_in_ and estimator.classes_.tolist() == list(model.classes)


class _BayesClassifierKind(SavedKind):
    """A ``BayesClassifier`` of any version, as its attributes."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        return {name: value.__dict__[name] for name in (*PARAMETERS, *FITTED_ATTRIBUTES) if name in value.__dict__}

    def from_fields(self, parts: Mapping[str, Any]) -> SavedBayesClassifier:
        check_attributes("BayesClassifier", parts, PARAMETERS, FITTED_ATTRIBUTES)
        made = SavedBayesClassifier()
        made.__dict__.update(parts)
        check_consistency("BayesClassifier", made, fits_its_model)
        return made


_KINDS = KINDS.extended({"BayesClassifier": _BayesClassifierKind(lambda: SavedBayesClassifier), **HELD_OUT_KIND})
