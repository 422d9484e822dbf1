"""Evidence as it is shown: words coloured by weight, columns as bars."""

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from suffice.web.columns import Columns
from suffice.web.version import Version

_PIECES = re.compile(r"\w+|[^\w\s]|\s+")
_STEPS = (0.1, 0.4, 1.0, 2.0)  # log-odds from which on a colour is stronger
_SHOWN = 12  # features in a list
_LONGEST = 20_000  # characters of a text that are shown


@dataclass(frozen=True)
class Piece:
    """Part of a text; ``tone`` is for1 … for4, against1 … against4 or nothing."""

    text: str
    tone: str = ""
    weight: float = 0.0


@dataclass(frozen=True)
class Bar:
    """What a feature says: ``share`` of the strongest, from −100 to 100."""

    name: str
    value: str
    weight: float
    share: float


@dataclass(frozen=True)
class Evidence:
    """What speaks for ``of`` (positive) and for ``against`` (negative) in a row."""

    of: str
    against: str
    bars: tuple[Bar, ...]
    texts: tuple[tuple[str, tuple[Piece, ...]], ...]
    words: tuple[Bar, ...]


def evidence(version: Version, columns: Columns, row: dict[str, Any]) -> Evidence:
    """Of a row by its names in JSON."""
    found = version.explained(columns.of_rows([row]))
    weights = dict(zip(found.features, found.evidence[0].tolist(), strict=True))
    single = len(version.model.blocks) == 1
    totals: dict[str, float] = {"(prior)": float(found.prior[0])}
    words: dict[str, float] = {}
    texts = []
    for column in columns.columns:
        if column.kind != "text":
            continue
        prefix = "" if single else f"{column.name}: "
        mine = {name.removeprefix(prefix): weights.pop(name) for name in list(weights) if name.startswith(prefix)}
        totals[column.key] = sum(mine.values())
        words.update({name: weight for name, weight in mine.items() if not name.startswith("(")})
        texts.append((column.key, tuple(_pieces(str(row.get(column.key) or "")[:_LONGEST], mine))))
    keys = {str(column.name): column.key for column in columns.columns}
    totals.update({keys.get(name, name): weight for name, weight in weights.items()})
    values = {column.key: _value(row.get(column.key)) for column in columns.columns if column.kind != "text"}
    return Evidence(
        str(found.of[0]), str(found.against[0]), _bars(totals, values), tuple(texts), _bars(words, {})[:_SHOWN]
    )


def _bars(weights: dict[str, float], values: dict[str, str]) -> tuple[Bar, ...]:
    most = max((abs(weight) for weight in weights.values()), default=0.0) or 1.0
    ranked = sorted(weights.items(), key=lambda item: -abs(item[1]))
    bars = (Bar(name, values.get(name, ""), weight, _share(weight, most)) for name, weight in ranked)
    return tuple(bars)[: 3 * _SHOWN]


def _share(weight: float, most: float) -> float:
    if abs(weight) == float("inf"):
        return 100.0 if weight > 0 else -100.0
    return 100.0 * weight / most if most < float("inf") else 0.0


def _pieces(text: str, weights: dict[str, float]) -> list[Piece]:
    """The text cut at words; what pairs of neighbours say is shared by both."""
    parts = _PIECES.findall(text)
    spoken = [i for i, part in enumerate(parts) if not part.isspace()]
    total: dict[int, float] = defaultdict(float)
    for i in spoken:
        total[i] += weights.get(parts[i].lower(), 0.0)
    for i, j in pairwise(spoken):
        pair = weights.get(f"{parts[i].lower()} {parts[j].lower()}", 0.0)
        total[i] += pair / 2
        total[j] += pair / 2
    return _joined([Piece(part, _tone(total[i]), total[i]) for i, part in enumerate(parts)])


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbours without a colour as one piece."""
    out: list[Piece] = []
    for piece in pieces:
        if out and not piece.tone and not out[-1].tone:
            out[-1] = Piece(out[-1].text + piece.text)
        else:
            out.append(piece)
    return out


def _tone(weight: float) -> str:
    strength = sum(abs(weight) >= step for step in _STEPS)
    return f"{'for' if weight > 0 else 'against'}{strength}" if strength else ""


def _value(cell: Any) -> str:
    if cell is None:
        return "missing"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
