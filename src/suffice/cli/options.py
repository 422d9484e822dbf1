"""Arguments and options that several verbs share."""

from typing import Annotated

import typer

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="ROWS...",
        help="Files, globs, a query, database::table, a folder of texts or mails, or - for standard input.",
    ),
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column with the classes (in folders: the sub-folders)."),
]
Out = Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Write over a file that exists.")]
InPlace = Annotated[bool, typer.Option("--in-place", help="Change MODEL itself.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Of everything that is drawn at random.")]
Folds = Annotated[int, typer.Option("--folds", "-k", min=2, metavar="K", help="Parts that are left out in turn.")]
