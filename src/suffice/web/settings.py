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


def tokens_in(environment: Mapping[str, str]) -> dict[Role, str]:
    """The tokens among environment variables. (A command line can be read by everybody on the machine.)

    >>> tokens_in({"SUFFICE_TOKEN_READ": "a long secret of one's own", "HOME": "/home/ann"})
    {'read': "a long secret of one's own"}
    """
    return {role: environment[name] for role in ROLES if (name := f"SUFFICE_TOKEN_{role.upper()}") in environment}


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
    """Names under which browsers may call, beside the address itself."""
    max_bytes: int = 1 << 20
    max_rows: int = 1000
    max_seconds: float = 30.0
    max_requests: int = 64
    """In flight at once; more are told to come back."""
    snapshot_labels: int = 1000
    snapshot_seconds: float = 60.0
    rebase: bool = False

    def __post_init__(self) -> None:
        unknown = [role for role in self.tokens if role not in ROLES]
        if unknown:
            raise ParameterError(f"There are tokens for {quoted(unknown)}", f"the roles are {quoted(ROLES)}")
        if any(len(token) < _SHORTEST_TOKEN for token in self.tokens.values()):
            raise ParameterError("A token is too short", f"it needs {_SHORTEST_TOKEN} characters or more")
        if len(set(self.tokens.values())) < len(self.tokens):
            raise ParameterError("Two roles have the same token", "each needs its own")
        if not self.tokens and not self.is_loopback:
            raise ParameterError(
                f"The address {self.host!r} can be reached from elsewhere",
                "that takes tokens",
                "Give tokens for 'read', 'label' and 'admin', or serve 127.0.0.1",
            )
        for name in ("max_bytes", "max_rows", "max_seconds", "max_requests", "snapshot_labels", "snapshot_seconds"):
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
    def database(self) -> str:
        """Where cases and the journal are kept."""
        return self.store or f"{self.model}.db"

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which a request may call this service."""
        own = {"127.0.0.1", "localhost", "[::1]"} if self.is_loopback else {self.host}
        return frozenset(name.lower() for name in (*own, *self.allowed_hosts))
