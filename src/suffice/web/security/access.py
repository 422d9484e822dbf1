"""Authentication by tokens and page sessions, and tokens of forms."""

import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from suffice.web.settings import ROLES, Role, Settings
from suffice.web.store import StoreError
from suffice.web.store.stores import Stores
from suffice.web.store.tokens import digest_of

COOKIE = "suffice_session"
_log = logging.getLogger("suffice.web")
_SESSION_SECONDS = 12 * 3600
_LOCAL = "local"  # the session of all callers if there are no tokens
_REREAD_SECONDS = 1.0  # until a token revoked on any server is invalid


@dataclass(frozen=True)
class Caller:
    """The caller of a request: role (None if unknown), name of the token if it has one, and session of the page."""

    role: Role | None
    session: str = ""
    name: str | None = None

    def may(self, role: Role) -> bool:
        return self.role is not None and ROLES.index(self.role) >= ROLES.index(role)

    @property
    def holder(self) -> str | None:
        """The holder of leases: a name, or else a page session; None if callers cannot be distinguished."""
        if self.name is not None or self.session in ("", _LOCAL):
            return self.name
        return f"session {digest_of(self.session).hex()[:16]}"

    def author(self, by: str | None) -> str | None:
        """The author of a journal entry: the owner of the token, and on whose behalf."""
        if self.name is None or by is None or by == self.name:
            return self.name or by
        return f"{by} (through {self.name})"


class Access:
    """Authentication, with constant-time comparison of tokens. Only digests are kept: of role tokens from the settings, of
    personal tokens from the store."""

    def __init__(self, settings: Settings, stores: Stores) -> None:
        self._stores = stores
        self._digests = {role: digest_of(token) for role, token in settings.tokens.items()}
        # sessions survive a restart, and are valid on every server with the same store and tokens
        tokens = "\n".join(settings.tokens[role] for role in ROLES if role in settings.tokens)
        self._key = hashlib.sha256(f"session\n{_secret(stores)}\n{tokens}".encode()).digest()
        self._people, self._ended = stores.tokens.by_digest(), stores.ended_sessions.digests()
        self._read_at = time.monotonic()

    @property
    def is_open(self) -> bool:
        """Whether there are no tokens, so that every caller is admin."""
        return not self._digests and not self._people

    def caller(self, headers: Mapping[bytes, bytes], *, page: bool) -> Caller:
        """The caller by bearer token or, on the page, by cookie. The API ignores cookies, which rules out CSRF."""
        self._reread()
        if self.is_open:
            return Caller("admin", _LOCAL)
        kind, _, token = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer":
            return self.of_token(token.decode("latin-1").strip())
        return self._from_session(_cookie(headers.get(b"cookie", b""))) if page else Caller(None)

    def of_token(self, token: str) -> Caller:
        """The caller of a token; without a role if the token is unknown."""
        given, found = digest_of(token), Caller(None)
        for role, known in self._digests.items():
            if hmac.compare_digest(given, known):
                found = Caller(role)
        for known, person in self._people.items():
            if hmac.compare_digest(given, known):
                found = Caller(person.role, name=person.name)
        return found

    def session(self, caller: Caller) -> str:
        """A signed cookie value that identifies a caller for half a day."""
        name = (caller.name or "").encode().hex()
        claim = f"{caller.role}.{name}.{int(time.time()) + _SESSION_SECONDS}.{secrets.token_hex(8)}"
        return f"{claim}.{self._sign(claim)}"

    def end(self, caller: Caller) -> None:
        """End a session on every server of the store."""
        if caller.session and not self.is_open:
            self._stores.ended_sessions.add(caller.session, float(caller.session.split(".")[2]))
            self._ended |= {digest_of(caller.session)}

    def _from_session(self, value: str) -> Caller:
        claim, _, signature = value.rpartition(".")
        if not hmac.compare_digest(self._sign(claim), signature) or digest_of(value) in self._ended:
            return Caller(None)
        role, name_hex, expires, _ = claim.split(".")
        name = bytes.fromhex(name_hex).decode() or None
        known: Role | None = next((r for r in ROLES if r == role), None)
        if int(expires) <= time.time() or not self._is_valid(name, known):
            return Caller(None)
        return Caller(known, value, name)

    def _is_valid(self, name: str | None, role: Role | None) -> bool:
        """Whether the token that a session was opened with still exists."""
        if name is None:
            return role in self._digests
        return any(person.name == name and person.role == role for person in self._people.values())

    def _reread(self) -> None:
        if time.monotonic() - self._read_at < _REREAD_SECONDS:
            return
        self._read_at = time.monotonic()
        try:
            self._people, self._ended = self._stores.tokens.by_digest(), self._stores.ended_sessions.digests()
        except StoreError as error:
            _log.warning("Tokens cannot be read (%s); the ones read before remain valid", error)

    def form_token(self, caller: Caller) -> str:
        """The token that a form of the page must contain."""
        return self._sign(f"form {caller.session}")

    def is_form_token(self, caller: Caller, token: str) -> bool:
        return hmac.compare_digest(self.form_token(caller).encode(), token.encode())

    def _sign(self, claim: str) -> str:
        return hmac.new(self._key, claim.encode(), "sha256").hexdigest()


def _secret(stores: Stores) -> str:
    """The secret of a store, generated once."""
    with stores.database.transaction():
        found: str | None = stores.settings.get("session_secret")
        if found is None:
            found = secrets.token_hex(32)
            stores.settings.put("session_secret", found)
    return found


def _cookie(header: bytes) -> str:
    try:
        found = SimpleCookie(header.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None and found.value.isascii() else ""
