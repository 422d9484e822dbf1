"""Receipts of erasure: the statistics before and after, and of the erased case only a digest of its id."""

import hashlib
from typing import Literal

import msgspec

from suffice.web.store.database import Database

PendingFile = Literal["model_file", "store_log"]
"""Files that may contain erased rows until they are rewritten."""


class StatisticsState(msgspec.Struct, frozen=True):
    """State of the model: the version, the rows of each class, and the SHA-256 of its file."""

    version: int
    class_counts: dict[str, float]
    sha256: str


class Receipt(msgspec.Struct, frozen=True):
    """Receipt of an erased case. ``was_learned`` is whether the statistics included it."""

    id: str
    case_sha256: str
    erased_at: float
    was_learned: bool
    before: StatisticsState
    after: StatisticsState


class Receipts:
    """The table of receipts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, receipt: Receipt) -> None:
        self._database.run(
            "INSERT INTO receipts (id, number, content) VALUES (?, ?, ?)",
            receipt.id,
            receipt.after.version,
            msgspec.json.encode(receipt).decode(),
        )

    def get(self, receipt_id: str) -> Receipt | None:
        found = self._database.one("SELECT content FROM receipts WHERE id = ?", receipt_id)
        return None if found is None else msgspec.json.decode(found[0], type=Receipt)


def id_digest(case_id: str) -> str:
    return hashlib.sha256(case_id.encode()).hexdigest()
