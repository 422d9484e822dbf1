"""The output of ``--json``: the version of its schema, and the objects of the smaller verbs."""

from typing import Any

import msgspec

SCHEMA = 1
"""The version of the schema of ``--json``. Within a version, fields may be added, but not renamed or removed."""


def as_json_text(summary: Any, indent: int = -1) -> str:
    """An object as JSON, with the version of the schema (``schema.json``) as the first field."""
    fields = msgspec.json.encode(summary).removeprefix(b"{")
    return msgspec.json.format(b'{"schema":%d,%b' % (SCHEMA, fields), indent=indent).decode()


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """Rows in a file: ``predict``, ``sample`` and ``demo`` with ``--out``."""

    rows: int
    out: str


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A picture in a file."""

    out: str
    bytes: int
    rows: str
    """How the posteriors were computed, or the row shown."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A model as SQL."""

    dialect: str
    table: str
    out: str | None
    words_to: str | None
    query: str


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The files written."""

    written: list[str]


class ClassChange(msgspec.Struct, frozen=True, kw_only=True):
    """One class before and after; null for a model without the class."""

    label: Any
    rows: tuple[float | None, float | None]
    prior: tuple[float | None, float | None]


class ColumnDiff(msgspec.Struct, frozen=True, kw_only=True):
    """One column before and after, and the divergence of its distribution in each class."""

    name: str
    family: tuple[str | None, str | None]
    weight: tuple[float | None, float | None]
    divergence: dict[str, float] | None
    exact: bool
    levels_added: list[str]
    levels_removed: list[str]


class ModelDiff(msgspec.Struct, frozen=True, kw_only=True):
    """The changes between two models."""

    classes: list[ClassChange]
    columns: list[ColumnDiff]
    parts: dict[str, tuple[float, float]]


class MissingCell(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    saved: float
    exact: bool


class Measuring(msgspec.Struct, frozen=True, kw_only=True):
    """The best action now, its expected cost, and the missing cells, the most valuable first."""

    action: Any
    risk: float
    cells: list[MissingCell]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    code: int
    """The exit code."""
    message: str
    found: str = ""
    allowed: str = ""
    todo: str = ""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """An error, printed to standard error under ``--json``."""

    error: Problem
