"""A vocabulary: numbered tokens. It can be extended, and two are merged by their tokens, never by numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.numerics import text
from suffice.numerics.arrays import AnyArray, CodeArray, IntArray, frozen


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """Token i is spelled ``bytes[offsets[i] : offsets[i + 1]]``, in UTF-8.

    >>> vocabulary, numbers = Vocabulary.of(["tea", "milk", "tea"])
    >>> vocabulary.strings(), numbers.tolist()
    (['tea', 'milk'], [0, 1, 0])
    >>> larger, numbers = vocabulary.extended(Vocabulary.of(["sugar", "milk"])[0])
    >>> larger.strings(), numbers.tolist()
    (['tea', 'milk', 'sugar'], [2, 1])
    """

    bytes: text.ByteArray
    offsets: IntArray
    _cached_index: AnyArray | None = field(default=None)
    """The hash table of the first tokens, if it is built."""

    @classmethod
    def of(cls, tokens: Iterable[str | None], threads: int = 1) -> "tuple[Vocabulary, CodeArray]":
        """The distinct tokens in order of occurrence, and the number of each token; −1 for None."""
        views = text.view_strings(list(tokens))
        if isinstance(views, int):
            raise TypeError(f"token {views} is not a string")
        found, _ = text.split_words(views, text.Split.WHOLE, lower=False, counting=False, threads=threads)
        numbers = np.full(len(views.length), -1, np.int32)
        numbers[~views.missing] = found.ids
        return cls(found.bytes, found.offsets), numbers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self):,} tokens>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.bytes, other.bytes)

    __hash__ = None  # type: ignore[assignment]  # large, so never a key

    def __getstate__(self) -> dict[str, Any]:
        return {"bytes": self.bytes, "offsets": self.offsets, "_cached_index": None}

    def strings(self) -> list[str]:
        return text.token_strings(self.bytes, self.offsets)

    @property
    def _index(self) -> AnyArray:
        """The index, built at first use and cached."""
        if self._cached_index is None:
            object.__setattr__(self, "_cached_index", text.index_tokens(self.bytes, self.offsets))
        assert self._cached_index is not None
        return self._cached_index

    def find(self, other: "Vocabulary", threads: int = 1) -> CodeArray:
        """The number here of each token of another vocabulary, or −1."""
        return text.find_tokens(self.bytes, self.offsets, self._index, other.bytes, other.offsets, threads)

    def take(self, numbers: AnyArray, threads: int = 1) -> "Vocabulary":
        """The tokens with these numbers, in this order."""
        return Vocabulary(*text.take_tokens(self.bytes, self.offsets, numbers, threads))

    def extended(self, other: "Vocabulary", threads: int = 1) -> "tuple[Vocabulary, CodeArray]":
        """This vocabulary with another's new tokens appended, and the numbers of the other's tokens in it."""
        numbers = self.find(other, threads)
        new = np.flatnonzero(numbers < 0)
        if not len(new):
            return self, numbers
        numbers[new] = np.arange(len(self), len(self) + len(new))
        added = other.take(new, threads)
        data = np.concatenate([self.bytes, added.bytes])
        offsets = np.concatenate([self.offsets, self.offsets[-1] + added.offsets[1:]])
        return Vocabulary(data, offsets, text.index_tokens(data, offsets, self._index, len(self))), numbers

    def sorted(self, threads: int = 1) -> "tuple[Vocabulary, CodeArray]":
        """The vocabulary sorted as Python sorts strings, and the new number of each token."""
        order = text.sort_tokens(self.bytes, self.offsets, threads)
        return self.take(order, threads), inverse_permutation(order)

    def hashed(self, width: int) -> CodeArray:
        """A hash below ``width`` for each token, of its spelling alone."""
        return text.hash_tokens(self.bytes, self.offsets, width)


EMPTY_VOCABULARY = Vocabulary(frozen(np.empty(0, np.uint8)), frozen(np.zeros(1, np.int64)))


def inverse_permutation(order: CodeArray) -> CodeArray:
    """The inverse of a permutation."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places
