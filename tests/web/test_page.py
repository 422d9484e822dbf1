"""The page in a real browser."""

import pytest

from web.browsing import (
    PHONE,
    count,
    idle,
    move,
    needs_chromium,
    on_a_phone,
    press,
    set_ask,
    shown,
    sit_down,
    text,
    until,
    waiting,
)
from web.claims import some_rows
from web.servers import http

pytestmark = needs_chromium

BACKSPACE = "\ue003"


@pytest.fixture(scope="module")
def address(address):
    """With 120 cases."""
    cases = [{"id": f"claim-{i}", "row": row} for i, row in enumerate(some_rows(120, seed=3)[0])]
    assert http.post(f"{address}/v1/cases", json={"cases": cases}).status_code == 201
    return address


def test_label_with_one_key_and_undo(browser, address):
    sit_down(browser, address)
    before, queue, case = count(browser, "fraud"), waiting(browser), shown(browser)
    press(browser, "1")
    until(browser, lambda: count(browser, "fraud") == before + 1)
    assert shown(browser) != case
    assert "Learned as fraud" in text(browser, ".done")
    assert text(browser, "#version") == "1"
    idle(browser)
    press(browser, "u")
    until(browser, lambda: count(browser, "fraud") == before)
    assert waiting(browser) == queue
    assert shown(browser) == case
    idle(browser)
    press(browser, "s")
    until(browser, lambda: shown(browser) != case)


def test_the_queue_follows_the_cost_of_asking(browser, address):
    sit_down(browser, address)
    before = waiting(browser)
    for cost, compare in (("0.02", lambda now: now > before), ("0.5", lambda now: not now), ("0.1", lambda now: now)):
        set_ask(browser, cost)
        assert compare(waiting(browser) if "Queue " in text(browser, "nav") else 0)
    assert waiting(browser) == before


def test_evidence_is_coloured_and_named(browser, address):
    sit_down(browser, address)
    assert browser.find_elements("css selector", ".text [class^=for], .text [class^=against]")
    rows = [row.text for row in browser.find_elements("css selector", ".bars th")]
    assert {"letter", "(prior)"} <= set(rows)
    assert any(row.startswith("amount") for row in rows)


def test_the_playground_decides_as_the_sliders_say(browser, address):
    browser.get(f"{address}/play")
    browser.find_element("name", "cell:letter").send_keys("urgent wire transfer refund today")
    until(browser, lambda: "fraud" in text(browser, ".verdict"))
    move(browser, browser.find_element("name", "prior:fraud"), "0")
    until(browser, lambda: "honest" in text(browser, ".verdict"))
    move(browser, browser.find_element("name", "prior:fraud"), "10")
    move(browser, browser.find_element("name", "miss:honest"), "10")
    move(browser, browser.find_element("name", "ask"), "0")
    until(browser, lambda: "Ask a person" in text(browser, ".verdict"))
    browser.find_element("name", "cell:amount").send_keys("many")
    until(browser, lambda: "amount" in text(browser, "main [role=alert]"))


def test_dashboard_and_history(browser, address):
    browser.get(f"{address}/dashboard")
    assert "120" in text(browser, ".cards")
    assert "since training" in text(browser, "main")
    browser.get(f"{address}/history")
    field = browser.find_element("name", "search")
    field.send_keys("claim-11")
    until(browser, lambda: len(browser.find_elements("css selector", ".history tbody tr")) == 11)
    field.send_keys(BACKSPACE * 20)
    field.send_keys("no such case")
    until(browser, lambda: "No matching case" in text(browser, "#found"))


def test_erasing_shows_the_receipt(browser, address):
    http.put(f"{address}/v1/cases/claim-0/label", json={"label": "honest"})
    browser.get(f"{address}/case/claim-0")
    browser.find_element("css selector", ".erase summary").click()
    browser.find_element("css selector", "button.danger").click()
    until(browser, lambda: "The case is erased and unlearned" in text(browser, "main"))
    assert http.get(f"{address}/v1/cases/claim-0").status_code == 404


@pytest.mark.parametrize("page", ["/", "/play", "/dashboard", "/history", "/case/claim-1"])
def test_pages_fit_a_phone_and_can_be_named(browser, address, page):
    """No page is wider than the screen; every control has a name, and every page one heading and its landmarks."""
    with on_a_phone(browser):
        browser.get(f"{address}{page}")
        # innerWidth grows with what is too wide
        assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
        assert browser.execute_script(
            "return [...document.querySelectorAll('.scroll')].every(e => e.scrollWidth <= e.clientWidth)"
        )
        tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    controls = ("button", "slider", "textbox", "combobox", "searchbox", "link")
    nodes = [
        (node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in tree if not node["ignored"]
    ]
    assert not [node for node in nodes if node[0] in controls and not node[1]]
    assert [role for role, _ in nodes].count("main") == 1
    assert len(browser.find_elements("tag name", "h1")) == 1


def test_nothing_breaks_the_content_policy(browser, address):
    browser.get_log("browser")
    for page in ("/", "/play", "/dashboard", "/history"):
        browser.get(f"{address}{page}")
    assert browser.get_log("browser") == []
