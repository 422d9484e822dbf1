"""A server around the application."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from suffice.errors import MissingPackageError, ParameterError
from suffice.web.settings import Role, Settings, default_store


def serve(
    path: "str | os.PathLike[str]",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    store: str = "",
    tokens: Mapping[Role, str] | None = None,
    **limits: Any,
) -> None:
    """Serve a model file until interrupted; the other settings are those of ``suffice.web.Settings``.

    Parameters
    ----------
    path : str or path
        A model file.
    host : str, default="127.0.0.1"
        Address to bind.
    port : int, default=8000
        Port to bind.
    store : str, default=""
        Database of cases; if empty, a file beside the model file.
    tokens : mapping or None, default=None
        Tokens by role.
    limits : keyword arguments
        Further settings.
    """
    try:
        import uvicorn

        from suffice.web.application import application
        from suffice.web.listening import options
        from suffice.web.security import access_log
        from suffice.web.store.opening import open_database
        from suffice.web.store.stores import Stores

        if find_spec("jinja2") is None:  # imported with the first page
            raise ModuleNotFoundError(name="jinja2")
    except ImportError as error:
        raise MissingPackageError(
            f"The service needs {error.name}", "it is not installed", "pip install 'suffice[web]'"
        ) from None
    stores = Stores(open_database(store or default_store(Path(path))))
    named = bool(stores.tokens.people())
    stores.database.close()
    settings = Settings(
        Path(path), store=store, host=host, port=port, tokens=dict(tokens or {}), named_tokens=named, **limits
    )
    if settings.is_wildcard and not settings.allowed_hosts:
        raise ParameterError(
            f"{host!r} is a wildcard address", "the host names of requests must be known", "Give --allowed-host NAME"
        )
    if settings.workers > 1:
        from suffice.web.writing_process import serve_with_workers

        serve_with_workers(settings)
        return
    if settings.access_log:
        access_log.configure(settings.access_log)
    app = application(settings)
    print(f"Serving {settings.model} at http://{host}:{port}", flush=True)
    uvicorn.run(app, **options(settings), lifespan="on")
