"""Columns may be called anything: with quotes and backslashes, like fields of a form, like what scripts use."""

import re

import numpy as np
import pytest

from suffice import BayesClassifier, Poisson, load
from web.browsing import idle, needs_chromium, on_a_phone, sit_down, text, until
from web.clients import client
from web.servers import http, server

NAMES = [
    '12" pipe', "the \"sum\"'s", "back\\slash", "new\nline", "form_token", "mail", "ask", "case", "label", "action", "name",
    "length", "submit", "item", "prior:a", "</script><b>", "Größe: x", "(prior)", "cell:ask",
]  # fmt: skip
LABELS = ["a", "b"] * 40


def some_rows():
    rng = np.random.default_rng(0)
    shift = [0.6 * (label == "b") for label in LABELS]
    return [{name: round(float(rng.normal(s)), 3) for name in NAMES} for s in shift]


ROWS = some_rows()


@pytest.fixture(scope="module", params=["full", "additive", "naive"])
def model_path(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("names") / "odd.suffice"
    BayesClassifier(model=request.param).fit(ROWS, LABELS).save(path)
    return path


def test_rows_come_and_go_under_their_names(model_path, tmp_path):
    with client(model_path, store=str(tmp_path / "cases.db")) as api:
        expected = [p["posterior"] for p in api.post("/v1/score", json={"rows": ROWS[:2]}).json()["results"]]
        np.testing.assert_allclose(
            [list(p.values()) for p in expected], load(model_path).predict_proba(ROWS[:2]), rtol=1e-9
        )
        added = api.post("/v1/cases", json={"cases": [{"id": "c", "row": ROWS[0]}]})
        assert added.status_code == 201
        assert added.json()["cases"][0]["row"] == ROWS[0]
        api.put("/v1/cases/c/label", json={"label": "b"})
        assert api.get("/v1/model").json()["class_counts"] == {"a": 40.0, "b": 41.0}
        assert [column["name"] for column in api.get("/v1/model").json()["columns"]] == NAMES
        features = {
            part["feature"]
            for part in api.post("/v1/explain", json={"rows": ROWS[:1]}).json()["results"][0]["evidence"]
        }
        assert set(NAMES) - {"(prior)"} <= features
        page = api.get("/case/c").text
        assert "12&#34; pipe" in page
        assert "</script><b>" not in page


def test_refusals_name_the_column(model_path, tmp_path):
    with client(model_path, store=str(tmp_path / "cases.db")) as api:
        for name in NAMES:
            answer = api.post("/v1/score", json={"rows": [{**ROWS[0], name: "many"}]}).json()
            assert (answer["status"], answer["field"]) == (400, f"rows[0].{name}")
        without = {name: cell for name, cell in ROWS[0].items() if name != '12" pipe'}
        assert api.post("/v1/score", json={"rows": [without]}).json()["field"] == 'rows[0].12" pipe'
        assert (
            api.post("/v1/score", content=b'{"rows": [', headers={"Content-Type": "application/json"}).status_code
            == 400
        )


def test_the_document_has_the_names(model_path, tmp_path):
    with client(model_path, store=str(tmp_path / "cases.db")) as api:
        schemas = api.get("/v1/openapi.json").json()["components"]["schemas"]
        row = next(schema for name, schema in schemas.items() if name.endswith("Row"))
        assert set(row["properties"]) == set(NAMES)


def test_what_the_model_refuses_names_the_column(tmp_path):
    name = 'it\'s a "count"'
    BayesClassifier({name: Poisson()}, model="naive").fit([{name: i % 5} for i in range(80)], LABELS).save(
        tmp_path / "m.suffice"
    )
    with client(tmp_path / "m.suffice") as api:
        answer = api.post("/v1/score", json={"rows": [{name: -1}]})
        assert (answer.status_code, answer.json()["field"]) == (422, name)


def test_the_playground_reads_every_field(model_path, tmp_path):
    with client(model_path, store=str(tmp_path / "cases.db")) as api:
        form_token = re.search(r'name="form_token" value="(\w+)"', api.get("/play").text)[1]
        cells = {f"cell:{name}".replace("\n", "\r\n"): str(cell) for name, cell in ROWS[1].items()}  # as browsers do
        answer = api.post("/play", data={"form_token": form_token, "prior:a": "50", "prior:b": "50", **cells})
        assert answer.status_code == 200
        scored = api.post(
            "/v1/decide", json={"rows": ROWS[1:2], "policy": {"ask": 1, "prior": {"a": 0.5, "b": 0.5}}}
        ).json()
        p = scored["results"][0]["posterior"]["a"]
        assert f"{100 * p:.1f}\N{NO-BREAK SPACE}%" in answer.text


@needs_chromium
def test_a_browser_labels_and_plays_with_them(browser, tmp_path):
    path = tmp_path / "odd.suffice"
    BayesClassifier(model="naive").fit(ROWS, LABELS).save(path)
    with server(path) as (address, _):
        http.put(f"{address}/v1/policy", json={"ask": 0})
        http.post(
            f"{address}/v1/cases", json={"cases": [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS[:3])]}
        )
        sit_down(browser, address)
        assert [name.text for name in browser.find_elements("css selector", ".cells dt")] == [
            name.replace("\n", " ") for name in NAMES
        ]
        browser.get(f"{address}/play")
        for field in browser.find_elements("css selector", ".play fieldset:first-child input"):
            field.send_keys("1")
        until(browser, lambda: browser.find_elements("css selector", "form[data-scores=here]"))
        until(browser, lambda: text(browser, ".verdict"))
        idle(browser)
        expected = http.post(f"{address}/v1/score", json={"rows": [dict.fromkeys(NAMES, 1.0)]}).json()["results"][0]
        assert f"{100 * expected['posterior']['a']:.1f}" in text(browser, "#result .posterior")
        with on_a_phone(browser):
            browser.get(address)
            assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
