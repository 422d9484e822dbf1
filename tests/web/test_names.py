"""Ids, labels and words as the world has them."""

import numpy as np
import pytest

from suffice import GaussianNB
from web.claims import some_rows
from web.clients import client
from web.servers import http, server

ROW = some_rows(1)[0][0]
MESSAGE_IDS = [
    "<CAF+abc=x_y$z@mail.gmail.com>",
    "<owner/repo/pull/17/c987@github.com>",
    "<100%25%2F%@example.org>",
    "<ärger?#&;='\"@example.org>",
    "..x",
]


@pytest.fixture(scope="module")
def api(tmp_path_factory, model_bytes, shared_store):
    path = tmp_path_factory.mktemp("names") / "claims.suffice"
    path.write_bytes(model_bytes)
    with client(path, store=shared_store) as made:
        made.follow_redirects = False
        yield made


@pytest.mark.parametrize("name", MESSAGE_IDS)
def test_message_ids(api, name):
    from urllib.parse import quote

    path = f"/v1/cases/{quote(name, safe='')}"
    assert api.post("/v1/cases", json={"cases": [{"id": name, "row": ROW}]}).status_code == 201
    assert api.put(f"{path}/label", json={"label": "fraud"}).json()["case"]["id"] == name
    assert api.get(path).json()["case"]["label"] == "fraud"
    assert api.get(f"/case/{quote(name, safe='')}").status_code == 200
    assert api.delete(f"{path}/label").json()["case"]["label"] is None
    assert api.delete(path).status_code == 200
    assert api.get(path).status_code == 404


@pytest.mark.parametrize("name", ["a b", "a\nb", "a\x00", "a\x7f", "a\x85b", "", "x" * 251, "\u2028"])
def test_control_characters_and_spaces_are_refused(api, name):
    answer = api.post("/v1/cases", json={"cases": [{"id": name, "row": ROW}]})
    assert (answer.status_code, answer.json()["field"]) == (400, "cases[0].id")


def test_search_folds_case_and_reads_cells_only(api):
    letters = {
        "a": "Großer ÄRGER mit dem Dach",
        "b": 'he said "now" and C:\\temp',
        "c": "100 % sure_thing",
        "d": "x\x00y",
    }
    cases = [{"id": k, "row": {**ROW, "letter": text}} for k, text in letters.items()]
    assert api.post("/v1/cases", json={"cases": cases}).status_code == 201

    def found(words):
        return {case["id"] for case in api.get("/v1/cases", params={"search": words}).json()["cases"]}

    assert found("ärger") == found("GROSSER") == {"a"}
    assert found('"NOW"') == found("c:\\TEMP") == {"b"}
    assert found("100 %") == found("sure_thing") == {"c"}
    assert found("%") == {"c"}
    assert found("xy") == {"d"}
    assert found("letter") == found("branch") == found('":') == set()
    api.put("/v1/cases/a/label", json={"label": "fraud", "by": "Zoe"})
    assert found("zoe") == {"a"}


def test_labels_in_the_spelling_of_the_posterior(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    GaussianNB().fit(X, np.repeat([3, 5, 8], 20)).save(tmp_path / "m")
    with client(tmp_path / "m") as api:
        row = {"0": 0.5, "1": -1.0}
        spelled = list(api.post("/v1/score", json={"rows": [row]}).json()["results"][0]["posterior"])
        for i, name in enumerate(spelled):
            learned = api.post("/v1/learn", json={"id": f"c{i}", "row": row, "label": name}).json()
            assert learned["case"]["label"] == int(name)
        assert api.post("/v1/learn", json={"id": "x", "row": row, "label": "4"}).status_code == 400


def test_whole_numbers_fit_the_document_in_one_way(tmp_path):
    """A label 5 is an integer and a number: of ``oneOf``, one alone may be there."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    GaussianNB().fit(X, np.repeat([3, 5, 8], 20)).save(tmp_path / "m")
    with client(tmp_path / "m") as api:
        schemas = api.get("/v1/openapi.json").json()["components"]["schemas"]
    for name, field in (
        ("CaseView", "label"),
        ("CaseView", "action"),
        ("JournalEntry", "previous"),
        ("Decided", "action"),
    ):
        types = [each["type"] for each in schemas[name]["properties"][field]["oneOf"]]
        assert sorted(types) == ["boolean", "null", "number", "string"]


def test_the_document_describes_every_operation(api):
    document = api.get("/v1/openapi.json").json()
    known = {tag["name"] for tag in document["tags"]}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            assert set(operation["tags"]) <= known
            needs_no_token = path in ("/health",)
            assert bool(operation.get("security")) != needs_no_token, path
    assert document["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}


def test_what_is_allowed_is_said(api):
    for method, path, allowed in (
        ("PATCH", "/v1/cases", "GET, OPTIONS, POST"),
        ("DELETE", "/v1/score", "OPTIONS, POST"),
        ("PATCH", "/v1/cases/a%2Fb/label", "DELETE, OPTIONS, PUT"),
    ):
        answer = api.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


def test_limits_and_names_from_the_command_line_and_the_environment(model_path):

    options = ("--allowed-host", "triage.example", "--max-rows", "2")
    with server(model_path, *options, SUFFICE_MAX_BYTES="500", SUFFICE_TIMEOUT="7") as (address, _):
        assert http.get(f"{address}/health", headers={"host": "triage.example"}).status_code == 200
        assert http.get(f"{address}/health", headers={"host": "other.example"}).status_code == 421
        few = http.post(f"{address}/v1/score", json={"rows": [{}] * 3})
        assert "length <= 2" in few.json()["detail"]
        assert "longer than 500 bytes" in http.post(f"{address}/v1/score", content=b"x" * 501).json()["detail"]
