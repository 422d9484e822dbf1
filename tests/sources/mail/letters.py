"""Messages for the tests: whole ones from the standard library, and ways to break them."""

from email.encoders import encode_base64
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from hypothesis import strategies as st

NEWSLETTER = b"""\
Received: from a.example by b.example; Thu, 22 Aug 2002 18:26:30 +0700
Received: from c.example by a.example; Thu, 22 Aug 2002 18:26:27 +0700
From: "Ann Other" <Ann@News.Example.org>
To: Bob <bob@example.com>, carol@example.com
Cc: bob@example.com
Reply-To: replies@elsewhere.example
Subject: =?utf-8?q?Caf=C3=A9?= for
 free
Date: Thu, 22 Aug 2002 18:26:25 +0700
X-Mailer: Postman v2.1 (build 7)
List-Id: news <news.example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

Only old readers show this.
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The caf=E9 is at http://cafe.example/here=
abouts
--inner
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

PHA+VGhlIGNhZsOpPC9wPjxhIGhyZWY9J2h0dHBzOi8vd3d3LmNhZmUuZXhhbXBsZS8nPmZyPGI+
ZWU8L2I+PC9hPjxzY3JpcHQ+c3RlYWwoKTwvc2NyaXB0Pg==
--inner--

--outer
Content-Type: application/pdf
Content-Disposition: attachment; filename*0*=utf-8''men%C3%BC; filename*1=.pdf
Content-Transfer-Encoding: base64

JVBERi0=
--outer--
and this is shown by none
"""

_words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=30)


def _text(text: str, subtype: str, charset: str) -> MIMEText:
    return MIMEText(text.encode(charset, "ignore").decode(charset), subtype, charset)


def _file(data: bytes) -> MIMEBase:
    part = MIMEBase("application", "octet-stream", name="a.bin")
    part.set_payload(data)
    encode_base64(part)
    return part


def _holding(parts: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(
        st.builds(lambda kind, inside: MIMEMultipart(kind, None, inside), st.sampled_from(["mixed", "related"]),
                  st.lists(parts, min_size=1, max_size=3)),
        st.builds(MIMEMessage, parts),
    )  # fmt: skip


def _with_boundaries(letter: Message) -> bytes:
    """The message as sent; boundaries are numbered, since those of the standard library are drawn at random."""
    for number, part in enumerate(letter.walk()):
        if part.get_content_maintype() == "multipart":
            part.set_boundary(f"== {number} ==")
    return letter.as_bytes()


LETTERS = st.recursive(
    st.one_of(
        st.builds(
            _text, _words, st.sampled_from(["plain", "html"]), st.sampled_from(["utf-8", "iso-8859-1", "gb2312"])
        ),
        st.builds(_file, st.binary(max_size=30)),
    ),
    _holding,
    max_leaves=6,
).map(_with_boundaries)
"""Well-formed messages of all shapes."""

_WEDGES = [
    b"\n\n", b"\r", b"\0", b"--", b'"', b";", b"(((", b"=?utf-8?b?", b"?=", b"=?x?q?=FF?=", b"\xff\xfe", b"\xed\xa0\x80",
    b"&#xd800;", b"<b><table>", b"Content-Type: text/html\n\n", b"Content-Type: multipart/mixed; boundary=x\n\n--x\n",
    b"--outer\n", b"--inner--\n", b"Content-Transfer-Encoding: base64\n", b"; charset=unicode_escape\n",
    b"; charset=utf-7\n", b"; filename*=a; filename*0*=b\n",
]  # fmt: skip


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A good message after some cuts, copies and foreign bytes."""
    data = draw(st.one_of(st.just(NEWSLETTER), LETTERS))
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(data)))
        to = min(at + draw(st.integers(0, 80)), len(data))
        wedge = draw(st.one_of(st.sampled_from(_WEDGES), st.binary(max_size=4), st.just(data[at:to])))
        data = data[:at] + wedge + data[draw(st.sampled_from([at, to])) :]
    return data
