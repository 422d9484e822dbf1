"""``suffice sql``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile, Out


def sql(
    model: ModelFile,
    table: Annotated[
        str, typer.Option("--table", metavar="NAME", help="The table with the rows; schema::table too.")
    ] = "rows",
    dialect: Annotated[
        str, typer.Option("--dialect", metavar="NAME", help="duckdb, postgres, sqlite or snowflake.")
    ] = "duckdb",
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="A,B", help="Columns that go along, such as an id.")
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="A column more for each score that a log joint is the sum of.")
    ] = False,
    out: Out = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write a model as a query that scores rows in a database.

    Forests have no form in SQL: train with --model additive, weighted or naive.

    \b
      suffice sql claims.model --table claims --keep id --dialect postgres -o score.sql
      suffice sql claims.model --table new.parquet | duckdb
    """
    import msgspec

    from suffice.cli.model_summary import model_of
    from suffice.cli.writing import check_free, write_whole
    from suffice.sql import to_sql

    if out is not None:
        check_free(out, force)
    columns = [name for name in (keep or "").split(",") if name]
    query = to_sql(model_of(model), dialect, table.split("::"), columns, evidence=evidence)
    if out is not None:
        write_whole(out, lambda file: file.write(f"{query}\n".encode()))
    if as_json:
        print(msgspec.json.encode({"dialect": dialect, "table": table, "out": out, "query": query}).decode())
    else:
        print(f"{out} is written" if out is not None else query)
