"""``suffice diff``"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.options import Json

if TYPE_CHECKING:
    from suffice.cli.json_output import ModelDiff
    from suffice.cli.show import Page
    from suffice.evaluate import Difference


def diff(
    before: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    after: Annotated[str, typer.Argument(metavar="OTHER", help="The model file to compare it with.")],
    as_json: Json = False,
) -> None:
    """Show what changed between two model files.

    Rows and priors of the classes, and the divergence of each column's distribution within the classes.

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


def _plain(found: "Difference") -> "ModelDiff":
    """The difference with names as text, for keys of JSON."""
    from suffice.cli.json_output import ClassChange, ColumnDiff, ModelDiff

    return ModelDiff(
        classes=[ClassChange(label=c.label, rows=c.rows, prior=c.prior) for c in found.classes],
        columns=[
            ColumnDiff(
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
    page.heading("Divergence of each column within the classes (Jensen–Shannon, at most 0.693)")
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
        page.line(f"weight of {name}: {was:.3g} before, {now:.3g} now")


def _changes(column: Any) -> str:
    was, now = column.family
    changes = [] if was == now else [f"{was or 'absent'} → {now or 'absent'}"]
    changes += [f"new: {', '.join(map(str, column.levels_added[:5]))}"] if column.levels_added else []
    changes += [f"removed: {', '.join(map(str, column.levels_removed[:5]))}"] if column.levels_removed else []
    return "; ".join(changes)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.4g}"
