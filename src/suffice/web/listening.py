"""Options of uvicorn, common to the processes that listen."""

from typing import Any

from suffice.web.security.connections import connection
from suffice.web.settings import Settings


def options(settings: Settings) -> dict[str, Any]:
    return {
        "host": settings.host,
        "port": settings.port,
        "http": connection(settings.max_seconds + 1),  # later than the guard's limit, which sends the reason
        "ws": "none",
        "access_log": False,  # URLs may contain search terms, and headers tokens
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
        "log_level": "warning",
        "timeout_graceful_shutdown": 10,
    }
