"""Labelled cases as a file. Arrow, which writes it, is imported with the first request."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from litestar.params import FromQuery
from litestar.response import Stream

from suffice.web.api.routes import route
from suffice.web.service import Service

_MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
_CHUNK_BYTES = 1 << 16


def label_routes(service: Service) -> list[Any]:
    def labels(format: FromQuery[Literal["csv", "jsonl", "parquet"]] = "csv") -> Stream:
        """The rows of all labelled cases with their labels in the last column, for training elsewhere."""
        from suffice.sources.files.writing import write_tables
        from suffice.web.labelled import labelled_table

        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / f"labels.{format}"
        write_tables([labelled_table(service.stores)[0]], path)
        disposition = f'attachment; filename="labels.{format}"'
        return Stream(
            _chunks(path, folder), media_type=_MEDIA_TYPES[format], headers={"Content-Disposition": disposition}
        )

    return [route("GET", "/v1/labels", labels, "read", in_thread=True, media_type="application/octet-stream")]


def _chunks(path: Path, folder: "tempfile.TemporaryDirectory[str]") -> Iterator[bytes]:
    with folder, path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk
