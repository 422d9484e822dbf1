"""The error classes of the package, and the form of their messages.

A message states what was found and where, what is allowed, and what to do::

    Column 'age' has 3 negative values; Poisson needs counts ≥ 0. Use Gaussian() for it, or drop those rows.
"""

import sys
import warnings

from numpy.linalg import LinAlgError

_BETWEEN = ("suffice", "sklearn", "joblib", "contextlib")  # a user's line and a warning


class SufficeError(Exception):
    """Base of every error this package raises on purpose."""

    def __init__(self, found: str, allowed: str = "", todo: str = "") -> None:
        message = f"{found}; {allowed}" if allowed else found
        super().__init__(f"{message}. {todo}." if todo else f"{message}.")
        self.found, self.allowed, self.todo = found, allowed, todo

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.found, self.allowed, self.todo)


class DataError(SufficeError, ValueError):
    """The rows, the labels or the weights cannot be used as they are."""


class SingularError(DataError, LinAlgError):
    """A covariance matrix has directions in which nothing varies, and the model asked for needs them."""


class NegativeError(DataError):
    """A value is negative where only counts and amounts make sense."""


class TooManyPairsError(DataError):
    """Columns have so many levels that counts of all pairs of them would not fit."""


class ParameterError(SufficeError, ValueError):
    """A setting of a family, a prior or an estimator is out of its range."""


class MergeError(SufficeError, ValueError):
    """Two models or statistics count different things, so they cannot be added."""


class ForgetError(SufficeError, ValueError):
    """Rows to be forgotten were never learned."""


class NotAdditiveError(SufficeError, TypeError):
    """The statistic of a family does not add, so the model cannot be merged, updated or forget rows."""


class NoSamplesError(SufficeError, TypeError):
    """The model cannot be sampled: a family is not a density, or an outside estimator has no ``sample``."""


class MissingPackageError(SufficeError, ImportError):
    """An optional package is required and not installed."""


class NotLinearError(SufficeError, TypeError):
    """The posterior of this model is not a softmax of linear scores."""


class NoSqlError(SufficeError, TypeError):
    """A part of the model cannot be written as an expression of a database."""


class NotExportableError(SufficeError, TypeError):
    """A part of the model cannot be scored outside Python."""


class NotSavableError(SufficeError, TypeError):
    """An object that is not a number, text or statistic cannot be saved in a model file."""


class ModelFileError(SufficeError, ValueError):
    """A model file is damaged, truncated, forged, or not a model file."""


class OutputError(SufficeError, OSError):
    """An output file cannot be written."""


class StaleWarning(UserWarning):
    """Fitted weights are out of date, and no rows are kept to refit them."""


class ColumnWarning(UserWarning):
    """A column may be read in an unintended way.

    ``todo`` is advice for Python, ``option`` for the command line.
    """

    def __init__(self, found: str, todo: str, option: str) -> None:
        super().__init__(f"{found} {todo}")
        self.found, self.todo, self.option = found, todo, option

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.found, self.todo, self.option)


def warn_caller(warning: Warning) -> None:
    """Warn at the line that called this package, directly or through scikit-learn."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def quoted(names: object, most: int = 5) -> str:
    """Names for a message: ``'a', 'b' and 3 more``."""
    items = [repr(n) for n in names] if isinstance(names, (list, tuple, set, frozenset)) else [repr(names)]
    shown = ", ".join(items[:most])
    return f"{shown} and {len(items) - most} more" if len(items) > most else shown
