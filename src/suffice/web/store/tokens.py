"""Personal tokens, each with a role. Only digests are stored; no salt is needed, since tokens are long and random."""

import hashlib
import secrets
import time
from dataclasses import dataclass

from suffice.errors import ParameterError
from suffice.web.settings import ROLES, Role
from suffice.web.store.database import Database

_RANDOM_BYTES = 32  # of a token
MAX_NAME_LENGTH = 64


@dataclass(frozen=True)
class Person:
    """A person with a token: name, role and time of creation."""

    name: str
    role: Role
    added: float


class Tokens:
    """The table of tokens."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, role: Role) -> str:
        """Create a token, replacing the person's earlier one; only the caller gets it in plain text."""
        if role not in ROLES:
            raise ParameterError(f"The role is {role!r}", f"the roles are {', '.join(ROLES)}")
        if not name.isprintable() or not 0 < len(name) <= MAX_NAME_LENGTH or name != name.strip():
            raise ParameterError(
                f"The name is {name!r}",
                f"a name has up to {MAX_NAME_LENGTH} printable characters, no space at the ends",
            )
        token = secrets.token_urlsafe(_RANDOM_BYTES)
        with self._database.transaction():
            self._database.run("DELETE FROM tokens WHERE name = ?", name)
            self._database.run(
                "INSERT INTO tokens (name, role, digest, added) VALUES (?, ?, ?, ?)",
                name, role, digest_of(token).hex(), time.time(),
            )  # fmt: skip
        return token

    def remove(self, name: str) -> bool:
        """Remove a person's token; returns whether there was one."""
        with self._database.transaction():
            known = self._database.one("SELECT name FROM tokens WHERE name = ?", name) is not None
            self._database.run("DELETE FROM tokens WHERE name = ?", name)
        return known

    def people(self) -> list[Person]:
        return [Person(*found) for found in self._database.rows("SELECT name, role, added FROM tokens ORDER BY name")]

    def by_digest(self) -> dict[bytes, Person]:
        found = self._database.rows("SELECT digest, name, role, added FROM tokens")
        return {bytes.fromhex(digest): Person(*rest) for digest, *rest in found}


class EndedSessions:
    """The table of page sessions ended before they expired."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, session: str, expires: float) -> None:
        with self._database.transaction():
            self._database.run("DELETE FROM ended_sessions WHERE expires < ?", time.time())
            self._database.run(
                "INSERT INTO ended_sessions (digest, expires) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
                digest_of(session).hex(), expires,
            )  # fmt: skip

    def digests(self) -> frozenset[bytes]:
        return frozenset(
            bytes.fromhex(digest) for (digest,) in self._database.rows("SELECT digest FROM ended_sessions")
        )


def digest_of(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
