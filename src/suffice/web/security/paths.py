"""Paths whose segments may contain any character: the id of a case may be a Message-ID with slashes.

Servers decode a path before routing, so a slash in an id would become a separator. Therefore encoded slashes and percent signs
stay encoded until a handler decodes its segment.
"""

import re
from urllib.parse import unquote

_ENCODED = re.compile("%(2f|25)", re.IGNORECASE)


def routed(raw: bytes) -> str:
    """The path for routing.

    >>> routed(b"/v1/cases/%3Ca%2Fb%40c%3E/label")
    '/v1/cases/<a%2Fb@c>/label'
    """
    return unquote(_ENCODED.sub(lambda found: f"%25{found[1].upper()}", raw.partition(b"?")[0].decode("latin-1")))


def segment(part: str) -> str:
    """A segment of a routed path, decoded.

    >>> segment("<a%2Fb@c>")
    '<a/b@c>'
    """
    return part.replace("%2F", "/").replace("%25", "%")
