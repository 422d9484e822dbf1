"""Classes and lower case of all characters, as in Python, in a table for the tokeniser.

Tokens must be those of ``re`` and ``str.lower``, which depend on the Unicode version of Python. So the table is computed at run
time, which takes hundredths of a second at the first document that is not plain ASCII.
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
    """``cells[stages[c >> 8] * 256 + (c & 255)]`` encodes the lower case of c and its class; ``expansions`` has a row for each
    character whose lower case is several characters."""

    stages: NDArray[np.uint16]
    cells: CodeArray
    expansions: NDArray[np.uint32]


@cache
def plain_characters() -> Characters:
    """An empty table for documents of plain ASCII."""
    return Characters(np.zeros(_CODE_POINTS >> 8, np.uint16), np.zeros(256, np.int32), np.zeros((0, 1), np.uint32))


@cache
def characters(lower: bool) -> Characters:
    """The table of all characters, with or without ``str.lower``."""
    code = np.arange(_CODE_POINTS, dtype=np.int32)
    text = _text(code)
    becomes, expansions = _lower_case(text) if lower else (code, [])
    cells = (becomes - code) << _TRAIT_BITS
    if lower:
        # cased letters, and marks that are ignored next to them, are only in these ranges
        marked = np.r_[0:0x20000, 0xE0000:0xE1000]
        cells[marked] |= _sigma_context(code[marked])
        cells[[row[0] for row in expansions]] |= _EXPANDS
    cells |= np.where(_mask_outside(r"\W+", text)[becomes], np.int32(_WORD), 0)
    cells |= np.where(_mask_outside(r"\S+", text)[becomes], np.int32(_SPACE), 0)
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


def _mask_outside(pattern: str, text: str) -> BoolArray:
    """The mask of characters that do not match. (Matches are long runs, so the search is fast.)"""
    outside = np.ones(len(text), bool)
    for match in re.finditer(pattern, text):
        outside[match.start() : match.end()] = False
    return outside


def _lower_case(text: str) -> tuple[CodeArray, list[list[int]]]:
    """The lower case of each character, and the expansions to several characters."""
    becomes = _codes(text).copy()
    expansions: list[list[int]] = []
    for start in range(0, _CODE_POINTS, 0x10000):
        plane = text[start : start + 0x10000]
        if plane.lower() == plane:
            continue
        lowered = _codes(_one_per_line(plane).lower())
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
    """For each character, whether a sigma after it is a final sigma."""
    lowered = _codes(_one_per_line(text, before, "Σ").lower())
    final: BoolArray = lowered[np.flatnonzero(lowered == _NEWLINE) - 1] == _FINAL_SIGMA
    return final


def _one_per_line(text: str, before: str = "", after: str = "") -> str:
    """Each character on a line of its own, with ``before`` and ``after`` around it; a newline is replaced by a blank."""
    code = _codes(text)
    lines = np.full((len(code), len(before) + len(after) + 2), _NEWLINE, np.int32)
    lines[:, : len(before)] = [ord(c) for c in before]
    lines[:, len(before)] = np.where(code == _NEWLINE, ord(" "), code)
    lines[:, len(before) + 1 : -1] = [ord(c) for c in after]
    return _text(lines)
