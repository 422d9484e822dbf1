"""The application: routes behind the guard, errors as problems."""

import asyncio
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag

from suffice import __version__
from suffice.errors import SufficeError
from suffice.web import problems
from suffice.web.api.cases import case_routes
from suffice.web.api.labels import label_routes
from suffice.web.api.messages import Requests
from suffice.web.api.model import model_routes
from suffice.web.api.policy import policy_routes
from suffice.web.api.remarks import remark_routes
from suffice.web.api.routes import SCHEME, TAGS, allowed_methods
from suffice.web.api.scoring import scoring_routes
from suffice.web.guarded import guarded
from suffice.web.metrics import Metrics
from suffice.web.pages.asking import asking_routes
from suffice.web.pages.files import file_routes
from suffice.web.pages.login import login_routes
from suffice.web.pages.one_case import one_case_routes
from suffice.web.pages.overview import overview_routes
from suffice.web.pages.playground import playground_routes
from suffice.web.pages.triage import triage_routes
from suffice.web.pages.views import PageViews
from suffice.web.problems import RequestError
from suffice.web.security.access import Access
from suffice.web.security.guard import Application
from suffice.web.service import Service
from suffice.web.settings import Settings
from suffice.web.store import StoreError

_log = logging.getLogger("suffice.web")
_THREADS = 8  # threads for handlers that read the store or score many rows


def application(settings: Settings) -> Application:
    """The ASGI application of a model. Its lifespan starts and stops the writer."""
    return application_of(Service(settings))


def application_of(service: Service) -> Application:
    settings = service.settings
    access = Access(settings, service.stores)
    views = PageViews(service, access)
    requests = Requests.of(service.columns, service.version.classes, settings.max_rows)
    app = Litestar(
        [
            *scoring_routes(service, requests),
            *case_routes(service, requests),
            *label_routes(service),
            *remark_routes(service),
            *policy_routes(service),
            *model_routes(service),
            *_page_routes(views),
        ],
        lifespan=[_lifespan(service)],
        exception_handlers={Exception: _refusing(views)},
        openapi_config=OpenAPIConfig(
            title="Suffice triage",
            version=__version__,
            path="/v1",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            description=(
                "Sure cases are decided, unsure ones wait for a person, and labels are learned at once. Errors are "
                "`application/problem+json` and name the field."
            ),
            tags=[Tag(name=name, description=about) for name, (_, about) in TAGS.items()],
            components=Components(security_schemes={SCHEME: SecurityScheme(type="http", scheme="bearer")}),
        ),
        request_max_body_size=settings.max_bytes,
        logging_config=None,
    )
    metrics = service.metrics if settings.workers == 1 else Metrics()  # workers count their requests themselves
    return guarded(app, settings, service, requests, access, metrics)  # type: ignore[arg-type]


def _page_routes(views: PageViews) -> list[Any]:
    return [
        *triage_routes(views),
        *asking_routes(views),
        *one_case_routes(views),
        *playground_routes(views),
        *overview_routes(views),
        *login_routes(views),
        *file_routes(),
    ]


def _lifespan(service: Service) -> Any:
    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "suffice-reader"))
        service.start()
        try:
            yield
        finally:
            await asyncio.to_thread(service.stop)

    return running


def _refusing(views: PageViews) -> Any:
    def refused(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        problem = _problem(error)
        if "text/html" in request.headers.get("accept", ""):
            title = problems.title(problem)
            return views.page(
                request, "problem.html", problem.status, title=title, detail=problem.detail, field=problem.field
            )
        headers = {503: {"Retry-After": "1"}, 401: {"WWW-Authenticate": "Bearer"}}.get(problem.status, {})
        if problem.status == 405:
            headers = {"Allow": ", ".join(allowed_methods(request.app.routes, request.scope["path"]))}
        return Response(
            problems.body(problem), status_code=problem.status, media_type=problems.MEDIA_TYPE, headers=headers
        )

    return refused


def _problem(error: Exception) -> RequestError:
    if isinstance(error, StoreError):
        _log.error("The store failed: %s", error)
        return RequestError(503, "The store is not available")
    if isinstance(error, SufficeError):
        return problems.from_error(error)
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first: Any = error.extra[0]
        return problems.from_message(str(first.get("message", "")), first.get("key"))
    if isinstance(error, HTTPException):
        return problems.from_message(str(error.detail), None, error.status_code)
    if isinstance(error, UnicodeDecodeError):
        return RequestError(400, "The body is not UTF-8", "body")
    if isinstance(error, RecursionError):
        return RequestError(400, "The body is nested too deeply", "body")
    _log.error("A request failed", exc_info=error)
    return RequestError(500, "The error is in the log of the service")
