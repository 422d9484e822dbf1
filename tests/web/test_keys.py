"""Keys pressed faster than the service answers, in a real browser behind a slow network."""

import pytest

from web.browsing import case_on, count, idle, needs_chromium, press, sit_down
from web.claims import some_rows
from web.servers import http

pytestmark = needs_chromium

LABELS = {"1": "fraud", "2": "honest"}
ROWS, TRUTH = some_rows(120, seed=3)


@pytest.fixture(scope="module")
def address(address):
    """With 120 cases."""
    http.put(f"{address}/v1/policy", json={"ask": 0}).raise_for_status()  # all of them wait
    cases = [{"id": f"claim-{i}", "row": row} for i, row in enumerate(ROWS)]
    assert http.post(f"{address}/v1/cases", json={"cases": cases}).status_code == 201
    return address


@pytest.fixture
def page(browser, address):
    """The queue, each request taking 200 ms longer than the service does."""
    sit_down(browser, address)
    browser.set_network_conditions(offline=False, latency=200, throughput=-1)
    yield browser
    browser.delete_network_conditions()


def journal(address, case):
    return [(entry["kind"], entry["label"]) for entry in http.get(f"{address}/v1/cases/{case}").json()["journal"]]


def test_a_second_key_does_not_relabel_the_first_case(page, address):
    case = case_on(page)
    press(page, "12")
    idle(page)
    assert journal(address, case) == [("learn", "fraud")]
    assert case_on(page) != case
    # not the count: what one label teaches may make another case unsure
    assert journal(address, case_on(page)) == []


def test_every_label_is_that_of_a_key_pressed_while_its_case_was_shown(page, address):
    page.execute_script(
        "window.pressed = [];"
        "addEventListener('keydown', (event) =>"
        " pressed.push([document.querySelector('#case-title a').textContent, event.key]), true)"
    )
    for keys in ("1212", "2", "21121", "12212121", "2211"):
        press(page, keys)
        idle(page)
    pressed = {(case, LABELS[key]) for case, key in page.execute_script("return pressed")}
    cases = {case for case, _ in pressed}
    learned = {case: journal(address, case) for case in cases}
    assert {kind for entries in learned.values() for kind, _ in entries} == {"learn"}
    assert {(case, entries[0][1]) for case, entries in learned.items() if entries} <= pressed
    assert len(learned) >= 5
    assert all(len(entries) <= 1 for entries in learned.values())


@pytest.mark.parametrize("many", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_labels_are_where_they_belong(page, address, many):
    """The right key for each case as it is shown; the wrong one, too late and too early, is none."""
    given = {}
    while len(given) < many:
        case = case_on(page)
        assert case not in given
        given[case] = TRUTH[int(case.removeprefix("claim-"))]
        right, wrong = ("1", "2") if given[case] == "fraud" else ("2", "1")
        press(page, right + wrong * (len(given) % 3))
        idle(page)
    assert {case: journal(address, case) for case in given} == {case: [("learn", said)] for case, said in given.items()}


def test_two_clicks_ahead_are_one_label(page, address):
    case = case_on(page)
    page.execute_script("for (const button of document.querySelectorAll('.labels button')) button.click()")
    idle(page)
    assert journal(address, case) == [("learn", "fraud")]


def test_a_key_held_down_labels_one_case(page):
    learned = count(page, "fraud")
    for repeat in range(5):
        page.execute_cdp_cmd(
            "Input.dispatchKeyEvent", {"type": "keyDown", "key": "1", "text": "1", "autoRepeat": bool(repeat)}
        )
        idle(page)
    page.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "1"})
    assert count(page, "fraud") == learned + 1


def test_an_undo_pressed_ahead_is_not_that_of_the_case_before(page, address):
    first = case_on(page)
    press(page, "1")
    idle(page)
    second = case_on(page)
    press(page, "2u")
    idle(page)
    assert journal(address, first) == [("learn", "fraud")]
    assert journal(address, second) == [("learn", "honest")]
