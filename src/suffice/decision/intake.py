"""Validation of posteriors, labels and priors."""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label, encode_labels, plain_labels
from suffice.errors import DataError, ParameterError, quoted
from suffice.families.class_prior import Given
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.posterior import SUM_TOLERANCE, log_sum_exp

_CACHED_CELLS = 1 << 15


def runs(rows: int, width: int) -> Iterator[slice]:
    """Slices of the rows that fit into the cache."""
    step = max(1, _CACHED_CELLS // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))


def check_posterior(posterior: ArrayLike, what: str = "The posterior", *, width: int | None = None) -> FloatArray:
    """Validate probabilities (rows, classes), which must sum to one in every row, and the number of classes if ``width`` is
    given."""
    p = _matrix(posterior, what)
    if width not in (None, p.shape[1]):
        raise DataError(f"{what} has {p.shape[1]} classes", f"{width} are needed, as in fitting")
    ones = np.ones(p.shape[1])
    with np.errstate(invalid="ignore"):
        for run in runs(*p.shape):
            part = p[run]
            if not (part.min() >= 0 and (np.abs(part @ ones - 1.0) <= SUM_TOLERANCE).all()):
                raise _no_probabilities(p, what)
    return p


def log_probabilities(posterior: ArrayLike, *, log: bool, what: str = "The posterior") -> FloatArray:
    """log p (rows, classes) as a new array; ``log`` is whether the input is logarithms."""
    if not log:
        return logarithm(check_posterior(posterior, what))
    joint = _matrix(posterior, what).copy()
    if np.isnan(joint).any() or not (np.abs(log_sum_exp(joint)) <= SUM_TOLERANCE).all():
        with np.errstate(over="ignore"):
            raise _no_probabilities(np.exp(joint), what)
    return joint


def logarithm(p: FloatArray) -> FloatArray:
    """log p, −inf where p is zero."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def _matrix(values: Any, what: str) -> FloatArray:
    try:
        p = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{what} is {values!r}", "an array of probabilities is needed") from None
    if p.ndim != 2 or not p.shape[1]:
        raise DataError(
            f"{what} has shape {p.shape}", "(rows, classes) is needed", "Pass the result of predict_proba(X)"
        )
    return p


def _no_probabilities(p: FloatArray, what: str) -> DataError:
    with np.errstate(invalid="ignore"):
        bad = {
            "NaN": np.isnan(p).any(axis=1),
            "negative": (p < 0).any(axis=1),
            "no distribution": ~(np.abs(p.sum(axis=1) - 1.0) <= SUM_TOLERANCE),
        }
    kind = next(name for name, rows in bad.items() if rows.any())
    row = int(np.flatnonzero(bad[kind])[0])
    found = f"sums to {p[row].sum():.6g}" if kind == "no distribution" else f"has a value that is {kind}"
    return DataError(
        f"{what} of row {row} {found}; the same holds for {int(bad[kind].sum())} of {len(p)} rows",
        "probabilities are numbers ≥ 0 that sum to one in every row",
    )


def label_array(labels: LabelsLike) -> AnyArray:
    """Labels as an array: of one type if all have that type, otherwise of objects, so that 1 does not become '1'."""
    if isinstance(labels, np.ndarray) and labels.ndim == 1:
        return labels
    listed = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    array: AnyArray = plain_labels([v.item() if isinstance(v, np.generic) else v for v in listed])
    return array


def class_labels(posterior: ArrayLike, classes: LabelsLike, width: int) -> AnyArray:
    """The names of the columns of a posterior: ``classes``, or those of a frame, or else 0, 1, 2, …"""
    named = getattr(posterior, "columns", None) if classes is None else classes
    labels = np.arange(width) if named is None else label_array(named)
    if labels.shape != (width,) or len(set(labels.tolist())) != width:
        raise ParameterError(
            f"The classes are {quoted(labels.tolist())}", f"the {width} columns of the posterior need one label each"
        )
    return labels


def class_codes(labels: LabelsLike, classes: AnyArray, rows: int) -> CodeArray:
    """The index of each label among the classes."""
    y = np.ravel(label_array(labels))
    if len(y) != rows:
        raise DataError(f"There are {len(y)} labels for {rows} rows", "one label a row is needed")
    if y.dtype != object:
        found = encode_labels(y)
        return places(found.classes, classes, "The labels hold")[found.codes]
    values = y.tolist()  # labels may have several types, such as numbers and REJECT
    distinct = list(dict.fromkeys(values))
    code = dict(zip(distinct, places(distinct, classes, "The labels hold").tolist(), strict=True))
    return np.fromiter((code[v] for v in values), dtype=np.int32, count=rows)


def labelled(posterior: ArrayLike, labels: LabelsLike, classes: LabelsLike) -> tuple[FloatArray, CodeArray, AnyArray]:
    """Validated posterior, class codes of the labels, and names of the classes."""
    p = check_posterior(posterior)
    names = class_labels(posterior, classes, p.shape[1])
    if not len(p):
        raise DataError("There are no rows", "at least one is needed")
    return p, class_codes(labels, names, len(p)), names


def places(labels: Sequence[Label], classes: AnyArray, found: str) -> CodeArray:
    """Indices of labels among the classes; unknown labels are refused by name."""
    known = {label: place for place, label in enumerate(classes.tolist())}
    unknown = [label for label in labels if label not in known]
    if unknown:
        raise DataError(
            f"{found} {quoted(unknown)}",
            f"the classes are {quoted(classes.tolist(), most=20)}",
            "If the columns have other names, pass classes=model.classes_",
        )
    return np.array([known[label] for label in labels], dtype=np.int32)


def check_prior(what: str, prior: Any, classes: AnyArray) -> FloatArray:
    """Probabilities of the classes: a mapping from labels, or numbers in the order of the classes."""
    if isinstance(prior, Mapping):
        places(list(prior), classes, f"The {what} prior names")
    try:
        return Given(prior).probabilities(np.empty(0), classes.tolist(), "mle")
    except ParameterError as error:
        raise ParameterError(f"In the {what} prior: {error.found}", error.allowed, error.todo) from None


def check_prior_support(joint: FloatArray, prior: FloatArray, classes: AnyArray, what: str) -> None:
    """Raise an error for a positive posterior of a class with prior zero, since it cannot be divided by that prior."""
    wrong = (prior == 0) & (joint > -np.inf).any(axis=0)
    if wrong.any():
        raise ParameterError(
            f"The {what} prior of class {quoted(classes[wrong].tolist())} is zero, but its posterior is not",
            "a class with a positive posterior needs a positive prior",
        )


def check_proportion(owner: str, name: str, value: object) -> None:
    """Raise an error for a value outside the open interval (0, 1)."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ParameterError(f"{owner}'s {name} is {value!r}", "it must lie between 0 and 1, both left out")
