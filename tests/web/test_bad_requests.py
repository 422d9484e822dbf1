"""Whatever comes in that is wrong: a problem that names the field, nothing stored, nothing learned."""

import json

import pytest

from web.claims import some_rows
from web.clients import client

ROW = some_rows(1)[0][0]


@pytest.fixture(scope="module")
def api(module_model):
    with client(module_model, max_rows=50, max_bytes=1 << 20) as made:
        made.post("/v1/cases", json={"cases": [{"id": "there", "row": ROW}]})
        yield made


def state(api):
    return api.get("/v1/model").json(), api.get("/v1/cases").json(), api.get("/v1/policy").json()


BODIES = [
    ({"rows": [{**ROW, "colour": 1}]}, 400, "rows[0].colour"),
    ({"rows": [{k: v for k, v in ROW.items() if k != "amount"}]}, 400, "rows[0].amount"),
    ({"rows": [{**ROW, "amount": "much"}]}, 400, "rows[0].amount"),
    ({"rows": [{**ROW, "amount": "3.5"}]}, 400, "rows[0].amount"),
    ({"rows": [{**ROW, "known": "true"}]}, 400, "rows[0].known"),
    ({"rows": [{**ROW, "branch": 7}]}, 400, "rows[0].branch"),
    ({"rows": [{**ROW, "letter": ["a"]}]}, 400, "rows[0].letter"),
    ({"rows": []}, 400, "rows"),
    ({"rows": [ROW] * 51}, 400, "rows"),
    ({"row": ROW}, 400, "row"),
    ([], 400, "body"),
]


@pytest.mark.parametrize(("body", "status", "field"), BODIES)
@pytest.mark.parametrize("path", ["/v1/score", "/v1/explain", "/v1/decide"])
def test_rows(api, path, body, status, field):
    answer = api.post(path, json=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["field"] == field
    assert answer.json()["detail"]


RAW = [
    (b"", "body"),
    (b"{", "body"),
    (b"\xff\xfe", "body"),
    (b'{"rows": [{"letter": "\xff"}]}', "body"),
    (b'{"rows": ' + b"[" * 100_000, "body"),
    (b'{"rows": [{"amount": ' + b'{"a":' * 50_000, "body"),
    (b'{"rows": [{"amount": 1e999}]}', "body"),
    (b'{"rows": [{"letter": "\\ud800"}]}', "body"),
]


@pytest.mark.parametrize(("raw", "field"), RAW, ids=range(len(RAW)))  # not the bodies, of which two are long
def test_bodies(api, raw, field):
    answer = api.post("/v1/score", content=raw, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_long_bodies(api):
    before = state(api)
    body = json.dumps({"rows": [{**ROW, "letter": "a" * 10_000_000}]})
    assert api.post("/v1/score", content=body).status_code == 413

    def parts():  # without saying how long it will be
        for start in range(0, len(body), 100_000):
            yield body[start : start + 100_000].encode()

    answer = api.post("/v1/cases", content=parts(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["field"]) == (413, "body")
    assert state(api) == before


CHANGES = [
    ("PUT", "/v1/cases/there/label", {"label": "unheard of"}, 400, "label"),
    ("PUT", "/v1/cases/there/label", {"label": None}, 400, "label"),
    ("PUT", "/v1/cases/there/label", {}, 400, "label"),
    ("PUT", "/v1/cases/there/label", {"label": "fraud", "by": "a\u0000b"}, 400, "by"),
    ("PUT", "/v1/cases/nobody/label", {"label": "fraud"}, 404, "id"),
    ("POST", "/v1/cases", {"cases": [{"id": "there", "row": ROW}]}, 409, "cases[0].id"),
    ("POST", "/v1/cases", {"cases": [{"id": "new", "row": ROW}, {"id": "there", "row": ROW}]}, 409, "cases[1].id"),
    ("POST", "/v1/cases", {"cases": [{"id": "x", "row": ROW}, {"id": "x", "row": ROW}]}, 409, "cases[1].id"),
    ("POST", "/v1/cases", {"cases": [{"id": "no spaces", "row": ROW}]}, 400, "cases[0].id"),
    ("POST", "/v1/learn", {"id": "there", "row": {**ROW, "amount": 99}, "label": "fraud"}, 409, "id"),
    ("POST", "/v1/forget", {"rows": [ROW] * 50, "label": "fraud"}, 422, None),
    ("PUT", "/v1/policy", {"ask": -1}, 400, "ask"),
    ("PUT", "/v1/policy", {"prior": {"fraud": 0.5}}, 422, "policy.prior"),
    ("PUT", "/v1/policy", {"prior": {"fraud": 0.5, "honest": 0.6}}, 422, "policy.prior"),
    ("PUT", "/v1/policy", {"costs": {"fraud": {"nothing": 1}}}, 422, "policy.costs.fraud.nothing"),
    ("DELETE", "/v1/cases/nobody", None, 404, "id"),
    ("DELETE", "/v1/cases/nobody/label", None, 404, "id"),
    ("GET", "/v1/cases?limit=0", None, 400, "limit"),
    ("GET", "/v1/cases?before=yesterday", None, 400, "before"),
    ("GET", "/v1/cases?label=unheard", None, 422, "label"),
    ("GET", "/v1/receipts/nothing", None, 400, "receipt_id"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "field"), CHANGES)
def test_changes(api, method, path, body, status, field):
    before = state(api)
    answer = api.request(method, path, json=body)
    assert (answer.status_code, answer.json().get("field")) == (status, field)
    assert state(api) == before


def test_a_value_a_family_cannot_take_names_its_column(tmp_path):
    from suffice import BayesClassifier, Poisson

    model = BayesClassifier({"visits": Poisson()}).fit({"visits": [1, 2, 7, 9]}, ["a", "a", "b", "b"])
    model.save(tmp_path / "m.suffice")
    with client(tmp_path / "m.suffice") as api:
        answer = api.post("/v1/learn", json={"id": "a", "row": {"visits": -3}, "label": "a"})
        assert (answer.status_code, answer.json()["field"]) == (422, "visits")
        assert api.get("/v1/cases").json()["cases"] == []
