"""Progress of learning: log-loss on cases before they are learned, over time, and the lag of fitted weights."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from suffice.web.service import Service

_LATEST, _WINDOWS = 2000, 20
_FEWEST_CASES = 20  # labels per window


class LossWindow(msgspec.Struct, frozen=True):
    """Mean log-loss, in nats, of ``cases`` consecutive labels, each under the version served when the label came."""

    start: float
    end: float
    cases: int
    log_loss: float


class Progress(msgspec.Struct, frozen=True):
    """Counts follow every label at once. Fitted weights follow in the background and are those of version ``fitted_at``;
    ``pending`` rows were learned or unlearned since. New weights are served unless they are worse on the cases labelled since
    (``refused`` counts those)."""

    fitted_at: int
    pending: int
    followed: float | None
    """Time of the last served fit, in seconds since 1970; null if none since the start."""
    seconds: float | None
    """Duration of the last fit."""
    served: int
    refused: int
    failed: int
    log_loss: list[LossWindow]
    """Windows of the latest labels, oldest first."""

    @property
    def latest_loss(self) -> float | None:
        return self.log_loss[-1].log_loss if self.log_loss else None


def progress(service: "Service") -> Progress:
    version, follows = service.version, service.follower.follows
    return Progress(
        fitted_at=version.fitted_at if version.pending else version.number,
        pending=version.pending,
        followed=follows.last,
        seconds=follows.seconds,
        served=follows.served,
        refused=follows.refused,
        failed=follows.failed,
        log_loss=_windows(service.stores.cases.losses(_LATEST)),
    )


def _windows(losses: list[tuple[float, float]]) -> list[LossWindow]:
    """Windows of equal size, except the first, so that the latest is complete."""
    size = max(_FEWEST_CASES, -(-len(losses) // _WINDOWS))
    ends = range(len(losses), 0, -size)
    found = [losses[max(0, end - size) : end] for end in reversed(ends)]
    return [LossWindow(some[0][0], some[-1][0], len(some), sum(x for _, x in some) / len(some)) for some in found]
