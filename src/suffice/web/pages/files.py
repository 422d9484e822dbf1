"""Style sheet and script, served from this package only."""

from importlib import resources
from pathlib import Path
from typing import Any

from litestar import Response
from litestar.params import FromPath

from suffice.web.api.routes import route
from suffice.web.problems import RequestError

_KINDS = {
    "style.css": "text/css",
    **dict.fromkeys(
        ("page.js", "live.js", "session.js", "connection.js", "labelling.js", "keys.js"), "text/javascript"
    ),
    "play.js": "text/javascript",
    "scorer.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_FOLDERS = {"scorer.js": resources.files("suffice.export") / "assets"}
_FILES = {name: (_FOLDERS.get(name, Path(__file__).parent / "static") / name).read_bytes() for name in _KINDS}


def file_routes() -> list[Any]:
    def static_file(name: FromPath[str]) -> Response[bytes]:
        if name not in _FILES:
            raise RequestError(404, "There is no such file", "name")
        return Response(_FILES[name], media_type=_KINDS[name], headers={"Cache-Control": "max-age=300"})

    return [route("GET", "/static/{name:str}", static_file, None, shown=False)]
