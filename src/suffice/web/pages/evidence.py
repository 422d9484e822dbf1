"""Display of evidence: words coloured by weight, columns as bars."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from suffice.web.columns import Columns
from suffice.web.pages.highlight import TextPiece, highlighted
from suffice.web.pages.record import shown_cell
from suffice.web.version import Version

_MAX_WORDS = 12  # the strongest features shown
_COLOURED_CHARACTERS = 20_000  # characters of a text that are coloured
_MIN_LOG_ODDS = 0.005  # smaller values round to zero


@dataclass(frozen=True)
class Bar:
    """The evidence of a feature; ``share`` is relative to the strongest, from −100 to 100."""

    name: str
    value: str
    weight: float
    share: float


@dataclass(frozen=True)
class EvidenceView:
    """Evidence of a row for ``of`` (positive) and for ``against`` (negative)."""

    of: str
    against: str
    bars: tuple[Bar, ...]
    texts: dict[str, tuple[TextPiece, ...]]
    words: tuple[Bar, ...]


def evidence(version: Version, columns: Columns, row: dict[str, Any]) -> EvidenceView:
    """The evidence of a row under its JSON names."""
    found = version.explained(columns.table_from_json([row]))
    weights = dict(zip(found.features, found.evidence[0].tolist(), strict=True))
    text_weights = _words_of(columns, weights, single=len(version.model.blocks) == 1)
    totals: list[tuple[str, str, float]] = [("(prior)", "", float(found.prior[0]))]
    words: dict[str, float] = {}
    texts = {}
    for column in columns.columns:
        if column.kind == "text":
            own, text = text_weights[column.key], str(row.get(column.key) or "")
            pieces, word_weights = highlighted(text[:_COLOURED_CHARACTERS], own)
            words.update({word: weight for word, weight in word_weights.items() if abs(weight) >= _MIN_LOG_ODDS})
            texts[column.key] = (
                (*pieces, TextPiece(text[_COLOURED_CHARACTERS:])) if len(text) > _COLOURED_CHARACTERS else tuple(pieces)
            )
            totals.append((column.key, "", sum(own.values())))
        else:
            totals.append((column.key, shown_cell(row.get(column.key)), weights.pop(str(column.name), 0.0)))
    totals += [(name, "", weight) for name, weight in weights.items()]  # evidence of no single column
    strongest = _bars((word, "", weight) for word, weight in words.items())[:_MAX_WORDS]
    return EvidenceView(str(found.of[0]), str(found.against[0]), _bars(totals), texts, strongest)


def _words_of(columns: Columns, weights: dict[str, float], *, single: bool) -> dict[str, dict[str, float]]:
    """Move the words of each text out of ``weights``. Beside other columns, words are prefixed by the text's name; names of
    columns may have the same prefix."""
    names = {str(column.name) for column in columns.columns}
    texts = [column for column in columns.columns if column.kind == "text"]
    text_weights = {}
    for column in sorted(texts, key=lambda text: -len(str(text.name))):
        prefix = "" if single else f"{column.name}: "
        own = [name for name in weights if single or (name.startswith(prefix) and name not in names)]
        text_weights[column.key] = {name.removeprefix(prefix): weights.pop(name) for name in own}
    return text_weights


def _bars(totals: Iterable[tuple[str, str, float]]) -> tuple[Bar, ...]:
    ranked = sorted(totals, key=lambda total: -abs(total[2]))
    maximum = abs(ranked[0][2]) if ranked else 0.0
    return tuple(Bar(name, value, weight, _share(weight, maximum or 1.0)) for name, value, weight in ranked)


def _share(weight: float, maximum: float) -> float:
    if abs(weight) == float("inf"):
        return 100.0 if weight > 0 else -100.0
    return 100.0 * weight / maximum if maximum < float("inf") else 0.0
