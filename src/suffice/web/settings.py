"""How the service runs."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from suffice.errors import ParameterError, quoted

Role = Literal["read", "label", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
_SHORTEST_TOKEN = 16
_POSITIVE = (
    "max_bytes", "max_rows", "max_seconds", "max_requests", "snapshot_labels", "snapshot_seconds", "follow_labels",
    "follow_seconds",
    "lease_seconds", "workers",
)  # fmt: skip


def tokens_in(environment: Mapping[str, str]) -> dict[Role, str]:
    """The tokens among environment variables. (A command line can be read by everybody on the machine.)

    >>> tokens_in({"SUFFICE_TOKEN_READ": "a long secret of one's own", "HOME": "/home/ann"})
    {'read': "a long secret of one's own"}
    """
    return {role: environment[name] for role in ROLES if (name := f"SUFFICE_TOKEN_{role.upper()}") in environment}


def beside(model: "Path | str") -> str:
    """Where the store of a model file lies unless another is named."""
    return f"{model}.db"


@dataclass(frozen=True)
class Settings:
    """Limits are per request. ``tokens`` gives each role its token; without any, whoever reaches the address is admin,
    which is why only a loopback address goes without."""

    model: Path
    store: str = ""
    """A path, or a postgresql:// URL; beside the model if not given."""
    host: str = "127.0.0.1"
    port: int = 8000
    tokens: Mapping[Role, str] = field(default_factory=dict, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    """Names under which requests may call, beside the address itself."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    named_tokens: bool = False
    """Whether the store has tokens of people, so that ``tokens`` may be empty."""
    watch: str = ""
    """A folder of messages or an mbox file, of which each message is a case; none if empty."""
    access_log: str = ""
    """A file for a line a request; ``-`` for standard error, none if empty."""
    max_bytes: int = 1 << 20
    max_rows: int = 1000
    max_seconds: float = 30.0
    max_requests: int = 64
    """In flight at once; more are told to come back."""
    snapshot_labels: int = 1000
    snapshot_seconds: float = 60.0
    lease_seconds: float = 120.0
    """For how long a case that somebody has open is kept from others."""
    follow_labels: int = 20
    """Fitted weights follow the counts in the background after so many labels,"""
    follow_seconds: float = 5.0
    """or so many seconds after a label."""
    rebase: bool = False
    workers: int = 1
    """Processes that score. With more than one, changes are made by a process beside them."""

    def __post_init__(self) -> None:
        unknown = [role for role in self.tokens if role not in ROLES]
        if unknown:
            raise ParameterError(f"There are tokens for {quoted(unknown)}", f"the roles are {quoted(ROLES)}")
        if any(len(token) < _SHORTEST_TOKEN for token in self.tokens.values()):
            raise ParameterError("A token is too short", f"it needs {_SHORTEST_TOKEN} characters or more")
        if len(set(self.tokens.values())) < len(self.tokens):
            raise ParameterError("Two roles have the same token", "each needs its own")
        if not self.tokens and not self.named_tokens and not self.is_loopback:
            raise ParameterError(
                f"The address {self.host!r} can be reached from elsewhere",
                "that takes tokens",
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
        """Whether it stands for every address of the machine."""
        return self.host in ("0.0.0.0", "::", "")

    @property
    def database(self) -> str:
        """Where cases and the journal are kept."""
        return self.store or beside(self.model)

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which a request may call this service."""
        own = {"127.0.0.1", "localhost", "[::1]"} if self.is_loopback or self.is_wildcard else {self.host}
        return frozenset(name.lower() for name in (*own, *self.allowed_hosts))
