"""A handler, its place, and who may call it."""

from collections.abc import Callable
from typing import Any, Literal

from litestar import delete, get, post, put
from litestar.openapi.datastructures import ResponseSpec

from suffice.web.problems import TITLES, ProblemBody
from suffice.web.security.roles import needs
from suffice.web.settings import Role

_METHODS = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
_REFUSALS = (400, 401, 403, 404, 409, 413, 421, 422, 503)
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
    in_thread: bool | None = None,
    shown: bool = True,
) -> Any:
    """A route of Litestar. ``body`` is the type of ``data`` where that depends on the model: the body is read by it, and it is
    what the OpenAPI document shows."""
    if body is not None:
        handler.__annotations__["data"] = body
    settings: dict[str, Any] = {
        "guards": [] if role is None else [needs(role)],
        "status_code": status,
        "operation_id": handler.__name__,
        "responses": _PROBLEMS,
        "raises": [],
        "include_in_schema": shown,
    }
    if in_thread is not None:
        settings["sync_to_thread"] = in_thread
    return _METHODS[method](path, **settings)(handler)
