"""Log-in by token, and log-out."""

import asyncio
from typing import Any

from litestar import Request, Response
from litestar.response import Redirect

from suffice.web.api.routes import route
from suffice.web.pages.views import PageViews
from suffice.web.security.access import COOKIE
from suffice.web.security.attempts import Attempts


def login_routes(views: PageViews) -> list[Any]:
    attempts = Attempts()

    def page_login(request: Request[Any, Any, Any]) -> Response[Any]:
        return views.page(request, "login.html", failed=False)

    async def page_enter(request: Request[Any, Any, Any]) -> Response[Any]:
        address = request.client.host if request.client else ""
        attempts.check(address)
        form = await views.form(request, None)
        caller = views.access.of_token(form.get("token", "").strip())
        if caller.role is None:
            attempts.failed(address)
            return views.page(request, "login.html", status=403, failed=True)
        attempts.succeeded(address)
        answer = Redirect("/", status_code=303)
        answer.set_cookie(
            COOKIE,
            views.access.session(caller),
            httponly=True,
            samesite="strict",
            path="/",
            secure=request.url.scheme == "https",
        )
        return answer

    async def page_leave(request: Request[Any, Any, Any]) -> Response[Any]:
        await views.form(request, None)
        await asyncio.to_thread(views.access.end, request.scope["caller"])  # type: ignore[typeddict-item]
        answer = Redirect("/login", status_code=303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    return [
        route("GET", "/login", page_login, None, shown=False),
        route("POST", "/login", page_enter, None, shown=False),
        route("POST", "/page/leave", page_leave, None, status=303, shown=False),
    ]
