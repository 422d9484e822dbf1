"""The queue page: a case to label, and the list of waiting cases."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from litestar import Request, Response
from litestar.response import Redirect

from suffice.web.api.views import conflict_views
from suffice.web.pages.choices import choices
from suffice.web.pages.evidence import evidence
from suffice.web.pages.first_visit import example_request
from suffice.web.pages.labelling_session import LabellingSession
from suffice.web.pages.record import ignored_cells, record
from suffice.web.pages.summary import summary
from suffice.web.pages.views import PageViews
from suffice.web.security.access import Caller
from suffice.web.waiting import WaitingCase

BLIND = "suffice_blind"
"""The cookie of users who hide the model's suggestion until they have labelled a case."""
_LISTED_CASES = 30


def is_blind(request: Request[Any, Any, Any]) -> bool:
    """Whether suggestions are hidden until a label is given."""
    return request.cookies.get(BLIND) == "1"


def _holder(request: Request[Any, Any, Any]) -> str | None:
    """The holder of leases; None for callers who may not label or cannot be distinguished."""
    caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
    return caller.holder if caller.may("label") else None


class QueuePage:
    """Renders the queue for a caller and a labelling session."""

    def __init__(self, views: PageViews) -> None:
        self._views, self._service = views, views.service

    def show(self, request: Request[Any, Any, Any], session: LabellingSession) -> Response[Any]:
        """Render the requested case, or the first waiting case that is neither skipped nor leased to others."""
        waiting = self._waiting(request)
        remaining = [item for item in waiting if item.case.id not in session.skipped]
        shown = self._opened(request, self._asked_for(waiting, session.case), remaining)
        others = [item for item in remaining if shown is None or item.case.id != shown.case.id]
        done = self._service.stores.cases.get(session.done) if session.done else None
        return self._views.page(
            request,
            "queue.html",
            listed=remaining[:_LISTED_CASES],
            following=others[0].case.id if others else "",
            skipped=len(waiting) - len(remaining),
            all_leased=not waiting and bool(self._all_waiting()),
            done=done,
            conflict=conflict_views(self._service.stores.opinions.of_case(done.id)) if done else [],
            suggested=max(done.posterior, key=done.posterior.__getitem__) if done and done.posterior else None,
            summary=summary,
            **self._case(request, shown),
            **({} if shown or waiting else self._first_visit(request)),
        )

    def list_waiting(self, request: Request[Any, Any, Any], session: LabellingSession) -> Response[Any]:
        """Render only the list of waiting cases and the state of the displayed case."""
        remaining = [item for item in self._waiting(request) if item.case.id not in session.skipped]
        return self._views.page(
            request,
            "waiting.html",
            listed=remaining[:_LISTED_CASES],
            shown_id=session.case,
            gone=self._gone(session.case) if session.case else "",
            summary=summary,
        )

    async def after(
        self, request: Request[Any, Any, Any], form: Mapping[str, str], case: str = "", done: str = ""
    ) -> Response[Any]:
        """The response to a form: the queue itself for the page's script, a redirect without script."""
        if "skipped" in form:
            return await asyncio.to_thread(self.show, request, LabellingSession.of(form, case, done))
        return Redirect(f"/?case={quote(case, safe='')}&done={quote(done, safe='')}", status_code=303)

    def _waiting(self, request: Request[Any, Any, Any]) -> list[WaitingCase]:
        return self._service.queue_for(_holder(request)).first

    def _all_waiting(self) -> list[WaitingCase]:
        return self._service.queue_for(None).first

    def _opened(
        self, request: Request[Any, Any, Any], asked_for: WaitingCase | None, remaining: list[WaitingCase]
    ) -> WaitingCase | None:
        """The first case without a lease of another caller, leased to the holder."""
        holder, wanted = _holder(request), [*([] if asked_for is None else [asked_for]), *remaining]
        free = (item for item in wanted if holder is None or self._service.lease(item.case.id, holder))
        return next(free, None)

    def _asked_for(self, waiting: list[WaitingCase], case_id: str) -> WaitingCase | None:
        """An unlabelled case by its id, waiting or not."""
        found = next((item for item in waiting if item.case.id == case_id), None)
        if found is not None or not case_id:
            return found
        case = self._service.stores.cases.get(case_id)
        if case is None or case.label is not None:
            return None
        return self._service.waiting.one(case, self._service.version, self._service.policy)

    def _case(self, request: Request[Any, Any, Any], shown: WaitingCase | None) -> dict[str, Any]:
        blind, service = is_blind(request), self._service
        found: dict[str, Any] = {"shown": shown, "blind": blind, "choices": choices(list(service.label_names), None)}
        if shown is None:
            return found
        row = service.columns.converted(shown.case.row)
        posterior = None if blind else service.named(shown.posterior)
        why = None if blind else evidence(service.version, service.columns, row)
        return found | {
            "choices": choices(list(service.label_names), posterior),
            "evidence": why,
            "record": record(service.columns, row, why.texts if why else {}),
            "ignored_cells": ignored_cells(shown.case.row, row),
            "note": service.stores.notes.get(shown.case.id),
            "other_labels": [str(label) for label in service.stores.cases.other_labels(service.version.classes)],
        }

    def _first_visit(self, request: Request[Any, Any, Any]) -> dict[str, Any]:
        if self._service.stores.cases.counts()["cases"]:
            return {"example": None}
        address = f"{request.url.scheme}://{request.url.netloc}"
        is_open = self._views.access.is_open
        return {"example": example_request(self._service.columns, address, is_open=is_open)}

    def _gone(self, case_id: str) -> str:
        """The reason why a case no longer waits."""
        if any(item.case.id == case_id for item in self._all_waiting()):
            return ""
        case = self._service.stores.cases.get(case_id)
        if case is None:
            return "This case was erased."
        if case.label is not None:
            return f"{case.labelled_by or 'Another user'} has labelled this case {case.label} meanwhile."
        return "The model can now decide this case."
