"""The form for the cost of asking a person. It applies to all users, so a change must be confirmed."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, Response

from suffice.web.api.routes import route
from suffice.web.pages.queue import QueuePage
from suffice.web.pages.views import PageViews, page_author
from suffice.web.problems import RequestError


def asking_routes(views: PageViews) -> list[Any]:
    service, queue = views.service, QueuePage(views)

    async def page_ask(request: Request[Any, Any, Any]) -> Response[Any]:
        """The effect of a new cost of asking and, once confirmed, the change."""
        form = await views.form(request, "admin")
        ask = _number(form, "ask")
        policy = msgspec.structs.replace(service.policy, ask=ask)
        if "sure" not in form:
            return await asyncio.to_thread(_question, request, policy)
        await service.change(lambda draft: draft.set_policy(policy, page_author(request)))
        return await queue.after(request, form, form.get("case", ""), form.get("done", ""))

    def _question(request: Request[Any, Any, Any], policy: Any) -> Response[Any]:
        count = service.waiting.count(service.version, policy)
        return views.page(request, "ask.html", ask=policy.ask, would_wait=count)

    return [route("POST", "/page/ask", page_ask, None, shown=False)]


def _number(form: dict[str, str], name: str) -> float:
    try:
        value = float(form.get(name, ""))
    except ValueError:
        raise RequestError(422, f"{name} is not a number", name) from None
    if not 0 <= value <= 1e9:
        raise RequestError(422, f"{name} is {value:g}; it must be from 0 to a billion", name)
    return value
