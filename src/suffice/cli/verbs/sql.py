"""``suffice sql``"""

from typing import Annotated, Any

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
    keep: Annotated[str | None, typer.Option("--keep", metavar="A,B", help="Columns to copy, such as an id.")] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="One more column for each summand of a log joint.")
    ] = False,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="COLUMN", help="For texts: the column that tokens are joined on (id)."),
    ] = None,
    tokens: Annotated[
        str | None, typer.Option("--tokens", metavar="NAME", help="For texts: the table of tokens (tokens).")
    ] = None,
    words: Annotated[
        str | None, typer.Option("--words", metavar="NAME", help="For texts: the table of word scores (words).")
    ] = None,
    words_to: Annotated[
        str | None,
        typer.Option(
            "--words-to", metavar="FILE", help="Write that table: .parquet, .csv, .jsonl, or .sql to create it."
        ),
    ] = None,
    counting: Annotated[
        str | None,
        typer.Option(
            "--counting", metavar="COLUMN", help="Count the rows of the table, with the classes in this column."
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
      suffice sql mail.model --table mails --keep id --words-to words.sql -o score.sql
      suffice sql textbook.model --counting fraud --table claims -o count.sql
    """
    from suffice.cli.json_output import Query, as_json_text
    from suffice.cli.model_summary import model_of
    from suffice.cli.output_files import check_free, write_whole
    from suffice.cli.word_file import write_words
    from suffice.errors import ParameterError
    from suffice.sql import TextTables, to_sql
    from suffice.sql import counting as counting_query
    from suffice.sql.counting import textbook_families

    for file in (out, words_to):
        if file is not None:
            check_free(file, force)
    columns = [name for name in (keep or "").split(",") if name]
    found, place = model_of(model), table.split("::")
    named = {"key": key, "tokens": tokens and tokens.split("::"), "words": words and words.split("::")}
    given: dict[str, Any] = {name: value for name, value in named.items() if value}
    if counting is None:
        texts = TextTables(**given) if given else None
        query = to_sql(found, dialect, place, columns, evidence=evidence, texts=texts)
    elif columns or evidence or given or words_to is not None:
        raise ParameterError(
            "Options for scores are given with --counting", "it takes --table and --dialect", "Omit the others"
        )
    else:
        query = counting_query(textbook_families(found), counting, place, dialect)
    if words_to is not None:
        write_words(found, words_to, given.get("words", ["words"]), dialect)
    if out is not None:
        write_whole(out, lambda file: file.write(f"{query}\n".encode()))
    if as_json:
        print(as_json_text(Query(dialect=str(dialect), table=table, out=out, words_to=words_to, query=query)))
    else:
        print(f"{out} is written" if out is not None else query)
