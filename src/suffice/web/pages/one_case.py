"""The page of a case, with its journal, and its erasure."""

import asyncio
from typing import Any

from litestar import Request, Response

from suffice.errors import DataError
from suffice.web.api.cases import PathId
from suffice.web.api.routes import route
from suffice.web.api.views import conflict_views
from suffice.web.pages.choices import choices
from suffice.web.pages.evidence import evidence
from suffice.web.pages.queue import is_blind
from suffice.web.pages.record import ignored_cells, record
from suffice.web.pages.views import PageViews, page_author
from suffice.web.problems import RequestError
from suffice.web.security.paths import segment


def one_case_routes(views: PageViews) -> list[Any]:
    service = views.service

    def page_case(request: Request[Any, Any, Any], case_id: PathId) -> Response[Any]:
        if (redirect := views.login_redirect(request)) is not None:
            return redirect
        case = service.stores.cases.get(segment(case_id))
        if case is None:
            raise RequestError(404, f"There is no case {segment(case_id)!r}", "case_id")
        row = service.columns.converted(case.row)
        posterior: dict[str, float] | None = None
        found = refusal = None
        blind = is_blind(request) and case.label is None
        try:
            if not blind:
                posterior = service.named(service.version.posterior(service.columns.table_from_json([row]))[0])
                found = evidence(service.version, service.columns, row)
        except DataError as error:  # the case was scored by a model with other columns
            refusal = str(error)
        opinions = service.stores.opinions.of_case(case.id)
        return views.page(
            request,
            "case.html",
            case=case,
            own=next((o.label for o in opinions if o.by == page_author(request) and o.label == case.label), None),
            agreeing=[o.by for o in opinions if o.label == case.label and o.by != case.labelled_by],
            blind=blind,
            choices=choices(list(service.label_names), posterior),
            evidence=found,
            refusal=refusal,
            record=record(service.columns, row, found.texts if found else {}),
            ignored_cells=ignored_cells(case.row, row),
            note=service.stores.notes.get(case.id),
            other_labels=[str(label) for label in service.stores.cases.other_labels(service.version.classes)],
            entries=service.stores.journal.of_case(case.id),
            conflict=conflict_views(opinions),
        )

    async def page_erase(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "admin")
        receipt = await service.change(lambda draft: draft.erase(form.get("case", "")))
        return await asyncio.to_thread(
            views.page, request, "receipt.html", receipt=receipt, pending=service.writer.pending
        )

    return [
        route("GET", "/case/{case_id:str}", page_case, None, in_thread=True, shown=False),
        route("POST", "/page/erase", page_erase, None, shown=False),
    ]
