"""Whatever comes by mail gives a row, and always the same one."""

import email

from hypothesis import given
from hypothesis import strategies as st

from sources.mail.letters import LETTERS, NEWSLETTER, broken
from suffice import BayesClassifier
from suffice.sources.mail.notes import MailNotes
from suffice.sources.mail.parts import walk
from suffice.text.mail import Caps, Mail, read_mail

TYPES = {name: kind.__args__ if hasattr(kind, "__args__") else (kind,) for name, kind in Mail.__annotations__.items()}


def check(source: bytes | str, caps: Caps | None = None) -> Mail:
    mail = read_mail(source, caps)
    assert list(mail) == list(TYPES)
    for name, value in mail.items():
        assert type(value) in TYPES[name]
        if isinstance(value, str):
            value.encode()  # no half characters
    assert mail == read_mail(source, caps)
    return mail


@given(st.binary(max_size=300))
def test_any_bytes(data):
    check(data)


@given(st.text(st.characters(), max_size=300))
def test_any_text(text):
    check(text)


@given(broken(), st.builds(Caps, *[st.integers(1, 400) for _ in range(7)]) | st.none())
def test_broken_messages(data, caps):
    check(data, caps)


@given(broken())
def test_a_broken_message_can_be_judged(data):
    model = BayesClassifier().fit([read_mail(NEWSLETTER), read_mail(b"Subject: a\n\nb")], ["news", "personal"])
    assert abs(model.predict_proba([read_mail(data)]).sum() - 1) < 1e-9


@given(LETTERS)
def test_whole_messages_fall_into_the_parts_of_the_standard_library(letter):
    notes = MailNotes()
    ours = [(p.type, None if p.is_container else p.unpacked(notes)) for p in walk(letter, Caps(depth=99), notes)]
    theirs = email.message_from_bytes(letter).walk()
    assert ours == [(p.get_content_type(), p.get_payload(decode=True)) for p in theirs]
    assert not notes.defects
