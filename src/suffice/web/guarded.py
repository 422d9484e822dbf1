"""An application behind the guard, with the fast path for requests about rows."""

from suffice.web.answering import Answering
from suffice.web.api.fast_path import FastPath
from suffice.web.api.messages import Requests
from suffice.web.api.renaming import OddNames
from suffice.web.metrics import Metrics
from suffice.web.security.access import Access
from suffice.web.security.guard import Application, Guard
from suffice.web.settings import Settings


def guarded(
    app: Application, settings: Settings, service: Answering, requests: Requests, access: Access, metrics: Metrics
) -> Application:
    inside: Application = FastPath(app, service, requests)
    if service.columns.odd_names:
        inside = OddNames(inside, service.columns.odd_names)
    return Guard(inside, settings, access, metrics)
