"""What every kernel on text computes, in the plainest Python."""

import re
from collections import Counter

from suffice.numerics.text import Split

PATTERNS = {
    Split.WORDS: r"\w+",
    Split.LONG_WORDS: r"(?u)\b\w\w+\b",
    Split.WORDS_AND_MARKS: r"\w+|[^\w\s]",
    Split.PIECES: r"\S+",
    Split.WHOLE: r"(?s)\A.*\Z",
}


def words(document, split, lower):
    return re.findall(PATTERNS[split], document.lower() if lower else document)


def character_runs(document, low, high, lower):
    text = re.sub(r"\s\s+", " ", document.lower() if lower else document)
    return [text[i : i + n] for n in range(low, high + 1) for i in range(len(text) - n + 1)]


def word_runs(word, low, high):
    text, found = f" {word} ", []
    for n in range(low, high + 1):
        if len(text) <= n:
            return [*found, text]
        found += [text[i : i + n] for i in range(len(text) - n + 1)]
    return found


def ngrams(tokens, low, high):
    return [tuple(tokens[i : i + n]) for n in range(low, high + 1) for i in range(len(tokens) - n + 1)]


def rows(found, strings):
    """The bag of each document as a counter of strings."""
    return [
        Counter({strings[i]: int(n) for i, n in zip(found.ids[a:b], found.counts[a:b], strict=True)})
        for a, b in zip(found.indptr[:-1], found.indptr[1:], strict=True)
    ]


def renumbered(rows, numbers):
    out = []
    for row in rows:
        counts = Counter()
        for token, count in row.items():
            if numbers[token] >= 0:
                counts[numbers[token]] += count
        out.append(counts)
    return out
