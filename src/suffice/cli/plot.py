"""``suffice plot``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Sources, Target

KINDS = (
    "densities", "curves", "regions", "ellipses", "evidence", "effect", "nomogram", "reliability", "confusion", "risk-coverage",
    "cost-curve", "prior-shift", "words", "spy", "images",
)  # fmt: skip


def _complete(beginning: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(beginning)]


def plot(
    kind: Annotated[str, typer.Argument(metavar="PICTURE", help=", ".join(KINDS), autocompletion=_complete)],
    model: ModelFile,
    rows: Sources,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .pdf file.")],
    target: Target = None,
    columns: Annotated[
        str | None, typer.Option("--columns", "-c", metavar="A,B", help="The columns to look along.")
    ] = None,
    row: Annotated[int | None, typer.Option("--row", min=1, metavar="N", help="The row to mark, from 1.")] = None,
    of: Annotated[str | None, typer.Option("--of", metavar="CLASS", help="The class it is about.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="CLASS", help="The class it is held against.")
    ] = None,
    curve: Annotated[
        str, typer.Option("--curve", metavar="KIND", help="For curves: posterior, joint or log_joint.")
    ] = "posterior",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draw a picture of a model and some rows.

    \b
      suffice plot densities penguins.model penguins.csv -c bill_length_mm -o bills.png
      suffice plot regions penguins.model penguins.csv -c bill_length_mm,bill_depth_mm -o map.svg
      suffice plot evidence claims.model claims.csv --row 17 -o why.png
    """
    import msgspec

    from suffice.cli.drawing import draw_to

    size = draw_to(kind, model, rows, target, out, columns, row, of, against, curve, force)
    print(msgspec.json.encode({"out": out, "bytes": size}).decode() if as_json else f"{out} is drawn")
