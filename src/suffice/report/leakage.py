"""Target leakage: columns that alone predict nearly all classes, or separate one class from the others."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from suffice.columns.blocks import Levels
from suffice.columns.kinds import DATES, Kind
from suffice.estimators.text import CountVectorizer
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.report.subject import Subject
from suffice.report.summary import Leak

_BINS = 64
_PREFIX_CHARACTERS = 16
_MIN_GAIN = 0.95  # share of the log-loss of the class shares that one column alone removes
_MIN_JUMP_GAIN, _MAX_NEXT_GAIN = (
    0.75,
    0.4,
)  # or a lower share, if the next best column removes less than this part of it
_PURE, _NEARLY_ALL = 0.995, 0.95  # precision and recall of the class among rows with such values
_MIN_CLASS_ROWS = 20  # minimum size of a class for this test
_MIN_VALUE_ROWS = 5  # of each such value


def leaking_columns(subject: Subject) -> list[Leak]:
    """Columns that predict all classes almost alone, by leave-one-out, then columns that separate one class from all
    others."""
    classes, codes = np.unique(subject.labels, return_inverse=True)
    labels: list[Any] = classes.tolist()
    if len(labels) < 2:
        return []
    rows = np.bincount(codes)
    share = rows / rows.sum()
    prior = -float(share @ np.log(share))
    found, gains = [], {}
    for name, codings in _columns(subject):
        counts = [_counted(values, codes, len(rows)) for values in codings]
        losses = [_left_out_loss(count, share) for count in counts]
        best = int(np.argmin(losses))
        gains[name] = 1.0 - losses[best] / prior
        found += [Leak(column=name, klass=labels[c], word=None) for c in _separated_classes(counts[best], rows)]
    ranked = sorted(gains, key=lambda name: -gains[name])
    jumps = (
        len(ranked) > 1 and gains[ranked[0]] > _MIN_JUMP_GAIN and gains[ranked[1]] < _MAX_NEXT_GAIN * gains[ranked[0]]
    )
    whole = [name for name in ranked if gains[name] > _MIN_GAIN or (jumps and name == ranked[0])]
    alone = [one for one in found if one.column not in whole]
    return [*(Leak(column=name, klass=None, word=None) for name in whole), *alone, *_words(subject, labels, codes)]


def _counted(values: CodeArray, codes: IntArray, classes: int) -> FloatArray:
    """Number of rows by value and class."""
    count = np.zeros((int(values.max()) + 1, classes))
    np.add.at(count, (values, codes), 1)
    return count


def _left_out_loss(count: FloatArray, share: FloatArray) -> float:
    """Leave-one-out mean of −log p(class | value); the class shares of a value are shrunk toward the overall ones by
    one row."""
    left = (count - 1.0 + share) / np.maximum(count.sum(axis=1, keepdims=True), 1.0)
    return -float((count * np.log(np.where(count > 0, left, 1.0))).sum() / count.sum())


def _separated_classes(count: FloatArray, rows: IntArray) -> Sequence[int]:
    """Classes of which nearly all rows have values that are almost exclusive to the class."""
    total = count.sum(axis=1, keepdims=True)
    pure = (count >= _PURE * total) & (count >= _MIN_VALUE_ROWS)
    reached = (count * pure).sum(axis=0) / rows
    return [int(c) for c in np.flatnonzero((reached >= _NEARLY_ALL) & (rows >= _MIN_CLASS_ROWS))]


def _columns(subject: Subject) -> Iterator[tuple[str, list[CodeArray]]]:
    """The columns other than texts, with codes of their values; 0 is a missing cell."""
    for name in subject.names:
        kind = subject.kinds[name]
        if kind is Kind.CATEGORY:
            cells = subject.table.levels([name], None, 1)
            yield name, [cells.codes[:, 0].astype(np.int32) + 1, *_by_prefix(cells)]
        elif kind in (Kind.NUMBER, *DATES, Kind.BOOLEAN):
            yield name, [_binned(np.asarray(subject.table.numbers([name]).dense[:, 0], dtype=np.float64))]


def _by_prefix(cells: Levels) -> Iterator[CodeArray]:
    """Codes of the prefixes of a column with many levels, since identifiers may start with the class."""
    levels = [str(level) for level in cells.levels[0]]
    if len(levels) > _BINS:
        for length in range(1, _PREFIX_CHARACTERS + 1):
            _, place = np.unique([level[:length] for level in levels], return_inverse=True)
            yield (cells.remapped(0, place.ravel().tolist()) + 1).astype(np.int32)


def _binned(values: FloatArray) -> CodeArray:
    """Codes by value if there are few values, otherwise by quantile."""
    known = np.isfinite(values)
    cuts = np.unique(values[known])
    if len(cuts) > _BINS:
        cuts = np.unique(np.quantile(values[known], np.arange(1, _BINS) / _BINS))
    return np.where(known, np.searchsorted(cuts, values, side="right") + 1, 0).astype(np.int32)


def _words(subject: Subject, labels: Sequence[Any], codes: IntArray) -> list[Leak]:
    """Words that occur in nearly all documents of one class and in hardly any other."""
    found = []
    rows = np.bincount(codes)
    for name in (n for n in subject.names if subject.kinds[n] is Kind.TEXT):
        reader = CountVectorizer(binary=True)
        table = reader.fit_transform([str(v or "") for v in subject.features.column(name).to_pylist()]).tocsr()
        count = np.stack([np.asarray(table[codes == c].sum(axis=0)).ravel() for c in range(len(rows))], axis=1)
        words = reader.get_feature_names_out()
        for c in range(len(rows)):
            pure = np.flatnonzero((count[:, c] >= _PURE * count.sum(axis=1)) & (count[:, c] >= _NEARLY_ALL * rows[c]))
            if len(pure) and rows[c] >= _MIN_CLASS_ROWS:
                found.append(Leak(column=name, klass=labels[c], word=str(words[pure[0]])))
    return found
