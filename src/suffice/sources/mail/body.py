"""The body of a message: the text and the links of all its parts."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from suffice.errors import MissingPackageError
from suffice.sources.mail.caps import Caps
from suffice.sources.mail.charsets import decode_text
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.parts import MailPart
from suffice.sources.mail.transfer import is_identity

_HOST = re.compile(r""":(?<=[ps]:)//(?:[^\s/?#@<>"']*@)?([^\s/?#:@<>"']+)""", re.IGNORECASE)
"""The rest of a URL with http, https or ftp; the search starts at the colon, which is rare."""


@dataclass
class Body:
    """The text so far, the share of it from HTML, and the hosts of its links."""

    caps: Caps
    notes: MailNotes
    texts: list[str] = field(default_factory=list)
    charset: str | None = None
    hosts: list[str] = field(default_factory=list)
    text_length: int = 0
    html_length: int = 0
    html_text_length: int = 0

    def add(self, part: MailPart, *, decoded: bool) -> None:
        """Add the text of a part. With ``decoded``, bytes without transfer encoding are UTF-8 whatever the declared charset."""
        declared = part.header.parameter("charset")
        self.charset = self.charset or (declared.strip().lower() if declared else None)
        charset = "utf-8" if decoded and is_identity(part.encoding) else declared
        text = decode_text(part.unpacked(self.notes), charset, self.notes)
        left = self.caps.text - self.text_length
        if len(text) > left:
            self.notes.truncated.add("text")
            text = text[:left]
        self.text_length += len(text)
        if part.is_html:
            text = self._visible(text)
        else:
            self._add_links(text)
        self.texts.append(text)

    def _visible(self, html: str) -> str:
        left = self.caps.html - self.html_length
        if len(html) > left:
            self.notes.truncated.add("html")
            html = html[:left]
        self.html_length += len(html)
        text, links = _html_reader()(html)
        self._add_links("\n".join(links))
        self.html_text_length += len(text)
        return text

    def _add_links(self, text: str) -> None:
        self.hosts += [host.lower().rstrip(".") for host in _HOST.findall(text)]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def html_share(self) -> float | None:
        """The share of the text that came from HTML; None without text."""
        total = sum(map(len, self.texts))
        return self.html_text_length / total if total else None


def _html_reader() -> Callable[[str], tuple[str, list[str]]]:
    """The HTML reader, imported with its package at first use."""
    try:
        module = importlib.import_module("suffice.sources.mail.html")
    except ImportError as error:
        raise MissingPackageError(
            "The message contains HTML", "the package selectolax is needed", "Run pip install 'suffice[mail]'"
        ) from error
    reader: Callable[[str], tuple[str, list[str]]] = module.read_html
    return reader
