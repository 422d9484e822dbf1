"""Evidence as it is shown: words coloured by weight, columns as bars."""

from dataclasses import dataclass
from typing import Any

from suffice.web.columns import Columns
from suffice.web.pages.highlight import Piece, highlighted
from suffice.web.version import Version

_SHOWN = 12  # features in a list
_LONGEST = 20_000  # characters of a text that are shown
_LEAST = 0.005  # log-odds: less would be shown as none


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
        pieces, said = highlighted(str(row.get(column.key) or "")[:_LONGEST], mine)
        words.update({word: weight for word, weight in said.items() if abs(weight) >= _LEAST})
        texts.append((column.key, tuple(pieces)))
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


def _value(cell: Any) -> str:
    if cell is None:
        return "missing"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
