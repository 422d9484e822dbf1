"""Text to try a tokeniser on: any characters, and those that tokenisers get wrong."""

import unicodedata
from functools import cache

from hypothesis import strategies as st

# capital sigmas in and out of the end of a word, letters that become longer or shorter or several in lower case, marks,
# all sorts of white space, zero, lone surrogates, letters and emoji beyond 16 bits, right-to-left
_AWKWARD = (
    "Σσς'.:·İıßẞȺKÅǅﬁ½²٣_-\u0301\u200d\ufe0f\u00ad \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000\x00\x01\x7f\ud800\udfff"
)
_BEYOND = "𐐀𝒳😀👩‍👧ﷺאبあ字가"
_PLAIN = "abzABZ019_ .,!?\n"

documents = st.one_of(
    st.text(_PLAIN, max_size=200),
    st.text(st.characters(max_codepoint=0xFF), max_size=100),
    st.text(_PLAIN + _AWKWARD, max_size=150),
    st.text(_PLAIN + _AWKWARD + _BEYOND, max_size=150),
    st.text(st.characters(), max_size=60),  # surrogates included
)
corpora = st.lists(documents, max_size=12)


@cache
def every_character() -> list[str]:
    return [chr(code) for code in range(0x110000)]


@cache
def assigned_characters() -> list[str]:
    """What Unicode assigns, surrogates, and both ends of every block of 256 of the rest."""
    rest = ("Cn", "Co")
    return [c for c in every_character() if unicodedata.category(c) not in rest or ord(c) % 256 in (0, 255)]
