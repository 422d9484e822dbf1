"""Checked calls of the text kernels. Documents are views, tokens bytes with offsets, bags sparse rows."""

import enum
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from suffice.numerics import _kernels
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, IntArray
from suffice.numerics.characters import Characters, characters, plain_characters

ByteArray = NDArray[np.uint8]
MAX_CHARACTERS = (1 << 30) - 1
"""Maximum number of characters of a document."""


class Form(enum.IntEnum):
    """The memory layout of the characters of a document (as in kernels/characters.hpp)."""

    MISSING, ASCII, LATIN_1, TWO_BYTES, FOUR_BYTES, UTF_8, TOKEN = range(7)


class Split(enum.IntEnum):
    r"""Patterns of tokens (as in kernels/kernels.hpp): ``\w+``, ``\w\w+``, ``\w+|[^\w\s]``, ``\S+``, the whole document."""

    WORDS, LONG_WORDS, WORDS_AND_MARKS, PIECES, WHOLE = range(5)


@dataclass(frozen=True, slots=True)
class DocumentViews:
    """Views of documents: address, number of units and form of each. The owner keeps them in memory."""

    address: NDArray[np.uint64]
    length: IntArray
    form: NDArray[np.uint8]
    owner: object

    @property
    def missing(self) -> BoolArray:
        missing: BoolArray = self.form == 0  # Form.MISSING
        return missing


class TokenisedTexts(NamedTuple):
    """Tokens by document: entries ``indptr[d]`` to ``indptr[d + 1]`` are those of document d, which has ``lengths[d]`` tokens.

    Token i is ``bytes[offsets[i] : offsets[i + 1]]`` in UTF-8, with surrogates. ``counts`` may be empty.
    """

    indptr: IntArray
    ids: CodeArray
    counts: CodeArray
    lengths: IntArray
    bytes: ByteArray
    offsets: IntArray


def view_strings(texts: list[Any]) -> "DocumentViews | int":
    """Views of strings, with None missing; or the index of the first item of another type."""
    n = len(texts)
    views = DocumentViews(np.empty(n, np.uint64), np.empty(n, np.int64), np.empty(n, np.uint8), texts)
    invalid = _kernels.text_views(texts, views.address, views.length, views.form)
    return views if invalid < 0 else invalid


def view_bytes(data: ByteArray, offsets: AnyArray, form: Form, missing: BoolArray | None = None) -> DocumentViews:
    """Views of runs of UTF-8 in a buffer."""
    address = offsets[:-1].astype(np.uint64) + np.uint64(data.ctypes.data)
    forms = np.full(len(address), form, np.uint8)
    if missing is not None:
        forms[missing] = Form.MISSING
    return DocumentViews(address, np.diff(offsets).astype(np.int64), forms, data)


def _table(views: DocumentViews, lower: bool) -> Characters:
    return characters(lower) if views.form.max(initial=0) > Form.ASCII else plain_characters()


def split_words(
    views: DocumentViews, split: Split, *, lower: bool, counting: bool, threads: int
) -> tuple[TokenisedTexts, int]:
    """The tokens of the documents, counted or in order; and the first document that is not valid UTF-8, or −1."""
    table = _table(views, lower)
    found, bad = _kernels.split_words(
        views.address, views.length, views.form, table.stages, table.cells, table.expansions, lower, split, counting, threads
    )  # fmt: skip
    return TokenisedTexts(*found), bad


def split_characters(
    views: DocumentViews, low: int, high: int, *, words: bool, lower: bool, threads: int
) -> tuple[TokenisedTexts, int]:
    """Counted character n-grams of lengths ``low`` to ``high``; within ``words``, which are padded with spaces."""
    table = _table(views, lower)
    found, bad = _kernels.split_characters(
        views.address, views.length, views.form, table.stages, table.cells, table.expansions, lower, low, high, words, threads
    )  # fmt: skip
    return TokenisedTexts(*found), bad


def ngrams(indptr: IntArray, ids: CodeArray, numbers: CodeArray, low: int, high: int, threads: int) -> TokenisedTexts:
    """Counted n-grams; tokens with a negative number are skipped.

    An n-gram is encoded by the numbers of its tokens, in four big-endian bytes each: see ``run_numbers``.
    """
    return TokenisedTexts(*_kernels.ngrams(indptr, ids, numbers, low, high, threads))


def run_numbers(found: TokenisedTexts) -> tuple[CodeArray, IntArray]:
    """The numbers of the tokens of all n-grams, and the offsets of each."""
    return found.bytes.view(">i4").astype(np.int32), found.offsets // 4


def join_tokens(
    runs: tuple[CodeArray, IntArray], order: CodeArray, data: ByteArray, offsets: IntArray, threads: int
) -> tuple[ByteArray, IntArray]:
    """The text of n-grams, tokens joined by spaces, in an order."""
    return _kernels.join_tokens(*runs, order, data, offsets, threads)


def take_tokens(data: ByteArray, offsets: IntArray, numbers: AnyArray, threads: int) -> tuple[ByteArray, IntArray]:
    """The tokens with these numbers, in this order."""
    alone = np.arange(len(offsets), dtype=np.int64)
    return join_tokens((alone[:-1].astype(np.int32), alone), numbers.astype(np.int32), data, offsets, threads)


def renumber(
    indptr: IntArray, ids: CodeArray, counts: CodeArray, numbers: CodeArray, threads: int
) -> tuple[IntArray, CodeArray, CodeArray]:
    """Rows in which token i has number ``numbers[i]``, sorted; negative numbers are dropped, and equal ones are summed."""
    return _kernels.renumber(indptr, ids, counts, numbers, threads)


def expand(
    rows: tuple[IntArray, CodeArray, CodeArray],
    parts: tuple[IntArray, CodeArray, CodeArray],
    numbers: CodeArray,
    threads: int,
) -> tuple[IntArray, CodeArray, CodeArray]:
    """Rows with token i replaced by row i of ``parts``, whose part j has number ``numbers[j]``; sorted."""
    return _kernels.expand(*rows, *parts, numbers, threads)


def index_tokens(data: ByteArray, offsets: IntArray, known: AnyArray | None = None, first: int = 0) -> AnyArray:
    """A hash table of tokens; a ``known`` one of the tokens before ``first`` is extended if it has capacity."""
    count = len(offsets) - 1
    capacity = 1 << max(4, (3 * count // 2).bit_length())
    if known is not None and len(known) >= capacity:
        index = known.copy()
    else:
        index, first = np.zeros(2 * capacity, np.uint64), 0
    _kernels.index_tokens(data, offsets, first, index)
    return index


def find_tokens(
    data: ByteArray, offsets: IntArray, index: AnyArray, wanted: ByteArray, wanted_offsets: IntArray, threads: int
) -> CodeArray:
    """The number of each wanted token, or −1."""
    out = np.empty(len(wanted_offsets) - 1, np.int32)
    _kernels.find_tokens(data, offsets, index, wanted, wanted_offsets, out, threads)
    return out


def sort_tokens(data: ByteArray, offsets: IntArray, threads: int) -> CodeArray:
    """The numbers of the tokens in the order in which Python sorts strings."""
    order = np.empty(len(offsets) - 1, np.int32)
    _kernels.sort_tokens(data, offsets, order, threads)
    return order


def hash_tokens(data: ByteArray, offsets: IntArray, width: int) -> CodeArray:
    """A hash from 0 to ``width`` − 1 for each token, the same on all platforms and in all versions."""
    out = np.empty(len(offsets) - 1, np.int32)
    _kernels.hash_tokens(data, offsets, width, out)
    return out


def token_strings(data: ByteArray, offsets: IntArray) -> list[str]:
    """The tokens as Python strings."""
    return _kernels.token_strings(data, offsets)
