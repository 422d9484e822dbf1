"""Addresses in header fields, found where they are and not where a grammar wants them."""

import re

_OUTSIDE = r"\s<>()\[\]\"',;:@"
_ADDRESS = re.compile(rf"(?<![^{_OUTSIDE}])[^{_OUTSIDE}]+@[^{_OUTSIDE}]+")


def addresses(field: str) -> list[str]:
    """All addresses of a field, in lower case, each once.

    >>> addresses('Ann <ann@Example.org>, "Bob" <bob@example.org>, ann@example.org')
    ['ann@example.org', 'bob@example.org']
    """
    return list(dict.fromkeys(found.lower() for found in _ADDRESS.findall(field)))


def one_address(field: str | None) -> str | None:
    """The address that a field is about, which is that in brackets even if the name is made to look like another.

    >>> one_address('"security@bank.example" <x@elsewhere.example>')
    'x@elsewhere.example'
    """
    if field is None:
        return None
    found = addresses(field.rpartition("<")[2]) or addresses(field)
    return found[0] if found else None


def domain(address: str | None) -> str | None:
    """What is behind the @."""
    return None if address is None else address.rpartition("@")[2].strip(".")
