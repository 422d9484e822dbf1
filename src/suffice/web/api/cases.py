"""Cases: submitted, labelled, corrected, erased; the queue and the history."""

from typing import Annotated, Any

from litestar import Request
from litestar.params import FromQuery, PathParameter, QueryParameter

from suffice.web.api.messages import (
    PERSON,
    CaseHistory,
    CaseList,
    Changed,
    Conflict,
    Conflicts,
    Forgotten,
    Opened,
    Queue,
    QueuedCase,
    ReceiptView,
    Requests,
)
from suffice.web.api.routes import route
from suffice.web.api.views import case_view, conflict_views, entry_view, opinion_views, receipt_view
from suffice.web.changes import Draft
from suffice.web.problems import RequestError
from suffice.web.security.access import Caller
from suffice.web.security.paths import segment
from suffice.web.service import Service
from suffice.web.store.cases import CASE_ID

_MAX_PAGE_CASES = 200
AnyRequest = Request[Any, Any, Any]
Limit = Annotated[int, QueryParameter(ge=1, le=_MAX_PAGE_CASES)]
PathId = Annotated[str, PathParameter(pattern=CASE_ID.replace("250", "750"), description="The id, percent-encoded")]
ReceiptId = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{24}$")]
By = Annotated[str | None, QueryParameter(pattern=PERSON)]


def case_routes(service: Service, requests: Requests) -> list[Any]:
    stores = service.stores

    async def add_cases(data: Any) -> CaseList:
        """Submit cases: each is scored, decided or queued, and stored. An existing id is rejected."""
        ids = [case.id for case in data.cases]
        repeated = next((i for i, name in enumerate(ids) if name is not None and name in ids[:i]), None)
        if repeated is not None:
            raise RequestError(409, f"The id {ids[repeated]!r} is repeated", f"cases[{repeated}].id")
        rows = [case.row for case in data.cases]
        added = await service.change(lambda draft: draft.add(ids, rows))
        return CaseList(service.version.number, [case_view(case) for case in added])

    async def label_case(request: AnyRequest, case_id: PathId, data: Any) -> Changed:
        """Learn a label. Repeating it changes nothing; another label replaces it: the old one is unlearned, the new learned."""
        label, decoded_id = service.label(data.label), segment(case_id)
        return await changed(service, lambda draft: draft.label(decoded_id, label, author(request, data.by)))

    async def learn(request: AnyRequest, data: Any) -> Changed:
        """Submit a case with its label. If the id exists, the row must be the same."""
        label = service.label(data.label)
        return await changed(service, lambda draft: draft.learn(data.id, data.row, label, author(request, data.by)))

    async def unlabel_case(request: AnyRequest, case_id: PathId, by: By = None) -> Changed:
        """Unlearn a label: the statistics equal those without it."""
        return await changed(service, lambda draft: draft.unlabel(segment(case_id), author(request, by)))

    async def erase_case(case_id: PathId) -> ReceiptView:
        """Unlearn and delete a case. The receipt states the statistics before and after."""
        return receipt_view(service, await service.change(lambda draft: draft.erase(segment(case_id))))

    async def forget(request: AnyRequest, data: Any) -> Forgotten:
        """Unlearn rows of the training set. They must have been learned before the service started."""
        label = service.label(data.label)
        rows = await service.change(lambda draft: draft.forget(data.rows, label, author(request, data.by)))
        return Forgotten(service.version.number, rows, service.version.class_counts, service.writer.pending)

    def get_case(case_id: PathId) -> CaseHistory:
        """A case and its journal entries."""
        case = stores.cases.get(segment(case_id))
        if case is None:
            raise RequestError(404, f"There is no case {segment(case_id)!r}", "case_id")
        entries, opinions = stores.journal.of_case(case.id), stores.opinions.of_case(case.id)
        return CaseHistory(case_view(case), [entry_view(e) for e in entries], opinion_views(opinions))

    def get_receipt(receipt_id: ReceiptId) -> ReceiptView:
        """A receipt of erasure."""
        receipt = stores.receipts.get(receipt_id)
        if receipt is None:
            raise RequestError(404, f"There is no receipt {receipt_id!r}", "receipt_id")
        return receipt_view(service, receipt)

    def history(
        search: Annotated[str, QueryParameter(max_length=200)] = "",
        label: FromQuery[str | None] = None,
        unanswered: FromQuery[bool] = False,
        before: FromQuery[float | None] = None,
        limit: Limit = 50,
    ) -> CaseList:
        """The latest cases; ``search`` matches content, id and labeller, ``unanswered`` selects cases not decided on
        arrival and without a label, ``before`` is the time of arrival to continue from."""
        wanted = None if label is None else service.label(label)
        found = stores.cases.search(search.replace("\x00", ""), wanted, before, limit, unanswered=unanswered)
        return CaseList(service.version.number, [case_view(case) for case in found])

    def queue(limit: Limit = 20) -> Queue:
        """Cases that the model does not decide under the policy, the most informative first."""
        version = service.version
        queue = service.waiting.queue(version, service.policy)
        first = queue.first[:limit]
        cases = [QueuedCase(case_view(w.case), service.named(w.posterior), w.risk) for w in first]
        return Queue(version.number, queue.count, cases)

    def open_next(request: AnyRequest) -> Opened:
        """The next case to label, leased to the caller. A caller without a named token gets the first of the queue."""
        holder, version = _caller(request).holder, service.version
        queue = service.queue_for(holder)
        free = (w for w in queue.first if holder is None or service.lease(w.case.id, holder))
        first = next(free, None)
        found = None if first is None else QueuedCase(case_view(first.case), service.named(first.posterior), first.risk)
        return Opened(version.number, queue.count, service.settings.lease_seconds, found)

    def conflicts(limit: Limit = 50) -> Conflicts:
        """Cases with conflicting labels, the latest first."""
        found = [
            (stores.cases.get(case_id), stores.opinions.of_case(case_id))
            for case_id in stores.opinions.in_conflict(limit)
        ]
        return Conflicts(
            [Conflict(case_view(case), opinion_views(opinions)) for case, opinions in found if case is not None]
        )

    one = "/v1/cases/{case_id:str}"
    return [
        route("POST", "/v1/cases", add_cases, "label", body=requests.cases, status=201),
        route("GET", "/v1/cases", history, "read", in_thread=True),
        route("GET", one, get_case, "read", in_thread=True),
        route("PUT", f"{one}/label", label_case, "label", body=requests.label),
        route("DELETE", f"{one}/label", unlabel_case, "label"),
        route("DELETE", one, erase_case, "admin"),
        route("POST", "/v1/learn", learn, "label", body=requests.learn),
        route("POST", "/v1/forget", forget, "admin", body=requests.forget),
        route("GET", "/v1/receipts/{receipt_id:str}", get_receipt, "read", in_thread=True),
        route("GET", "/v1/queue", queue, "read", in_thread=True),
        route("POST", "/v1/queue/next", open_next, "label", in_thread=True),
        route("GET", "/v1/conflicts", conflicts, "read", in_thread=True),
    ]


def _caller(request: AnyRequest) -> Caller:
    found: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
    return found


def author(request: AnyRequest, by: str | None) -> str | None:
    """The author of a journal entry: the owner of the token, and on whose behalf."""
    return _caller(request).author(by)


async def changed(service: Service, change: Any) -> Changed:
    """Apply a change to a case; the response has the resulting version, and conflicting labels if there are any."""

    def change_and_report(draft: Draft) -> Changed:
        case = change(draft)
        return Changed(draft.version.number, case_view(case), conflict_views(service.stores.opinions.of_case(case.id)))

    found: Changed = await service.change(change_and_report)
    return found
