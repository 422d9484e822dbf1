"""An application behind the guard, with the fast path for scoring requests."""

from suffice.web.api.escaping import EscapedNames
from suffice.web.api.fast_path import FastPath
from suffice.web.api.messages import Requests
from suffice.web.metrics import Metrics
from suffice.web.model_context import ModelContext
from suffice.web.security.access import Access
from suffice.web.security.guard import Application, Guard
from suffice.web.settings import Settings


def guarded(
    app: Application, settings: Settings, service: ModelContext, requests: Requests, access: Access, metrics: Metrics
) -> Application:
    inside: Application = FastPath(app, service, requests)
    if service.columns.escaped_names:
        inside = EscapedNames(inside, service.columns.escaped_names)
    return Guard(inside, settings, access, metrics)
