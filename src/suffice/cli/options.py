"""Arguments and options common to several verbs."""

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
Store = Annotated[
    str,
    typer.Option(
        "--store",
        help="A SQLite file or a postgresql:// URL.",
        show_default="beside the model",
        envvar="SUFFICE_STORE",
    ),
]
StoreOf = Annotated[str | None, typer.Option("--model", metavar="MODEL", help="The model file beside the store.")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column with the classes (in folders: the sub-folders)."),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TOKEN",
        help="A token for missing cells, in every column; may be given several times. Blank cells are always missing, "
        "and so are NA, n/a, NaN, null, None, ?, - and . in columns of numbers or dates.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Encoding of CSV files. By default Unicode, or else Windows-1252."),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="COLUMN=KIND",
        help="The kind of a column: number, category, text, date or ignore; may be given several times.",
    ),
]
Out = Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="The output file.")]
Force = Annotated[bool, typer.Option("--force", "-f", help="Overwrite an existing file.")]
InPlace = Annotated[bool, typer.Option("--in-place", help="Change MODEL itself.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of all random draws.")]
Folds = Annotated[int, typer.Option("--folds", "-k", min=2, metavar="K", help="Number of folds.")]
Group = Annotated[
    str | None,
    typer.Option("--group", metavar="COLUMN", help="Hold out whole groups; the column is not a feature."),
]
Time = Annotated[
    str | None,
    typer.Option("--time", metavar="COLUMN", help="Score rows by models of earlier rows; the column is not a feature."),
]
