"""The covariance matrix of each class under scikit-learn's settings."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from suffice.columns.labels import Labels
from suffice.errors import DataError, ParameterError, quoted
from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance, FullCovariance


@dataclass(frozen=True, eq=False)
class FromRows:
    """Covariances that are not functions of additive statistics: one per class, and one of all rows."""

    classes: tuple[FloatArray, ...]
    total: FloatArray


def shrunk(covariance: Covariance, shrinkage: float) -> Covariance:
    """The covariance shrunk toward the identity times the mean variance."""
    if shrinkage == 0:
        return covariance
    variances = covariance.variances
    return covariance.scaled(1 - shrinkage).plus_diagonal(np.full(len(variances), shrinkage * variances.mean()))


def check_settings(
    owner: str, solver: object, solvers: Sequence[str], shrinkage: object, estimator: object, tol: object
) -> None:
    """Reject settings that scikit-learn rejects, with its messages."""
    if solver not in solvers:
        raise ParameterError(f"{owner}'s solver is {solver!r}", f"it must be one of {quoted(tuple(solvers))}")
    is_share = isinstance(shrinkage, Real) and not isinstance(shrinkage, bool) and 0 <= float(shrinkage) <= 1
    if not (shrinkage is None or shrinkage == "auto" or is_share):
        raise ParameterError(f"{owner}'s shrinkage is {shrinkage!r}", "it must be 'auto', None or from 0 to 1")
    if not isinstance(tol, Real) or not float(tol) >= 0:
        raise ParameterError(f"{owner}'s tol is {tol!r}", "it must be a number ≥ 0")
    if estimator is not None and not hasattr(estimator, "fit"):
        raise ParameterError(f"{owner}'s covariance_estimator is {estimator!r}", "it must have a fit method")
    if solver == "svd" and shrinkage is not None:
        raise NotImplementedError("shrinkage not supported with 'svd' solver.")
    if estimator is not None and shrinkage not in (None, 0):
        raise ParameterError(
            "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set"
        )


def from_rows(x: FloatArray, labels: Labels, weight: FloatArray | None, estimator: Any) -> FromRows:
    """Covariances by a given estimator or, without one, by Ledoit and Wolf's rule on standardised columns."""
    if weight is not None:
        raise ParameterError(
            "sample_weight was given", "shrinkage='auto' and covariance_estimator take no weights", "Use a number"
        )
    complete = ~np.isnan(x).any(axis=1)
    parts = [x[complete & (labels.codes == c)] for c in range(len(labels.classes))]
    if not all(len(part) for part in parts):
        raise DataError("Some class has no complete row", "its covariance is estimated from complete rows")
    return FromRows(tuple(_estimated(part, estimator) for part in parts), _estimated(x[complete], estimator))


def _estimated(x: FloatArray, estimator: Any) -> FloatArray:
    if estimator is None:
        from sklearn.covariance import (
            ledoit_wolf,  # imported late: it loads slowly
        )
        from sklearn.preprocessing import StandardScaler

        scaler = StandardScaler()
        deviation = scaler.fit(x).scale_
        return np.asarray(ledoit_wolf(scaler.transform(x))[0] * np.outer(deviation, deviation))
    fitted = copy.deepcopy(estimator)
    fitted.fit(x)
    if not hasattr(fitted, "covariance_"):
        raise ParameterError(f"{type(estimator).__name__} does not have a covariance_ attribute")
    return np.asarray(fitted.covariance_, dtype=np.float64)


def class_covariance(
    scatter: Covariance, rows: float, klass: int, shrinkage: float | None, given: FromRows | None
) -> Covariance:
    """The covariance of one class: given, or its scatter divided by its rows, shrunk."""
    if given is not None:
        return FullCovariance(given.classes[klass])
    return shrunk(scatter.scaled(1 / rows if rows > 0 else 0.0), shrinkage or 0.0)
