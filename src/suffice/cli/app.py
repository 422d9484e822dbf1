"""The program: all verbs, its help and its exit codes."""

import sys
from shutil import get_terminal_size
from typing import Annotated

import typer

from suffice import __version__
from suffice.cli.outcome import guarded
from suffice.cli.verbs.ask import ask
from suffice.cli.verbs.audit import audit
from suffice.cli.verbs.compare import compare
from suffice.cli.verbs.counted import counted
from suffice.cli.verbs.demo import demo
from suffice.cli.verbs.diff import diff
from suffice.cli.verbs.evaluate import evaluate
from suffice.cli.verbs.explain import explain
from suffice.cli.verbs.export import export
from suffice.cli.verbs.forget import forget
from suffice.cli.verbs.inspect import inspect
from suffice.cli.verbs.labels import labels
from suffice.cli.verbs.learn import learn
from suffice.cli.verbs.merge import merge
from suffice.cli.verbs.plot import plot
from suffice.cli.verbs.predict import predict
from suffice.cli.verbs.report import report
from suffice.cli.verbs.sample import sample
from suffice.cli.verbs.serve import serve
from suffice.cli.verbs.sql import sql
from suffice.cli.verbs.token import token
from suffice.cli.verbs.tokens import tokens
from suffice.cli.verbs.train import train
from suffice.deferred_imports import start_light

VERBS = (
    train,
    predict,
    evaluate,
    explain,
    ask,
    report,
    compare,
    audit,
    merge,
    learn,
    forget,
    inspect,
    diff,
    sample,
    plot,
    sql,
    tokens,
    counted,
    export,
    serve,
    token,
    labels,
    demo,
)
"""All verbs, in the order of the help."""

_HELP = """Probabilistic classification from the command line.

\b
  suffice train claims.csv --target fraud -o claims.model
  suffice predict claims.model new.csv -o answers.csv
  suffice report claims.model claims.csv -o claims.html

Rows come from CSV, Parquet, JSON lines and Arrow files (also .gz), globs, databases (shop.db::orders), queries
("select * from 'visits/*.parquet' where ..."), folders of texts or mails, and standard input (-).

Exit codes: 0 success, 2 invalid command, 3 invalid data, 4 the model cannot do it, 5 the output cannot
be written.
"""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"suffice {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error. (Works with any command.)")
    ] = False,
) -> None:
    pass


def _program(words: list[str]) -> typer.Typer:
    """The program with the verb of the command, or with all verbs if there is none; each verb costs a millisecond."""
    app = typer.Typer(
        name="suffice",
        help=_HELP,
        rich_markup_mode=None,  # plain help takes half the time
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": get_terminal_size().columns},
    )
    app.callback()(_options)
    for verb in [verb for verb in VERBS if [verb.__name__] == words[:1]] or VERBS:
        app.command()(verb)
    return app


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit with its code."""
    words = sys.argv[1:] if arguments is None else arguments
    if (
        arguments is None and words
    ):  # without words it may be shell completion, which uses a package that would be hidden
        start_light()
    debug = "--debug" in words
    plain = [word for word in words if word != "--debug"] or ["--help"]
    code = guarded(
        lambda: _program(plain)(plain, prog_name="suffice", standalone_mode=False),
        debug=debug,
        as_json="--json" in plain,
    )
    raise SystemExit(code)
