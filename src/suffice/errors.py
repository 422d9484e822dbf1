"""The one family of errors, and the one way to phrase them.

Every message says what was found and where, what is allowed, and what to do about it::

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
    """Two sums of statistics do not describe the same thing, so they cannot be added."""


class ForgetError(SufficeError, ValueError):
    """What is to be forgotten was never learned."""


class NotAdditiveError(SufficeError, TypeError):
    """A family that keeps no sum was asked to merge, update or forget."""


class NoSamplesError(SufficeError, TypeError):
    """A family that is no density, or an outside one that cannot draw, was asked for samples."""


class MissingPackageError(SufficeError, ImportError):
    """What was asked for needs an optional package that is not installed."""


class NotLinearError(SufficeError, TypeError):
    """The posterior of this model is not a softmax of linear scores."""


class NoSqlError(SufficeError, TypeError):
    """A part of the model cannot be written as an expression of a database."""


class NotExportableError(SufficeError, TypeError):
    """A part of the model cannot be scored outside Python."""


class NotSavableError(SufficeError, TypeError):
    """Something that is no number, text or sum was asked to go into a model file."""


class ModelFileError(SufficeError, ValueError):
    """A model file is damaged, cut short, from elsewhere or made up."""


class OutputError(SufficeError, OSError):
    """A file cannot be written where it is wanted."""


class StaleWarning(UserWarning):
    """Weights were fitted to other rows than the counts are of, and no rows are kept to fit them again."""


class ColumnWarning(UserWarning):
    """A column is read in a way that may not be meant.

    ``todo`` is what to do in Python, ``option`` the same on the command line.
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
