"""What people say beside the classes of the model: another class, and notes."""

import pytest

from suffice import BayesClassifier, Text
from web.claims import some_rows
from web.clients import client

ROWS, LABELS = some_rows(300, seed=8)


@pytest.fixture
def api(model_path, store):
    with client(model_path, store=store) as made:
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS[:5])]
        assert made.post("/v1/cases", json={"cases": cases}).status_code == 201
        yield made


def test_a_new_class_is_kept_and_not_learned(api):
    before = api.get("/v1/model").json()
    changed = api.put("/v1/cases/c0/new-class", json={"name": "duplicate", "by": "ann"}).json()
    assert (changed["case"]["label"], changed["version"]) == ("duplicate", 1)
    after = api.get("/v1/model").json()
    assert after["class_counts"] == before["class_counts"]
    assert api.get("/v1/dashboard").json()["retired"] == 1
    assert "c0" not in [item["case"]["id"] for item in api.get("/v1/queue").json()["cases"]]
    entries = api.get("/v1/cases/c0").json()["journal"]
    assert [(e["kind"], e["label"], e["writer"]) for e in entries] == [("learn", "duplicate", "ann")]
    assert api.put("/v1/cases/c0/label", json={"label": "fraud"}).json()["version"] == 2
    assert api.get("/v1/model").json()["class_counts"]["fraud"] == before["class_counts"]["fraud"] + 1


def test_the_name_of_a_class_is_that_class(api):
    before = api.get("/v1/model").json()["class_counts"]
    api.put("/v1/cases/c0/new-class", json={"name": "fraud"})
    assert api.get("/v1/model").json()["class_counts"] == {**before, "fraud": before["fraud"] + 1}


def test_none_of_these_needs_no_name(api):
    label = api.put("/v1/cases/c0/new-class", json={}).json()["case"]["label"]
    assert label == "(none of these)"


def test_a_model_with_the_class_learns_it(tmp_path, model_path):
    store = str(tmp_path / "cases.db")
    with client(model_path, store=store) as api:
        api.post("/v1/cases", json={"cases": [{"id": "c", "row": ROWS[0]}]})
        api.put("/v1/cases/c/new-class", json={"name": "duplicate"})
    rows, labels = some_rows(300)
    labels[:30] = ["duplicate"] * 30
    retrained = BayesClassifier({"letter": Text("multinomial")}).fit(rows, labels)
    retrained.save(tmp_path / "new.suffice")
    with client(tmp_path / "new.suffice", store=store, rebase=True) as api:
        assert api.get("/v1/model").json()["class_counts"]["duplicate"] == 31
        assert api.get("/v1/dashboard").json()["retired"] == 0


def test_new_classes_among_whole_numbers_are_numbers(tmp_path):
    rows, labels = some_rows(100)
    digits = [int(label == "fraud") for label in labels]
    BayesClassifier(model="naive").fit(rows, digits).save(tmp_path / "digits.suffice")
    with client(tmp_path / "digits.suffice") as api:
        api.post("/v1/cases", json={"cases": [{"id": "c", "row": ROWS[0]}]})
        for name, label in (("7", 7), ("seven", "seven"), ("1", 1)):
            assert api.put("/v1/cases/c/new-class", json={"name": name}).json()["case"]["label"] == label


def test_a_note_is_kept_until_it_is_taken_away_or_its_case_erased(api):
    assert api.get("/v1/cases/c0/note").json() is None
    version = api.put("/v1/cases/c0/note", json={"note": "<b>ask\nBob</b>", "by": "ann"}).json()["version"]
    assert version == 0, "a note changes no statistics"
    note = api.get("/v1/cases/c0/note").json()
    assert (note["note"], note["writer"]) == ("<b>ask\nBob</b>", "ann")
    assert "&lt;b&gt;ask" in api.get("/case/c0").text
    api.put("/v1/cases/c0/note", json={"note": ""})
    assert api.get("/v1/cases/c0/note").json() is None
    api.put("/v1/cases/c1/note", json={"note": "secret"})
    api.delete("/v1/cases/c1")
    assert api.get("/v1/cases/c1/note").status_code == 404
    api.post("/v1/cases", json={"cases": [{"id": "c1", "row": ROWS[1]}]})
    assert api.get("/v1/cases/c1/note").json() is None


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("new-class", {"name": "a\nb"}, "name"),
        ("new-class", {"name": "x" * 129}, "name"),
        ("note", {"note": "x" * 4001}, "note"),
        ("note", {"note": "a\x00b"}, "note"),
        ("note", {}, "note"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(model_path, path, body, field):
    with client(model_path) as api:
        api.post("/v1/cases", json={"cases": [{"id": "c", "row": ROWS[0]}]})
        answer = api.put(f"/v1/cases/c/{path}", json=body)
        assert (answer.status_code, answer.json()["field"]) == (400, field)
        assert api.put(f"/v1/cases/nobody/{path}", json={"note": "a"} if path == "note" else {}).status_code == 404
        assert api.get("/v1/cases/c").json()["case"]["label"] is None


def test_a_restart_finds_everything(model_path):
    with client(model_path) as api:
        api.post("/v1/cases", json={"cases": [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS[:3])]})
        api.put("/v1/cases/c0/new-class", json={"name": "duplicate"})
        api.put("/v1/policy", json={"ask": 0.2}, params={"by": "ann"})
        api.put("/v1/cases/c1/label", json={"label": "fraud"})
        before = api.get("/v1/model").json()
    model_path.unlink()  # so that all of the journal is read again
    with client(model_path) as api:
        assert api.get("/v1/model").json()["class_counts"] == before["class_counts"]
        assert api.get("/v1/model").json()["version"] == before["version"] == 3
        assert api.get("/v1/cases/c0").json()["case"]["label"] == "duplicate"
