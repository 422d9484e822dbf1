"""Extraction of visible text and links from HTML."""

import re

from selectolax.lexbor import LexborHTMLParser

_STYLED = r"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)"
_FORMATTING = re.compile(rf"<(/?)(?={_STYLED}[\s/>])", re.IGNORECASE)
_WORD_ENDS = re.compile(r"(?=</?(?!(?:x-|(?:a|abbr|acronym|del|ins|mark|q|span|sub|sup)[\s/>]))[a-z])", re.IGNORECASE)
_LINKS = ("href", "src", "action", "background")


def read_html(html: str) -> tuple[str, list[str]]:
    """The visible text, with words separated as when rendered, and the targets of links, images and forms.

    >>> read_html("<p>F<!-- x -->r<b>ee</b><td>gift</td><a href='http://example.org/'>here</a><script>x()</script>")
    ('Free gift here', ['http://example.org/'])
    """
    # A parser reopens unclosed formatting tags such as <b> in every later paragraph: n tags become n² nodes.
    # They do not affect the text, so they are renamed to tags that are not reopened.
    plain = _FORMATTING.sub(r"<\1x-", html)
    tree = LexborHTMLParser(_WORD_ENDS.sub(" ", plain))
    if tree.root is None:
        return "", []
    tree.strip_tags(["script", "style"])
    links = (node.attributes[name] for name in _LINKS for node in tree.css(f"[{name}]"))
    return " ".join(tree.root.text().split()), [link for link in links if link]
