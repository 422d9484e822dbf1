"""The body of a message: the text of all its parts, and its links."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from suffice.errors import MissingPackageError
from suffice.sources.mail.caps import Caps
from suffice.sources.mail.charsets import decode_text
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.parts import MailPart
from suffice.sources.mail.transfer import is_plain

_HOST = re.compile(r""":(?<=[ps]:)//(?:[^\s/?#@<>"']*@)?([^\s/?#:@<>"']+)""", re.IGNORECASE)
"""The rest of a URL with http, https or ftp; the search starts at the colon, which is rare."""


@dataclass
class Body:
    """The readable text so far, the share of it from HTML, and the hosts of its links."""

    caps: Caps
    notes: MailNotes
    texts: list[str] = field(default_factory=list)
    charset: str | None = None
    hosts: list[str] = field(default_factory=list)
    read: int = 0
    html_read: int = 0
    html_text: int = 0

    def add(self, part: MailPart, *, decoded: bool) -> None:
        """Add the text of a part. With ``decoded``, its plain bytes are UTF-8, whatever charset its header declares."""
        declared = part.header.parameter("charset")
        self.charset = self.charset or (declared.strip().lower() if declared else None)
        charset = "utf-8" if decoded and is_plain(part.encoding) else declared
        text = decode_text(part.unpacked(self.notes), charset, self.notes)
        left = self.caps.text - self.read
        if len(text) > left:
            self.notes.truncated.add("text")
            text = text[:left]
        self.read += len(text)
        if part.is_html:
            text = self._visible(text)
        else:
            self._note_links(text)
        self.texts.append(text)

    def _visible(self, html: str) -> str:
        left = self.caps.html - self.html_read
        if len(html) > left:
            self.notes.truncated.add("html")
            html = html[:left]
        self.html_read += len(html)
        text, links = _html_reader()(html)
        self._note_links("\n".join(links))
        self.html_text += len(text)
        return text

    def _note_links(self, text: str) -> None:
        self.hosts += [host.lower().rstrip(".") for host in _HOST.findall(text)]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def html_share(self) -> float | None:
        """The share of the text that came from HTML; None without text."""
        total = sum(map(len, self.texts))
        return self.html_text / total if total else None


def _html_reader() -> Callable[[str], tuple[str, list[str]]]:
    """The HTML reader; it and its package are imported at first use."""
    try:
        module = importlib.import_module("suffice.sources.mail.html")
    except ImportError as error:
        raise MissingPackageError(
            "A message has HTML", "the package selectolax reads it", "Install it: pip install 'suffice[mail]'"
        ) from error
    reader: Callable[[str], tuple[str, list[str]]] = module.read_html
    return reader
