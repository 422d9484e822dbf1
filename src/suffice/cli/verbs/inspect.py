"""``suffice inspect``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Json, ModelFile

if TYPE_CHECKING:
    from suffice.cli.model_summary import ModelSummary
    from suffice.cli.show import Page

_MAX_CLASSES, _MAX_COLUMNS = 6, 60


def inspect(
    model: ModelFile,
    why: Annotated[
        bool, typer.Option("--why", help="List the families considered for each column, and its weight.")
    ] = False,
    parameters: Annotated[
        bool, typer.Option("--parameters", help="List the parameters of every class and column, with standard errors.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the contents of a model file.

    Classes, columns, families, and typical values of each class. Kept rows are not shown.

    \b
      suffice inspect claims.model
      suffice inspect claims.model --why
      suffice inspect claims.model --parameters
    """
    if parameters:
        _list_parameters(model, as_json)
        return
    if why:
        _explain(model, as_json)
        return
    from pathlib import Path

    from suffice.cli.model_summary import model_summary
    from suffice.cli.show import show

    show(model_summary(model, Path(model).stat().st_size), as_json, _draw)


def _explain(model: str, as_json: bool) -> None:
    from suffice.cli.family_choices import choices, draw
    from suffice.cli.show import show

    show(choices(model), as_json, draw)


def _list_parameters(model: str, as_json: bool) -> None:
    from suffice.cli.parameters import draw, parameters_of
    from suffice.cli.show import show

    show(parameters_of(model), as_json, draw)


def _draw(page: "Page", found: "ModelSummary") -> None:
    page.line(
        f"{found.file}: {found.bytes:,} bytes, {found.rows:,.6g} rows learned, probabilities by rule '{found.rule}'"
    )
    if found.stale:
        page.warning("Fitted weights are out of date; run `suffice train` again.")
    page.heading(f"{len(found.classes)} classes")
    page.table(
        ["class", "rows", "prior"],
        [(c.label, f"{c.rows:,.6g}", f"{c.prior:.4f}") for c in found.classes],
        right=(1, 2),
    )
    classes = found.classes[:_MAX_CLASSES]
    page.heading(f"{len(found.columns)} columns, and what is typical of each class")
    page.table(
        ["column", "family", *(str(c.label) for c in classes)],
        [(c.name, c.family, *(c.typical[: len(classes)] or [""] * len(classes))) for c in found.columns[:_MAX_COLUMNS]],
    )
    if len(found.columns) > _MAX_COLUMNS:
        page.line(f"… and {len(found.columns) - _MAX_COLUMNS} more (--json has them all)")
