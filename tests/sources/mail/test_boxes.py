"""Folders and mbox files: every message, in order, with its place."""

import mailbox
import os

import pytest

from sources.mail.letters import NEWSLETTER
from suffice import BayesClassifier
from suffice.errors import DataError
from suffice.text.mail import Caps, read_folder, read_labelled, read_mail, read_mbox


def letter(number: int) -> bytes:
    return b"Subject: letter %d\n\nhello\n" % number


def test_folder_with_sub_folders(tmp_path):
    for place in ("b", "a/2", "a/1", ".hidden", "a/.git/x", "c/cur/9:2,S"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(letter(1))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "c" / "round").symlink_to(tmp_path)
    found = list(read_folder(tmp_path))
    assert [os.path.relpath(name, tmp_path) for name, _ in found] == ["b", "a/1", "a/2", "c/cur/9:2,S"]
    assert all(mail == read_mail(letter(1)) for _, mail in found)


def test_mbox_of_the_standard_library(tmp_path):
    path = tmp_path / "inbox"
    box = mailbox.mbox(path)
    bodies = [b"one\n\nFrom here on\n", b"", b"two\n>From quoted\n\n\n", b"From the start, at 10:30\n"]
    for number, body in enumerate(bodies):
        box.add(b"Subject: letter %d\n\n" % number + body)
    box.flush()
    found = list(read_mbox(path))
    assert [name for name, _ in found] == [f"{path}#{i}" for i in range(4)]
    assert [mail["subject"] for _, mail in found] == [f"letter {i}" for i in range(4)]
    assert found[0][1]["body"].rstrip() == "one\n\nFrom here on"
    assert found[3][1]["body"].rstrip() == "From the start, at 10:30"


def test_mbox_by_hand(tmp_path):
    path = tmp_path / "inbox"
    start = b"From ann@example.org Thu Aug 22 12:36:23 2002\r\n"
    path.write_bytes(
        start
        + b"Subject: a\r\n\r\nx\r\nFrom ann at 12:36, no message\r\n\r\nFrom nowhere\r\n>>From b\r\n\r\n"
        + start
        + start
    )
    mails = [mail for _, mail in read_mbox(path)]
    assert [mail["subject"] for mail in mails] == ["a", None]
    assert mails[0]["body"].split("\r\n")[:4] == ["x", "From ann at 12:36, no message", "", "From nowhere"]
    assert ">From b" in mails[0]["body"]


def test_a_line_without_end_is_no_memory_without_end(tmp_path):
    path = tmp_path / "inbox"
    start = b"From ann@example.org Thu Aug 22 12:36:23 2002\n"
    path.write_bytes(start + b"Subject: a\n\n" + b"x" * 300_000 + b"From a 12:36\n\n" + start + letter(2))
    mails = [mail for _, mail in read_mbox(path, Caps(message=1000))]
    assert [(mail["size"], mail["truncated"]) for mail in mails] == [(1000, "message"), (len(letter(2)), "")]


def test_what_is_no_mbox(tmp_path):
    path = tmp_path / "letter"
    path.write_bytes(letter(1))
    with pytest.raises(DataError, match=r"letter' is not an mbox file.*read_mail"):
        list(read_mbox(path))
    path.write_bytes(b"\n")
    assert list(read_mbox(path)) == []


@pytest.mark.parametrize("read", [read_folder, read_mbox])
def test_what_is_not_there_is_named_at_once(read, tmp_path):
    with pytest.raises(DataError, match="gone' is not a f"):
        read(tmp_path / "gone")


def test_labelled_places(tmp_path):
    (tmp_path / "news").mkdir()
    for number in range(3):
        (tmp_path / "news" / str(number)).write_bytes(NEWSLETTER)
    (tmp_path / "personal").write_bytes(b"".join(b"From a 12:36\n" + letter(i) + b"\n" for i in range(2)))
    rows, labels, names = read_labelled({1: tmp_path / "news", 0: str(tmp_path / "personal")})
    assert labels == [1, 1, 1, 0, 0]
    assert [os.path.relpath(name, tmp_path) for name in names] == [
        "news/0", "news/1", "news/2", "personal#0", "personal#1",
    ]  # fmt: skip
    assert BayesClassifier().fit(rows, labels).predict(rows).tolist() == labels


def test_a_label_without_a_message_is_named(tmp_path):
    (tmp_path / "spam").mkdir()
    with pytest.raises(DataError, match=r"spam' has no messages; label 'spam' needs at least one"):
        read_labelled({"spam": tmp_path / "spam"})
