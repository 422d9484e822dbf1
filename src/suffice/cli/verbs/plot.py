"""``suffice plot``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Sources, Target

KINDS = (
    "densities", "curves", "regions", "ellipses", "effect", "words", "spy", "images", "reliability", "confusion",
    "risk-coverage", "cost-curve", "roc", "precision-recall", "lift", "prior-shift", "evidence", "nomogram",
)  # fmt: skip


def _complete(beginning: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(beginning)]


def plot(
    kind: Annotated[str, typer.Argument(metavar="PICTURE", help=", ".join(KINDS), autocompletion=_complete)],
    model: ModelFile,
    rows: Sources,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .pdf file.")],
    target: Target = None,
    columns: Annotated[str | None, typer.Option("--columns", "-c", metavar="A,B", help="The columns to draw.")] = None,
    row: Annotated[
        int | None, typer.Option("--row", min=1, metavar="N", help="The row of the source to show, from 1.")
    ] = None,
    of: Annotated[str | None, typer.Option("--of", metavar="CLASS", help="The class to draw.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="CLASS", help="The class to compare with.")
    ] = None,
    curve: Annotated[
        str, typer.Option("--curve", metavar="KIND", help="For curves: posterior, joint or log_joint.")
    ] = "posterior",
    shape: Annotated[
        str | None, typer.Option("--shape", metavar="HxW", help="For images: height and width, such as 8x8.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draw a picture of a model and some rows.

    Pictures of quality (reliability, confusion, risk-coverage, cost-curve, roc, precision-recall, lift, prior-shift) use
    held-out predictions for rows that the model has learned; the caption states how they were computed.

    \b
      suffice plot densities penguins.model penguins.csv -c bill_length_mm -o bills.png
      suffice plot regions penguins.model penguins.csv -c bill_length_mm,bill_depth_mm -o map.svg
      suffice plot evidence claims.model claims.csv --row 17 -o why.png
    """
    from suffice.cli.json_output import Drawn, as_json_text
    from suffice.cli.picture_file import draw_to

    size, how = draw_to(kind, model, rows, target, out, columns, row, of, against, curve, shape, force)
    if as_json:
        print(as_json_text(Drawn(out=out, bytes=size, rows=how)))
    else:
        print(f"{out} is written{': ' if how else ''}{how}")
