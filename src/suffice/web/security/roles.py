"""The role that a route requires."""

from typing import Any

from suffice.web.problems import RequestError
from suffice.web.security.access import Caller
from suffice.web.settings import Role


def no_token() -> RequestError:
    return RequestError(401, "Send one as 'Authorization: Bearer …'", "authorization")


def requires(role: Role) -> Any:
    """A Litestar guard: the caller must have the role, or one that includes it."""

    def guard(connection: Any, _: Any) -> None:
        caller: Caller = connection.scope["caller"]
        if caller.role is None:
            raise no_token()
        if not caller.may(role):
            raise RequestError(403, f"A token with the role {role!r} is required", "authorization")

    return guard
