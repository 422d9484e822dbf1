"""``suffice serve``"""

import os
from typing import Annotated

import typer

from suffice.cli.options import ModelFile, Store


def serve(
    model: ModelFile,
    host: Annotated[
        str, typer.Option(help="Any address but loopback requires tokens.", envvar="SUFFICE_HOST")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, envvar="SUFFICE_PORT")] = 8000,
    store: Store = "",
    rebase: Annotated[
        bool, typer.Option("--rebase", help="Start from a retrained model, and learn the store's labels on top.")
    ] = False,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="An accepted host name. (Repeatable.)", envvar="SUFFICE_ALLOWED_HOSTS"),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A reverse proxy whose X-Forwarded-For and -Proto are trusted. (Repeatable.)",
            envvar="SUFFICE_PROXIES",
        ),
    ] = None,
    max_bytes: Annotated[int, typer.Option(help="Of a request.", envvar="SUFFICE_MAX_BYTES")] = 1 << 20,
    max_rows: Annotated[int, typer.Option(help="Of a request.", envvar="SUFFICE_MAX_ROWS")] = 1000,
    max_requests: Annotated[int, typer.Option(help="At once.", envvar="SUFFICE_MAX_REQUESTS")] = 64,
    workers: Annotated[
        int,
        typer.Option(min=1, help="Scoring processes, beside one that writes.", envvar="SUFFICE_WORKERS"),
    ] = 1,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="For a request.", envvar="SUFFICE_TIMEOUT")] = 30.0,
    follow_labels: Annotated[
        int, typer.Option(help="Weights are refitted after so many labels", envvar="SUFFICE_FOLLOW_LABELS")
    ] = 20,
    follow_seconds: Annotated[
        float, typer.Option(help="or so many seconds after a label.", envvar="SUFFICE_FOLLOW_SECONDS")
    ] = 5.0,
    watch: Annotated[
        str,
        typer.Option(
            metavar="PLACE",
            help="A folder of messages (such as a Maildir) or an mbox file: each message is a case.",
            show_default="none",
            envvar="SUFFICE_WATCH",
        ),
    ] = "",
    access_log: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="One line per request, with the caller's name; - for standard error.",
            show_default="none",
            envvar="SUFFICE_ACCESS_LOG",
        ),
    ] = "",
) -> None:
    """Serve a model for triage: sure cases are decided, unsure ones are queued for a person on a page.

    Tokens of roles are read from the environment: SUFFICE_TOKEN_READ, SUFFICE_TOKEN_LABEL, SUFFICE_TOKEN_ADMIN. suffice
    token creates personal tokens.

    \b
      suffice serve claims.model --port 8080
    """
    from suffice import web
    from suffice.web.settings import tokens_in

    web.serve(
        model,
        host=host,
        port=port,
        store=store,
        tokens=tokens_in(os.environ),
        rebase=rebase,
        allowed_hosts=tuple(allowed_host or ()),
        proxies=tuple(proxy or ()),
        max_bytes=max_bytes,
        max_rows=max_rows,
        max_requests=max_requests,
        workers=workers,
        max_seconds=timeout,
        follow_labels=follow_labels,
        follow_seconds=follow_seconds,
        watch=watch,
        access_log=access_log,
    )
