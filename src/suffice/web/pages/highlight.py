"""A text with its words coloured by evidence."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_PIECES = re.compile(r"\w+|[^\w\s]|\s+")
_LOG_ODDS_STEPS = (0.1, 0.4, 1.0, 2.0)  # thresholds of stronger colours
_MAX_RUNS = 1000  # runs of characters to search for, the strongest first


@dataclass(frozen=True)
class TextPiece:
    """Part of a text; ``tone`` is for1 … for4, against1 … against4 or nothing."""

    text: str
    tone: str = ""
    weight: float = 0.0


def highlighted(text: str, weights: dict[str, float]) -> tuple[list[TextPiece], dict[str, float]]:
    """The pieces of a text, and the total evidence of each word.

    Evidence of word pairs is split between both words, evidence of character runs (in ‹›) among the words they occur in.

    >>> pieces, words = highlighted("Tea, no tea", {"tea": 1.0, "no tea": -2.0})
    >>> [(piece.text, piece.tone) for piece in pieces]
    [('Tea', 'for2'), (', ', ''), ('no', 'against3'), (' ', ''), ('tea', 'against2')]
    >>> words
    {'tea': 0.0, ',': 0.0, 'no': -1.0}
    """
    parts = _PIECES.findall(text)
    positions = [i for i, part in enumerate(parts) if not part.isspace()]
    total: dict[int, float] = defaultdict(float)
    times: dict[str, int] = defaultdict(int)
    for i in positions:
        times[parts[i].lower()] += 1
    for i in positions:
        word = parts[i].lower()
        total[i] += weights.get(word, 0.0) / times[word]
    _share_pairs(parts, positions, weights, total)
    _share_runs(parts, weights, total)
    words: dict[str, float] = defaultdict(float)
    for i in positions:
        words[parts[i].lower()] += total[i]
    return _joined([TextPiece(part, _tone(total[i]), total[i]) for i, part in enumerate(parts)]), dict(words)


def _share_pairs(parts: list[str], positions: list[int], weights: dict[str, float], total: dict[int, float]) -> None:
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, j in pairwise(positions):
        places[f"{parts[i].lower()} {parts[j].lower()}"].append((i, j))
    for pair, found in places.items():
        for i, j in found:
            share = weights.get(pair, 0.0) / (2 * len(found))
            total[i] += share
            total[j] += share


def _share_runs(parts: list[str], weights: dict[str, float], total: dict[int, float]) -> None:
    runs = [(name[1:-1], weight) for name, weight in weights.items() if name.startswith("‹") and name.endswith("›")]
    plain = "".join(" " if part.isspace() else part.lower() for part in parts)
    owner = [i for i, part in enumerate(parts) for _ in (part if not part.isspace() else " ")]
    if len(plain) != len(owner):  # some letters are longer in lower case, so positions do not match
        return
    for run, weight in sorted(runs, key=lambda item: -abs(item[1]))[:_MAX_RUNS]:
        found = list(_places(f" {plain} ", run))
        for start in found:
            touched = {owner[p] for p in range(max(0, start - 1), min(len(owner), start - 1 + len(run)))}
            touched = {i for i in touched if not parts[i].isspace()}
            for i in touched:
                total[i] += weight / (len(found) * len(touched))


def _places(text: str, run: str) -> Iterator[int]:
    place = text.find(run) if run else -1
    while place >= 0:
        yield place
        place = text.find(run, place + 1)


def _joined(pieces: list[TextPiece]) -> list[TextPiece]:
    """Pieces with uncoloured neighbours merged."""
    out: list[TextPiece] = []
    for piece in pieces:
        if out and not piece.tone and not out[-1].tone:
            out[-1] = TextPiece(out[-1].text + piece.text)
        else:
            out.append(piece)
    return out


def _tone(weight: float) -> str:
    strength = sum(abs(weight) >= step for step in _LOG_ODDS_STEPS)
    return f"{'for' if weight > 0 else 'against'}{strength}" if strength else ""
