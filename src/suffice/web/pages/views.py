"""Templates, and their common context."""

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from litestar import Request, Response
from litestar.response import Redirect
from markupsafe import Markup, escape

from suffice.web.problems import RequestError
from suffice.web.security.access import Access, Caller
from suffice.web.service import Service
from suffice.web.settings import Role

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


class PageViews:
    """Renders templates for a caller and validates the caller's forms."""

    def __init__(self, service: Service, access: Access) -> None:
        self.service, self.access = service, access

    def page(self, request: Request[Any, Any, Any], template: str, status: int = 200, **values: Any) -> Response[str]:
        caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
        text = (
            _templates()
            .get_template(template)
            .render(
                caller=caller,
                is_open=self.access.is_open,
                form_token=self.access.form_token(caller),
                version=self.service.version,
                policy=self.service.policy,
                labels=list(self.service.label_names),
                waiting=self._waiting() if caller.role and status < 400 else 0,
                **values,
            )
        )
        return Response(text, status_code=status, media_type="text/html", headers={"Cache-Control": "no-store"})

    def _waiting(self) -> int:
        return self.service.waiting.queue(self.service.version, self.service.policy).count

    async def form(self, request: Request[Any, Any, Any], role: Role | None) -> dict[str, str]:
        """The fields of a form, after a check that it comes from our own page and that the caller has the role."""
        caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
        if role is not None and not caller.may(role):
            raise RequestError(403, f"A token with the role {role!r} is required", "authorization")
        sent = (await request.form()).items()
        # browsers send a line break in a name as CR LF
        fields = {key.replace("\r\n", "\n"): value for key, value in sent if isinstance(value, str)}
        if not self.access.is_form_token(caller, fields.get("form_token", "")):
            raise RequestError(403, "The form has expired or is not from this page. Reload the page", "form_token")
        return fields

    def login_redirect(self, request: Request[Any, Any, Any]) -> Redirect | None:
        """A redirect to the login if the caller is not authenticated."""
        caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
        return None if caller.role is not None else Redirect("/login", status_code=303)


@cache
def _templates() -> "Environment":
    """The templates, compiled once per process. jinja2 is imported with the first page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters.update(
        when=_when, percent=_percent, signed=_signed, rows=_rows, breakable=_breakable, segment=_segment
    )
    return found


def page_author(request: Request[Any, Any, Any]) -> str:
    """The author for the journal: the name of the token, or the role if it has none."""
    caller: Caller = request.scope["caller"]  # type: ignore[typeddict-item]
    return caller.name or f"page ({caller.role})"


def validated_field(form: dict[str, str], name: str, pattern: str) -> str:
    """A field of a form, validated for storage; empty if absent."""
    value = form.get(name, "").replace("\r\n", "\n")
    if value and not re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value):
        raise RequestError(422, f"{name} is too long or has characters that cannot be stored", name)
    return value


def _when(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _breakable(name: str) -> Markup:
    """A name in which lines may break after punctuation."""
    return Markup(re.sub(r"([_./:-])", r"\1<wbr>", str(escape(name))))


def _segment(name: str) -> str:
    """A name percent-encoded as one path segment or query value."""
    return quote(name, safe="")


def _percent(share: float | None, digits: int = 0) -> str:
    return "–" if share is None else f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def _rows(weight: float) -> str:
    """A number of rows; weights may make it a fraction."""
    return f"{weight:,.10g}"


def _signed(weight: float) -> str:
    return f"{weight:+.2f}".replace("-", "−")
