"""scikit-learn's arguments of LogisticRegression: their validation, and the strength of the penalty."""

import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from suffice.errors import ParameterError
from suffice.numerics.arrays import AnyArray, FloatArray

SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")

_PENALTY_DEPRECATED = (
    "'penalty' was deprecated in version 1.8 of scikit-learn. To avoid this warning, leave 'penalty' set to its default "
    "value and use 'C' instead: C=np.inf instead of penalty=None."
)


def check_arguments(model: Any) -> float:
    """Validate arguments as scikit-learn does, and refuse unsupported penalties; returns C, infinite without a
    penalty."""
    _check_ranges(model)
    penalty = _penalty(model)
    if model.solver not in ("liblinear", "saga") and penalty not in ("l2", None):
        raise ParameterError(
            f"Solver {model.solver} supports only 'l2' or None penalties, got {penalty} penalty",
            "this estimator has the L2 penalty alone",
            "Use sklearn.linear_model.LogisticRegression(solver='saga') for L1 and elastic net",
        )
    if model.solver != "liblinear" and model.dual:
        raise ParameterError(f"Solver {model.solver} supports only dual=False, got dual={model.dual}")
    if model.solver == "liblinear" and penalty is None:
        raise ParameterError("C=np.inf as well as penalty=None is not supported for the liblinear solver")
    if model.solver == "liblinear" and penalty == "elasticnet":
        raise ParameterError(f"Only 'saga' solver supports elasticnet penalty, got solver={model.solver}")
    if penalty not in ("l2", None):
        raise ParameterError(
            f"The penalty is {penalty} (l1_ratio={model.l1_ratio!r})",
            "this estimator has the L2 penalty alone",
            "Use sklearn.linear_model.LogisticRegression for L1 and elastic net",
        )
    return np.inf if penalty is None else float(model.C)


def _penalty(model: Any) -> str | None:
    ratio = model.l1_ratio
    if model.penalty == "deprecated":
        if ratio is None:
            warnings.warn(
                "'l1_ratio=None' was deprecated in version 1.8 of scikit-learn. Use l1_ratio=0 instead.",
                FutureWarning,
                stacklevel=5,
            )
        if np.inf == model.C:
            return None
        return {0: "l2", 1: "l1"}.get(ratio or 0, "elasticnet")
    warnings.warn(_PENALTY_DEPRECATED, FutureWarning, stacklevel=5)
    given: str | None = model.penalty
    if given == "elasticnet" and ratio is None:
        raise ParameterError("l1_ratio must be specified when penalty is elasticnet")
    if given == "l2" and ratio != 0:
        warnings.warn(
            f"Inconsistent values: penalty={given} with l1_ratio={ratio}. penalty is deprecated. "
            "Please use l1_ratio only.",
            UserWarning,
            stacklevel=5,
        )
    if given == "elasticnet" and ratio == 0:
        return "l2"
    if given is None and model.C != 1.0:
        warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters", UserWarning, stacklevel=5)
    return given


def _check_ranges(model: Any) -> None:
    def number(name: str, test: Any, allowed: str, kind: type = Real) -> None:
        value = getattr(model, name)
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind) or not test(value):
            raise ParameterError(f"{name} is {value!r}", f"it must be {allowed}")

    def one_of(name: str, *allowed: Any) -> None:
        value = getattr(model, name)
        if not any(value is a or (isinstance(value, str) and value == a) for a in allowed):
            raise ParameterError(f"{name} is {value!r}", f"it must be one of {', '.join(map(repr, allowed))}")

    def flag(name: str) -> None:
        value = getattr(model, name)
        if not isinstance(value, (bool, np.bool_)):
            raise ParameterError(f"{name} is {value!r}", "it must be True or False")

    one_of("penalty", "deprecated", "l2", "l1", "elasticnet", None)
    one_of("solver", *SOLVERS)
    number("C", lambda v: v > 0, "a number > 0, or np.inf for no penalty")
    number("tol", lambda v: v >= 0, "a number ≥ 0")
    number("intercept_scaling", lambda v: 0 < v < np.inf, "a number > 0")
    number("max_iter", lambda v: v >= 0, "a whole number ≥ 0", Integral)
    if model.l1_ratio is not None:
        number("l1_ratio", lambda v: 0 <= v <= 1, "a number from 0 to 1")
    if not isinstance(model.verbose, (bool, np.bool_)):
        number("verbose", lambda v: v >= 0, "a whole number ≥ 0", Integral)
    for name in ("dual", "fit_intercept", "warm_start"):
        flag(name)
    weights = model.class_weight
    if not (weights is None or isinstance(weights, Mapping) or (isinstance(weights, str) and weights == "balanced")):
        raise ParameterError(f"class_weight is {weights!r}", "it must be a mapping from labels, 'balanced' or None")


def class_factors(class_weight: Any, classes: AnyArray, totals: FloatArray) -> FloatArray:
    """The factor of each class by ``class_weight``, given the total row weight of the class."""
    if isinstance(class_weight, str):  # "balanced"
        return np.asarray(np.where(totals > 0, totals.sum() / (len(totals) * np.where(totals > 0, totals, 1.0)), 0.0))
    factors = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes), dtype=np.float64)
    wrong = ~((factors >= 0) & (factors < 1e100))
    if wrong.any():
        raise ParameterError(
            f"class_weight is {factors[wrong][0]:g} for class {classes[wrong].tolist()[0]!r}", "it must be a number ≥ 0"
        )
    if not (factors * totals).any():
        raise ParameterError("class_weight leaves no row any weight", "at least one class must count")
    return factors
