"""Cases wait until they are labelled or the model is sure of them, however many others come."""

import numpy as np
import pytest

from suffice import load
from suffice.web import waiting
from suffice.web.policy import Policy
from suffice.web.store import migrations, open_database
from suffice.web.store.cases import Cases
from suffice.web.waiting import Sweep
from web.claims import some_rows
from web.clients import client

ROWS = some_rows(300, seed=8)[0]


@pytest.fixture
def unsure_and_sure(model_path):
    """Twenty rows that would be asked about at a cost of 0.1, and one that would not."""
    risk = 1 - load(model_path).predict_proba(ROWS).max(axis=1)
    return [ROWS[i] for i in np.flatnonzero(risk > 0.12)[:20]], ROWS[int(risk.argmin())]


def done(service, change):
    return service.writer.submit(change).result(timeout=60)


def add(service, rows, name):
    typed = [service.columns.row_type(**{f"column_{i}": v for i, v in enumerate(row.values())}) for row in rows]
    done(service, lambda draft: draft.add([f"{name}{i}" for i in range(len(rows))], typed))


def set_ask(service, ask):
    done(service, lambda draft: draft.set_policy(Policy(ask), None))


def queue(service):
    return service.waiting.queue(service.version, service.policy)


def sweep(service, steps):
    again = Sweep(service.columns, service.stores)
    for _ in range(steps):
        again.step(service.version, service.policy)


def test_thousands_of_sure_cases_push_nobody_out(model_path, store, open_service, unsure_and_sure):
    service = open_service(model_path, store)
    unsure, sure = unsure_and_sure
    add(service, unsure, "unsure")
    add(service, [sure] * 2100, "sure")
    assert queue(service).count == 20
    assert {item.case.id for item in queue(service).first} == {f"unsure{i}" for i in range(20)}
    done(service, lambda draft: draft.label("unsure0", "fraud", None))
    done(service, lambda draft: draft.erase("unsure1"))
    assert {item.case.id for item in queue(service).first} <= {f"unsure{i}" for i in range(2, 20)}
    done(service, lambda draft: draft.unlabel("unsure0", None))
    assert "unsure0" in {item.case.id for item in queue(service).first}


def test_the_sweep_finds_old_cases_that_a_new_policy_asks_about(
    model_path, store, open_service, unsure_and_sure, monkeypatch
):
    monkeypatch.setattr(waiting, "_SCORED_CASES", 3)
    monkeypatch.setattr(waiting, "_SWEPT_CASES", 4)
    service = open_service(model_path, store)
    unsure, sure = unsure_and_sure
    set_ask(service, 0.5)
    add(service, [*unsure, sure, sure, sure], "c")
    assert queue(service).count == 0
    set_ask(service, 0.1)
    sweep(service, 6)
    assert queue(service).count == 20
    assert {item.case.id for item in queue(service).first} == {"c0", "c1", "c2"}
    set_ask(service, 0.5)
    sweep(service, 6)
    assert (queue(service).count, service.stores.cases.waiting()) == (0, 0)


def test_the_count_is_what_is_known_of_each_case(model_path, store, open_service, monkeypatch):
    """Three of the longest waiting and three of the latest are scored at once; of others holds what was said last."""
    monkeypatch.setattr(waiting, "_SCORED_CASES", 3)
    service = open_service(model_path, store)
    set_ask(service, 0.0)
    add(service, ROWS[:10], "c")
    assert (queue(service).count, len(queue(service).first)) == (10, 6)
    set_ask(service, 0.5)
    assert queue(service).count == 10 - 6
    sweep(service, 1)
    assert queue(service).count == 0


def test_the_sweep_rests_when_nothing_changes(model_path, store, open_service, monkeypatch):
    service = open_service(model_path, store)
    add(service, ROWS[:3], "c")
    sweep, looks = Sweep(service.columns, service.stores), []
    after = service.stores.cases.unlabelled_after
    monkeypatch.setattr(service.stores.cases, "unlabelled_after", lambda *place: looks.append(place) or after(*place))
    for policy in (Policy(), Policy(), Policy(0.3), Policy(0.3)):
        sweep.step(service.version, policy)
    assert len(looks) == 2


def test_an_older_store_learns_who_waits(store, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(migrations, "_STEPS", migrations._STEPS[:1])
        database = open_database(store)
    for name, action, label in (("asked", None, None), ("decided", '"a"', None), ("labelled", None, '"a"')):
        values = (name, 1.0, "{}", 0, "[0.5,0.5]", None, action, 0.1, label, None, None)
        database.run(f"INSERT INTO cases VALUES ({', '.join('?' * len(values))})", *values)
    database.close()
    database = open_database(store)
    cases = Cases(database)
    assert cases.waiting() == 1
    assert [case.id for case in cases.longest_waiting(9)] == ["asked"]
    database.close()


def test_the_queue_is_read_by_its_index(tmp_path):
    database = open_database(str(tmp_path / "cases.db"))
    for where, index in (
        ("label IS NULL AND waits = TRUE", "cases_by_waiting"),
        ("label IS NULL AND action IS NULL", "cases_by_action"),
    ):
        plan = database.rows(f"EXPLAIN QUERY PLAN SELECT * FROM cases WHERE {where} ORDER BY arrived, id LIMIT 9")
        assert index in str(plan)
        assert "TEMP B-TREE" not in str(plan)
    database.close()


def test_the_history_of_cases_that_nobody_answered(model_path, unsure_and_sure):
    unsure, sure = unsure_and_sure
    with client(model_path) as api:
        rows = {"a": unsure[0], "b": unsure[1], "c": sure}
        api.post("/v1/cases", json={"cases": [{"id": name, "row": row} for name, row in rows.items()]})
        api.put("/v1/cases/b/label", json={"label": "fraud"})
        found = api.get("/v1/cases", params={"unanswered": True}).json()["cases"]
        assert [case["id"] for case in found] == ["a"]
        assert len(api.get("/v1/cases").json()["cases"]) == 3
        page = api.get("/history", params={"unanswered": True}).text
        assert "/case/a" in page
        assert "/case/b" not in page
        assert "/case/c" not in page
        assert " checked" in page
