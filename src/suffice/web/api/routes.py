"""A handler, its path and the role it requires."""

import asyncio
import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec
from litestar import Request, delete, get, post, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from suffice.web.problems import TITLES, ProblemBody, from_validation
from suffice.web.security.roles import requires
from suffice.web.settings import Role

_METHODS = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
_REFUSALS = (400, 401, 403, 404, 408, 409, 413, 421, 422, 503)
SCHEME = "token"
"""The name of the security scheme in the OpenAPI document."""
TAGS = {
    "scoring": (("score", "explain", "decide"), "Scores, explanations and decisions of rows that are not stored."),
    "cases": (
        ("cases", "learn", "forget", "queue", "conflicts", "receipts", "labels"),
        "Stored cases: submitted, labelled, corrected, erased.",
    ),
    "model": (("model", "scorer", "policy", "dashboard"), "The model, its policy and its performance."),
    "service": ((), "For monitoring."),
}
"""Tags of the OpenAPI document: the paths and the description of each."""
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
    """A route of Litestar. ``body`` is the type of ``data`` if it depends on the model: the body is decoded by it, and the
    OpenAPI document shows it. Handlers that read the store or compute for long run in a thread."""
    if in_thread:
        handler = _in_thread(handler)
    if body is not None:
        handler = _reading(handler, body)
    settings: dict[str, Any] = {
        "guards": [] if role is None else [requires(role)],
        "status_code": status,
        "operation_id": handler.__name__,
        "responses": _PROBLEMS,
        "raises": [],
        "include_in_schema": shown,
        "media_type": media_type,
        "tags": [_tag(path)],
        "summary": (handler.__doc__ or "").partition(".")[0],
        "description": _description(handler, role),
        "security": [] if role is None else [{SCHEME: []}],
    }
    if not inspect.iscoroutinefunction(handler):
        settings["sync_to_thread"] = False
    return _METHODS[method](path, **settings)(handler)


def _tag(path: str) -> str:
    kind = path.split("/")[2] if path.startswith("/v1/") else ""
    return next((tag for tag, (paths, _) in TAGS.items() if kind in paths), "service")


def _description(handler: Callable[..., Any], role: Role | None) -> str:
    text = inspect.cleandoc(handler.__doc__ or "").replace("``", "`")
    return text if role is None else f"{text}\n\nRequires a token with the role `{role}`, or one that includes it."


def _reading(handler: Callable[..., Any], body: Any) -> Callable[..., Any]:
    """The handler with its body decoded strictly. (Litestar converts the text "3.5" to a number, and 1 to true.)"""
    decoder, takes_request = msgspec.json.Decoder(body), "request" in inspect.signature(handler).parameters

    @functools.wraps(handler)
    async def run(request: Request[Any, Any, Any], data: Any, **arguments: Any) -> Any:
        try:
            exact = decoder.decode(await request.body())
        except msgspec.ValidationError as error:
            raise from_validation(error) from None
        return await handler(data=exact, **({"request": request} if takes_request else {}), **arguments)

    run.__annotations__ = {**handler.__annotations__, "request": Request, "data": JSONBody[body]}  # type: ignore[misc]
    parameters = inspect.signature(handler).parameters
    request = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY)
    others = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters.values() if p.name != "request"]
    run.__signature__ = inspect.Signature([request, *others])  # type: ignore[attr-defined]
    return run


def _in_thread(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler run in a thread. (Litestar's own sync_to_thread wraps a handler twice where two methods share a path.)"""

    @functools.wraps(handler)
    async def run(**arguments: Any) -> Any:
        return await asyncio.to_thread(handler, **arguments)

    return run


def allowed_methods(routes: Iterable[Any], path: str) -> list[str]:
    """The allowed methods of a path. (Litestar's catch-all route under the document's folder is excluded.)"""
    found: set[str] = set()
    for each in routes:
        if each.path_format.endswith("/{path}"):
            continue
        if re.fullmatch(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(each.path_format)), path):
            found |= set(each.methods)
    return sorted(found)
