"""Learning from an unbounded stream of batches, with checkpoints for recovery after a crash."""

import copy
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import DataError, ParameterError
from suffice.estimators import model_file
from suffice.estimators.checkpoint import Checkpoint, Pane, Position
from suffice.estimators.estimator_kinds import check_savable
from suffice.estimators.learner import SufficeLearner
from suffice.families.settings import number
from suffice.sources import open_table


def stream(
    estimator: Any,
    batches: "Iterable[Any] | Callable[[Position], Iterable[Any]]",
    *,
    checkpoint: "str | os.PathLike[str] | None" = None,
    every_rows: int | None = None,
    every_seconds: float | None = 60.0,
    decay: float | None = None,
    window: int | None = None,
    classes: Any = None,
) -> Any:
    """Call ``partial_fit`` on each batch of a stream, and write checkpoints.

    Parameters
    ----------
    estimator : an estimator with ``partial_fit``
        Fitted already or not; it is updated in place, and returned.
    batches : iterable, or function
        Of ``(X, y)`` or ``(X, y, sample_weight)``. To resume a stream, an iterable must yield the same batches from the
        start: those already learned are skipped. A function gets the ``Position`` (``batches`` and ``rows`` learned so
        far) and returns the batches after it.
    checkpoint : path or None
        A file with the estimator and its position. It is written every ``every_rows`` rows and every ``every_seconds``
        seconds, and when the stream ends or fails. If it exists at the start, the stream resumes from it: no row is
        counted twice, and none is skipped. ``suffice.load`` reads it too.
    every_rows : int or None
        Rows between two checkpoints.
    every_seconds : float or None
        Seconds between two checkpoints.
    decay : number from 0 to 1, or None
        Before each batch, the weight of all learned rows is multiplied by this factor.
    window : int or None
        Keep the latest whole batches with at most this many rows in total: new batches are added, old ones subtracted. The
        tally of each batch in the window is stored for this.
    classes : sequence of labels or None
        For the first call of ``partial_fit``.

    Returns
    -------
    estimator
        The updated estimator.

    Examples
    --------
    >>> import suffice
    >>> days = [([[20.0], [3.0]], ["warm", "cold"]), ([[25.0], [5.0]], ["warm", "cold"]), ([[1.0]], ["cold"])]
    >>> model = suffice.stream(suffice.BayesClassifier(), days, window=3)
    >>> model.model_.tally.weight.tolist()  # two rows of the second day and the third
    [2.0, 1.0]
    """
    _check(estimator, decay, window, every_rows, every_seconds)
    path = None if checkpoint is None else Path(checkpoint)
    if path is not None:
        check_savable(estimator)
    state = Checkpoint(estimator)
    if path is not None and path.exists():
        state = _resumed(estimator, path)
    writer = _CheckpointWriter(path, every_rows, every_seconds, state)
    try:
        for batch in _after(state.position, batches):
            X, y, weight = _parts(batch)
            state = _learned(estimator, state, X, y, weight, decay, window, classes)
            writer.update(state)
    finally:
        writer.write()
    return estimator


class _CheckpointWriter:
    """Saves the latest state at intervals."""

    def __init__(self, path: Path | None, rows: int | None, seconds: float | None, state: Checkpoint) -> None:
        self._path, self._rows, self._seconds = path, rows, seconds
        self._state, self._saved, self._time = state, state.position, time.monotonic()

    def update(self, state: Checkpoint) -> None:
        self._state = state
        enough = self._rows is not None and state.rows - self._saved.rows >= self._rows
        late = self._seconds is not None and time.monotonic() - self._time >= self._seconds
        if enough or late:
            self.write()

    def write(self) -> None:
        if self._path is not None and self._state.position != self._saved:
            model_file.save(self._state, self._path)
            self._saved, self._time = self._state.position, time.monotonic()


def _learned(
    estimator: Any,
    state: Checkpoint,
    X: TableLike,
    y: LabelsLike,
    weight: Any,
    decay: float | None,
    window: int | None,
    classes: Any,
) -> Checkpoint:
    """The state after one more batch. Models are immutable, so later batches do not change it."""
    before = vars(estimator).copy()
    rows = _rows(X, y)
    first = {} if hasattr(estimator, "classes_") or classes is None else {"classes": classes}
    try:
        if decay is not None and hasattr(estimator, "model_"):
            estimator.decay(decay)
        estimator.partial_fit(X, y, **first, **({} if weight is None else {"sample_weight": weight}))
        panes = state.panes
        if window is not None:
            panes = _within_window((*panes, Pane(rows, estimator.tally_of(X, y, weight))), window, estimator)
    except BaseException:  # a batch is learned completely or not at all
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
    return Checkpoint(copy.copy(estimator), state.batches + 1, state.rows + rows, panes)


def _within_window(panes: tuple[Pane, ...], window: int, estimator: SufficeLearner) -> tuple[Pane, ...]:
    """The panes within the window; the others are subtracted from the estimator."""
    while len(panes) > 1 and sum(pane.rows for pane in panes) > window:
        estimator.forget_tally(panes[0].tally)
        panes = panes[1:]
    return panes


def _resumed(estimator: Any, path: Path) -> Checkpoint:
    """Restore the estimator from a checkpoint file; returns the state."""
    state = model_file.load_checkpoint(path)
    if type(state.estimator) is not type(estimator):
        raise ParameterError(
            f"The checkpoint holds a {type(state.estimator).__name__}",
            f"the stream is for a {type(estimator).__name__}",
            "Use another file",
        )
    mine, theirs = estimator.get_params(deep=False), state.estimator.get_params(deep=False)
    other = [name for name in mine if not _same(mine[name], theirs[name])]
    if other:
        raise ParameterError(
            f"{other[0]} is {mine[other[0]]!r}, but {theirs[other[0]]!r} in the checkpoint",
            "a resumed stream keeps its parameters",
            "Use those, or another file",
        )
    vars(estimator).clear()
    vars(estimator).update(vars(state.estimator))
    return state


def _same(a: object, b: object) -> bool:
    return bool(np.array_equal(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else a == b)  # type: ignore[arg-type]


def _after(position: Position, batches: Any) -> Iterator[Any]:
    """The batches after a position."""
    if callable(batches):
        yield from batches(position)
        return
    passed = Position()
    for batch in batches:
        if passed.batches == position.batches:
            yield batch
            continue
        X, y, _ = _parts(batch)
        passed = Position(passed.batches + 1, passed.rows + _rows(X, y))
        if passed.batches == position.batches and passed != position:
            raise DataError(
                f"The first {passed.batches} batches have {passed.rows} rows, but had {position.rows} when they were learned",
                "a stream is resumed with the same batches from the start",
                "Give a function of the position that returns the batches after it",
            )


def _parts(batch: Any) -> tuple[Any, Any, Any]:
    if not isinstance(batch, tuple) or len(batch) not in (2, 3):
        raise DataError(f"A batch is a {type(batch).__name__}", "it must be a tuple (X, y) or (X, y, sample_weight)")
    return (*batch, None) if len(batch) == 2 else batch


def _rows(X: TableLike, y: LabelsLike) -> int:
    return open_table(X).rows if isinstance(y, (str, int)) else len(y)


def _check(estimator: Any, decay: Any, window: Any, every_rows: Any, every_seconds: Any) -> None:
    if not hasattr(estimator, "partial_fit"):
        raise ParameterError(f"{type(estimator).__name__} has no partial_fit", "a stream is learned batch by batch")
    number("stream", "decay", decay, most=1.0, optional=True)
    if decay == 0:
        raise ParameterError("stream's decay is 0", "that would forget everything before each batch")
    for name, value in (("window", window), ("every_rows", every_rows)):
        number("stream", name, value, least=1, optional=True)
    number("stream", "every_seconds", every_seconds, optional=True)
    if (decay is not None or window is not None) and not isinstance(estimator, SufficeLearner):
        raise ParameterError(f"{type(estimator).__name__} has no additive statistics", "decay and window need them")
    if decay is not None and window is not None:
        raise ParameterError("Both decay and window were given", "decayed batches cannot be subtracted", "Choose one")
