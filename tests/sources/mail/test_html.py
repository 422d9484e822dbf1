"""HTML is read the way a reader sees it."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.errors import MissingPackageError
from suffice.sources.mail.html import read_html
from suffice.text.mail import read_mail

HTML = b"Content-Type: text/html\n\n"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<td>one</td><td>two</td>", "one two"),
        ("one<br>two<p>three</p>four", "one two three four"),
        ("f<b>r</b><i></i>e<!-- not this -->e<font size=1> gift</font>", "free gift"),
        ("<title>T</title><style>p{}</style><script>f()</script>x", "T x"),
        ("caf&eacute; &#9731; &amp &nosuch; &#xd800;", "café ☃ & &nosuch; \ufffd"),
        ("<<b>b>x", "<b>x"),
        ("<b<b<b", ""),
        ("", ""),
        ("\0", ""),
    ],
)
def test_text(html, text):
    assert read_html(html)[0] == text


def test_links():
    html = """<a href=HTTP://One.Example/x>1</a> <img src="https://u:p@two.example:80/?http://inner.example/">
    <form action='ftp://three.example'><a href="mailto:a@four.example"><a href="#top"><a href><table background=http://1.2.3.4>"""
    mail = read_mail(HTML + html.encode())
    assert mail["link_domains"] == "1.2.3.4 inner.example one.example three.example two.example"
    assert mail["links"] == 5


INLINE = st.sampled_from(
    ["<b>", "</b>", "<font color=red>", "</font>", "<!-- x -->", "<span>", "</SPAN>", "<a href='x'>"]
)
BETWEEN = st.sampled_from([" ", "<p>", "</p>", "<br>", "<div class=x>", "</div>", "<hr/>", "<td>", "\n"])
WORD = st.lists(st.one_of(st.sampled_from("abcé"), INLINE), min_size=1, max_size=6)


@given(st.lists(st.tuples(BETWEEN, WORD), max_size=12))
def test_words_are_apart_where_blocks_are_and_whole_elsewhere(pieces):
    html = "".join(between + "".join(word) for between, word in pieces)
    words = ["".join(c for c in word if len(c) == 1) for _, word in pieces]
    assert read_html(html)[0].split() == [word for word in words if word]


def test_a_tree_never_outgrows_its_html():
    """Left open, formatting would come again in every paragraph: 2,000 times 2,000 tags here, far beyond that memory."""
    code = """import resource
from suffice.sources.mail.html import read_html
resource.setrlimit(resource.RLIMIT_DATA, (500_000_000, 500_000_000))
fonts = "".join(f"<b x={i}>" for i in range(2000))
assert read_html(f"<p>{fonts}" + "<p>x" * 2000)[0] == " ".join("x" * 2000)"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_selectolax_is_needed_for_html_only(monkeypatch):
    monkeypatch.delitem(sys.modules, "suffice.sources.mail.html", raising=False)
    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    assert read_mail(b"Subject: a\n\n<b>")["body"] == "<b>"
    with pytest.raises(MissingPackageError, match=r"pip install 'suffice\[mail\]'"):
        read_mail(HTML)


def test_selectolax_is_not_loaded_before_it_is_needed():
    code = """import sys; from suffice.text.mail import read_mail; read_mail(b"a: b\\n\\n<b>")
assert "selectolax" not in sys.modules"""
    subprocess.run([sys.executable, "-c", code], check=True)
