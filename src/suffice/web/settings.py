"""Settings of the service."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from suffice.errors import ParameterError, quoted

Role = Literal["read", "label", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
_MIN_TOKEN_LENGTH = 16
_POSITIVE = (
    "max_bytes", "max_rows", "max_seconds", "max_requests", "snapshot_labels", "snapshot_seconds", "follow_labels",
    "follow_seconds",
    "lease_seconds", "workers",
)  # fmt: skip


def tokens_in(environment: Mapping[str, str]) -> dict[Role, str]:
    """Tokens by role from environment variables. (A command line is visible to everybody on the machine.)

    >>> tokens_in({"SUFFICE_TOKEN_READ": "a long secret of one's own", "HOME": "/home/ann"})
    {'read': "a long secret of one's own"}
    """
    return {role: environment[name] for role in ROLES if (name := f"SUFFICE_TOKEN_{role.upper()}") in environment}


def default_store(model: "Path | str") -> str:
    """The default path of the store of a model file."""
    return f"{model}.db"


@dataclass(frozen=True)
class Settings:
    """Limits are per request. ``tokens`` maps roles to tokens; without tokens, every caller is admin,
    so tokens are optional only on a loopback address."""

    model: Path
    store: str = ""
    """A path, or a postgresql:// URL; by default a file beside the model."""
    host: str = "127.0.0.1"
    port: int = 8000
    tokens: Mapping[Role, str] = field(default_factory=dict, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    """Allowed host names besides the address itself."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies, whose X-Forwarded-For and X-Forwarded-Proto are trusted."""
    named_tokens: bool = False
    """Whether the store has tokens of people, so that ``tokens`` may be empty."""
    watch: str = ""
    """A folder of messages or an mbox file to watch; each message becomes a case. None if empty."""
    access_log: str = ""
    """The access log, one line per request; ``-`` for standard error, none if empty."""
    max_bytes: int = 1 << 20
    max_rows: int = 1000
    max_seconds: float = 30.0
    max_requests: int = 64
    """Maximum number of requests in flight; further ones are rejected with 503."""
    snapshot_labels: int = 1000
    snapshot_seconds: float = 60.0
    lease_seconds: float = 120.0
    """Seconds for which an open case is leased."""
    follow_labels: int = 20
    """Number of labels after which weights are refitted in the background,"""
    follow_seconds: float = 5.0
    """or number of seconds after a label."""
    rebase: bool = False
    workers: int = 1
    """Number of scoring processes. With more than one, a separate process writes."""

    def __post_init__(self) -> None:
        unknown = [role for role in self.tokens if role not in ROLES]
        if unknown:
            raise ParameterError(f"There are tokens for {quoted(unknown)}", f"the roles are {quoted(ROLES)}")
        if any(len(token) < _MIN_TOKEN_LENGTH for token in self.tokens.values()):
            raise ParameterError("A token is too short", f"it needs {_MIN_TOKEN_LENGTH} characters or more")
        if len(set(self.tokens.values())) < len(self.tokens):
            raise ParameterError("Two roles have the same token", "each needs its own")
        if not self.tokens and not self.named_tokens and not self.is_loopback:
            raise ParameterError(
                f"The address {self.host!r} can be reached from elsewhere",
                "it requires tokens",
                "Give tokens for 'read', 'label' and 'admin', add some by suffice token, or serve 127.0.0.1",
            )
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise ParameterError(f"{name} is {getattr(self, name)!r}", "it must be positive")

    @property
    def is_loopback(self) -> bool:
        """Whether the address can be reached from this machine only."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_wildcard(self) -> bool:
        """Whether the address is the wildcard for every address of the machine."""
        return self.host in ("0.0.0.0", "::", "")

    @property
    def database(self) -> str:
        """Address of the store."""
        return self.store or default_store(self.model)

    @property
    def hosts(self) -> frozenset[str]:
        """The host names that a request may use."""
        own = {"127.0.0.1", "localhost", "[::1]"} if self.is_loopback or self.is_wildcard else {self.host}
        return frozenset(name.lower() for name in (*own, *self.allowed_hosts))
