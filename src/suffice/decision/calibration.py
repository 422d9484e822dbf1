"""Calibration of posteriors, fitted on held-out rows."""

from typing import Any

from numpy.typing import ArrayLike

from suffice.columns.inputs import LabelsLike
from suffice.decision.intake import labelled
from suffice.decision.isotonic import Isotonic, fit_isotonic
from suffice.decision.scaling import Scaling, fit_scaling
from suffice.errors import ParameterError, quoted

METHODS = ("temperature", "platt", "vector", "isotonic")


def calibrate(
    posterior: ArrayLike, labels: LabelsLike, method: str = "temperature", *, classes: LabelsLike = None
) -> Scaling | Isotonic:
    """A map from posteriors to calibrated ones, from held-out (or out-of-fold) posteriors and their labels.

    ``"temperature"`` has one slope on the log-probabilities, ``"platt"`` also a bias per class (for two classes it is
    Platt's sigmoid of the log-odds), ``"vector"`` a slope and a bias per class, ``"isotonic"`` an isotonic curve per
    class. The first three are parametric and need few rows; isotonic calibration needs a thousand or more.

    Parameters
    ----------
    posterior : array-like of shape (n_rows, n_classes)
        Posteriors of any classifier, as ``predict_proba`` returns them.
    labels : array-like of shape (n_rows,)
        The true classes.
    method : {"temperature", "platt", "vector", "isotonic"}, default="temperature"
        The form of the map.
    classes : sequence of labels or None, default=None
        Names of the columns of the posterior; 0, 1, 2, … if not given.

    Returns
    -------
    Scaling or Isotonic
        A callable that maps posteriors to calibrated ones.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(20_000)
    >>> right = rng.random(20_000) < p
    >>> too_sure = p**3 / (p**3 + (1 - p) ** 3)
    >>> calibration = calibrate(np.column_stack([1 - too_sure, too_sure]), right.astype(int))
    >>> calibration.temperature.round(1)
    array([2.9, 2.9])
    >>> calibration([[0.1, 0.9]]).round(2)
    array([[0.32, 0.68]])
    """
    check_method(method)
    p, codes, _ = labelled(posterior, labels, classes)
    return fit_isotonic(p, codes) if method == "isotonic" else fit_scaling(method, p, codes)


def check_method(method: Any) -> None:
    if not isinstance(method, str) or method not in METHODS:
        raise ParameterError(f"The method of calibration is {method!r}", f"it must be one of {quoted(METHODS)}")
