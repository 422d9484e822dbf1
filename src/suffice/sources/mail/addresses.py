"""Addresses in header fields, matched by a pattern rather than parsed."""

import re

_OUTSIDE = r"\s<>()\[\]\"',;:@"
_ADDRESS = re.compile(rf"(?<![^{_OUTSIDE}])[^{_OUTSIDE}]+@[^{_OUTSIDE}]+")


def addresses(field: str) -> list[str]:
    """The distinct addresses of a field, in lower case.

    >>> addresses('Ann <ann@Example.org>, "Bob" <bob@example.org>, ann@example.org')
    ['ann@example.org', 'bob@example.org']
    """
    return list(dict.fromkeys(found.lower() for found in _ADDRESS.findall(field)))


def one_address(field: str | None) -> str | None:
    """The address of a field: the one in angle brackets, even if the display name is another address.

    >>> one_address('"security@bank.example" <x@elsewhere.example>')
    'x@elsewhere.example'
    """
    if field is None:
        return None
    found = addresses(field.rpartition("<")[2]) or addresses(field)
    return found[0] if found else None


def domain(address: str | None) -> str | None:
    """The part of an address after the @."""
    return None if address is None else address.rpartition("@")[2].strip(".")
