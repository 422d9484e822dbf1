"""The access log: time, address, caller, request and status. It never contains a token, a query or a body."""

import logging
import sys
from datetime import UTC, datetime
from typing import Any

from suffice.web.security.access import Caller

_log = logging.getLogger("suffice.web.access")


def configure(path: str) -> None:
    """Write the log to a file, or to standard error for ``-``."""
    handler = logging.StreamHandler(sys.stderr) if path == "-" else logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(message)s"))
    _log.addHandler(handler)
    _log.setLevel(logging.INFO)
    _log.propagate = False


def record(scope: Any, caller: Caller | None, status: int, seconds: float) -> None:
    """Log one line per request. The path stays percent-encoded, so that a request cannot inject lines."""
    if not _log.isEnabledFor(logging.INFO):
        return
    client, at = scope.get("client"), datetime.now(UTC).isoformat(timespec="milliseconds")
    path = scope.get("raw_path") or scope["path"].encode()
    _log.info(
        "%s %s %s %s %s %d %.1f ms", at, client[0] if client else "-", _who(caller), scope["method"],
        path.partition(b"?")[0].decode("ascii", "backslashreplace"), status, 1e3 * seconds,
    )  # fmt: skip


def _who(caller: Caller | None) -> str:
    if caller is None or caller.role is None:
        return "-"
    return f"{caller.name!r} ({caller.role})" if caller.name else f"({caller.role})"
