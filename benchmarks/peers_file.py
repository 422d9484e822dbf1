"""The cached figures of the peers, ``peers.json``: provenance, then a line for each set, peer and half of the folds."""

from pathlib import Path
from typing import Literal

import msgspec

PATH = Path(__file__).with_name("peers.json")

Half = Literal["first", "second"]
Key = tuple[str, str, str, Half]


class Figures(msgspec.Struct, frozen=True):
    """Figures of one model on one half of the folds of a set."""

    accuracy: float
    log_loss: float
    calibration_error: float | None
    seconds: float


class Made(msgspec.Struct, frozen=True):
    """When and how the figures were measured."""

    date: str
    processor: str
    threads: str
    python: str
    packages: dict[str, str]
    protocol: str
    limits: str


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures, or why there are none; ``source`` is set where they were not measured in this run."""

    suite: str
    set: str
    peer: str
    half: Half
    figures: Figures | None = None
    left_out: str = ""
    source: str = ""

    @property
    def key(self) -> Key:
        return self.suite, self.set, self.peer, self.half


class Peers(msgspec.Struct):
    made: Made
    lines: list[Line]

    def figures(self, suite: str, half: Half) -> dict[str, dict[str, Figures]]:
        """Available figures, by peer and set."""
        found: dict[str, dict[str, Figures]] = {}
        for line in self.lines:
            if line.figures and (line.suite, line.half) == (suite, half):
                found.setdefault(line.peer, {})[line.set] = line.figures
        return found


def read(path: Path = PATH) -> Peers:
    return msgspec.json.decode(path.read_bytes(), type=Peers)


def write(peers: Peers, path: Path = PATH) -> None:
    """Write one figure a line, for readable diffs, and atomically."""
    made = msgspec.json.format(msgspec.json.encode(peers.made), indent=1).decode()
    lines = ",\n".join(msgspec.json.encode(line).decode() for line in sorted(peers.lines, key=lambda line: line.key))
    fresh = path.with_suffix(".tmp")
    fresh.write_text(f'{{"made": {made},\n"lines": [\n{lines}\n]}}\n', encoding="utf-8")
    fresh.replace(path)
