"""HTML to the text that a reader sees, and to the links that it leads to."""

import re

from selectolax.lexbor import LexborHTMLParser

_STYLED = r"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)"
_FORMATTING = re.compile(rf"<(/?)(?={_STYLED}[\s/>])", re.IGNORECASE)
_WORD_ENDS = re.compile(r"(?=</?(?!(?:x-|(?:a|abbr|acronym|del|ins|mark|q|span|sub|sup)[\s/>]))[a-z])", re.IGNORECASE)
_LINKS = ("href", "src", "action", "background")


def read_html(html: str) -> tuple[str, list[str]]:
    """The text, words apart where a reader sees them apart; and where links, pictures and forms lead.

    >>> read_html("<p>F<!-- x -->r<b>ee</b><td>gift</td><a href='http://example.org/'>here</a><script>x()</script>")
    ('Free gift here', ['http://example.org/'])
    """
    # A parser reopens <b> and its like in every paragraph that follows one left open, and thereby makes n² nodes of n tags.
    # They mean nothing to the text, so they are given names without that power.
    plain = _FORMATTING.sub(r"<\1x-", html)
    tree = LexborHTMLParser(_WORD_ENDS.sub(" ", plain))
    if tree.root is None:
        return "", []
    tree.strip_tags(["script", "style"])
    links = (node.attributes[name] for name in _LINKS for node in tree.css(f"[{name}]"))
    return " ".join(tree.root.text().split()), [link for link in links if link]
