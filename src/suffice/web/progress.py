"""Progress of learning: prequential log-loss over time, and the lag of fitted weights."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from suffice.web.service import Service

_LATEST, _WINDOWS = 2000, 20
_MIN_CASES = 20  # labels per window


class LossWindow(msgspec.Struct, frozen=True):
    """Mean log-loss, in nats, of ``cases`` consecutive labels, each under the version served when it was given."""

    start: float
    end: float
    cases: int
    log_loss: float


class Progress(msgspec.Struct, frozen=True):
    """Counts include every label at once. Weights are refitted in the background and are those of version ``fitted_at``;
    ``pending`` rows were learned or unlearned since. New weights are served unless they are worse on the cases labelled since
    (``refused`` counts such fits)."""

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
    version, counts = service.version, service.refitter.counts
    return Progress(
        fitted_at=version.fitted_at if version.pending else version.number,
        pending=version.pending,
        followed=counts.last,
        seconds=counts.seconds,
        served=counts.served,
        refused=counts.refused,
        failed=counts.failed,
        log_loss=_windows(service.stores.cases.losses(_LATEST)),
    )


def _windows(losses: list[tuple[float, float]]) -> list[LossWindow]:
    """Windows of equal size, except the first, so that the latest is complete."""
    size = max(_MIN_CASES, -(-len(losses) // _WINDOWS))
    ends = range(len(losses), 0, -size)
    found = [losses[max(0, end - size) : end] for end in reversed(ends)]
    return [LossWindow(some[0][0], some[-1][0], len(some), sum(x for _, x in some) / len(some)) for some in found]
