"""A handler, its place, and who may call it."""

import asyncio
import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from litestar import Request, delete, get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from suffice.web.problems import TITLES, ProblemBody, from_validation
from suffice.web.security.roles import needs
from suffice.web.settings import Role

_METHODS = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
_REFUSALS = (400, 401, 403, 404, 408, 409, 413, 421, 422, 503)
_PROBLEMS = {
    status: ResponseSpec(ProblemBody, description=TITLES[status], media_type="application/problem+json")
    for status in _REFUSALS
}


def route(
    method: Literal["GET", "POST", "PUT", "DELETE"],
    path: str,
    handler: Callable[..., Any],
    role: Role | None,
    *,
    body: Any = None,
    status: int = 200,
    in_thread: bool = False,
    shown: bool = True,
    media_type: str = "application/json",
) -> Any:
    """A route of Litestar. ``body`` is the type of ``data`` where that depends on the model: the body is read by it, and it is
    what the OpenAPI document shows. Handlers that read the store or compute for long go to a thread."""
    if in_thread:
        handler = _in_thread(handler)
    if body is not None:
        handler = _reading(handler, body)
    settings: dict[str, Any] = {
        "guards": [] if role is None else [needs(role)],
        "status_code": status,
        "operation_id": handler.__name__,
        "responses": _PROBLEMS,
        "raises": [],
        "include_in_schema": shown,
        "media_type": media_type,
    }
    if not inspect.iscoroutinefunction(handler):
        settings["sync_to_thread"] = False
    return _METHODS[method](path, **settings)(handler)


def _reading(handler: Callable[..., Any], body: Any) -> Callable[..., Any]:
    """With the body read to the letter. (Litestar takes the text "3.5" for a number, and 1 for true.)"""
    decoder = msgspec.json.Decoder(body)

    @functools.wraps(handler)
    async def run(request: Request[Any, Any, Any], data: Any, **arguments: Any) -> Any:
        try:
            exact = decoder.decode(await request.body())
        except msgspec.ValidationError as error:
            raise from_validation(error) from None
        return await handler(data=exact, **arguments)

    run.__annotations__ = {**handler.__annotations__, "request": Request, "data": JSONBody[body]}  # type: ignore[misc]
    parameters = inspect.signature(handler).parameters
    request = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY)
    others = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters.values()]
    run.__signature__ = inspect.Signature([request, *others])  # type: ignore[attr-defined]
    return run


def _in_thread(handler: Callable[..., Any]) -> Callable[..., Any]:
    """(Litestar's own sync_to_thread wraps a handler twice where two methods share a path.)"""

    @functools.wraps(handler)
    async def run(**arguments: Any) -> Any:
        return await asyncio.to_thread(handler, **arguments)

    return run
