"""Mail that comes in by itself, and labelled cases that go out."""

import io
import logging
import mailbox
import os
import time

import polars as pl
import pytest

from suffice import BayesClassifier
from suffice.cli.app import main
from suffice.errors import ParameterError
from suffice.text.mail import read_mail
from suffice.web import intake
from web.claims import some_rows
from web.clients import client
from web.mails import some_mails


def letter(text, name=None):
    lines = [
        "From: ann@example.org",
        "To: bob@example.org",
        "Subject: " + text[:20],
        "Date: Thu, 22 Aug 2002 12:36:23 +0000",
    ]
    if name is not None:
        lines.append(f"Message-ID: {name}")
    return ("\n".join([*lines, "", text, ""])).encode()


@pytest.fixture(scope="module")
def trained_on_mails():
    mails = some_mails(200, seed=1)
    rows = [dict(read_mail(letter(text))) for text, _ in mails]
    kept = ("subject", "body", "links", "sender_domain")
    return BayesClassifier().fit([{k: row[k] for k in kept} for row in rows], [kind for _, kind in mails])


@pytest.fixture
def mail_model(tmp_path, trained_on_mails):
    trained_on_mails.save(tmp_path / "spam.suffice")
    return tmp_path / "spam.suffice"


def ids(api):
    return {case["id"] for case in api.get("/v1/cases").json()["cases"]}


def look(api_service):
    """Twice: a file is read once it has not changed from one look to the next."""
    api_service.mail.poll()
    api_service.mail.poll()


@pytest.fixture
def watching(open_service, mail_model, tmp_path, monkeypatch):
    """Services whose mail is taken in by calls of the test alone: their thread only waits to be stopped."""
    monkeypatch.setattr(intake.MailWatch, "_work", lambda watch: watch._ending.wait())

    def opening(place, **settings):
        return open_service(mail_model, str(tmp_path / "cases.db"), watch=str(place), **settings)

    return opening


def names(service):
    return {case.id for case in service.stores.cases.latest(100)}


def test_each_message_of_a_folder_is_a_case_once(watching, tmp_path):
    place = tmp_path / "Maildir"
    for folder in ("new", "cur", "tmp"):
        (place / folder).mkdir(parents=True)
    (place / "new" / "1").write_bytes(letter("win money now", "<a/b+c=1%25@mail.example.org>"))
    (place / "cur" / "2").write_bytes(letter("lunch on thursday"))
    (place / "tmp" / "3").write_bytes(letter("half a mes", "<tmp@example.org>"))
    service = watching(place)
    look(service)
    assert "<a/b+c=1%25@mail.example.org>" in names(service)
    assert len(names(service)) == 2
    (place / "new" / "1").rename(place / "cur" / "1:2,S")  # read by somebody: the same message
    (place / "new" / "4").write_bytes(letter("another with the same name", "<a/b+c=1%25@mail.example.org>"))
    look(service)
    assert len(names(service)) == 3
    service.writer.submit(lambda draft: draft.erase("<a/b+c=1%25@mail.example.org>")).result(60)
    service.stop()
    again = watching(place)
    look(again)
    assert len(names(again)) == 2, "what was erased does not come back"
    row = again.stores.cases.latest(1)[0].row
    assert row["sender_domain"] == "example.org"


def test_an_mbox_that_grows(watching, tmp_path):
    place = tmp_path / "inbox"
    box = mailbox.mbox(place)

    def deliver(text, name):
        message = mailbox.mboxMessage(letter(text, name))
        message.set_from("ann@example.org", True)
        box.add(message)
        box.flush()

    deliver("win money now", "<1@example.org>")
    service = watching(place)
    look(service)
    assert names(service) == {"<1@example.org>"}
    deliver("lunch on thursday", "<2@example.org>")
    look(service)
    assert names(service) == {"<1@example.org>", "<2@example.org>"}


def test_a_file_that_is_being_written_waits(watching, tmp_path):
    place = tmp_path / "in"
    place.mkdir()
    service = watching(place)
    look(service)
    (place / "1").write_bytes(letter("half"))
    service.mail.poll()
    (place / "1").write_bytes(letter("half of it, and the rest"))
    os.utime(place / "1", ns=(1, 1))
    service.mail.poll()
    assert names(service) == set()
    service.mail.poll()
    assert len(names(service)) == 1


def test_what_cannot_be_watched_is_refused(model_path, mail_model, tmp_path):
    with (
        pytest.raises(ParameterError, match="The model has columns 'amount', 'branch', 'letter', 'known'"),
        client(model_path, watch=str(tmp_path)),
    ):
        pass
    with pytest.raises(ParameterError, match="There is no"), client(mail_model, watch=str(tmp_path / "nowhere")):
        pass


def test_a_broken_mbox_is_told_and_stops_nothing(watching, tmp_path, caplog):
    place = tmp_path / "inbox"
    place.write_bytes(b"no mbox at all\n")
    service = watching(place)
    with caplog.at_level(logging.WARNING, "suffice.web"):
        look(service)
    assert "is not an mbox file" in caplog.text
    assert names(service) == set()


ROWS, LABELS = some_rows(40, seed=9)


@pytest.fixture
def labelled(model_path, store):
    rows = [{**row, "letter": f'{row["letter"]}; "quoted", and a\nline'} for row in ROWS]
    with client(model_path, store=store) as api:
        api.post("/v1/cases", json={"cases": [{"id": f"c{i}", "row": row} for i, row in enumerate(rows)]})
        for i in range(30):
            api.put(f"/v1/cases/c{i}/label", json={"label": LABELS[i]})
        yield api, rows[:30]


def same(frame, rows):
    assert frame["label"].to_list() == LABELS[:30]
    assert frame.drop("label").to_dicts() == rows


def test_labels_go_out_as_they_came(labelled, model_path, store, tmp_path):
    api, rows = labelled
    same(pl.read_parquet(io.BytesIO(api.get("/v1/labels", params={"format": "parquet"}).content)), rows)
    same(pl.read_ndjson(io.BytesIO(api.get("/v1/labels", params={"format": "jsonl"}).content)), rows)
    answer = api.get("/v1/labels")
    assert answer.headers["content-disposition"] == 'attachment; filename="labels.csv"'
    same(pl.read_csv(io.BytesIO(answer.content)), rows)
    assert api.get("/v1/labels", params={"format": "xls"}).status_code == 400


def test_labels_from_the_command_line_train_a_model(labelled, store, tmp_path, capsys):
    out = tmp_path / "labelled.csv"
    for words in (
        ["labels", "--store", store, "-o", str(out)],
        ["train", str(out), "--target", "label", "-o", str(tmp_path / "again.model")],
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0, capsys.readouterr().err
    assert "30 rows with labels in column 'label'" in capsys.readouterr().out


def test_a_column_called_label_keeps_its_name(tmp_path):
    BayesClassifier().fit({"label": ["a", "b"] * 20, "x": [i % 7 for i in range(40)]}, ["yes", "no"] * 20).save(
        tmp_path / "m"
    )
    with client(tmp_path / "m") as api:
        api.post("/v1/learn", json={"id": "1", "row": {"label": "a", "x": 1}, "label": "yes"})
        assert api.get("/v1/labels").text.splitlines() == ['"label","x","label_"', '"a",1,"yes"']


def test_the_thread_takes_mail_in_by_itself(open_service, mail_model, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "_POLL_SECONDS", 0.05)
    place = tmp_path / "in"
    place.mkdir()
    service = open_service(mail_model, str(tmp_path / "cases.db"), watch=str(place))
    (place / "1").write_bytes(letter("lunch on thursday", "<1@example.org>"))
    patience = time.monotonic() + 60
    while not names(service) and time.monotonic() < patience:
        time.sleep(0.05)
    assert names(service) == {"<1@example.org>"}
