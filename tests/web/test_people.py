"""Tokens of people, their sessions, the cases they have open, and what they disagree on."""

import logging
import re
import time

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from suffice.cli.app import _program
from suffice.errors import ParameterError
from suffice.web import server as web_server
from suffice.web.agreement import agreement
from suffice.web.security import access_log, attempts
from suffice.web.settings import Settings
from suffice.web.store.opening import open_store
from web.claims import some_rows
from web.clients import client
from web.servers import PLAIN, server

ROWS, LABELS = some_rows(60, seed=3)


def as_(token):
    return {"authorization": f"Bearer {token}"}


@pytest.fixture
def api(model_path, store, tokens):
    with client(model_path, store=store) as made:
        made.follow_redirects = False
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS)]
        assert made.post("/v1/cases", json={"cases": cases}, headers=as_(tokens["eve"])).status_code == 201
        yield made


def test_the_journal_says_who(api, tokens):
    assert api.get("/v1/model").status_code == 401
    api.put("/v1/cases/c0/label", json={"label": "fraud"}, headers=as_(tokens["ann"]))
    api.put("/v1/cases/c1/label", json={"label": "fraud", "by": "the nightly job"}, headers=as_(tokens["ann"]))
    found = [api.get(f"/v1/cases/c{i}", headers=as_(tokens["ann"])).json()["journal"][0]["writer"] for i in (0, 1)]
    assert found == ["ann", "the nightly job (through ann)"]
    assert api.delete("/v1/cases/c0", headers=as_(tokens["ann"])).status_code == 403


def test_tokens_are_kept_as_digests_and_may_be_taken_away(api, tokens, store):
    stores = open_store(store, None)
    kept = str(stores.database.rows("SELECT * FROM tokens"))
    assert not any(token in kept for token in tokens.values())
    assert api.get("/v1/model", headers=as_(tokens["bob"])).status_code == 200
    assert stores.tokens.remove("bob")
    assert not stores.tokens.remove("bob")
    stores.database.close()
    time.sleep(1.1)
    assert api.get("/v1/model", headers=as_(tokens["bob"])).status_code == 401
    assert api.get("/v1/model", headers=as_(tokens["ann"])).status_code == 200


def log_in(api, token, **headers):
    form = re.search(r'name="form_token" value="([0-9a-f]+)"', api.get("/login", headers=headers).text)[1]
    return api.post("/login", data={"form_token": form, "token": token}, headers=headers)


def test_signing_out_ends_the_session_on_the_server(api, tokens):
    log_in(api, tokens["ann"])
    cookie = api.cookies["suffice_session"]
    page = api.get("/")
    assert page.status_code == 200
    form = re.search(r'name="form_token" value="([0-9a-f]+)"', page.text)[1]
    api.post("/page/leave", data={"form_token": form})
    api.cookies.set("suffice_session", cookie)
    assert api.get("/").headers["location"] == "/login"


def test_cookies_are_secure_over_tls(api, tokens):
    assert "Secure" not in log_in(api, tokens["ann"]).headers["set-cookie"]
    api.cookies.clear()
    api.base_url = "https://127.0.0.1:8000"
    assert "Secure" in log_in(api, tokens["ann"]).headers["set-cookie"]


def test_headers_of_a_proxy_are_believed_from_the_proxy_alone(model_path):
    """Behind it cookies are secure, and wrong tokens count against the caller's own address."""
    token = open_store("", str(model_path)).tokens.add("ann", "label")

    def enter(address, token, caller="1.2.3.4"):
        with httpx.Client(base_url=address, verify=PLAIN) as api:
            return log_in(api, token, **{"x-forwarded-proto": "https", "x-forwarded-for": caller})

    for proxy, secure in (("127.0.0.1", True), ("10.0.0.1", False)):
        with server(model_path, "--proxy", proxy) as (address, _):
            assert ("Secure" in enter(address, token).headers["set-cookie"]) == secure
            for _ in range(attempts._MAX_FAILURES):
                enter(address, "x" * 20)
            assert enter(address, token).status_code == 429
            assert (enter(address, token, caller="5.6.7.8").status_code == 303) == secure


def test_log_ins_are_limited(api, tokens):
    for _ in range(attempts._MAX_FAILURES):
        assert log_in(api, "x" * 20).status_code == 403
    refused = log_in(api, tokens["ann"])
    assert refused.status_code == 429
    assert "10 tokens were wrong within a minute" in refused.text
    assert api.get("/v1/model", headers=as_(tokens["ann"])).status_code == 200


def test_the_access_log_names_callers_and_no_tokens(api, tokens, tmp_path):
    path, log = tmp_path / "access.log", logging.getLogger("suffice.web.access")
    access_log.configure(str(path))
    try:
        api.get("/v1/cases?search=secret-words", headers=as_(tokens["ann"]))
        api.get("/v1/cases/a%0Ab", headers=as_(tokens["ann"]))
        api.get("/v1/model", headers=as_("wrong" * 8))
    finally:
        for handler in list(log.handlers):
            handler.close()
            log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
    lines = path.read_text().splitlines()
    assert [line.split(" ", 2)[2].rsplit(" ", 2)[0] for line in lines] == [
        "'ann' (label) GET /v1/cases 200",
        "'ann' (label) GET /v1/cases/a%0Ab 400",
        "- GET /v1/model 401",
    ]
    assert not any(secret in path.read_text() for secret in (*tokens.values(), "secret-words", "wrongwrong"))


def test_a_case_that_somebody_has_open_is_not_given_to_another(api, tokens):
    first = api.post("/v1/queue/next", headers=as_(tokens["ann"])).json()["next"]["case"]["id"]
    other = api.post("/v1/queue/next", headers=as_(tokens["bob"])).json()["next"]["case"]["id"]
    assert first != other
    assert api.post("/v1/queue/next", headers=as_(tokens["ann"])).json()["next"]["case"]["id"] == first
    log_in(api, tokens["eve"])
    assert f'value="{first}"' not in api.get("/").text
    # labelled, the case is free again for whoever corrects it
    api.put(f"/v1/cases/{first}/label", json={"label": "fraud"}, headers=as_(tokens["ann"]))
    assert api.post("/v1/queue/next", headers=as_(tokens["ann"])).json()["next"]["case"]["id"] not in (first, other)


def test_leases_end(model_path, tokens, store):
    with client(model_path, store=store, lease_seconds=0.2) as api:
        api.post(
            "/v1/cases",
            json={"cases": [{"id": f"c{i}", "row": r} for i, r in enumerate(ROWS)]},
            headers=as_(tokens["eve"]),
        )
        first = api.post("/v1/queue/next", headers=as_(tokens["ann"])).json()["next"]["case"]["id"]
        time.sleep(0.3)
        assert api.post("/v1/queue/next", headers=as_(tokens["bob"])).json()["next"]["case"]["id"] == first


def test_a_second_different_label_is_a_conflict_that_both_see(api, tokens):
    alone = api.put("/v1/cases/c0/label", json={"label": "fraud"}, headers=as_(tokens["ann"])).json()
    assert alone["conflict"] == []
    second = api.put("/v1/cases/c0/label", json={"label": "honest"}, headers=as_(tokens["bob"])).json()
    assert [(o["by"], o["label"]) for o in second["conflict"]] == [("ann", "fraud"), ("bob", "honest")]
    for i, label in ((1, "honest"), (2, "fraud")):
        for name in ("ann", "bob"):
            api.put(f"/v1/cases/c{i}/label", json={"label": label}, headers=as_(tokens[name]))
    seen = api.get("/v1/conflicts", headers=as_(tokens["ann"])).json()["conflicts"]
    assert [(c["case"]["id"], len(c["opinions"])) for c in seen] == [("c0", 2)]
    assert len(api.get("/v1/cases/c0", headers=as_(tokens["ann"])).json()["opinions"]) == 2
    log_in(api, tokens["bob"])
    assert "Conflicting labels: ann gave fraud" in api.get("/case/c0").text
    assert "Labellers agree on</dt><dd>67" in api.get("/dashboard").text
    board = api.get("/v1/dashboard", headers=as_(tokens["ann"])).json()
    assert board["conflicts"] == 1
    assert board["agreement"]["cases"] == 3
    assert board["agreement"]["all_agree"] == pytest.approx(2 / 3)
    # one of them comes round
    agreed = api.put("/v1/cases/c0/label", json={"label": "honest"}, headers=as_(tokens["ann"])).json()
    assert agreed["conflict"] == []
    # what was erased has no opinions either
    api.delete("/v1/cases/c1", headers=as_(tokens["eve"]))
    assert api.get("/v1/dashboard", headers=as_(tokens["ann"])).json()["agreement"]["cases"] == 2


def test_alpha_is_krippendorff_s():
    """Against the definition, over all pairs; two raters, 1,000 cases."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 1000)
    raters = np.stack([np.where(rng.random(1000) < 0.8, truth, rng.integers(0, 3, 1000)) for _ in range(2)])
    counts = [[int((raters[:, i] == k).sum()) for k in range(3)] for i in range(1000)]
    values = raters.reshape(-1)
    observed = np.mean(raters[0] != raters[1])
    expected = (values[:, None] != values[None, :]).sum() / (len(values) * (len(values) - 1))
    assert agreement(counts).alpha == pytest.approx(1 - observed / expected)
    assert agreement([[2, 0], [2, 0]]).alpha is None


def test_tokens_from_the_command_line(model_path):
    def run(*words):
        return CliRunner().invoke(_program(["token"]), ["token", *words], standalone_mode=False)

    made = run("add", "ann", "--role", "label", "--model", str(model_path)).output.strip()
    assert len(made) >= 40
    assert run("list", "--model", str(model_path)).output.startswith("ann\tlabel\t")
    with client(model_path) as api:
        assert api.get("/v1/model").status_code == 401
        assert api.get("/v1/model", headers=as_(made)).status_code == 200
    assert run("remove", "ann", "--model", str(model_path)).exit_code == 0
    for words, problem in (
        (("remove", "ann", "--model", str(model_path)), "There is no token of 'ann'"),
        (("add", "ann", "--model", str(model_path)), "add takes --role"),
        (("add", "a\nb", "--role", "read", "--model", str(model_path)), "printable"),
        (("list",), "Give --model or --store"),
        (("list", "--model", "nowhere"), "There is no model file 'nowhere'"),
    ):
        assert problem in str(run(*words).exception)


def test_other_addresses_do_with_tokens_of_people_and_need_a_name(model_path, monkeypatch):
    import uvicorn

    started = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: started.append(options))
    with pytest.raises(ParameterError, match="can be reached from elsewhere"):
        web_server.serve(model_path, host="0.0.0.0", allowed_hosts=("triage.example",))
    open_store("", str(model_path)).tokens.add("ann", "label")
    with pytest.raises(ParameterError, match="Give --allowed-host"):
        web_server.serve(model_path, host="0.0.0.0")
    web_server.serve(model_path, host="0.0.0.0", allowed_hosts=("triage.example",), proxies=("10.0.0.1",))
    assert started[0]["forwarded_allow_ips"] == ["10.0.0.1"]
    assert started[0]["proxy_headers"] is True
    found = Settings(model_path, host="0.0.0.0", named_tokens=True, allowed_hosts=("Triage.example",))
    assert {"triage.example", "localhost"} <= found.hosts
