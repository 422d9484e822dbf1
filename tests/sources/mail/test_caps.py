"""Messages that are more than they should be: something is left out, and the row says what."""

import pytest

from suffice.errors import ParameterError
from suffice.text.mail import Caps, read_mail


def nested(depth: int) -> bytes:
    around = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth))
    return around + b"\ndeep\n" + b"".join(b"--b%d--\n" % i for i in reversed(range(depth)))


def many(parts: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * parts + b"--b--\n"


@pytest.mark.parametrize(
    ("message", "caps", "cut"),
    [
        (nested(2000), Caps(), "depth"),
        (b"Content-Type: message/rfc822\n\n" * 2000, Caps(), "depth"),
        (many(100_000), Caps(), "parts"),
        (many(3), Caps(parts=3), "parts"),
        (nested(3), Caps(depth=2), "depth"),
        (b"a: b\n" * 20_000 + b"\nx", Caps(), "headers"),
        (b"Subject: " + b"x" * 20_000 + b"\n\n", Caps(), "field"),
        (b"Subject: " + b"=?utf-8?q?" * 2_000 + b"\n\n", Caps(), "field"),
        (b"Content-Type: text/plain;" + b'"' + b";" * 20_000 + b"\n\n", Caps(), "field"),
        (b"\n" + b"word " * 500_000, Caps(), "header text"),
        (b"Subject: a\n\nabcdef", Caps(text=5), "text"),
        (b"Subject: a\n\nabcdef", Caps(message=17), "message"),
        (b"Content-Type: text/html\n\n<p>abcdef", Caps(html=5), "html"),
        (b"Content-Type: text/html\n\n" + b"<div>" * 30_000, Caps(), "html"),
    ],
)
def test_what_is_left_out_is_named(message, caps, cut):
    *defects, truncated = cut.split()
    mail = read_mail(message, caps)
    assert mail["truncated"] == truncated
    assert mail["defects"] == " ".join(defects)
    assert mail["parts"] <= caps.parts
    assert len(mail["body"]) <= caps.text + caps.parts


@pytest.mark.parametrize(
    ("message", "caps"),
    [
        (many(3), Caps(parts=4)),
        (nested(3), Caps(depth=3)),
        (b"Subject: a\n\nabcdef", Caps(text=6, message=18, headers=12, field=1)),
        (b"Content-Type: text/html\n\n<p>abcdef", Caps(html=9)),
    ],
)
def test_nothing_is_left_out_up_to_the_cap(message, caps):
    assert read_mail(message, caps) == read_mail(message)
    assert read_mail(message)["truncated"] == ""


def test_the_first_parts_are_read_whatever_follows():
    mail = read_mail(many(100_000))
    assert mail["body"].split() == ["x"] * 49


def test_a_file_is_read_up_to_the_cap(tmp_path):
    path = tmp_path / "letter"
    path.write_bytes(b"Subject: a\n\n" + b"x" * 1000)
    mail = read_mail(path, Caps(message=100))
    assert (mail["size"], mail["truncated"], mail["body"]) == (100, "message", "x" * 88)


@pytest.mark.parametrize("caps", [{"parts": 0}, {"depth": -1}, {"text": 1.5}, {"html": None}])
def test_caps_are_positive_integers(caps):
    with pytest.raises(ParameterError, match=next(iter(caps))):
        Caps(**caps)
