"""``suffice diff``"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.options import Json

if TYPE_CHECKING:
    from suffice.cli.json_output import Moved
    from suffice.cli.show import Page
    from suffice.evaluate import Difference


def diff(
    before: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    after: Annotated[str, typer.Argument(metavar="OTHER", help="The model file to compare it with.")],
    as_json: Json = False,
) -> None:
    """Show what changed between two model files.

    Classes with their rows and priors, and how far each column's distribution moved within the classes.

    \b
      suffice diff march.model april.model
    """
    from suffice.cli.model_summary import model_of
    from suffice.cli.show import print_json, show
    from suffice.evaluate import difference

    found = difference(model_of(before), model_of(after))
    if as_json:
        print_json(_plain(found))
        return
    show(found, False, _draw)


def _plain(found: "Difference") -> "Moved":
    """Names as text, as keys of JSON are."""
    from suffice.cli.json_output import ClassChange, ColumnMove, Moved

    return Moved(
        classes=[ClassChange(label=c.label, rows=c.rows, prior=c.prior) for c in found.classes],
        columns=[
            ColumnMove(
                name=str(c.name),
                family=c.family,
                weight=c.weight,
                divergence=None if c.divergence is None else {str(k): v for k, v in c.divergence.items()},
                exact=c.exact,
                levels_added=[str(v) for v in c.levels_added],
                levels_removed=[str(v) for v in c.levels_removed],
            )
            for c in found.columns
        ],
        parts=found.parts,
    )


def _draw(page: "Page", found: "Difference") -> None:
    page.table(
        ["class", "rows before", "rows now", "prior before", "prior now"],
        [(c.label, *(_number(v) for v in (*c.rows, *c.prior))) for c in found.classes],
        right=(1, 2, 3, 4),
    )
    page.heading("How far each column moved within the classes (Jensen–Shannon divergence, at most 0.693)")
    page.table(
        ["column", "most", "in class", "weight before", "weight now", "changes"],
        [
            (
                c.name,
                "" if c.divergence is None else f"{c.moved:.4f}",
                "" if not c.divergence else max(c.divergence, key=lambda label: (c.divergence or {})[label]),
                *(_number(v) for v in c.weight),
                _changes(c),
            )
            for c in found.columns
        ],
        right=(1, 3, 4),
    )
    for name, (was, now) in found.parts.items():
        page.line(f"{name} count for {was:.3g} before and {now:.3g} now")


def _changes(column: Any) -> str:
    was, now = column.family
    said = [] if was == now else [f"{was or 'not there'} → {now or 'not there'}"]
    said += [f"new: {', '.join(map(str, column.levels_added[:5]))}"] if column.levels_added else []
    said += [f"gone: {', '.join(map(str, column.levels_removed[:5]))}"] if column.levels_removed else []
    return "; ".join(said)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.4g}"
