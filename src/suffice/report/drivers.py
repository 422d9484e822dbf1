"""The columns and words that drive the predictions."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.explain import CALIBRATION, class_words, text_of
from suffice.explain.evidence import MAX_EVIDENCE
from suffice.numerics.arrays import FloatArray
from suffice.report.subject import Subject
from suffice.report.summary import ClassWords, Driver, TextPart, WordDriver
from suffice.statistics import TextCounts

_AVERAGED_ROWS, _AVERAGED_DOCUMENTS = 1_000, 400  # that evidence is averaged over
_BATCH_DOCUMENTS = 16  # texts explained together share one list of words, so batches are small
_MIN_DOCUMENTS = 5  # with a word
_WORDS, _CLASS_WORDS = 20, 8
_NGRAM_PREFIX, _BIAS = "‹", "(bias)"  # character n-grams are listed only if there are no words


@dataclass
class _Sums:
    """Sums of |evidence| and of its square, and the number of rows with evidence."""

    first: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    second: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    rows: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, names: Sequence[str], evidence: FloatArray) -> None:
        """Add the evidence of some rows, (rows, names)."""
        size = np.minimum(np.abs(evidence), MAX_EVIDENCE)
        sums = size.sum(axis=0), (size**2).sum(axis=0), np.count_nonzero(size, axis=0)
        for name, first, second, rows in zip(names, *(s.tolist() for s in sums), strict=True):
            self.first[name] += first
            self.second[name] += second
            self.rows[name] += rows

    def strongest(self, most: int, fewest: int = 1, besides: tuple[str, ...] = ()) -> list[str]:
        """The strongest features that occur in enough rows, except those with the prefixes ``besides``."""
        known = [name for name, n in self.rows.items() if n >= fewest and not name.startswith(besides)]
        return sorted(known, key=lambda name: -self.first[name])[:most]


def drivers(subject: Subject, most: int = 30) -> tuple[list[Driver], list[TextPart], int]:
    """Mean absolute evidence for the predicted class against the next one, and the number of rows averaged over.

    Evidence is by column (a text is one column) and by word, strongest first.
    """
    if not subject.has_densities or len(subject.model.classes) < 2:
        return [], [], 0
    columns, words, rows = _Sums(), defaultdict[str, _Sums](_Sums), 0
    for found in _explained(subject):
        rows += len(found.prior)
        places = defaultdict[str | None, list[int]](list)
        for j, name in enumerate(found.features):
            if name != CALIBRATION:
                places[text_of(subject.model, name)].append(j)
        for text, of_class in places.items():
            names, evidence = [found.features[j] for j in of_class], found.evidence[:, of_class]
            if text is None:
                columns.add(names, evidence)
            else:
                columns.add([text], evidence.sum(axis=1, keepdims=True))
                words[text].add([name.removeprefix(f"{text}: ") for name in names], evidence)
    by_column = []
    for name in columns.strongest(most):
        mean = columns.first[name] / rows
        spread = max(columns.second[name] / rows - mean**2, 0.0)
        by_column.append(Driver(name=name, evidence=mean, error=float(np.sqrt(spread / rows))))
    return by_column, [_text(subject, text, sums, rows) for text, sums in words.items()], rows


def _explained(subject: Subject) -> Iterator[Any]:
    """Evenly spaced rows of the table, in batches."""
    wide = any(block.reads in ("documents", "terms") for block in subject.model.blocks)
    every = -(-subject.features.num_rows // (_AVERAGED_DOCUMENTS if wide else _AVERAGED_ROWS))
    some = subject.features.take(list(range(0, subject.features.num_rows, every)))
    step = _BATCH_DOCUMENTS if wide else some.num_rows
    return (subject.estimator.explain(some.slice(i, step)) for i in range(0, some.num_rows, step))


def _text(subject: Subject, name: str, sums: _Sums, rows: int) -> TextPart:
    words = sums.strongest(_WORDS, _MIN_DOCUMENTS, besides=(_NGRAM_PREFIX, _BIAS)) or sums.strongest(
        _WORDS, _MIN_DOCUMENTS, besides=(_BIAS,)
    )
    return TextPart(
        name=name,
        documents=rows,
        words=[WordDriver(word=w, evidence=sums.first[w] / rows, documents=sums.rows[w]) for w in words],
        by_class=_by_class(subject, name),
    )


def _by_class(subject: Subject, name: str) -> list[ClassWords]:
    model = subject.model
    for block, statistic in zip(model.blocks, model.tally.statistics, strict=True):
        if [str(column) for column in block.columns] == [name] and isinstance(statistic, TextCounts):
            found = class_words(statistic.views[0], _CLASS_WORDS, spelled=True)
            return [
                ClassWords(label=label, words=[w.word for w in words])
                for label, words in zip(model.classes, found, strict=True)
            ]
    return []
