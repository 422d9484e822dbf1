"""An erasure that is committed is reported, whatever keeps the files from following."""

import logging
import re
import sqlite3
import time
from contextlib import closing

import pytest

from suffice.web.service import Service
from suffice.web.settings import Settings
from web.clients import client

SECRET = {"amount": 41.25, "branch": "moon", "letter": "the secret word is xylophone", "known": True}


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it never came true")


def done(service, change):
    return service.writer.submit(change).result(timeout=60)


def learn(service):
    row = service.columns.row_type(*SECRET.values())
    done(service, lambda draft: draft.learn("c0", row, "fraud", "ann"))


def holds_secret(path):
    return b"xylophone" in path.read_bytes()


@pytest.fixture
def blocked(model_path):
    """A folder in the place where the next model file is written: nothing can be saved until it is gone."""
    folder = model_path.with_name(f".{model_path.name}.next")
    folder.mkdir()
    return folder


def test_a_model_file_that_cannot_be_written(model_path, blocked, caplog):
    with caplog.at_level(logging.WARNING, "suffice.web"), client(model_path) as api:
        api.post("/v1/learn", json={"id": "c0", "row": SECRET, "label": "fraud"}).raise_for_status()
        answer = api.delete("/v1/cases/c0")
        assert (answer.status_code, answer.json()["pending"]) == (200, ["model_file"])
        assert api.get("/v1/cases/c0").status_code == 404
        assert api.get("/v1/dashboard").json()["pending"] == ["model_file"]
        assert "the model file" in api.get("/dashboard").text
        until(lambda: int(re.search(r"suffice_snapshot_failures_total (\d+)\n", api.get("/metrics").text)[1]) > 1)
        assert "suffice_erasure_pending 1\n" in api.get("/metrics").text
        api.post("/v1/learn", json={"id": "c1", "row": {**SECRET, "letter": ""}, "label": "fraud"}).raise_for_status()
        blocked.rmdir()
        until(lambda: not api.get("/v1/dashboard").json()["pending"])
        receipt = answer.json()
        assert api.get(f"/v1/receipts/{receipt['id']}").json() == {**receipt, "pending": []}
    assert [record.getMessage().partition(" (")[0] for record in caplog.records] == [
        "The model file cannot be written",
        "The model file can be written again",
    ]


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_reader_that_holds_on_to_the_log(model_path, store, tmp_path):
    with client(model_path, store=store) as api, closing(sqlite3.connect(store, isolation_level=None)) as reader:
        api.post("/v1/learn", json={"id": "c0", "row": SECRET, "label": "fraud"}).raise_for_status()
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM cases").fetchone()
        answer = api.delete("/v1/cases/c0")
        assert (answer.status_code, answer.json()["pending"]) == (200, ["store_log"])
        assert not holds_secret(model_path)
        assert holds_secret(tmp_path / "cases.db-wal")
        reader.execute("COMMIT")
        until(lambda: not api.get("/v1/dashboard").json()["pending"])
        assert not holds_secret(tmp_path / "cases.db-wal")
    assert not holds_secret(tmp_path / "cases.db")


def test_the_next_life_finishes_what_the_last_could_not(model_path, store, open_service):
    service = open_service(model_path, store, snapshot_labels=1)
    learn(service)
    until(lambda: holds_secret(model_path))
    blocked = model_path.with_name(f".{model_path.name}.next")
    blocked.mkdir()
    done(service, lambda draft: draft.erase("c0"))
    service.stop()
    assert holds_secret(model_path)
    blocked.rmdir()
    again = open_service(model_path, store)
    assert again.writer.pending == []
    assert not holds_secret(model_path)


def test_the_files_of_other_servers_follow(model_path, model_bytes, store, open_service, tmp_path):
    other_path = tmp_path / "other.suffice"
    other_path.write_bytes(model_bytes)
    one, other = open_service(model_path, store), open_service(other_path, store, snapshot_labels=1)
    learn(one)
    until(lambda: holds_secret(other_path))
    done(one, lambda draft: draft.erase("c0"))
    until(lambda: not holds_secret(other_path))
    until(lambda: other.writer.pending == [])


def test_somebody_who_left_stops_nobody_else(model_path, store):
    """A request that ran out of time takes its change back; the changes beside it are answered."""
    service = Service(Settings(model_path, store=store))
    jobs = [service.writer.submit(lambda draft: draft.version.number) for _ in range(3)]
    assert jobs[1].cancel()
    service.start()
    assert [jobs[i].result(timeout=60) for i in (0, 2)] == [0, 0]
    service.stop()
