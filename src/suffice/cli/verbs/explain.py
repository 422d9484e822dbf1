"""``suffice explain``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Json, ModelFile, Sources

if TYPE_CHECKING:
    from suffice.cli.row_explanation import RowExplanation
    from suffice.cli.show import Page


def explain(
    model: ModelFile,
    rows: Sources,
    row: Annotated[int, typer.Option("--row", min=1, metavar="N", help="Number of the row, from 1.")] = 1,
    of: Annotated[str | None, typer.Option("--of", metavar="CLASS", help="By default the most probable.")] = None,
    against: Annotated[str | None, typer.Option("--against", metavar="CLASS", help="By default the next.")] = None,
    most: Annotated[int, typer.Option("--most", min=1, metavar="N", help="Features to show.")] = 15,
    interactions: Annotated[
        bool, typer.Option("--interactions", help="Show joint scores of columns separately.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Explain the prediction for a row.

    The evidence of each column for one class against another; it adds up to the log-odds.

    \b
      suffice explain claims.model new.csv --row 17
      suffice explain claims.model new.csv --row 17 --of yes --against no
      suffice explain claims.model new.csv --row 17 --interactions
    """
    from suffice.cli.row_explanation import explain_row
    from suffice.cli.show import show

    show(explain_row(model, rows, row, of, against, most, interactions), as_json, _draw)


def _draw(page: "Page", why: "RowExplanation") -> None:
    page.line(f"row {why.row}: {why.of} against {why.against}, p({why.of}) = {why.probability:.4f}")
    evidence = {"(prior odds)": why.prior, **why.evidence}
    page.table(
        ["feature", "value", "evidence", ""],
        [(name, why.cells.get(name, ""), number, bar) for name, number, bar in _bars(evidence)],
        right=(2,),
    )
    page.line(f"sum of all: {why.log_odds:+.3f} (log-odds; + favours {why.of}, − {why.against})")
    if why.words:
        page.heading("Strongest evidence in the texts")
        page.table(["", "evidence", ""], _bars(why.words), right=(1,))


def _bars(evidence: dict[str, float]) -> list[tuple[str, str, str]]:
    widest = max((abs(v) for v in evidence.values()), default=1.0) or 1.0
    return [(name, f"{value:+.3f}", _bar(value, widest)) for name, value in evidence.items()]


def _bar(value: float, widest: float, half: int = 12) -> str:
    length = min(half, round(half * abs(value) / widest))
    return f"{' ' * half}│{'█' * length}" if value >= 0 else f"{' ' * (half - length)}{'█' * length}│"
