"""Options for the formats and kinds of columns."""

from collections.abc import Sequence
from typing import cast

from suffice.columns.schema import Declared, DeclaredKind
from suffice.errors import ParameterError


def declared(
    missing: Sequence[str] | None = None, encoding: str | None = None, kinds: Sequence[str] | None = None
) -> Declared:
    """The declaration in ``--missing``, ``--encoding`` and ``--kind``.

    >>> declared(["k.A."], None, ["zip=category"])
    Declared(missing=('k.A.',), encoding=None, kinds={'zip': 'category'})
    """
    by_column: dict[str, DeclaredKind] = {}
    for one in kinds or ():
        column, equals, kind = one.rpartition("=")
        if not equals or not column:
            raise ParameterError(f"--kind is {one!r}", "COLUMN=KIND is needed", "Type --kind zip=category")
        by_column[column] = cast(DeclaredKind, kind)
    return Declared(tuple(missing or ()), encoding, by_column)


def declared_options(declaration: Declared) -> list[str]:
    """The options of a declaration.

    >>> declared_options(Declared(("k.A.",), "koi8-r", {"zip": "category"}))
    ['--missing=k.A.', '--encoding=koi8-r', '--kind=zip=category']
    """
    return [
        *(f"--missing={token}" for token in declaration.missing),
        *([] if declaration.encoding is None else [f"--encoding={declaration.encoding}"]),
        *(f"--kind={column}={kind}" for column, kind in declaration.kinds.items()),
    ]
