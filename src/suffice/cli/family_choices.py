"""``suffice inspect --why``: considered families, weight and importance of each column."""

import msgspec

from suffice.cli.model_summary import model_of
from suffice.cli.show import Page
from suffice.errors import DataError
from suffice.evaluate import describe
from suffice.explain import importance
from suffice.model import Model

_MAX_PARTNERS, _MAX_OTHERS, _MAX_COLUMNS = 3, 2, 60


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    family: str
    loss: float | None
    """Leave-one-out mean of −log p(class | column alone)."""
    considered: dict[str, float]
    counts_for: float | None
    missing_counts_for: float | None
    together_with: dict[str, float]


class ColumnImportance(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    evidence: float
    """Mean |evidence| for the most probable class against the next, nats."""
    loss: float
    """The increase of the held-out mean −log p(class) without the column."""
    error: float
    """Standard error of that."""


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    prior_loss: float
    correlated_normals_count_for: float
    pairs_corrected: bool
    columns: list[Choice]
    importance: list[ColumnImportance]
    """Strongest evidence first; empty if the model keeps no rows or too few."""
    notes: list[str]


def choices(path: str) -> Choices:
    model = model_of(path)
    found = describe(model)
    return Choices(
        file=path,
        prior_loss=found.prior_loss,
        correlated_normals_count_for=found.together,
        pairs_corrected=found.corrected,
        columns=[
            Choice(
                column=str(c.name),
                family=type(c.family).__name__,
                loss=c.loss,
                considered={type(other.family).__name__: other.loss for other in c.considered},
                counts_for=c.weight,
                missing_counts_for=c.missing,
                together_with={str(name): weight for name, weight in c.partners},
            )
            for c in found.columns
        ],
        importance=_importance(model),
        notes=found.notes,
    )


def _importance(model: Model) -> list[ColumnImportance]:
    try:
        found = importance(model)
    except DataError:  # the model keeps no rows
        return []
    return [
        ColumnImportance(column=str(name), evidence=float(evidence), loss=float(loss), error=float(error))
        for name, evidence, loss, error in zip(found.columns, found.evidence, found.loss, found.error, strict=True)
    ]


def draw(page: Page, found: Choices) -> None:
    page.line(
        f"{found.file}: leave-one-out log-loss of each column alone ({found.prior_loss:.3f} for the class shares)"
    )
    page.table(
        ["column", "family", "alone", "considered", "weight", "pairs"],
        [
            (
                c.column,
                c.family,
                "" if c.loss is None else f"{c.loss:.3f}",
                _listed(c.considered, _MAX_OTHERS, 3),
                "" if c.counts_for is None else f"{c.counts_for:.2f}",
                _listed(c.together_with, _MAX_PARTNERS, 2),
            )
            for c in found.columns
        ],
        right=(2, 4),
    )
    for note in found.notes:
        page.line(note)
    if not found.importance:
        return
    page.heading("Importance of each column in the whole model")
    page.table(
        ["column", "mean |evidence|", "loss without it"],
        [(c.column, f"{c.evidence:.3f}", f"{c.loss:+.4f} ± {c.error:.4f}") for c in found.importance[:_MAX_COLUMNS]],
        right=(1, 2),
    )
    if len(found.importance) > _MAX_COLUMNS:
        page.line(f"… and {len(found.importance) - _MAX_COLUMNS} more (--json has them all)")


def _listed(values: dict[str, float], most: int, digits: int) -> str:
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in list(values.items())[:most])
