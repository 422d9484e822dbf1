"""mkdocs hook and Griffe extension: examples are highlighted as sessions, so that prompts are not copied."""

import re
from typing import Any

from griffe import Extension

_FENCE = re.compile(r"^```python\n(?=>>> )(.*?)\n*^```$", re.M | re.S)
_BARE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n>>> .*(?:\n(?!\s*$).*)*)*", re.M)
_DIRECTIVE = re.compile(r"  # doctest: .*$", re.M)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Mark blocks of ``>>>`` as sessions, and remove the trailing blank line that doctest needs."""
    return _FENCE.sub(lambda found: f"```pycon\n{_DIRECTIVE.sub('', found[1])}\n```", markdown)


def fenced(docstring: str) -> str:
    """Fence the examples of a docstring: in Markdown ``>>>`` is a nested quotation."""
    return _BARE.sub(lambda found: f"```pycon\n{_DIRECTIVE.sub('', found[0])}\n```", docstring)


class FencedExamples(Extension):
    """Fences the examples of all docstrings."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
