"""Conversion of the service's objects to API messages."""

import math
from typing import TYPE_CHECKING, Any

import msgspec

from suffice.explain import Explanation
from suffice.web.api.messages import (
    CaseView,
    Evidence,
    Explained,
    JournalEntry,
    LabelView,
    OpinionView,
    ReceiptView,
    Scored,
)
from suffice.web.store.cases import Case
from suffice.web.store.journal import StoredEntry
from suffice.web.store.opinions import Opinion
from suffice.web.store.receipts import Receipt

if TYPE_CHECKING:
    from suffice.web.service import Service


def finite(value: float) -> float | None:
    """The number, or None if infinite, since JSON has no infinity."""
    return value if math.isfinite(value) else None


def scored(names: list[str], posterior: list[float], log_density: float) -> Scored:
    return Scored(dict(zip(names, posterior, strict=True)), finite(log_density))


def case_view(case: Case) -> CaseView:
    return CaseView(
        id=case.id,
        arrived=case.arrived,
        row=case.row,
        version=case.version,
        posterior=case.posterior,
        log_density=case.log_density,
        action=_plain(case.action),
        risk=case.risk,
        label=_plain(case.label),
        labelled=case.labelled,
        labelled_by=case.labelled_by,
    )


def entry_view(entry: StoredEntry) -> JournalEntry:
    label, previous = _plain(entry.label), _plain(entry.previous)
    return JournalEntry(entry.number, entry.written, entry.kind, label, previous, entry.writer)


def opinion_views(opinions: list[Opinion]) -> list[OpinionView]:
    return [OpinionView(o.by, _plain(o.label), o.at) for o in opinions]


def conflict_views(opinions: list[Opinion]) -> list[OpinionView]:
    """Each person's label, if they differ."""
    return opinion_views(opinions) if len({o.label for o in opinions}) > 1 else []


def receipt_view(service: "Service", receipt: Receipt) -> ReceiptView:
    return ReceiptView(**msgspec.structs.asdict(receipt), pending=service.writer.pending)


def explained(found: Explanation, row: int) -> Explained:
    order = sorted(range(len(found.features)), key=lambda j: -abs(found.evidence[row, j]))
    return Explained(
        of=str(found.of[row]),
        against=str(found.against[row]),
        log_odds=finite(float(found.log_odds[row])),
        prior=finite(float(found.prior[row])),
        evidence=[
            Evidence(found.features[j], max(-1e308, min(1e308, float(found.evidence[row, j]))))
            for j in order
            if found.evidence[row, j] != 0
        ],
    )


def _plain(label: Any) -> LabelView:
    found: LabelView = label
    return found
