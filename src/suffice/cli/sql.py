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
    counting: Annotated[
        str | None,
        typer.Option(
            "--counting", metavar="COLUMN", help="Count the rows of the table, this column having the classes."
        ),
    ] = None,
    out: Out = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write a model as a query that scores rows in a database, or one that counts them for a textbook model.

    Forests have no form in SQL: train with --model additive, weighted or naive.

    \b
      suffice sql claims.model --table claims --keep id --dialect postgres -o score.sql
      suffice sql claims.model --table new.parquet | duckdb
      suffice sql textbook.model --counting fraud --table claims -o count.sql
    """
    import msgspec

    from suffice.cli.model_summary import model_of
    from suffice.cli.writing import check_free, write_whole
    from suffice.errors import ParameterError
    from suffice.sql import counting as counting_query
    from suffice.sql import to_sql
    from suffice.sql.counting import textbook_families

    if out is not None:
        check_free(out, force)
    columns = [name for name in (keep or "").split(",") if name]
    found, place = model_of(model), table.split("::")
    if counting is None:
        query = to_sql(found, dialect, place, columns, evidence=evidence)
    elif columns or evidence:
        raise ParameterError("--keep or --evidence is given beside --counting", "they are for scores", "Leave them out")
    else:
        query = counting_query(textbook_families(found), counting, place, dialect)
    if out is not None:
        write_whole(out, lambda file: file.write(f"{query}\n".encode()))
    if as_json:
        print(msgspec.json.encode({"dialect": dialect, "table": table, "out": out, "query": query}).decode())
    else:
        print(f"{out} is written" if out is not None else query)
