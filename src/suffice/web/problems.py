"""Errors as problem+json: the message and the field, without internals of the service."""

import ast
import re
from typing import Any

import msgspec

from suffice.errors import SufficeError
from suffice.web.escaped_names import unescaped_text

MEDIA_TYPE = "application/problem+json"

TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "The request did not arrive in time",
    409: "Conflict with the stored state",
    413: "The request is too large",
    415: "The request must be JSON",
    421: "This host is not served here",
    422: "The request does not fit the model",
    429: "Too many attempts",
    500: "Internal error",
    503: "Too busy",
}


class RequestError(SufficeError):
    """A rejected request, with the status and the invalid field."""

    def __init__(self, status: int, detail: str, field: str | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.field = status, detail, field

    def __reduce__(self) -> tuple[type, Any]:
        return type(self), (self.status, self.detail, self.field)


class ProblemBody(msgspec.Struct, omit_defaults=True):
    """A problem of RFC 9457, with the field."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    field: str | None = None


def title(problem: RequestError) -> str:
    return TITLES.get(problem.status, "The request is rejected")


def body(problem: RequestError) -> bytes:
    return msgspec.json.encode(ProblemBody(title(problem), problem.status, problem.detail, field=problem.field))


def from_error(error: SufficeError) -> RequestError:
    """A problem from an error of the library; the field is the column named in its message."""
    if isinstance(error, RequestError):
        return error
    column = re.match(r"""Column ('(?:[^'\\]|\\.)+'|"(?:[^"\\]|\\.)+")""", error.found)  # in the form of repr
    return RequestError(422, str(error), ast.literal_eval(column[1]) if column else None)


def from_message(message: str, key: str | None, status: int = 400) -> RequestError:
    """A problem from msgspec's message: ``key`` is the place, and a name in backticks the missing or unknown field."""
    message, key = unescaped_text(message.partition(" - at `")[0]), unescaped_text(key or "")
    if key == "data":  # the body itself
        key, message = "", message if len(message) > len("'data'") else "The body is empty"
    named = re.search(r"(?:unknown|required) field `(.+?)`", message)
    path = ".".join(part for part in (key, named[1] if named else "") if part)
    return RequestError(status, message.replace("`", "'"), path or ("body" if status == 400 else None))


def from_validation(error: msgspec.ValidationError, status: int = 400) -> RequestError:
    """As ``from_message``, with the place parsed from msgspec's message."""
    message, _, place = str(error).partition(" - at `")
    return from_message(message, place.removeprefix("$").removeprefix(".").removesuffix("`"), status)
