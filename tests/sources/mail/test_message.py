"""What a row says about a message."""

import pytest

from sources.mail.letters import NEWSLETTER
from suffice import BayesClassifier
from suffice.errors import DataError
from suffice.text.mail import read_mail


def test_all_fields_of_a_message():
    mail = read_mail(NEWSLETTER)
    words = mail.pop("header_words").split()
    assert mail == {
        "subject": "Café for free",
        "body": "The café is at http://cafe.example/hereabouts\nThe café free",
        "sender_domain": "news.example.org",
        "recipients": 2,
        "reply_to_differs": True,
        "hops": 2,
        "mailing_list": True,
        "mailer": "postman",
        "hour": 18,
        "time_zone": "+0700",
        "charset": "iso-8859-1",
        "html_share": 13 / 58,
        "links": 2,
        "link_domains": "cafe.example www.cafe.example",
        "attachments": 1,
        "attachment_types": "application/pdf",
        "parts": 5,
        "size": len(NEWSLETTER),
        "truncated": "",
        "defects": "",
    }
    assert {"subject_free", "from_ann", "filename_menü", "filename_pdf", "header_list_id", "link_cafe"} <= set(words)
    assert "type_multipart_alternative" in words
    assert "free" not in words
    assert not any(word.startswith("received_") for word in words)


def test_a_message_that_says_nothing():
    mail = read_mail(b"")
    missing = [name for name, value in mail.items() if value is None]
    assert missing == [
        "subject", "sender_domain", "recipients", "reply_to_differs", "mailer", "hour", "time_zone", "charset", "html_share",
    ]  # fmt: skip
    assert mail["body"] == ""
    assert (mail["hops"], mail["links"], mail["attachments"], mail["parts"]) == (0, 0, 0, 1)


def test_bytes_path_and_text_are_one_message(tmp_path):
    (tmp_path / "letter").write_bytes(NEWSLETTER)
    assert read_mail(tmp_path / "letter") == read_mail(NEWSLETTER) == read_mail(NEWSLETTER.decode())
    assert read_mail(bytearray(NEWSLETTER)) == read_mail(memoryview(NEWSLETTER)) == read_mail(NEWSLETTER)


def test_text_is_in_characters_already_unless_it_is_packed():
    head = "Subject: naïve\nContent-Type: text/plain; charset=iso-8859-1\n"
    assert read_mail(head + "\nnaïve ☃")["body"] == "naïve ☃"
    assert read_mail(head + "\nnaïve ☃")["subject"] == "naïve"
    assert read_mail(head + "Content-Transfer-Encoding: quoted-printable\n\nna=EFve")["body"] == "naïve"


@pytest.mark.parametrize("source", [None, 3, ["From: a@b"]])
def test_what_is_no_message(source):
    with pytest.raises(DataError, match="bytes, text or a path is needed"):
        read_mail(source)


@pytest.mark.parametrize(
    ("field", "domain"),
    [
        ("ann@example.org", "example.org"),
        ('"security@bank.example" <x@elsewhere.example>', "elsewhere.example"),
        ("=?utf-8?q?ann=40bank.example?= <x@elsewhere.example>", "elsewhere.example"),
        ("ann@example.org (Ann <3)", "example.org"),
        ("(" * 5000 + "ann@example.org", "example.org"),
        ("undisclosed", None),
        ("@", None),
        ("a@b@c", "b"),
    ],
)
def test_who_sent_it(field, domain):
    assert read_mail(f"From: {field}\n\n")["sender_domain"] == domain


@pytest.mark.parametrize(
    ("date", "hour", "zone"),
    [
        ("Thu, 22 Aug 2002 18:26:25 +0700", 18, "+0700"),
        ("22 Aug 02 0:26 gmt", 0, "GMT"),
        ("Thu Aug 22 09:05:00 2002", 9, None),
        ("Thu, 22 Aug 2002 25:61:00 +0700", None, None),
        ("yesterday", None, None),
    ],
)
def test_when_it_says_it_was_sent(date, hour, zone):
    mail = read_mail(f"Date: {date}\n\n")
    assert (mail["hour"], mail["time_zone"]) == (hour, zone)


def test_one_word_in_two_places_is_two_words():
    subject, body = (read_mail(text) for text in ("Subject: free\n\nhello", "Subject: hello\n\nfree"))
    assert "subject_free" in subject["header_words"]
    assert "free" not in body["header_words"]


def test_an_attached_message_is_read_and_its_sender_is_not_the_sender():
    inner = "From: a@inner.example\nSubject: inner\n\nhello"
    mail = read_mail(f"From: a@outer.example\nContent-Type: message/rfc822\n\n{inner}")
    assert (mail["sender_domain"], mail["subject"], mail["body"]) == ("outer.example", None, "hello")


def test_a_classifier_takes_rows_as_they_are():
    rows = [read_mail(NEWSLETTER), read_mail(b"Subject: hello\n\nworld"), read_mail(b"")]
    model = BayesClassifier().fit(rows, ["news", "personal", "personal"])
    assert model.predict(rows).tolist() == ["news", "personal", "personal"]
    families = {name: type(b.family).__name__ for b in model.model_.blocks for name in b.columns}
    assert (families["header_words"], families["sender_domain"]) == ("Text", "PooledCategorical")


def test_columns_that_were_empty_in_training_may_be_filled_later():
    model = BayesClassifier().fit([read_mail(b""), read_mail(b"Subject: a\n\nb")], ["x", "y"])
    assert model.predict([read_mail(NEWSLETTER)]).tolist() in (["x"], ["y"])
