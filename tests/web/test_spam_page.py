"""From a table of mails to a person at the queue: train by command, serve, label, undo, change what asking costs."""

from contextlib import chdir, redirect_stdout
from io import StringIO

import numpy as np
import pytest

from suffice import load
from suffice.cli.app import main
from web.browsing import count, idle, needs_chromium, on_a_phone, press, set_ask, shown, sit_down, text, until, waiting
from web.mails import some_mails, write_mails
from web.servers import http, server

pytestmark = needs_chromium

MAILS = [mail for mail, _ in some_mails(150, seed=2)]


@pytest.fixture(scope="module")
def model_path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spam")
    write_mails(folder / "mails.csv", 300, seed=1)
    with pytest.raises(SystemExit) as left, redirect_stdout(StringIO()) as said, chdir(folder):
        main(["train", "mails.csv", "--target", "kind", "-o", "spam.suffice"])
    assert left.value.code == 0
    assert "text" in said.getvalue()
    return folder / "spam.suffice"


@pytest.fixture(scope="module")
def address(model_path):
    with server(model_path) as (address, _):
        cases = [{"id": f"mail-{i}", "row": {"text": mail}} for i, mail in enumerate(MAILS)]
        assert http.post(f"{address}/v1/cases", json={"cases": cases}).status_code == 201
        yield address


def test_a_person_labels_a_mail_and_thinks_again(browser, address, model_path):
    model = load(model_path)
    sit_down(browser, address)
    case, queue, before = shown(browser), waiting(browser), count(browser, "spam")
    assert 0 < queue < len(MAILS), "sure cases are decided, unsure ones wait"
    unsure = [MAILS[i] for i in np.argsort(model.predict_proba(MAILS).max(axis=1), kind="stable")[:queue]]
    assert text(browser, ".text") == unsure[model.suggest(unsure, 1)[0]], "the one most worth a label comes first"
    assert count(browser, "ham") + before == 300
    press(browser, "2")
    until(browser, lambda: count(browser, "spam") == before + 1)
    assert "Learned as spam" in text(browser, ".done")
    assert shown(browser) != case
    idle(browser)
    assert http.get(f"{address}/v1/model").json()["version"] == 1
    press(browser, "u")
    until(browser, lambda: count(browser, "spam") == before)
    assert (shown(browser), waiting(browser)) == (case, queue)


def test_the_queue_is_who_is_worth_asking_about(browser, address, model_path):
    """At a cost c of asking, with errors that cost 1, a person is asked where 1 − max p > c."""
    error = 1 - load(model_path).predict_proba(MAILS).max(axis=1)
    sit_down(browser, address)
    for cost in ("0.02", "0.3", "0.1"):
        set_ask(browser, cost)
        assert abs(waiting(browser) - (error > float(cost)).sum()) <= 1


def test_words_are_coloured_by_what_they_say(browser, address):
    browser.get(f"{address}/play")
    browser.find_element("name", "cell:text").send_keys("Claim cheap pills before the seminar on thursday")
    until(browser, lambda: {"pills", "thursday"} <= set(_marked(browser)))
    marks = _marked(browser)
    strongest = browser.find_elements("css selector", ".bars .number")
    assert all(not weight.text.endswith("0.00") for weight in strongest)
    assert marks["pills"][:-1] != marks["thursday"][:-1], "one is for spam, the other against it"


def _marked(browser):
    found = browser.find_elements("css selector", ".text [class^=for], .text [class^=against]")
    return {mark.text.lower(): mark.get_attribute("class") for mark in found}


def test_a_long_mail_fits_a_phone(browser, address):
    mail = " ".join(MAILS[:30]) + " " + "nobreak" * 40
    http.post(f"{address}/v1/cases", json={"cases": [{"id": "long", "row": {"text": mail}}]}).raise_for_status()
    with on_a_phone(browser):
        browser.get(f"{address}/case/long")
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
