"""Options that declare formats and kinds of columns."""

from collections.abc import Sequence
from typing import cast

from suffice.columns.schema import Declared, DeclaredKind
from suffice.errors import ParameterError


def declared(
    missing: Sequence[str] | None = None, encoding: str | None = None, kinds: Sequence[str] | None = None
) -> Declared:
    """``--missing``, ``--encoding`` and ``--kind``.

    >>> declared(["k.A."], None, ["zip=category"])
    Declared(missing=('k.A.',), encoding=None, kinds={'zip': 'category'})
    """
    by_column: dict[str, DeclaredKind] = {}
    for one in kinds or ():
        column, equals, kind = one.rpartition("=")
        if not equals or not column:
            raise ParameterError(f"--kind is {one!r}", "it must be COLUMN=KIND", "Write --kind zip=category, say")
        by_column[column] = cast(DeclaredKind, kind)
    return Declared(tuple(missing or ()), encoding, by_column)


def typed(said: Declared) -> list[str]:
    """The options that declare this.

    >>> typed(Declared(("k.A.",), "koi8-r", {"zip": "category"}))
    ['--missing=k.A.', '--encoding=koi8-r', '--kind=zip=category']
    """
    return [
        *(f"--missing={token}" for token in said.missing),
        *([] if said.encoding is None else [f"--encoding={said.encoding}"]),
        *(f"--kind={column}={kind}" for column, kind in said.kinds.items()),
    ]
