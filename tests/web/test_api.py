"""The API says what the library says."""

import numpy as np
import pytest

from suffice import BayesClassifier, Categorical, GaussianNB, load
from suffice.decision import Chow, correct_priors, decide
from web.claims import some_rows
from web.clients import client

ROWS, LABELS = some_rows(50, seed=7)


@pytest.fixture
def api(model_path):
    with client(model_path) as made:
        yield made


def test_scores_are_the_library_s(api, model_path):
    model = load(model_path)
    for rows in (ROWS[:1], ROWS):  # the short way, and the long one
        answer = api.post("/v1/score", json={"rows": rows}).json()
        found = [[r["posterior"][c] for c in model.classes_] for r in answer["results"]]
        np.testing.assert_allclose(found, model.predict_proba(rows), rtol=1e-12)
        np.testing.assert_allclose([r["log_density"] for r in answer["results"]], model.score_samples(rows), rtol=1e-12)


def test_explanations_add_up(api, model_path, explained):
    model = load(model_path)
    answer = api.post("/v1/explain", json={"rows": ROWS[:5], "of": "fraud", "against": "honest"}).json()
    assert explained == [1] * 5
    joint = model.predict_joint_log_proba(ROWS[:5])
    for i, found in enumerate(answer["results"]):
        total = found["prior"] + sum(part["weight"] for part in found["evidence"])
        np.testing.assert_allclose([total, found["log_odds"]], joint[i, 0] - joint[i, 1], rtol=1e-9)


def test_decisions_are_those_of_the_decision_layer(api, model_path):
    model = load(model_path)
    policy = {"ask": 0.3, "costs": {"fraud": {"honest": 4}}, "prior": {"fraud": 0.1, "honest": 0.9}}
    answer = api.post("/v1/decide", json={"rows": ROWS, "policy": policy}).json()
    p = correct_priors(model.predict_proba(ROWS), np.exp(model.model_.log_prior), [0.1, 0.9])
    expected = decide(p, [[0, 4], [1, 0]], reject=Chow(0.3), classes=model.classes_).columns()
    assert [r["action"] for r in answer["results"]] == expected["action"]
    assert [r["asked"] for r in answer["results"]] == expected["rejected"]
    np.testing.assert_allclose([r["risk"] for r in answer["results"]], expected["risk"])
    assert any(expected["rejected"])


def test_a_case_from_arrival_to_erasure(api):
    added = api.post("/v1/cases", json={"cases": [{"id": "a", "row": ROWS[0]}, {"row": ROWS[1]}]})
    assert added.status_code == 201
    assert [case["row"] for case in added.json()["cases"]] == ROWS[:2]
    assert len(added.json()["cases"][1]["id"]) == 24
    before = api.get("/v1/model").json()["class_counts"]
    labelled = api.put("/v1/cases/a/label", json={"label": "fraud", "by": "ann"}).json()
    assert (labelled["version"], labelled["case"]["label"], labelled["case"]["labelled_by"]) == (1, "fraud", "ann")
    assert api.get("/v1/model").json()["class_counts"] == {**before, "fraud": before["fraud"] + 1}
    found = api.get("/v1/cases", params={"search": "ANN"}).json()["cases"]
    assert [case["id"] for case in found] == ["a"]
    assert [e["kind"] for e in api.get("/v1/cases/a").json()["journal"]] == ["learn"]
    assert api.delete("/v1/cases/a/label").json()["case"]["label"] is None
    receipt = api.delete("/v1/cases/a").json()
    assert receipt["was_learned"] is False
    assert api.get(f"/v1/receipts/{receipt['id']}").json() == receipt
    assert api.get("/v1/cases/a").status_code == 404
    assert api.get("/v1/model").json()["class_counts"] == before


def test_learning_is_idempotent_by_id(api):
    body = {"id": "b", "row": ROWS[0], "label": "fraud"}
    versions = [api.post("/v1/learn", json=body).json()["version"] for _ in range(3)]
    assert versions == [1, 1, 1]
    other = api.post("/v1/learn", json={**body, "row": ROWS[1]})
    assert (other.status_code, other.json()["field"]) == (409, "id")


def test_the_queue_holds_what_the_policy_would_not_decide(api, model_path):
    cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS)]
    api.post("/v1/cases", json={"cases": cases})
    p = load(model_path).predict_proba(ROWS)
    for ask in (0.05, 0.2, 0.5):
        api.put("/v1/policy", json={"ask": ask})
        queue = api.get("/v1/queue", params={"limit": 200}).json()
        unsure = {f"c{i}" for i in np.flatnonzero(1 - p.max(axis=1) > ask)}
        assert {item["case"]["id"] for item in queue["cases"]} == unsure
        assert queue["waiting"] == len(unsure)
    assert api.get("/v1/policy").json()["ask"] == 0.5


def test_pages_of_the_history_hold_every_case_once(api):
    api.post("/v1/cases", json={"cases": [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS)]})
    seen, before = [], None
    while page := api.get("/v1/cases", params={"limit": 7, **({"before": before} if before else {})}).json()["cases"]:
        seen += [case["id"] for case in page]
        before = page[-1]["arrived"]
    assert sorted(seen) == sorted(f"c{i}" for i in range(50))


def test_metrics_and_the_dashboard_count(api):
    api.post("/v1/score", json={"rows": ROWS[:3]})
    api.post("/v1/cases", json={"cases": [{"row": row} for row in ROWS]})
    text = api.get("/metrics").text
    assert "suffice_scored_rows_total 3\n" in text
    assert 'suffice_requests_total{method="POST",status="200"} 1' in text
    board = api.get("/v1/dashboard").json()
    assert board["cases"] == 50
    assert sum(share["estimated"] for share in board["priors"]) == pytest.approx(1)


def test_levels_that_are_no_text(tmp_path):
    """Booleans and whole numbers as categories go out and come in as they are."""
    table = {"flag": [True, False, True, False], "size": [1, 2, 2, 1]}
    model = BayesClassifier(Categorical()).fit(table, [True, True, False, False])
    model.save(tmp_path / "m.suffice")
    with client(tmp_path / "m.suffice") as api:
        assert [c["kind"] for c in api.get("/v1/model").json()["columns"]] == ["boolean", "category"]
        row = {"flag": True, "size": 2}
        scores = api.post("/v1/score", json={"rows": [row]}).json()["results"][0]["posterior"]
        np.testing.assert_allclose(list(scores.values()), model.predict_proba([row])[0], rtol=1e-12)
        assert api.post("/v1/score", json={"rows": [{**row, "size": "two"}]}).json()["field"] == "rows[0].size"
        assert api.post("/v1/learn", json={"id": "a", "row": row, "label": True}).json()["case"]["label"] is True
        assert api.post("/v1/learn", json={"id": "b", "row": row, "label": 1}).status_code == 400


def test_numbers_for_classes_and_places_for_columns(tmp_path, rng):
    """A drop-in trained on a matrix: columns are called by their places."""
    X, y = rng.normal(size=(60, 2)), np.repeat([3, 5, 8], 20)
    model = GaussianNB().fit(X, y)
    model.save(tmp_path / "m.suffice")
    with client(tmp_path / "m.suffice") as api:
        row = {"0": 0.5, "1": -1.0}
        scores = api.post("/v1/score", json={"rows": [row]}).json()["results"][0]["posterior"]
        np.testing.assert_allclose(list(scores.values()), model.predict_proba([[0.5, -1.0]])[0], rtol=1e-12)
        learned = api.post("/v1/learn", json={"id": "a", "row": row, "label": 5})
        assert learned.json()["case"]["label"] == 5
        assert api.get("/v1/model").json()["class_counts"] == {"3": 20, "5": 21, "8": 20}
    assert load(tmp_path / "m.suffice").class_count_.tolist() == [20, 21, 20]
