"""Cells of stored rows. They own their memory, are merged by level, and are hashed by value."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from suffice.columns.bags import Bags
from suffice.columns.blocks import BlockData, Levels, Numbers
from suffice.columns.documents import Documents
from suffice.columns.kinds import Level, Name
from suffice.columns.spelling import level_indices, level_text, merged_levels
from suffice.columns.term_rows import TermRows
from suffice.errors import MergeError
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray
from suffice.numerics.text import ByteArray, DocumentViews, Form, Split, split_words, take_tokens, view_bytes

Hashes: TypeAlias = NDArray[np.uint64]

_NUMERAL = frozenset("-0123456789")  # first characters of a number
_NUMBER_CHARACTERS = 25


@dataclass(frozen=True, eq=False)
class StoredNumbers:
    """(rows, columns), NaN where a cell is missing."""

    values: FloatArray

    @classmethod
    def of(cls, block: Numbers) -> "StoredNumbers":
        return cls(block.dense.astype(np.float64) + 0.0)  # a copy, without negative zeros

    @property
    def rows(self) -> int:
        return len(self.values)

    @classmethod
    def stacked(cls, parts: "Sequence[StoredNumbers]") -> "StoredNumbers":
        return cls(np.concatenate([part.values for part in parts]))

    def take(self, rows: AnyArray) -> "StoredNumbers":
        return StoredNumbers(self.values[rows])

    def fits(self, columns: int) -> bool:
        """Whether the cells have this number of columns."""
        return bool(self.values.shape[1] == columns)

    def permuted_columns(self, index: IntArray) -> "StoredNumbers":
        """The cells with column j moved to position ``index[j]``."""
        return StoredNumbers(self.values[:, np.argsort(index)])

    def only(self, columns: IntArray) -> "StoredNumbers":
        """A selection of columns; −1 stands for a column of missing cells."""
        return StoredNumbers(np.column_stack([self.values, np.full(self.rows, np.nan)])[:, columns])

    def block(self, names: Sequence[Name]) -> Numbers:
        return Numbers(names, self.values)

    @property
    def row_bytes(self) -> IntArray:
        return np.full(len(self.values), 8 * self.values.shape[1], dtype=np.int64)

    def cell_codes(self) -> Iterator[AnyArray]:
        """For each column, a code per cell: equal cells have equal codes."""
        for column in self.values.T:
            yield np.unique(column, return_inverse=True)[1]

    def hashes(self, salts: Sequence[int]) -> Hashes:
        """One hash per row: a sum over columns, which does not depend on their order; missing cells add zero."""
        out = np.zeros(len(self.values), dtype=np.uint64)
        for column, salt in zip(self.values.T, salts, strict=True):
            found = mix_bits(np.ascontiguousarray(column).view(np.uint64) + np.uint64(salt))
            found[np.isnan(column)] = 0
            out += found
        return out


@dataclass(frozen=True, eq=False)
class StoredLevels:
    """Code v of column j stands for ``levels[j][v]``; −1 is a missing cell."""

    codes: CodeArray
    levels: tuple[tuple[Level, ...], ...]

    @classmethod
    def of(cls, block: Levels) -> "StoredLevels":
        codes = np.empty(block.codes.shape, dtype=np.int32)
        levels: list[tuple[Level, ...]] = []
        for j, names in enumerate(block.levels):
            at = block.codes[:, j].astype(np.int64) - block.low[j]
            at[(at < 0) | (at >= len(names))] = len(names)
            there = np.flatnonzero(np.bincount(at, minlength=len(names) + 1)[:-1])
            place = np.full(len(names) + 1, -1, dtype=np.int32)
            place[there] = np.arange(len(there), dtype=np.int32)
            codes[:, j] = place[at]
            levels.append(tuple(names[int(i)] for i in there))
        return cls(codes, tuple(levels))

    @property
    def rows(self) -> int:
        return len(self.codes)

    @classmethod
    def stacked(cls, parts: "Sequence[StoredLevels]") -> "StoredLevels":
        levels = tuple(reduce(merged_levels, columns) for columns in zip(*(part.levels for part in parts), strict=True))
        return cls(np.concatenate([part._codes_over(levels) for part in parts]), levels)

    def _codes_over(self, levels: tuple[tuple[Level, ...], ...]) -> CodeArray:
        out = np.empty_like(self.codes)
        for j, (mine, all_) in enumerate(zip(self.levels, levels, strict=True)):
            if mine == all_[: len(mine)]:
                out[:, j] = self.codes[:, j]
                continue
            out[:, j] = np.array([*level_indices(mine, all_), -1], dtype=np.int32)[self.codes[:, j]]
        return out

    def take(self, rows: AnyArray) -> "StoredLevels":
        """A subset of the rows, with only the levels that occur in it."""
        if len(np.arange(self.rows)[rows]) == self.rows:  # in another order
            return replace(self, codes=self.codes[rows])
        return StoredLevels.of(replace(self, codes=self.codes[rows]).block(range(len(self.levels))))

    def fits(self, columns: int) -> bool:
        return len(self.levels) == columns

    def permuted_columns(self, index: IntArray) -> "StoredLevels":
        order = np.argsort(index)
        return StoredLevels(self.codes[:, order], tuple(self.levels[j] for j in order))

    def only(self, columns: IntArray) -> "StoredLevels":
        codes = np.column_stack([self.codes, np.full(self.rows, -1, dtype=np.int32)])[:, columns]
        return StoredLevels(codes, tuple(self.levels[j] if j >= 0 else () for j in columns))

    def block(self, names: Sequence[Name]) -> Levels:
        return Levels(names, self.codes, np.zeros(len(self.levels), np.int64), self.levels)

    @property
    def row_bytes(self) -> IntArray:
        return np.full(len(self.codes), 4 * self.codes.shape[1], dtype=np.int64)

    def cell_codes(self) -> Iterator[AnyArray]:
        yield from self.codes.T + 1

    def hashes(self, salts: Sequence[int]) -> Hashes:
        out = np.zeros(len(self.codes), dtype=np.uint64)
        for j, (names, salt) in enumerate(zip(self.levels, salts, strict=True)):
            of_level = np.array([*map(spelling_digest, names), 0], dtype=np.uint64)
            found = mix_bits(of_level + np.uint64(salt))
            found[-1] = 0
            out += found[self.codes[:, j]]
        return out


@dataclass(frozen=True, eq=False)
class StoredTexts:
    """Text i is ``bytes[offsets[i] : offsets[i + 1]]``, in UTF-8; the row has text ``codes``, −1 if it is missing."""

    bytes: ByteArray
    offsets: IntArray
    codes: CodeArray
    _bags: "dict[Any, Bags]" = field(default_factory=dict, repr=False)
    """Cached bags of the rows by analyser."""

    @classmethod
    def of(cls, block: Documents) -> "StoredTexts":
        found, _ = split_words(block.views, Split.WHOLE, lower=False, counting=False, threads=1)
        codes = np.full(block.rows, -1, dtype=np.int32)
        codes[~block.views.missing] = found.ids
        return cls(found.bytes, found.offsets, codes, dict(block._bags))

    @property
    def rows(self) -> int:
        return len(self.codes)

    @classmethod
    def stacked(cls, parts: "Sequence[StoredTexts]") -> "StoredTexts":
        shift = np.cumsum([0, *(len(part.offsets) - 1 for part in parts)])
        codes = [np.where(part.codes < 0, -1, part.codes + at) for part, at in zip(parts, shift, strict=False)]
        start = np.cumsum([0, *(len(part.bytes) for part in parts)])
        offsets = [part.offsets[:-1] + at for part, at in zip(parts, start, strict=False)]
        bags = {
            analyser: Bags.stacked([part._bags[analyser] for part in parts])
            for analyser in set.intersection(*(set(part._bags) for part in parts))
        }
        return cls(
            np.concatenate([part.bytes for part in parts]),
            np.concatenate([*offsets, start[-1:]]).astype(np.int64),
            np.concatenate(codes).astype(np.int32),
            bags,
        )

    def take(self, rows: AnyArray) -> "StoredTexts":
        """A subset of the rows, with only the texts that occur in it."""
        codes = self.codes[rows]
        there, place = np.unique(codes[codes >= 0], return_inverse=True)
        out = np.full(len(codes), -1, dtype=np.int32)
        out[codes >= 0] = place
        data, offsets = take_tokens(self.bytes, self.offsets, there, 1)
        return StoredTexts(data, offsets, out, {analyser: bags.take(rows) for analyser, bags in self._bags.items()})

    def fits(self, columns: int) -> bool:
        return columns == 1

    def permuted_columns(self, index: IntArray) -> "StoredTexts":
        return self

    def only(self, columns: IntArray) -> "StoredTexts":
        return self

    def block(self, names: Sequence[Name]) -> Documents:
        code = np.maximum(self.codes, 0)
        offsets = self.offsets if len(self.offsets) > 1 else np.zeros(2, np.int64)
        all_ = view_bytes(self.bytes, offsets, Form.UTF_8)
        form = np.where(self.codes < 0, np.uint8(Form.MISSING), all_.form[code])
        length = np.where(self.codes < 0, 0, all_.length[code])
        return Documents(names, DocumentViews(all_.address[code], length, form, self.bytes), self._bags)

    def __reduce__(self) -> tuple[type, tuple[AnyArray, ...]]:
        """Pickle without caches."""
        return StoredTexts, (self.bytes, self.offsets, self.codes)

    @property
    def row_bytes(self) -> IntArray:
        length = np.append(np.diff(self.offsets), 0)
        return length[self.codes] + 4

    def cell_codes(self) -> Iterator[AnyArray]:
        yield self.codes + 1

    def hashes(self, salts: Sequence[int]) -> Hashes:
        data = self.bytes.tobytes()
        ends = self.offsets.tolist()
        of_text = np.array([*(digest(data[a:b]) for a, b in pairwise(ends)), 0], dtype=np.uint64)
        found = mix_bits(of_text + np.uint64(salts[0]))
        found[-1] = 0
        return found[self.codes]


@dataclass(frozen=True, eq=False)
class StoredTerms:
    """Row i has word ``columns[k]`` ``counts[k]`` times, k from ``indptr[i]`` to ``indptr[i + 1]``."""

    indptr: IntArray
    columns: CodeArray
    counts: CodeArray

    @classmethod
    def of(cls, block: TermRows) -> "StoredTerms":
        return cls(block.indptr.copy(), block.columns.copy(), block.counts.copy())

    @property
    def rows(self) -> int:
        return len(self.indptr) - 1

    @classmethod
    def stacked(cls, parts: "Sequence[StoredTerms]") -> "StoredTerms":
        sizes = np.concatenate([np.diff(part.indptr) for part in parts])
        columns, counts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("columns", "counts"))
        return cls(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), columns, counts)

    def take(self, rows: AnyArray) -> "StoredTerms":
        return StoredTerms.of(self.block(()).take(rows))

    def fits(self, columns: int) -> bool:
        return int(self.columns.max(initial=-1)) < columns

    def only(self, columns: IntArray) -> "StoredTerms":
        place = np.full(int(max(self.columns.max(initial=-1), columns.max(initial=-1))) + 1, -1, dtype=np.int32)
        place[columns[columns >= 0]] = np.flatnonzero(columns >= 0)
        moved = place[self.columns]
        ends = np.concatenate([[0], np.cumsum(moved >= 0)])[self.indptr].astype(np.int64)
        return StoredTerms(ends, moved[moved >= 0], self.counts[moved >= 0])

    def permuted_columns(self, index: IntArray) -> "StoredTerms":
        return replace(self, columns=index.astype(np.int32)[self.columns])

    def block(self, names: Sequence[Name]) -> TermRows:
        return TermRows(names, self.indptr, self.columns, self.counts)

    @property
    def row_bytes(self) -> IntArray:
        return 8 * np.diff(self.indptr) + 8

    def cell_codes(self) -> Iterator[AnyArray]:
        yield np.unique(self.hashes(range(int(self.columns.max(initial=-1)) + 1)), return_inverse=True)[1]

    def hashes(self, salts: Sequence[int]) -> Hashes:
        of_cell = mix_bits(self.counts.astype(np.uint64) + np.array(salts, dtype=np.uint64)[self.columns])
        total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(of_cell, dtype=np.uint64)])
        return np.diff(total[self.indptr])


StoredCells: TypeAlias = StoredNumbers | StoredLevels | StoredTexts | StoredTerms


def store_cells(block: BlockData, rows: AnyArray | None = None) -> StoredCells:
    """A copy of the cells of a block, or of some of its rows."""
    some = block if rows is None else block.take(rows)
    if isinstance(some, Numbers):
        return StoredNumbers.of(some)
    if isinstance(some, Levels):
        return StoredLevels.of(some)
    if isinstance(some, Documents):
        return StoredTexts.of(some)
    if isinstance(some, TermRows):
        return StoredTerms.of(some)
    raise MergeError(f"A column of {type(block).__name__} cannot be stored", "numbers, levels and texts can")


def stack_cells(parts: Sequence[StoredCells]) -> StoredCells:
    """Concatenate the rows of several parts."""
    kind = type(parts[0])
    if any(type(part) is not kind for part in parts):
        raise MergeError(
            "Rows of numbers cannot be added to rows of levels or texts", "the columns must be of one kind"
        )
    return kind.stacked(parts)  # type: ignore[arg-type]


def digest(content: bytes) -> int:
    """64 bits of a cryptographic hash."""
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")


@lru_cache(maxsize=1 << 16)
def spelling_digest(value: object) -> int:
    """The digest of the spelling of a level or of a column name."""
    return digest(_bytes_of_level(value))


def mix_bits(x: Hashes) -> Hashes:
    """The finaliser of MurmurHash3, in which every input bit changes half of the output bits."""
    x = x ^ (x >> np.uint64(33))
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    x ^= x >> np.uint64(33)
    return x


def _bytes_of_level(value: object) -> bytes:
    """The bytes to hash of a level: the same for a number or boolean and for its text, so that a row learned as one can
    be forgotten as the other."""
    number = _parsed_number(value) if isinstance(value, str) else value
    if isinstance(number, (bool, int, float, np.number)):
        return b"n" + repr(float(number)).encode()
    return b"str:" + str(value).encode("utf-8", "surrogatepass")


def _parsed_number(text: str) -> float | None:
    """The number or boolean that a text spells in Python, as a float; None otherwise."""
    if text in ("True", "False"):
        return float(text == "True")
    if text[:1] not in _NUMERAL or len(text) > _NUMBER_CHARACTERS:
        return None
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if level_text(number) == text:
            return float(number)
    return None
