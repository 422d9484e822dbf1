"""Drift of new rows from the training rows, measured while they are scored."""

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from suffice.cli.alignment import aligned
from suffice.columns.arrow_table import ArrowTable
from suffice.model.drift import NewRowCounts, compared
from suffice.numerics.arrays import FloatArray

if TYPE_CHECKING:
    from suffice.cli.scoring import Scorer
    from suffice.cli.show import Page

_BATCH_ROWS, _MAX_COMPARED_ROWS = 2_000, 50_000  # compared rows of a batch, and of all batches
_MIN_ROWS = 30  # with fewer, drift is not reported
_MAX_COLUMNS = 5
_MIN_STANDARD_ERRORS, _MIN_SHARE_CHANGE = 5.0, 0.05  # for a change of a class share to be reported


class ColumnChange(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    missing: tuple[float, float]
    """Share of missing cells: learned, new."""
    outside: float | None
    unseen: float | None
    distance: float | None
    shift: float | None
    changes: list[str]


class ShareChange(msgspec.Struct, frozen=True, kw_only=True):
    """The share of a class in the model's prior, and as estimated from its posteriors."""

    label: Any
    trained: float
    estimated: float


class DriftPart(msgspec.Struct, frozen=True, kw_only=True):
    rows: int
    columns: list[ColumnChange]
    shares: list[ShareChange]
    """Class shares, if they have changed."""


class DriftMonitor:
    """Counts a sample of the scored rows to compare them with the training rows; needs a model with class statistics."""

    def __init__(self, scorer: "Scorer", path: str) -> None:
        self._scorer, self._path = scorer, path
        self._counted: NewRowCounts | None = None
        self._posteriors: list[FloatArray] = []

    def add(self, table: ArrowTable, posterior: FloatArray) -> None:
        model = self._scorer.model
        counted = 0 if self._counted is None else self._counted.rows
        if model is None or counted >= _MAX_COMPARED_ROWS or not table.rows:
            return
        head = ArrowTable(table.table.slice(0, _BATCH_ROWS), table.names)
        new = NewRowCounts.of(model, aligned(head, model))
        self._counted = new if self._counted is None else self._counted + new
        self._posteriors.append(posterior[:_BATCH_ROWS].copy())

    def part(self) -> DriftPart:
        """The drift of the rows added so far."""
        model, new = self._scorer.model, self._counted
        if model is None or new is None or new.rows < _MIN_ROWS:
            return DriftPart(rows=0 if new is None else new.rows, columns=[], shares=[])
        columns = [
            ColumnChange(
                name=str(c.name),
                missing=c.missing,
                outside=c.outside,
                unseen=c.unseen,
                distance=c.distance,
                shift=c.shift,
                changes=list(c.changes),
            )
            for c in compared(model, new)
        ]
        return DriftPart(rows=new.rows, columns=columns, shares=self._shares())

    def notes(self) -> list[str]:
        """The drift as notes, printed after the predictions."""
        return sentences(self.part())

    def _shares(self) -> list[ShareChange]:
        """Class shares, if the mean posterior differs from the prior and from that of held-out rows."""
        trained = self._scorer.trained_prior
        assert trained is not None
        p = np.concatenate(self._posteriors)
        if not _differs(p, trained, 0.0):
            return []
        from suffice.decision.priors import estimate_priors  # loads an optimiser
        from suffice.estimators.held_out_kind import load_held_out

        held = load_held_out(self._path)
        if held is None or not _differs(p, held.posterior.mean(axis=0), _error(held.posterior)):
            return []
        now = estimate_priors(p, trained).priors
        return [
            ShareChange(label=label, trained=float(was), estimated=float(is_))
            for label, was, is_ in zip(self._scorer.classes, trained, now, strict=True)
        ]


def _differs(p: FloatArray, mean: FloatArray, error: Any) -> bool:
    """Whether the mean posterior differs significantly and by a relevant amount."""
    off = np.abs(p.mean(axis=0) - mean)
    return bool(((off > _MIN_STANDARD_ERRORS * (_error(p) + error)) & (off > _MIN_SHARE_CHANGE)).any())


def _error(p: FloatArray) -> FloatArray:
    return np.asarray(p.std(axis=0) / np.sqrt(len(p)) + 1.0 / len(p))


def sentences(part: DriftPart) -> list[str]:
    """The drift as sentences."""
    changed = [c for c in part.columns if c.changes]
    found = [
        f"Column {c.name!r} differs from the training rows: {'; '.join(c.changes)}." for c in changed[:_MAX_COLUMNS]
    ]
    if len(changed) > _MAX_COLUMNS:
        found.append(f"The same holds for {len(changed) - _MAX_COLUMNS} more columns.")
    if part.shares:
        most = max(part.shares, key=lambda s: abs(s.estimated - s.trained))
        option = ",".join(f"{s.label}={s.estimated:.3f}" for s in part.shares)
        found.append(
            f"Class {most.label!r} has an estimated share of {most.estimated:.0%} here, {most.trained:.0%} in the model; "
            f"if so, add --prior '{option}'."
        )
    return found


def draw_drift(page: "Page", part: DriftPart) -> None:
    page.heading("These rows compared with the training rows")
    lines = sentences(part)
    for text in lines:
        page.line(text)
    if not lines:
        page.line("no column has changed significantly" if part.columns else "not compared")
