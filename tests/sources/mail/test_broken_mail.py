"""Messages that no standard allows, each with its defined result."""

import binascii
import encodings.aliases
import warnings
from email.header import Header as EncodedHeader

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.sources.mail.charsets import decode_text
from suffice.sources.mail.encoded_words import decode_words
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.transfer import unpack_base64
from suffice.text.mail import read_mail

MIXED = b"Content-Type: multipart/mixed; boundary=b\n"


@pytest.mark.parametrize(
    ("message", "body", "defects"),
    [
        (b"no header at all", "no header at all", "header"),
        (b" begins like a folded line", " begins like a folded line", "header"),
        (b"Subject: a\nno field here\nTo: b\n\nc", "no field here\nTo: b\n\nc", "header"),
        (b"\xef\xbb\xbf\r\n\r\nSubject: after an empty line\r\n\r\nx", "x", ""),
        (b"Subject: a\r\rold\rMacintosh", "old\rMacintosh", ""),
        (b"Subject: a\nSubject: b\n\nx", "x", "repeated"),
        (b"Content-Type: text\n\nx", "x", "type"),
        (b"Content-Type: multipart/mixed\n\nx", "x", "boundary"),
        (MIXED + b"\nno such line", "no such line", "boundary"),
        (MIXED + b"\n--b\n\nnever closed", "never closed", "boundary"),
        (MIXED + b"\n--b\n--b  \n\nbegun twice\n--b--\nbehind", "begun twice", ""),
        (MIXED + b"\n--b\n\none --b\n--bc\n--b--d\n--b--", "one --b\n--bc\n--b--d", ""),
        (MIXED + b"\r\n--b\r\n\r\none\r\n\r\n--b--", "one\r\n", ""),
        (MIXED + b"\n--b", "", "boundary"),
        (b'Content-Type: multipart/mixed; boundary="<a  b>"\n\n--<a  b>\n\nx\n--<a  b>--', "x", ""),
        (b"Content-Type: text/plain; charset=no-such\n\nna\xc3\xafve", "naïve", "charset"),
        (b"Content-Type: text/plain; charset=us-ascii\n\nna\xefve", "naïve", "charset"),
        (b"Content-Type: text/plain; charset=utf-8\n\nna\xefve", "na\ufffdve", "charset"),
        (b"Content-Type: text/plain; charset=zlib\n\nx", "x", "charset"),
        (b"Content-Type: text/plain; charset=a\0b\n\nx", "x", "charset"),
        (b"Content-Type: text/plain; charset=unicode_escape\n\n\\ud800\\q", "\\ud800\\q", "charset"),
        (b"Content-Type: text/plain; charset=utf-7\n\n+2AA-", "\ufffd", "charset"),
        (b"Content-Transfer-Encoding: base64\n\naGVsbG8gd29yb", "hello wor", "base64"),
        (b"Content-Transfer-Encoding: base64\n\naGVsbG8=\n-- \na footer", "hello", "base64"),
        (b"Content-Transfer-Encoding: base64\n\n!!!", "", "base64"),
        (b"Content-Transfer-Encoding: x-secret\n\nhello", "hello", "encoding"),
        (b"Content-Transfer-Encoding: quoted-printable\n\na=ZZb=", "a=ZZb", ""),
        (b"Content-Disposition: attachment; filename*=a; filename*0*=b\n\nx", "x", "parameter"),
        (b"Content-Disposition: attachment; filename*" + b"1" * 5000 + b"=b\n\nx", "x", "parameter"),
        (b"\n\0\n\0", "\0\n\0", "header"),
    ],
)
def test_body_and_defects(message, body, defects):
    mail = read_mail(message)
    assert (mail["body"], mail["defects"], mail["truncated"]) == (body, defects, "")


@pytest.mark.parametrize(
    ("field", "subject"),
    [
        (b"na\xc3\xafve", "naïve"),
        (b"na\xefve", "naïve"),
        (b"=?utf-8?q?na=C3=AFve?=", "naïve"),
        (b"=?UTF-8*en?Q?a_b?=", "a b"),
        (b"=?utf-8?q?na=C3?=\n =?utf-8?q?=AFve?=", "naïve"),
        (b"=?utf-8?q?a?= b =?utf-8?b?Yw==?=", "a b c"),
        (b"=?utf-8?b?YQ?=", "a"),
        (b"=?no-such?q?a?=", "a"),
        (b"=?utf-8?q?what??=", "what?"),
        (b"=?utf-8?q?never closed", "=?utf-8?q?never closed"),
        (b"=?utf-8?x?a?=", "=?utf-8?x?a?="),
        (b"=?utf-8?q?a=0D=0ABcc:_b?=", "a Bcc: b"),
        (b"=?utf-8?q?=ED=A0=80?=", "\ufffd" * 3),
        (b"folded\r\n\tover\r\n lines", "folded over lines"),
        (b"", ""),
    ],
)
def test_subject(field, subject):
    assert read_mail(b"Subject: " + field + b"\n\n")["subject"] == subject


@pytest.mark.parametrize(
    "field",
    [
        "Content-Disposition: attachment; filename*=utf-8'en'men%C3%BC.pdf",
        "Content-Disposition: attachment; filename*1=.pdf; filename*0*=iso-8859-1''men%FC",
        'Content-Disposition: attachment; filename="=?utf-8?q?men=C3=BC=2Epdf?="',
        'Content-Type: text/plain; name="menü.pdf"',
    ],
)
def test_file_names(field):
    mail = read_mail(f"{field}\n\nx".encode())
    assert "filename_menü filename_pdf" in mail["header_words"]
    assert mail["attachments"] == 1


def test_half_characters_in_text():
    mail = read_mail("Subject: \ud800a\n\nb\udfff")
    assert (mail["subject"], mail["body"], mail["defects"]) == ("\ufffda", "b\ufffd", "charset")


@pytest.mark.parametrize("charset", sorted({*encodings.aliases.aliases.values(), "idna", "punycode", "utf_8_sig"}))
def test_every_codec_of_python_gives_characters(charset):
    for data in (b"", b"a", b"\xff\xfe\x00\xd8", b"+2AA-", b"\\ud800 \\q", b"~{", b"\x1b$B", bytes(range(256))):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            decode_text(data, charset, MailNotes()).encode()


CHARSETS = ["utf-8", "utf-16", "iso-2022-jp", "koi8-r", "big5"]


# without the escape, which begins a change of characters in iso-2022-jp
@given(st.text(st.characters(codec="utf-8", exclude_characters="\x1b"), max_size=40), st.sampled_from(CHARSETS))
def test_text_comes_back_from_its_charset(text, charset):
    notes = MailNotes()
    data = text.encode(charset, "ignore")
    assert decode_text(data, charset, notes) == data.decode(charset)
    assert not notes.defects


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), max_size=80))
def test_encoded_words_come_back(text):
    assert decode_words(EncodedHeader(text, "utf-8").encode(), MailNotes()) == text


@given(st.binary(max_size=60), st.integers(0, 90))
def test_base64_is_read_as_far_as_it_goes(data, cut):
    encoded = binascii.b2a_base64(data)
    notes = MailNotes()
    assert unpack_base64(encoded, notes) == data
    assert not notes.defects
    whole = unpack_base64(encoded[:cut], notes)
    assert data.startswith(whole)
    assert len(whole) == min(len(data), cut * 6 // 8)
