"""Coming in with a token, and leaving."""

from typing import Any

from litestar import Request, Response
from litestar.response import Redirect

from suffice.web.api.routes import route
from suffice.web.pages.views import Views
from suffice.web.security.access import COOKIE


def login_routes(views: Views) -> list[Any]:
    def page_login(request: Request[Any, Any, Any]) -> Response[Any]:
        return views.page(request, "login.html", failed=False)

    async def page_enter(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, None)
        role = views.access.role_of(form.get("token", "").strip())
        if role is None:
            return views.page(request, "login.html", status=403, failed=True)
        answer = Redirect("/", status_code=303)
        answer.set_cookie(COOKIE, views.access.session(role), httponly=True, samesite="strict", path="/")
        return answer

    async def page_leave(request: Request[Any, Any, Any]) -> Response[Any]:
        await views.form(request, None)
        answer = Redirect("/login", status_code=303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    return [
        route("GET", "/login", page_login, None, shown=False),
        route("POST", "/login", page_enter, None, shown=False),
        route("POST", "/page/leave", page_leave, None, status=303, shown=False),
    ]
