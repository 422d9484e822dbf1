"""``suffice demo``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json

DEMOS = ("tennis", "iris", "spam", "digits", "heights")


def _complete(beginning: str) -> list[str]:
    return [name for name in DEMOS if name.startswith(beginning)]


def demo(
    name: Annotated[str, typer.Argument(metavar="EXAMPLE", help=", ".join(DEMOS), autocompletion=_complete)],
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write its rows to a file instead."),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Run an example of a course on Bayes classifiers.

    \b
      suffice demo tennis
      suffice demo iris -o iris.csv
    """
    from suffice.cli.demos import rows_of, run_demo
    from suffice.cli.show import show

    if out is not None:
        import pyarrow as pa

        from suffice.cli.output_files import check_free, print_written
        from suffice.sources.files.writing import write_tables

        check_free(out, force)
        print_written(write_tables([pa.table(rows_of(name))], out), out, "written", as_json)
        return
    show(run_demo(name), as_json, lambda page, found: found.draw(page))
