"""The queue with 77 classes, with numbers for classes, and with 57 columns, in a real browser."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from suffice import BayesClassifier
from web.browsing import (
    PHONE,
    case_on,
    idle,
    needs_chromium,
    on_a_phone,
    press,
    sit_down,
    text,
    turn_suggestions,
    until,
)
from web.servers import http, server

pytestmark = needs_chromium

ENTER, ESCAPE, RIGHT, LEFT = "\ue007", "\ue00c", "\ue014", "\ue012"
SUBJECTS = ("card", "transfer", "account", "cash withdrawal", "top up", "exchange rate", "refund")
TROUBLES = (
    "late", "lost", "declined", "charged twice", "not recognised", "pending for days", "of the wrong amount", "limit reached",
    "cancelled", "how to", "abroad and without a phone that could confirm it",
)  # fmt: skip
CLASSES = [f"{subject} {trouble}" for subject in SUBJECTS for trouble in TROUBLES]


def served(path, model, rows, browser):
    model.save(path)
    with server(path) as (address, _):
        http.put(f"{address}/v1/policy", json={"ask": 0}).raise_for_status()
        cases = [{"id": f"case-{i}", "row": row} for i, row in enumerate(rows)]
        http.post(f"{address}/v1/cases", json={"cases": cases}).raise_for_status()
        sit_down(browser, address)
        yield browser, address


@pytest.fixture(scope="module")
def banking(browser, tmp_path_factory):
    rng = np.random.default_rng(0)
    labels = CLASSES * 4
    texts = [" ".join(rng.permutation([*label.split(), "please", "help", "my"])[:-2]) for label in labels]
    model = BayesClassifier().fit({"text": texts}, labels)
    rows = [{"text": f"please help my {label.split()[0]}"} for label in CLASSES[::5]]
    yield from served(tmp_path_factory.mktemp("many") / "m.suffice", model, rows, browser)


@pytest.fixture
def page(banking):
    browser, address = banking
    sit_down(browser, address)
    return browser


def label_of(banking, case):
    return http.get(f"{banking[1]}/v1/cases/{case}").json()["case"]["label"]


def choices(page):
    return [
        choice.get_attribute("value")
        for choice in page.find_elements("css selector", ".choice")
        if choice.is_displayed()
    ]


def key(page, keys):
    press(page, keys)
    idle(page)


def test_the_five_most_probable_come_first_and_have_keys(page, banking):
    shown, case = choices(page), case_on(page)
    queue = http.get(f"{banking[1]}/v1/queue").json()["cases"]
    posterior = next(item["posterior"] for item in queue if item["case"]["id"] == case)
    assert sorted(shown) == sorted(CLASSES)
    assert min(posterior[name] for name in shown[:5]) >= max(posterior[name] for name in shown[5:])
    key(page, "3")
    assert label_of(banking, case) == shown[2]
    key(page, LEFT)
    assert (case_on(page), label_of(banking, case)) == (case, None)
    key(page, RIGHT)
    assert case_on(page) != case


def test_typing_filters_and_enter_takes_the_first(page, banking):
    case = case_on(page)
    press(page, "reco")
    until(page, lambda: len(choices(page)) == len(SUBJECTS))
    assert all("not recognised" in name for name in choices(page))
    assert label_of(banking, case) is None
    page.switch_to.active_element.send_keys(ESCAPE)
    assert len(choices(page)) == len(CLASSES)
    press(page, "refund lo")
    until(page, lambda: choices(page) == ["refund lost"])
    page.switch_to.active_element.send_keys(ENTER)
    idle(page)
    assert label_of(banking, case) == "refund lost"
    assert len(choices(page)) == len(CLASSES), "the next case begins without a filter"


def test_keys_follow_the_filter(page, banking):
    case = case_on(page)
    press(page, "account")
    until(page, lambda: len(choices(page)) == len(TROUBLES))
    second = choices(page)[1]
    page.switch_to.active_element.send_keys("2")
    idle(page)
    assert label_of(banking, case) == second


def test_nothing_matches_is_no_label(page, banking):
    case = case_on(page)
    press(page, "xyzzy")
    page.switch_to.active_element.send_keys(ENTER)
    idle(page)
    assert case_on(page) == case
    assert "No matching class" in text(page, "#labels")
    assert label_of(banking, case) is None


def names_are_whole(page):
    return page.execute_script(
        "return [...document.querySelectorAll('.choice')].every((choice) => choice.scrollWidth <= choice.clientWidth"
        " && choice.querySelector('.name').getBoundingClientRect().height <= choice.clientHeight)"
    )


def test_names_are_whole_on_a_desk_and_on_a_phone(page, banking):
    assert names_are_whole(page)
    with on_a_phone(page):
        sit_down(page, banking[1])
        assert names_are_whole(page)
        assert page.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
        panel = page.find_element("css selector", ".panel").rect
        assert panel["height"] <= 0.5 * page.execute_script("return innerHeight")


def test_the_dashboard_of_many_long_names_fits_a_phone(browser, tmp_path):
    classes = [f"balance_not_updated_after_cheque_or_cash_deposit_{i:02}" for i in range(25)]
    labels = classes * 4 + classes[:5] * 300
    size = np.random.default_rng(0).normal(size=len(labels))
    BayesClassifier(model="naive").fit({"size": size}, labels).save(tmp_path / "m.suffice")
    with server(tmp_path / "m.suffice") as (address, _), on_a_phone(browser):
        browser.get(f"{address}/dashboard")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
        shown = [row.text for row in browser.find_elements("css selector", "tbody tr") if row.is_displayed()]
        assert len(shown) == 20
        assert all("304" in row for row in shown[:5])
        assert "5 less frequent classes" in text(browser, "main")


def test_a_hidden_suggestion_is_not_in_the_order(page, banking):
    turn_suggestions(page)
    try:
        assert choices(page) == sorted(CLASSES)
        case = case_on(page)
        key(page, "1")
        assert label_of(banking, case) is None, "no key without a suggestion or a filter"
    finally:
        sit_down(page, banking[1])
        turn_suggestions(page)


def test_digits_have_their_own_keys(browser, tmp_path):
    digits = load_digits(as_frame=True)
    rows = digits.data.to_dict("records")
    model = BayesClassifier(model="naive").fit(rows[:300], digits.target[:300].tolist())
    for page, address in served(tmp_path / "m.suffice", model, rows[300:320], browser):
        assert len(page.find_elements("css selector", ".cells div")) == 64
        for digit in ("0", "7", "9"):
            case = case_on(page)
            key(page, digit)
            assert label_of((page, address), case) == int(digit)


def test_fifty_seven_columns_in_their_order(browser, tmp_path):
    rng = np.random.default_rng(0)
    names = [*(f"word_freq_{i}" for i in rng.permutation(54)), "capital_run_length_average", "longest", "total"]
    rows = [dict(zip(names, rng.normal(size=57).round(3).tolist(), strict=True)) for _ in range(80)]
    labels = ["spam" if row["longest"] + row["total"] > 0 else "ham" for row in rows]
    model = BayesClassifier().fit(rows[:60], labels[:60])
    for page, address in served(tmp_path / "m.suffice", model, rows[60:], browser):
        fields = page.find_elements("css selector", ".cells div")
        case = http.get(f"{address}/v1/cases/{case_on(page)}").json()["case"]
        read = [tuple(field.text.split("\n")) for field in fields]
        assert read == [(name, f"{case['row'][name]:.12g}") for name in names]
        folded = page.find_elements("css selector", ".rest .bars tbody tr")
        assert len(page.find_elements("css selector", ".evidence > .bars tbody tr")) + len(folded) >= 57
        assert not folded[0].is_displayed()
        with on_a_phone(page):
            sit_down(page, address)
            assert page.execute_script("return document.documentElement.scrollWidth") <= PHONE["width"]
            page.find_element("css selector", ".choice").click()  # it is within reach
            idle(page)
        assert label_of((page, address), case["id"]) == "ham"
