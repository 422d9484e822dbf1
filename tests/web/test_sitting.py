"""A labeller's day in a real browser: skips, undo, other classes, notes, lost connections, and a queue that moves by itself."""

import pytest

from web.browsing import (
    case_on,
    idle,
    needs_chromium,
    on_a_phone,
    press,
    sit_down,
    text,
    turn_suggestions,
    until,
    waiting,
)
from web.claims import some_rows
from web.servers import http, server

pytestmark = needs_chromium

ENTER = "\ue007"
ROWS = some_rows(150, seed=3)[0]


@pytest.fixture
def page(browser, address):
    http.put(f"{address}/v1/policy", json={"ask": 0})
    submit(address, *(f"claim-{i}" for i in range(40)))
    sit_down(browser, address)
    return browser


def submit(address, *names):
    """Those that are not there yet."""
    there = {case["id"] for case in http.get(f"{address}/v1/cases", params={"limit": 200}).json()["cases"]}
    cases = [{"id": name, "row": ROWS[int(name.rpartition("-")[2])]} for name in names if name not in there]
    if cases:
        http.post(f"{address}/v1/cases", json={"cases": cases}).raise_for_status()


def case(address, name):
    return http.get(f"{address}/v1/cases/{name}").json()["case"]


def journal(address, name):
    return [entry["kind"] for entry in http.get(f"{address}/v1/cases/{name}").json()["journal"]]


def key(page, keys):
    press(page, keys)
    idle(page)


def test_a_first_visit_says_how_cases_get_in(browser, address):
    sit_down(browser, address)
    assert "No cases yet" in text(browser, "main")
    assert '"letter"' in text(browser, ".example")
    submit(address, "claim-100")
    until(browser, lambda: case_on(browser) == "claim-100")  # by itself


def test_the_record_comes_before_the_reasons(page, address):
    shown = case(address, case_on(page))["row"]
    names = [name.text for name in page.find_elements("css selector", ".record dt, .record h3")]
    assert names == list(shown)
    assert text(page, ".record .text") == shown["letter"]
    top = {name: page.find_element("css selector", name).rect["y"] for name in (".record", ".reasons")}
    assert top[".record"] < top[".reasons"]
    assert len(page.find_elements("css selector", ".evidence > .bars tbody tr")) <= 8


def test_skip_lasts_for_the_sitting(page, address):
    skipped = []
    for _ in range(3):
        skipped.append(case_on(page))
        key(page, "s")
    assert len(set(skipped)) == 3
    for _ in range(3):
        assert case_on(page) not in skipped
        key(page, "1")
    assert case_on(page) not in skipped
    page.get(address)
    idle(page)
    assert case_on(page) not in skipped
    listed = [link.get_attribute("data-case") for link in page.find_elements("css selector", "#waiting-list a")]
    assert not set(skipped) & set(listed)
    sit_down(page, address)
    listed = [link.get_attribute("data-case") for link in page.find_elements("css selector", "#waiting-list a")]
    assert set(skipped) <= {case_on(page), *listed}


def test_all_skipped_can_be_shown_again(browser, tmp_path, model_bytes):
    path = tmp_path / "claims.suffice"
    path.write_bytes(model_bytes)
    with server(path) as (address, _):
        http.put(f"{address}/v1/policy", json={"ask": 0})
        submit(address, "claim-1", "claim-2")
        sit_down(browser, address)
        key(browser, "s")
        key(browser, "s")
        assert "You have skipped the 2 waiting cases" in text(browser, "main")
        browser.find_element("css selector", "[data-unskip]").click()
        idle(browser)
        assert case_on(browser) in ("claim-1", "claim-2")


def test_undo_goes_back_all_the_way(page, address):
    labelled = []
    for label in ("1", "2", "2", "1"):
        labelled.append(case_on(page))
        key(page, label)
    assert "(4)" in text(page, ".done")
    page.get(address)  # a reload forgets nothing
    idle(page)
    for name in reversed(labelled):
        assert case(address, name)["label"] is not None
        key(page, "u")
        assert case_on(page) == name
        assert case(address, name)["label"] is None
    assert not page.find_elements("css selector", ".done")


def test_none_of_these_with_a_name_and_a_note(page, address):
    name = case_on(page)
    key(page, "n")
    field = page.switch_to.active_element
    assert field.get_attribute("name") == "new_class"
    field.send_keys("dup1icate")  # its digit is no key
    page.find_element("name", "note").send_keys("same as 12")
    field.send_keys(ENTER)
    idle(page)
    assert case(address, name)["label"] == "dup1icate"
    assert http.get(f"{address}/v1/cases/{name}/note").json()["note"] == "same as 12"
    assert "Stored as dup1icate" in text(page, ".done")
    assert page.find_elements("css selector", "#other-labels option[value=dup1icate]")
    key(page, "u")
    assert (case_on(page), case(address, name)["label"]) == (name, None)


def test_suggestions_can_be_hidden_until_the_label_is_given(page, address):
    turn_suggestions(page)
    try:
        assert not page.find_elements("css selector", ".number, .reasons, [class^=for], [class^=against]")
        assert "%" not in text(page, "main")
        page.get(f"{address}/case/{case_on(page)}")
        assert not page.find_elements("css selector", ".number, .reasons, [class^=for], [class^=against]")
        page.get(address)
        idle(page)
        posterior = case(address, case_on(page))["posterior"]
        suggested, other = ("fraud", "2") if posterior["fraud"] > posterior["honest"] else ("honest", "1")
        key(page, other)
        assert f"The model's suggestion was {suggested}" in text(page, ".done")
    finally:
        turn_suggestions(page)
    until(page, lambda: page.find_elements("css selector", ".reasons"))


def test_the_queue_follows_and_the_case_stays(page, address):
    name, before = case_on(page), waiting(page)
    submit(address, *(f"late-{i}" for i in range(100, 103)))
    until(page, lambda: waiting(page) == before + 3)
    assert case_on(page) == name
    http.put(f"{address}/v1/cases/{name}/label", json={"label": "honest", "by": "bob"})
    until(page, lambda: "bob has labelled this case honest meanwhile" in text(page, "#gone"))
    key(page, "1")
    assert case(address, name)["label"] == "honest", "a label is not for what is no longer on the screen"
    assert "bob" in text(page, "#gone")
    assert case_on(page) == name


def test_a_lost_connection_is_seen_and_keeps_the_label(page, address):
    name = case_on(page)
    before = journal(address, name)  # the case may be one that was undone in an earlier test
    page.set_network_conditions(offline=True, latency=0, throughput=0)
    try:
        press(page, "1")
        until(page, lambda: f"case {name} (fraud)" in text(page, "#connection"))
        press(page, "2")  # nothing until then
        assert case_on(page) == name
    finally:
        page.delete_network_conditions()
    until(page, lambda: case_on(page) != name)
    assert case(address, name)["label"] == "fraud"
    assert not page.find_element("id", "connection").is_displayed()
    assert journal(address, name) == [*before, "learn"]


def test_a_connection_lost_while_nothing_is_sent_is_seen(page):
    page.set_network_conditions(offline=True, latency=0, throughput=0)
    try:
        until(page, lambda: "No connection" in text(page, "#connection"))
    finally:
        page.delete_network_conditions()
    until(page, lambda: not page.find_element("id", "connection").is_displayed())


def test_a_label_given_while_the_service_restarts_arrives(browser, tmp_path, model_bytes):
    """Forms of the service before the restart are too old for the one after it."""
    path = tmp_path / "claims.suffice"
    path.write_bytes(model_bytes)
    with server(path) as (address, _):
        submit(address, *(f"claim-{i}" for i in range(20)))
        sit_down(browser, address)
        name = case_on(browser)
    press(browser, "1")
    until(browser, lambda: "No connection" in text(browser, "#connection"))
    with server(path, port=int(address.rpartition(":")[2])) as (address, _):
        until(browser, lambda: case_on(browser) != name)
        assert case(address, name)["label"] == "fraud"


def test_a_label_given_after_the_session_has_ended_waits_for_the_token(browser, tmp_path, model_bytes):
    path, token = tmp_path / "claims.suffice", "a token for labellers"
    path.write_bytes(model_bytes)
    with server(path, SUFFICE_TOKEN_LABEL=token) as (address, _):
        headers = {"Authorization": f"Bearer {token}"}
        cases = [{"id": f"claim-{i}", "row": row} for i, row in enumerate(ROWS[:20])]
        http.post(f"{address}/v1/cases", json={"cases": cases}, headers=headers).raise_for_status()
        sit_down(browser, address)
        _come_in(browser, token)
        name = case_on(browser)
        browser.delete_all_cookies()
        press(browser, "1")
        until(
            browser,
            lambda: f"You are logged out. Your answer to case {name} (fraud)" in text(browser, "#connection"),
        )
        browser.find_element("css selector", "#connection a").click()
        _come_in(browser, token)
        until(browser, lambda: "Learned as fraud" in text(browser, ".done"))
        found = http.get(f"{address}/v1/cases/{name}", headers=headers).json()
        assert (found["case"]["label"], found["case"]["labelled_by"]) == ("fraud", "page (label)")


def _come_in(browser, token):
    browser.find_element("name", "token").send_keys(token + ENTER)
    until(browser, lambda: browser.find_elements("id", "queue"))
    idle(browser)


def test_the_policy_asks_before_it_changes(page, address):
    page.find_element("css selector", ".settings > summary").click()
    page.execute_script("ask.value = 0.3; ask.dispatchEvent(new Event('input', {bubbles: true}))")
    until(page, lambda: "0.3 for all users" in text(page, "#ask-confirmation"))
    idle(page)
    page.find_element("css selector", "[data-keep]").click()
    assert text(page, "output") == "0"
    assert http.get(f"{address}/v1/policy").json()["ask"] == 0


def test_labelling_by_touch(page, address):
    with on_a_phone(page):
        sit_down(page, address)
        name, button = case_on(page), page.find_element("css selector", ".choice")
        box = button.rect
        assert box["y"] + box["height"] <= page.execute_script("return scrollY + innerHeight"), "within reach at once"
        button.click()
        idle(page)
        assert case(address, name)["label"] == "fraud"
