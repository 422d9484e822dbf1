"""Who may do what, from where, and how much at once."""

import asyncio
import logging
import re

import httpx
import pytest

from suffice.errors import ParameterError
from suffice.web.application import application
from suffice.web.settings import Settings
from web.claims import some_rows
from web.clients import client

TOKENS = {"read": "r" * 20, "label": "l" * 20, "admin": "a" * 20}
ROW = some_rows(1)[0][0]


@pytest.fixture
def api(model_path):
    with client(model_path, tokens=TOKENS) as made:
        made.follow_redirects = False
        yield made


def as_(role):
    return {"authorization": f"Bearer {TOKENS[role]}"}


def test_other_addresses_need_tokens(model_path):
    with pytest.raises(ParameterError, match=r"'0.0.0.0' can be reached from elsewhere; it requires tokens"):
        Settings(model_path, host="0.0.0.0")
    assert Settings(model_path, host="0.0.0.0", tokens=TOKENS).tokens == TOKENS
    with pytest.raises(ParameterError, match="too short"):
        Settings(model_path, tokens={"read": "short"})
    assert "aaaa" not in repr(Settings(model_path, tokens=TOKENS))


REQUESTS = [
    ("POST", "/v1/score", {"rows": [ROW]}, "read"),
    ("GET", "/v1/cases", None, "read"),
    ("GET", "/metrics", None, "read"),
    ("POST", "/v1/cases", {"cases": [{"id": "a", "row": ROW}]}, "label"),
    ("PUT", "/v1/cases/a/label", {"label": "fraud"}, "label"),
    ("DELETE", "/v1/cases/a/label", None, "label"),
    ("PUT", "/v1/policy", {"ask": 0.2}, "admin"),
    ("DELETE", "/v1/cases/a", None, "admin"),
]


@pytest.mark.parametrize(("method", "path", "body", "needed"), REQUESTS)
def test_roles(api, method, path, body, needed):
    assert api.request(method, path, json=body).status_code == 401
    assert api.request(method, path, json=body, headers={"authorization": "Bearer wrong"}).status_code == 401
    for role in TOKENS:
        allowed = list(TOKENS).index(role) >= list(TOKENS).index(needed)
        assert (api.request(method, path, json=body, headers=as_(role)).status_code != 403) == allowed


def form_token(page):
    return re.search(r'name="form_token" value="([0-9a-f]+)"', page.text)[1]


def test_the_page_asks_for_a_token_and_keeps_a_session(api):
    assert api.get("/").headers["location"] == "/login"
    login = api.get("/login")
    wrong = api.post("/login", data={"form_token": form_token(login), "token": "x" * 20})
    assert wrong.status_code == 403
    right = api.post("/login", data={"form_token": form_token(login), "token": TOKENS["label"]})
    assert right.status_code == 303
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKENS["label"] not in cookie
    page = api.get("/")
    assert page.status_code == 200
    # a session is good for the page only, so no other site can make the API use it
    assert api.get("/v1/model").status_code == 401
    api.post("/v1/cases", json={"cases": [{"id": "a", "row": ROW}]}, headers=as_("label"))
    fields = {"case": "a", "label": "fraud"}
    assert api.post("/page/label", data=fields).status_code == 403
    assert api.post("/page/label", data={**fields, "form_token": "0" * 64}).status_code == 403
    assert api.post("/page/label", data={**fields, "form_token": form_token(page)}).status_code == 303
    assert api.post("/page/ask", data={"ask": "0.3", "form_token": form_token(page)}).status_code == 403
    forged = cookie.split(";")[0].split("=")[1].replace("label.", "admin.", 1)
    api.cookies.set("suffice_session", forged)
    assert api.get("/").headers["location"] == "/login"


def test_other_sites_and_other_names_are_refused(model_path):
    with client(model_path) as api:
        body = {"rows": [ROW]}
        assert api.post("/v1/score", json=body, headers={"origin": "http://127.0.0.1:8000"}).status_code == 200
        assert api.post("/v1/score", json=body, headers={"origin": "http://evil.example"}).status_code == 403
        assert api.post("/v1/score", json=body, headers={"sec-fetch-site": "cross-site"}).status_code == 403
        rebound = api.get("/v1/model", headers={"host": "evil.example"})
        assert (rebound.status_code, rebound.json()["field"]) == (421, "host")


def test_every_answer_has_the_policy(api):
    for path in ("/health", "/login", "/v1/model", "/nowhere", "/static/page.js"):
        headers = api.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_an_error_inside_stays_inside(model_path, monkeypatch, caplog):
    from suffice.web.store.cases import Cases

    def fails(*_, **__):
        raise ZeroDivisionError("the secret of the inside")

    with client(model_path, tokens=TOKENS) as api:
        monkeypatch.setattr(Cases, "search", fails)
        with caplog.at_level(logging.DEBUG):
            answer = api.get("/v1/cases", headers=as_("read"))
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "the secret of the inside" in caplog.text
    assert TOKENS["read"] not in caplog.text


def test_too_many_at_once_are_told_to_come_back(model_path):
    """One request that does not end; the next is refused at once, and let in when the first is gone."""

    async def story():
        app = application(Settings(model_path, max_requests=1, max_seconds=0.5))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as api:

            async def never_ending():
                yield b'{"rows": ['
                await asyncio.sleep(60)

            first = asyncio.create_task(api.post("/v1/score", content=never_ending()))
            await asyncio.sleep(0.1)
            refused = await api.post("/v1/score", json={"rows": [ROW]})
            slow = await first
            return refused, slow, await api.post("/v1/score", json={"rows": [ROW]})

    refused, slow, later = asyncio.run(story())
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert slow.status_code == 408
    assert "longer than 0.5 seconds" in slow.json()["detail"]
    assert later.status_code == 200
