"""``suffice inspect --why``: what else each column could have been, and how much it counts."""

import msgspec

from suffice.cli.model_summary import model_of
from suffice.cli.show import Page
from suffice.evaluate import describe

_MOST_PARTNERS, _MOST_OTHERS = 3, 2


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    family: str
    loss: float | None
    """Mean −log p(class | column alone) of rows left out."""
    considered: dict[str, float]
    counts_for: float | None
    missing_counts_for: float | None
    together_with: dict[str, float]


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    prior_loss: float
    correlated_normals_count_for: float
    pairs_corrected: bool
    columns: list[Choice]
    notes: list[str]


def choices(path: str) -> Choices:
    found = describe(model_of(path))
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
        notes=found.notes,
    )


def draw(page: Page, found: Choices) -> None:
    page.line(
        f"{found.file}: how well each column alone tells the classes, as mean −log p of rows left out "
        f"({found.prior_loss:.3f} knowing none)"
    )
    page.table(
        ["column", "taken as", "alone", "considered", "counts for", "with"],
        [
            (
                c.column,
                c.family,
                "" if c.loss is None else f"{c.loss:.3f}",
                _listed(c.considered, _MOST_OTHERS, 3),
                "" if c.counts_for is None else f"{c.counts_for:.2f}",
                _listed(c.together_with, _MOST_PARTNERS, 2),
            )
            for c in found.columns
        ],
        right=(2, 4),
    )
    for note in found.notes:
        page.line(note)


def _listed(values: dict[str, float], most: int, digits: int) -> str:
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in list(values.items())[:most])
