"""Labelling at the queue: a label, a class outside the model, a note, and undo."""

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Request, Response
from litestar.params import QueryParameter
from litestar.response import Redirect

from suffice.columns.labels import Label
from suffice.web.api.messages import PERSON
from suffice.web.api.remarks import NOTE
from suffice.web.api.routes import route
from suffice.web.changes import Draft
from suffice.web.pages.labelling_session import LabellingSession
from suffice.web.pages.queue import BLIND, QueuePage
from suffice.web.pages.views import PageViews, page_author, validated_field
from suffice.web.problems import RequestError
from suffice.web.store.cases import Case

_Text = Annotated[str, QueryParameter(max_length=250)]


def triage_routes(views: PageViews) -> list[Any]:
    service, queue = views.service, QueuePage(views)

    def page_queue(request: Request[Any, Any, Any], case: _Text = "", done: _Text = "") -> Response[Any]:
        if (redirect := views.login_redirect(request)) is not None:
            return redirect
        return queue.show(request, LabellingSession(case, done))

    async def page_next(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "read")
        return await queue.after(request, form, form.get("case", ""), form.get("done", ""))

    async def page_waiting(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "read")
        return await asyncio.to_thread(queue.list_waiting, request, LabellingSession.of(form, form.get("case", "")))

    async def page_label(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "label")
        case_id, label, by = form.get("case", ""), _label(form), page_author(request)
        note = _note(form)

        def change(draft: Draft) -> Case:
            _check_unchanged(service.stores.cases.get(case_id), form, label)
            draft.note(case_id, note, by)
            return draft.label(case_id, label, by)

        await service.change(change)
        return _at_case(form) or await queue.after(request, form, done=case_id)

    async def page_note(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "label")
        case_id, note = form.get("case", ""), _note(form)
        await service.change(lambda draft: draft.note(case_id, note, page_author(request)))
        return _at_case(form) or await queue.after(request, form, case_id, form.get("done", ""))

    async def page_undo(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "label")
        case_id = form.get("case", "")

        def change(draft: Draft) -> Case | None:
            case = service.stores.cases.get(case_id)
            if case is not None and str(case.label) != form.get("label", ""):
                return case  # already undone by a request whose response was lost, or labelled again
            return draft.undo(case_id, page_author(request))

        await service.change(change)
        return _at_case(form) or await queue.after(request, form, case_id, form.get("done", ""))

    async def page_blind(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "read")
        answer = Redirect("/", status_code=303)
        answer.set_cookie(BLIND, "1" if form.get("blind") else "0", httponly=True, samesite="strict", path="/")
        return answer

    def _label(form: dict[str, str]) -> Label:
        if "none" not in form:
            return service.label(form.get("label", ""))
        name = form.get("new_class", "").strip()
        return service.other_label(validated_field(form, "new_class", PERSON).strip() if name else "")

    return [
        route("GET", "/", page_queue, None, in_thread=True, shown=False),
        route("POST", "/page/next", page_next, None, shown=False),
        route("POST", "/page/waiting", page_waiting, None, shown=False),
        route("POST", "/page/label", page_label, None, shown=False),
        route("POST", "/page/note", page_note, None, shown=False),
        route("POST", "/page/undo", page_undo, None, shown=False),
        route("POST", "/page/blind", page_blind, None, status=303, shown=False),
    ]


def _check_unchanged(case: Case | None, form: dict[str, str], label: Label) -> None:
    """Reject a label if another user has labelled the case since it was shown."""
    if case is None or case.label is None or case.label == label or str(case.label) == form.get("seen", ""):
        return
    by = case.labelled_by or "Another user"
    raise RequestError(
        409, f"{by} has labelled case {case.id!r} {case.label!r} meanwhile. Open the case to correct the label", "case"
    )


def _note(form: dict[str, str]) -> str:
    return validated_field(form, "note", NOTE).strip()


def _at_case(form: dict[str, str]) -> Redirect | None:
    """A redirect to the case's own page if the form was sent from there."""
    return Redirect(f"/case/{quote(form.get('case', ''), safe='')}", status_code=303) if form.get("stay") else None
