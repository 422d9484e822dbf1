"""Learning curves: scores by number of training rows."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import DataError, ParameterError, quoted
from suffice.evaluate.scores import accuracy, log_loss_of_logs
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.numerics.random_state import RandomState, generator


@dataclass(frozen=True)
class LearningCurve:
    """Held-out scores, (models, sizes, repeats)."""

    models: tuple[str, ...]
    sizes: tuple[int, ...]
    log_loss: FloatArray
    accuracy: FloatArray

    def winner(self, size: int) -> str:
        """The model with the lowest mean log-loss at one size."""
        return self.models[int(self.log_loss[:, self.sizes.index(size)].mean(axis=1).argmin())]

    def table(self) -> str:
        """Mean log-loss and its standard error by size and model, the best of each size marked."""
        mean = self.log_loss.mean(axis=2)
        error = self.log_loss.std(axis=2) / np.sqrt(self.log_loss.shape[2])
        width = max(16, *(len(m) + 2 for m in self.models))
        lines = ["rows".rjust(8) + "".join(m.rjust(width) for m in self.models)]
        for j, size in enumerate(self.sizes):
            cells = (
                f"{mean[i, j]:.3f} ±{error[i, j]:.3f}{'*' if i == mean[:, j].argmin() else ' '}".rjust(width)
                for i in range(len(self.models))
            )
            lines.append(str(size).rjust(8) + "".join(cells))
        return "\n".join(lines)


def learning_curve(
    models: Mapping[str, Any],
    X: TableLike,
    y: LabelsLike,
    sizes: Iterable[int],
    *,
    test_rows: int | None = None,
    repeats: int = 10,
    random_state: RandomState = None,
    progress: Callable[[int, int], object] | None = None,
) -> LearningCurve:
    """Fit each model to increasing numbers of rows and score it on held-out rows.

    In each repeat, the rows are shuffled so that every initial part is stratified by class; ``test_rows`` of them (by default a
    third) are held out, and each size is the first part of the others. All models have the same rows, chosen by
    ``random_state``. A model is any object with ``fit`` and ``predict_log_proba``. ``progress(done, all)`` is called after each
    fit.

    Parameters
    ----------
    models : mapping
        Classifiers by name.
    X : table or array-like of shape (n_rows, n_features)
        The rows.
    y : array-like of shape (n_rows,)
        The true classes.
    sizes : iterable of int
        Numbers of training rows.
    test_rows : int or None, default=None
        Rows to score; None is a third.
    repeats : int, default=10
        Number of shuffles.
    random_state : int, Generator or None, default=None
        Seed of the shuffles.
    progress : callable or None, default=None
        Called with the fits done and the number of all.

    Returns
    -------
    LearningCurve
        Scores by model, size and repeat.

    Examples
    --------
    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> curve = learning_curve({"naive": GaussianNB()}, *load_iris(return_X_y=True), sizes=[15, 90], random_state=0)
    >>> bool(curve.accuracy[0, 1].mean() > 0.9)
    True
    """
    labels = np.asarray(y)
    wanted = tuple(sorted({int(s) for s in sizes}))
    tested = len(labels) // 3 if test_rows is None else test_rows
    if not models or not wanted or repeats < 1:
        raise ParameterError(
            "There are no models, sizes or repeats", "at least one model, one size and one repeat are needed"
        )
    if wanted[0] < 1 or tested < 1 or wanted[-1] + tested > len(labels):
        raise ParameterError(
            f"Sizes are {wanted[0]} to {wanted[-1]}, with {tested} test rows",
            f"there are {len(labels)} rows",
        )
    rng = generator(random_state)
    losses = np.empty((len(models), len(wanted), repeats))
    hits = np.empty_like(losses)
    for r in range(repeats):
        order = _in_proportion(labels, rng)
        test, train = order[:tested], order[tested:]
        for j, size in enumerate(wanted):
            rows = train[:size]
            _check_all_there(labels[rows], labels, size)
            for i, model in enumerate(models.values()):
                fitted = copy.deepcopy(model).fit(_rows(X, rows), labels[rows])
                answer = np.asarray(fitted.predict_log_proba(_rows(X, test)))
                losses[i, j, r] = log_loss_of_logs(labels[test], answer, fitted.classes_)
                hits[i, j, r] = accuracy(labels[test], answer, fitted.classes_)
            if progress is not None:
                progress(r * len(wanted) + j + 1, repeats * len(wanted))
    return LearningCurve(tuple(models), wanted, losses, hits)


def _in_proportion(labels: AnyArray, rng: np.random.Generator) -> IntArray:
    """A random order in which every initial part is stratified by class."""
    place = np.empty(len(labels))
    for label in np.unique(labels):
        mine = np.flatnonzero(labels == label)
        place[mine] = (rng.permutation(len(mine)) + rng.random(len(mine))) / len(mine)
    return np.argsort(place, kind="stable")


def _check_all_there(some: AnyArray, labels: AnyArray, size: int) -> None:
    absent = np.setdiff1d(labels, some)
    if len(absent):
        raise DataError(
            f"Of {size} rows none has class {quoted(absent.tolist())}",
            "every class is needed to compare models",
            "Give larger sizes",
        )


def _rows(X: TableLike, index: IntArray) -> Any:
    """Some rows of an array, a frame or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[index]
    if isinstance(X, Sequence):
        return [X[i] for i in index]
    return X[index]
