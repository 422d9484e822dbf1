"""``suffice serve --workers 2``: every worker follows, one that dies is replaced, and all end together."""

import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from web.claims import some_rows
from web.servers import PLAIN, http, server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
ASKED = {"amount": 2.5, "branch": "north", "letter": "urgent photo of the roof", "known": None}


def workers(process):
    """Of the service; its threads start them, and threads have children of their own."""
    threads = Path(f"/proc/{process.pid}/task").iterdir()
    found = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return sorted(child for child in found if b"suffice.web.worker" in Path(f"/proc/{child}/cmdline").read_bytes())


def wait_for(found, what):
    for _ in range(1200):
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError(what)


@contextmanager
def alone(worker, others):
    """One worker while the others are held."""
    for other in others:
        os.kill(other, signal.SIGSTOP)
    try:
        yield worker
    finally:
        for other in others:
            os.kill(other, signal.SIGCONT)


def scored(address, **options):
    """On a connection of its own, so that any worker may take it."""
    answer = http.post(f"{address}/v1/score", json={"rows": [ASKED]}, timeout=60, **options).json()
    return answer["version"], answer["results"][0]["posterior"]


def is_over(pid):
    """Whether a process has ended, waited for or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def learn(address, i, row):
    body = {"id": f"c{i}", "row": row, "label": "fraud"}
    answer = http.post(f"{address}/v1/learn", json=body)
    assert answer.status_code == 200
    return answer.json()["version"]


def test_workers_follow_are_replaced_and_end_together(model_path):
    rows, _ = some_rows(4, seed=3)
    with server(model_path, "--workers", "2") as (address, process):
        first, second = both = wait_for(lambda: len(found := workers(process)) == 2 and found, "two workers")
        before = scored(address)
        assert before[0] == 0
        assert [learn(address, i, row) for i, row in enumerate(rows[:3])] == [1, 2, 3]
        answers = []
        for worker in both:
            with alone(worker, [other for other in both if other != worker]):
                wait_for(lambda: scored(address)[0] == 3, "a worker that follows")
                answers.append(scored(address))
        assert answers[0] == answers[1]
        assert answers[0][1] != before[1]
        os.kill(first, signal.SIGKILL)
        third = wait_for(lambda: {*workers(process)} - {*both}, "a worker in its place").pop()
        with alone(second, [third]):
            assert learn(address, 3, rows[3]) == 4
            wait_for(lambda: scored(address)[0] == 4, "the other goes on")
        with alone(third, [second]):
            wait_for(lambda: scored(address)[0] == 4, "the new one has the newest version")
        processes = [process.pid, *workers(process)]
        process.terminate()
        process.wait(60)
        assert all(is_over(pid) for pid in processes)
    stores = Stores(open_database(f"{model_path}.db"))
    assert stores.journal.length() == stores.snapshots.version_of(model_path) == 4
    stores.database.close()


@pytest.mark.slow
def test_requests_are_counted_once_and_workers_end_with_the_process_that_writes(model_path):
    with server(model_path, "--workers", "2", SUFFICE_TOKEN_ADMIN="a token for the admin") as (address, process):
        both = wait_for(lambda: len(found := workers(process)) == 2 and found, "two workers")
        with httpx.Client(base_url=address, verify=PLAIN, timeout=60) as client:
            assert client.post("/v1/score", json={"rows": [ASKED]}).status_code == 401
            assert client.get("/v1/model").status_code == 401
            client.headers["Authorization"] = "Bearer a token for the admin"
            for row in (ASKED, ASKED, {"amount": "many"}):  # the last is refused by the process that writes
                client.post("/v1/score", json={"rows": [row]})

            def counted():
                lines = client.get("/metrics").text.splitlines()
                return 'suffice_requests_total{method="POST",status="400"} 1' in lines and lines

            lines = wait_for(counted, "counts of the workers")
        assert "suffice_scored_rows_total 2" in lines
        for status, count in (200, 2), (401, 1):
            assert f'suffice_requests_total{{method="POST",status="{status}"}} {count}' in lines
        process.kill()
        process.wait()
        wait_for(lambda: all(is_over(worker) for worker in both), "workers that end")
