"""A table as a matrix of numbers, for classifiers that take nothing else."""

from collections import Counter
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from suffice.columns.kinds import DATES, Kind, Name
from suffice.columns.table import Table
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.text import CountVectorizer

_LEVELS = 100  # of one column that get an indicator: the most frequent
_WORDS = 50_000
_DENSE = 1 << 24  # cells up to which a matrix is kept dense


class Design:
    """Numbers centred and scaled, with zeros and an indicator for missing ones; an indicator a level; tf-idf of words.

    What is centre, scale, level and word is learned from the rows of ``fit``.
    """

    def fit(self, table: Table) -> Self:
        kinds = dict(zip(table.names, table.kinds, strict=True))
        self._numbers = [n for n in table.names if kinds[n] in (Kind.NUMBER, *DATES, Kind.BOOLEAN)]
        self._texts = [n for n in table.names if kinds[n] is Kind.TEXT]
        self._levels = {n: _frequent(table, n) for n in table.names if kinds[n] is Kind.CATEGORY}
        values = self._values(table)
        seen = ~np.isnan(values)
        counted = np.maximum(seen.sum(axis=0), 1)
        self._centre = np.where(seen, values, 0.0).sum(axis=0) / counted
        spread = np.sqrt((np.where(seen, values - self._centre, 0.0) ** 2).sum(axis=0) / counted)
        self._scale = np.where(spread > 0, spread, 1.0)
        self._holes = np.flatnonzero(~seen.all(axis=0))
        self._words = {n: _Words().fit(_strings(table, n)) for n in self._texts}
        return self

    def transform(self, table: Table) -> Any:
        """(rows, columns), dense where it is not too wide."""
        values = self._values(table)
        missing = np.isnan(values)
        parts: list[Any] = [
            np.where(missing, 0.0, (values - self._centre) / self._scale),
            missing[:, self._holes].astype(np.float64),
            *(_indicators(table, name, levels) for name, levels in self._levels.items()),
        ]
        width = sum(part.shape[1] for part in parts)
        if not self._words and width * table.rows <= _DENSE:
            return np.hstack(parts)
        sparse = [sp.csr_matrix(part) for part in parts if part.shape[1]]
        return sp.hstack([*sparse, *(w.transform(_strings(table, n)) for n, w in self._words.items())], format="csr")

    def _values(self, table: Table) -> FloatArray:
        if not self._numbers:
            return np.empty((table.rows, 0))
        return np.asarray(table.numbers(self._numbers).dense, dtype=np.float64)


class _Words:
    """Words weighted by how rare they are, each text of length one."""

    def fit(self, texts: list[str]) -> Self:
        self._counter = CountVectorizer(min_df=2 if len(texts) > 200 else 1, max_features=_WORDS)
        counts = self._counter.fit_transform(texts)
        occurs = np.bincount(counts.indices, minlength=counts.shape[1])
        self._rarity = np.log((1.0 + len(texts)) / (1.0 + occurs)) + 1.0
        return self

    def transform(self, texts: list[str]) -> Any:
        weighted = sp.csr_matrix(self._counter.transform(texts).astype(np.float64).multiply(self._rarity))
        length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1))).ravel()
        return sp.diags(1.0 / np.where(length > 0, length, 1.0)) @ weighted


def _strings(table: Table, name: Name) -> list[str]:
    return ["" if value is None else str(value) for value in table.objects(name).values]


def _frequent(table: Table, name: Name) -> list[Any]:
    codes, levels = _codes(table, name)
    times = Counter(codes[codes >= 0].tolist())
    return [levels[code] for code, _ in times.most_common(_LEVELS)]


def _codes(table: Table, name: Name) -> tuple[AnyArray, Any]:
    found = table.levels([name], None, 1)
    return found.codes[:, 0], found.levels[0]


def _indicators(table: Table, name: Name, levels: list[Any]) -> FloatArray:
    codes, here = _codes(table, name)
    place = {level: j for j, level in enumerate(levels)}
    column = np.array([*(place.get(level, -1) for level in here), -1], dtype=np.int64)[codes]
    out = np.zeros((table.rows, len(levels)))
    known = np.flatnonzero(column >= 0)
    out[known, column[known]] = 1.0
    return out
