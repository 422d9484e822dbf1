"""The dashboard and the history."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import FromQuery, QueryParameter

from suffice.web.api.routes import route
from suffice.web.dashboard import dashboard
from suffice.web.pages.summary import summary
from suffice.web.pages.views import PageViews
from suffice.web.policy_changes import policy_changes

_LISTED_CASES = 50
_LISTED_CHANGES = 10  # of the policy


def overview_routes(views: PageViews) -> list[Any]:
    service = views.service

    def page_dashboard(request: Request[Any, Any, Any]) -> Response[Any]:
        if (redirect := views.login_redirect(request)) is not None:
            return redirect
        return views.page(
            request,
            "dashboard.html",
            board=dashboard(service),
            changes=policy_changes(service.stores.journal, _LISTED_CHANGES),
        )

    def page_history(
        request: Request[Any, Any, Any],
        search: Annotated[str, QueryParameter(max_length=200)] = "",
        label: FromQuery[str] = "",
        unanswered: FromQuery[bool] = False,
        before: FromQuery[float | None] = None,
    ) -> Response[Any]:
        if (redirect := views.login_redirect(request)) is not None:
            return redirect
        wanted = service.label(label) if label else None
        found = service.stores.cases.search(
            search.replace("\x00", ""), wanted, before, _LISTED_CASES, unanswered=unanswered
        )
        older = found[-1].arrived if len(found) == _LISTED_CASES else None
        return views.page(
            request,
            "history.html",
            cases=found,
            search=search,
            label=label,
            unanswered=unanswered,
            older=older,
            summary=summary,
        )

    return [
        route("GET", "/dashboard", page_dashboard, None, in_thread=True, shown=False),
        route("GET", "/history", page_history, None, in_thread=True, shown=False),
    ]
