"""Suggestions for mistyped column names."""

import difflib
from collections.abc import Iterable

from suffice.errors import DataError, quoted

_MAX_LISTED_NAMES = 12


def unknown_column(name: object, known: Iterable[object], found: str | None = None) -> DataError:
    """The error for an unknown column, with the nearest names.

    >>> str(unknown_column("specis", ["island", "species", "sex"]))
    "There is no column 'specis'; did you mean 'species'? The columns are 'island', 'species', 'sex'."
    """
    names = [str(k) for k in known]
    near = nearest(str(name), names)
    shown = (
        [*names[:_MAX_LISTED_NAMES], "…", *names[-2:]] if len(names) > _MAX_LISTED_NAMES + 2 else names
    )  # classes tend to come last
    listed = f"columns are {', '.join(n if n == '…' else repr(n) for n in shown)}"
    hint = f"did you mean {quoted(near)}? The {listed}" if near else f"the {listed}"
    return DataError(found or f"There is no column {name!r}", hint)


def nearest(name: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names of most similar spelling, ignoring case."""
    by_case = {known.lower(): known for known in names}
    return [by_case[low] for low in difflib.get_close_matches(name.lower(), by_case, n=most, cutoff=0.6)]
