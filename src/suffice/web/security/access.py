"""Tokens, sessions of the page, and the proof that a form came from the page."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from suffice.web.settings import ROLES, Role, Settings

COOKIE = "suffice_session"
_SESSION_SECONDS = 12 * 3600


@dataclass(frozen=True)
class Caller:
    """Who asks: with which role (None for nobody known), and under which session of the page."""

    role: Role | None
    session: str = ""

    def may(self, role: Role) -> bool:
        return self.role is not None and ROLES.index(self.role) >= ROLES.index(role)


class Access:
    """Compares tokens without telling how much of one was right. Tokens are kept as digests."""

    def __init__(self, settings: Settings) -> None:
        self._digests = {role: _digest(token) for role, token in settings.tokens.items()}
        # sessions outlive a restart, and hold on every server with the same tokens
        known = "\n".join(settings.tokens[role] for role in ROLES if role in settings.tokens)
        self._key = hashlib.sha256(b"session\n" + known.encode()).digest() if known else secrets.token_bytes(32)

    @property
    def is_open(self) -> bool:
        """Whether whoever reaches the address may do everything."""
        return not self._digests

    def caller(self, headers: Mapping[bytes, bytes], *, page: bool) -> Caller:
        """From a bearer token or, on the page, from its cookie. The API takes no cookies, so no other site can use them."""
        if self.is_open:
            return Caller("admin", "local")
        kind, _, token = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer":
            return Caller(self.role_of(token.decode("latin-1").strip()))
        return self._from_session(_cookie(headers.get(b"cookie", b""))) if page else Caller(None)

    def role_of(self, token: str) -> Role | None:
        """The role of a token."""
        given, found = _digest(token), None
        for role, known in self._digests.items():
            if hmac.compare_digest(given, known):
                found = role
        return found

    def session(self, role: Role) -> str:
        """A cookie's value that stands for a role for half a day."""
        claim = f"{role}.{int(time.time()) + _SESSION_SECONDS}.{secrets.token_hex(8)}"
        return f"{claim}.{self._sign(claim)}"

    def _from_session(self, value: str) -> Caller:
        claim, _, signature = value.rpartition(".")
        if not hmac.compare_digest(self._sign(claim), signature):
            return Caller(None)
        role, expires, _ = claim.split(".")
        known: Role | None = next((r for r in ROLES if r == role), None)
        return Caller(known, value) if int(expires) > time.time() else Caller(None)

    def form_token(self, caller: Caller) -> str:
        """What a form of the page must bring along."""
        return self._sign(f"form {caller.session}")

    def is_form_token(self, caller: Caller, token: str) -> bool:
        return hmac.compare_digest(self.form_token(caller).encode(), token.encode())

    def _sign(self, claim: str) -> str:
        return hmac.new(self._key, claim.encode(), "sha256").hexdigest()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _cookie(header: bytes) -> str:
    try:
        found = SimpleCookie(header.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None and found.value.isascii() else ""
