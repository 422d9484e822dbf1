"""The policy is what everybody's cases are decided by: a change is in the journal, and the page asks before it makes one."""

import re

import pytest

from web.claims import some_rows
from web.clients import client

ROWS = some_rows(60, seed=8)[0]


@pytest.fixture
def api(model_path, store):
    with client(model_path, store=store) as made:
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS)]
        made.post("/v1/cases", json={"cases": cases}).raise_for_status()
        yield made


def post(api, path, **fields):
    token = re.search(r'name="form_token" value="(\w+)"', api.get("/play").text)[1]
    return api.post(path, data={"form_token": token, **fields})


def test_a_change_is_in_the_journal(api):
    assert api.get("/v1/policy/changes").json() == []
    counts = api.get("/v1/model").json()["class_counts"]
    for ask, by in ((0.2, "ann"), (0.2, "bob"), (0.3, "bob")):  # the second changes nothing
        assert api.put("/v1/policy", json={"ask": ask}, params={"by": by}).json()["ask"] == ask
    changes = api.get("/v1/policy/changes").json()
    assert [(c["number"], c["writer"], c["previous"]["ask"], c["policy"]["ask"]) for c in changes] == [
        (2, "bob", 0.2, 0.3),
        (1, "ann", 0.1, 0.2),
    ]
    assert api.get("/v1/model").json()["class_counts"] == counts
    api.put("/v1/cases/c0/label", json={"label": "fraud"})
    assert api.get("/v1/model").json()["version"] == 3
    dashboard = api.get("/dashboard").text
    assert "Policy changes" in dashboard
    assert "bob" in dashboard
    assert len(api.get("/v1/policy/changes", params={"limit": 1}).json()) == 1


def test_the_page_asks_first(api):
    waiting = api.get("/v1/queue").json()["waiting"]
    question = post(api, "/page/ask", ask="0.3")
    assert "for all users" in question.text
    would = int(re.search(r"About <b>(\d+)</b>", question.text)[1])
    assert api.get("/v1/policy").json()["ask"] == 0.1
    assert api.get("/v1/queue").json()["waiting"] == waiting
    assert post(api, "/page/ask", ask="0.3", sure="1").status_code == 200
    assert api.get("/v1/policy").json()["ask"] == 0.3
    assert api.get("/v1/queue").json()["waiting"] == would < waiting
    assert [c["writer"] for c in api.get("/v1/policy/changes").json()] == ["page (admin)"]


def test_a_second_server_follows_over_a_change_of_the_policy(model_path, store, open_service, tmp_path):
    """An entry that changes no statistics is no reason to count all of them again."""
    other_path = tmp_path / "other.suffice"
    other_path.write_bytes(model_path.read_bytes())
    first, second = open_service(model_path, store), open_service(other_path, store)
    rows = [first.columns.row_type(**{f"column_{i}": v for i, v in enumerate(row.values())}) for row in ROWS[:3]]

    def done(service, change):
        return service.writer.submit(change).result(timeout=60)

    done(first, lambda draft: draft.add(["a", "b", "c"], rows))
    done(first, lambda draft: draft.label("a", "fraud", None))
    done(second, lambda draft: draft.label("b", "fraud", None))
    done(first, lambda draft: draft.set_policy(type(draft.policy)(0.3), "ann"))
    done(second, lambda draft: draft.label("c", "honest", None))
    assert second.version.number == 4
    assert second.policy.ask == 0.3
    done(first, lambda draft: draft.unlabel("c", None))
    assert first.version.class_counts == {**second.version.class_counts, "honest": first.version.class_counts["honest"]}
    assert not second.stores.journal.has_erased_after(0)
