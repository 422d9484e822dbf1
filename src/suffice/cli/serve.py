"""``suffice serve``"""

import os
from typing import Annotated

import typer

from suffice.cli.options import ModelFile


def serve(
    model: ModelFile,
    host: Annotated[str, typer.Option(help="Any address but loopback takes tokens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option()] = 8000,
    store: Annotated[
        str,
        typer.Option(
            help="A SQLite file or a postgresql:// URL.", show_default="beside the model", envvar="SUFFICE_STORE"
        ),
    ] = "",
    rebase: Annotated[
        bool, typer.Option("--rebase", help="Take a retrained model, and learn the store's labels on top.")
    ] = False,
) -> None:
    """Serve a model for triage: sure cases are decided, unsure ones wait for a person on a page.

    Tokens come by the environment: SUFFICE_TOKEN_READ, SUFFICE_TOKEN_LABEL, SUFFICE_TOKEN_ADMIN.

    \b
      suffice serve claims.model --port 8080
    """
    from suffice import web
    from suffice.web.settings import tokens_in

    web.serve(model, host=host, port=port, store=store, tokens=tokens_in(os.environ), rebase=rebase)
