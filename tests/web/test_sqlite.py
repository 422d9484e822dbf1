"""What a SQLite store promises while other processes have it open."""

import stat
import subprocess
import sys

import pytest

from suffice.web.store import StoreError, open_database
from suffice.web.store.stores import Stores
from web.claims import some_rows
from web.servers import http, server

ROWS, LABELS = some_rows(25, seed=4)
_COUNT = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(*c.execute('SELECT COUNT(*) FROM journal').fetchone())"


def learn(address, start, stop):
    for i in range(start, stop):
        body = {"id": f"c{i}", "row": ROWS[i], "label": LABELS[i]}
        http.post(f"{address}/v1/learn", json=body).raise_for_status()


def entries(path):
    """How many are in the journal, as another process reads it."""
    return int(subprocess.run([sys.executable, "-c", _COUNT, path], check=True, capture_output=True, text=True).stdout)


def kept(path):
    stores = Stores(open_database(path))
    try:
        return stores.journal.length()
    finally:
        stores.database.close()


def test_an_outside_reader_leaves_the_log_alone(model_path):
    path = f"{model_path}.db"
    with server(model_path) as (address, process):
        learn(address, 0, 5)
        assert entries(path) == 5
        learn(address, 5, 25)
        assert entries(path) == 25
        process.kill()
        process.wait()
    assert kept(path) == 25


def test_a_server_that_stops_leaves_the_log_to_the_other(model_path, model_bytes, tmp_path):
    path, other_path = f"{model_path}.db", tmp_path / "other.suffice"
    other_path.write_bytes(model_bytes)
    with server(model_path) as (address, process):
        learn(address, 0, 5)
        with server(other_path, "--store", path) as (other, second):
            learn(other, 5, 10)
            second.terminate()
            second.wait(20)
        learn(address, 10, 25)
        process.kill()
        process.wait()
    assert kept(path) == 25


def test_a_second_database_of_the_same_process_keeps_the_locks(tmp_path):
    """Opened and closed beside the first, on which another process must still find a lock."""
    path = tmp_path / "cases.db"
    first = open_database(str(path))
    open_database(str(path)).close()
    first.run("INSERT INTO journal (number, written, kind) VALUES (1, 0, 'learn')")
    assert entries(path) == 1
    assert path.with_name("cases.db-wal").stat().st_size > 0
    first.close()


def test_only_the_owner_reads_the_file(tmp_path):
    path, link = tmp_path / "cases.db", tmp_path / "link.db"
    link.symlink_to(path)
    database = open_database(str(link))
    assert [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("cases.db*")] == [0o600] * 3
    database.close()
    with pytest.raises(StoreError, match="cannot be opened"):
        open_database(str(path / "below"))
