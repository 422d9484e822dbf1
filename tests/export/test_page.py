"""A model trained on the command line, scored in a real browser from a file, with no server."""

import csv
import json

import numpy as np
import pytest

import suffice
from export.nodes import records
from export.tables import mixed, others
from suffice.cli.app import main
from web.browsing import needs_chromium, on_a_phone, open_browser, text, until

pytestmark = [needs_chromium, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    frame, y = mixed(1500, 8)
    frame.assign(label=y).to_csv(folder / "rows.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)
    for command in (
        ["train", str(folder / "rows.csv"), "--target", "label", "-o", str(folder / "<b>visits.model")],
        ["export", str(folder / "<b>visits.model"), "--html", str(folder / "visits.html")],
    ):
        with pytest.raises(SystemExit) as left:
            main(command)
        assert left.value.code == 0
    return folder


@pytest.fixture(scope="module")
def browser():
    driver = open_browser()
    yield driver
    driver.quit()


def test_rows_are_scored_as_in_python(browser, folder):
    browser.get((folder / "visits.html").as_uri())
    model = suffice.load(folder / "<b>visits.model")
    rows = others(1000, 9).astype({"code": int})  # as the file has it
    given = json.dumps(records(rows))
    p = np.array(browser.execute_script("return scorer.probabilities(JSON.parse(arguments[0]))", given))
    assert np.abs(p - model.predict_proba(rows)).max() < 1e-9


def test_fields_make_a_row(browser, folder):
    browser.get((folder / "visits.html").as_uri())
    assert text(browser, "h1") == "<b>visits"
    model = suffice.load(folder / "<b>visits.model")
    row = dict.fromkeys(model.model_.names)

    def shown():
        p = model.predict_proba([row])[0]
        best = int(p.argmax())
        return text(browser, "#verdict") == f"{model.classes_[best]}: {100 * p[best]:.1f} %"

    until(browser, shown)
    for name, written, cell in (("größe", "12,5", 12.5), ("ort", "köln", "köln"), ("member", "True", True)):
        browser.find_element("name", name).send_keys(written)
        row[name] = cell
        until(browser, shown)
    browser.find_element("name", "amount").send_keys("many")
    until(browser, lambda: 'Column "amount" is "many"' in text(browser, "[role=alert]"))
    bars = browser.find_elements("css selector", "#posterior meter")
    assert np.isclose(sum(float(bar.get_attribute("value")) for bar in bars), 1.0)


def test_nothing_is_fetched_and_nothing_overflows(browser, folder):
    browser.get((folder / "visits.html").as_uri())
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert not browser.get_log("browser")
    with on_a_phone(browser):
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
