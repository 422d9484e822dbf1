"""The queue, one case at a time; and any case by its id."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import QueryParameter
from litestar.response import Redirect

from suffice.errors import DataError
from suffice.web.api.cases import PathId
from suffice.web.api.routes import route
from suffice.web.pages.evidence import evidence
from suffice.web.pages.summary import summary
from suffice.web.pages.views import Views, person
from suffice.web.policy import Policy
from suffice.web.problems import Problem

_LISTED = 30
_Text = Annotated[str, QueryParameter(max_length=128)]


def triage_routes(views: Views) -> list[Any]:
    service = views.service

    def page_queue(request: Request[Any, Any, Any], case: _Text = "", done: _Text = "") -> Response[Any]:
        if (away := views.reader(request)) is not None:
            return away
        waiting = service.waiting.queue(service.version, service.policy).first
        place = next((i for i, w in enumerate(waiting) if w.case.id == case), 0)
        shown = waiting[place] if waiting else None
        row = service.columns.fitting(shown.case.row) if shown else {}
        return views.page(
            request,
            "queue.html",
            queue=waiting[:_LISTED],
            shown=shown,
            following=waiting[(place + 1) % len(waiting)].case.id if len(waiting) > 1 else "",
            posterior=service.named(shown.posterior) if shown else {},
            evidence=evidence(service.version, service.columns, row) if shown else None,
            unread=_unread(shown.case.row, row) if shown else {},
            done=service.stores.cases.get(done) if done else None,
            summary=summary,
        )

    def page_case(request: Request[Any, Any, Any], case_id: PathId) -> Response[Any]:
        if (away := views.reader(request)) is not None:
            return away
        case = service.stores.cases.get(case_id)
        if case is None:
            raise Problem(404, f"There is no case {case_id!r}", "case_id")
        row = service.columns.fitting(case.row)
        posterior: dict[str, float] = {}
        found = refusal = None
        try:
            posterior = service.named(service.version.scores(service.columns.of_rows([row]))[0][0])
            found = evidence(service.version, service.columns, row)
        except DataError as error:  # it came for a model with other columns
            refusal = str(error)
        return views.page(
            request,
            "case.html",
            case=case,
            then=case.posterior,
            posterior=posterior,
            evidence=found,
            refusal=refusal,
            unread=_unread(case.row, row),
            entries=service.stores.journal.of_case(case_id),
        )

    async def page_label(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "label")
        case_id, label = form.get("case", ""), service.label(form.get("label", ""))
        await service.change(lambda draft: draft.label(case_id, label, person(request)))
        return _back(form, f"/?done={case_id}")

    async def page_undo(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "label")
        case_id = form.get("case", "")
        await service.change(lambda draft: draft.undo(case_id, person(request)))
        return _back(form, f"/?case={case_id}")

    async def page_erase(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "admin")
        receipt = await service.change(lambda draft: draft.erase(form.get("case", "")))
        return await views.later(request, "receipt.html", receipt=receipt, pending=service.writer.pending)

    async def page_ask(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "admin")
        ask = _number(form, "ask")
        old = service.policy
        policy = Policy(ask, old.costs, old.prior, old.least_confidence, old.least_log_density)
        await service.change(lambda draft: draft.set_policy(policy))
        return Redirect("/", status_code=303)

    return [
        route("GET", "/", page_queue, None, in_thread=True, shown=False),
        route("GET", "/case/{case_id:str}", page_case, None, in_thread=True, shown=False),
        route("POST", "/page/label", page_label, None, status=303, shown=False),
        route("POST", "/page/undo", page_undo, None, status=303, shown=False),
        route("POST", "/page/erase", page_erase, None, shown=False),
        route("POST", "/page/ask", page_ask, None, status=303, shown=False),
    ]


def _unread(stored: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """Cells of a case that came for a model with other columns."""
    return {key: cell for key, cell in stored.items() if cell is not None and row.get(key) != cell}


def _back(form: dict[str, str], otherwise: str) -> Redirect:
    """To the case's own page if the form was there."""
    return Redirect(f"/case/{form.get('case', '')}" if form.get("stay") else otherwise, status_code=303)


def _number(form: dict[str, str], name: str) -> float:
    try:
        value = float(form.get(name, ""))
    except ValueError:
        raise Problem(422, f"{name} is not a number", name) from None
    if not 0 <= value <= 1e9:
        raise Problem(422, f"{name} is {value:g}; it must be from 0 to a billion", name)
    return value
