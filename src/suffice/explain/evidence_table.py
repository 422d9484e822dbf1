"""HTML table of evidence for notebooks."""

from collections.abc import Mapping
from html import escape

_MAX_FEATURES = 12  # the strongest features; the others are summed


def evidence_table(caption: str, parts: Mapping[str, float]) -> str:
    """An HTML table of weights of evidence, in order. Names and caption are escaped.

    >>> evidence_table("Row 0", {"<b>": 1.5})
    '<table><caption>Row 0</caption><tr><th>&lt;b&gt;</th><td>+1.50</td></tr></table>'
    """
    rows = list(parts.items())
    if len(rows) > _MAX_FEATURES:
        rest = rows[_MAX_FEATURES - 1 :]
        rows[_MAX_FEATURES - 1 :] = [(f"({len(rest)} others)", sum(weight for _, weight in rest))]
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{weight:+.2f}</td></tr>" for name, weight in rows)
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"
