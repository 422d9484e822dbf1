"""Examples become sessions on the site, whose prompts are not copied along: a hook of mkdocs, an extension of Griffe."""

import re
from typing import Any

from griffe import Extension

_FENCE = re.compile(r"^```python\n(?=>>> )(.*?)\n*^```$", re.M | re.S)
_BARE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n>>> .*(?:\n(?!\s*$).*)*)*", re.M)
_DIRECTIVE = re.compile(r"  # doctest: .*$", re.M)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Blocks of ``>>>`` become sessions without the blank line that doctest needs at their end."""
    return _FENCE.sub(lambda found: f"```pycon\n{_DIRECTIVE.sub('', found[1])}\n```", markdown)


def fenced(docstring: str) -> str:
    """A docstring with its examples between fences: Markdown would take ``>>>`` for quotations of quotations."""
    return _BARE.sub(lambda found: f"```pycon\n{_DIRECTIVE.sub('', found[0])}\n```", docstring)


class FencedExamples(Extension):
    """Puts the examples of every docstring that is read between fences."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
