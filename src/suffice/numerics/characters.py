"""Classes and lower case of every character as in Python, in a table for the tokeniser.

The table is computed by the running Python, not stored: which characters are letters differs between versions of Unicode,
and so between versions of Python, and the tokens must be those that ``re`` and ``str.lower`` would have found. That takes
some hundredths of a second, once, at the first document that is not plain ASCII.
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from suffice.numerics.arrays import BoolArray, CodeArray

_CODE_POINTS = 0x110000
_WORD, _SPACE, _CASED, _IGNORABLE, _EXPANDS, _TRAIT_BITS = 1, 2, 4, 8, 16, 5  # as in kernels/characters.hpp
_NEWLINE, _FINAL_SIGMA = 0x0A, 0x3C2


@dataclass(frozen=True)
class Characters:
    """Cell ``cells[stages[c >> 8] * 256 + (c & 255)]`` says what c becomes and what that is; ``expansions`` has a row for each
    character that becomes several."""

    stages: NDArray[np.uint16]
    cells: CodeArray
    expansions: NDArray[np.uint32]


@cache
def plain_characters() -> Characters:
    """An empty table for documents of plain ASCII."""
    return Characters(np.zeros(_CODE_POINTS >> 8, np.uint16), np.zeros(256, np.int32), np.zeros((0, 1), np.uint32))


@cache
def characters(lower: bool) -> Characters:
    """The table of all characters, with ``str.lower`` applied or not."""
    code = np.arange(_CODE_POINTS, dtype=np.int32)
    text = _text(code)
    becomes, expansions = _lowered(text) if lower else (code, [])
    cells = (becomes - code) << _TRAIT_BITS
    if lower:
        # cased letters, and marks that are ignored beside them, occur only here
        marked = np.r_[0:0x20000, 0xE0000:0xE1000]
        cells[marked] |= _sigma_context(code[marked])
        cells[[row[0] for row in expansions]] |= _EXPANDS
    cells |= np.where(_outside(r"\W+", text)[becomes], np.int32(_WORD), 0)
    cells |= np.where(_outside(r"\S+", text)[becomes], np.int32(_SPACE), 0)
    blocks: dict[bytes, int] = {}
    stages = [blocks.setdefault(block.tobytes(), len(blocks)) for block in cells.reshape(-1, 256)]
    width = max(map(len, expansions), default=1)
    return Characters(
        np.array(stages, np.uint16),
        np.frombuffer(b"".join(blocks), np.int32),
        np.array([row + [0] * (width - len(row)) for row in expansions], np.uint32).reshape(-1, width),
    )


def _text(code: CodeArray) -> str:
    return code.astype("<i4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def _codes(text: str) -> CodeArray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4")


def _outside(pattern: str, text: str) -> BoolArray:
    """Mask of the characters that do not match. (Matching ones come in long runs, over which a pattern is fast.)"""
    outside = np.ones(len(text), bool)
    for match in re.finditer(pattern, text):
        outside[match.start() : match.end()] = False
    return outside


def _lowered(text: str) -> tuple[CodeArray, list[list[int]]]:
    """The lower case of each character, and the expansions of those that become several."""
    becomes = _codes(text).copy()
    expansions: list[list[int]] = []
    for start in range(0, _CODE_POINTS, 0x10000):
        plane = text[start : start + 0x10000]
        if plane.lower() == plane:
            continue
        lowered = _codes(_lines(plane).lower())
        ends = np.flatnonzero(lowered == _NEWLINE)
        begins = np.concatenate([[0], ends[:-1] + 1])
        one = ends - begins == 1
        becomes[start : start + 0x10000][one] = lowered[begins[one]]
        several = np.flatnonzero(~one).tolist()
        expansions += [[start + i, *lowered[begins[i] : ends[i]].tolist()] for i in several]
    becomes[_NEWLINE] = _NEWLINE
    return becomes, expansions


def _sigma_context(code: CodeArray) -> CodeArray:
    """Character classes around a capital sigma, found by appending one to every character."""
    text = _text(code)
    cased, either = _ends_word("", text), _ends_word("A", text)
    return np.where(cased, np.int32(_CASED), np.where(either, np.int32(_IGNORABLE), np.int32(0)))


def _ends_word(before: str, text: str) -> BoolArray:
    """For each character, whether a sigma behind it is a final one."""
    lowered = _codes(_lines(text, before, "Σ").lower())
    final: BoolArray = lowered[np.flatnonzero(lowered == _NEWLINE) - 1] == _FINAL_SIGMA
    return final


def _lines(text: str, before: str = "", after: str = "") -> str:
    """Every character on a line of its own, with something before and after it; a newline gives way to a blank."""
    code = _codes(text)
    lines = np.full((len(code), len(before) + len(after) + 2), _NEWLINE, np.int32)
    lines[:, : len(before)] = [ord(c) for c in before]
    lines[:, len(before)] = np.where(code == _NEWLINE, ord(" "), code)
    lines[:, len(before) + 1 : -1] = [ord(c) for c in after]
    return _text(lines)
