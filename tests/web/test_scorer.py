"""The present version as a scoring file, and the playground that scores by it."""

import numpy as np
import pytest

from export.nodes import needs_node, probabilities, records
from export.tables import mixed, others
from suffice import BayesClassifier
from suffice.decision import REJECT, Costs, value_of
from web.browsing import needs_chromium, text, until
from web.servers import http, server


@pytest.fixture(scope="module")
def model():
    return BayesClassifier().fit(*mixed(1500, 1))


@pytest.fixture(scope="module")
def address(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("scorer") / "visits.suffice"
    model.save(path)
    with server(path) as (address, _):
        yield address


@needs_node
def test_the_present_version_is_handed_out(address, model, tmp_path):
    answer = http.get(f"{address}/v1/scorer")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    (tmp_path / "a.scorer").write_bytes(answer.content)
    rows = others(1000, 2)
    assert np.abs(probabilities(tmp_path / "a.scorer", records(rows)) - model.predict_proba(rows)).max() < 1e-9


def test_a_model_of_texts_is_refused_by_name(tmp_path, model_path):
    with server(model_path) as (address, _):
        answer = http.get(f"{address}/v1/scorer")
        assert answer.status_code == 422
        assert "'letter' is modelled by Text" in answer.json()["detail"]
        assert "data-scorer" not in http.get(f"{address}/play").text


@needs_chromium
def test_the_playground_scores_in_the_browser(browser, address, model):
    browser.get(f"{address}/play")
    until(browser, lambda: browser.find_elements("css selector", "form[data-scores=here]"))
    browser.execute_script("window.fetch = () => new Promise(() => {})")  # the service is silent from here on
    browser.find_element("name", "cell:größe").send_keys("12.5")
    browser.find_element("name", "cell:ort").send_keys("köln")
    row = {**dict.fromkeys(model.model_.names), "größe": 12.5, "ort": "köln"}
    prior = np.exp(model.model_.log_prior)
    odds = model.predict_proba([row])[0] * (100 * prior).round(1) / prior  # sliders have one decimal
    wanted = [f"{100 * p:.1f}" for p in odds / odds.sum()]

    def shown():
        return [each.text.split()[0] for each in browser.find_elements("css selector", "#result .posterior .number")]

    until(browser, lambda: shown() == wanted)
    assert not browser.find_elements("css selector", ".verdict")


@needs_chromium
def test_the_playground_names_the_cell_to_ask_for(browser, tmp_path):
    x, y = mixed(1500, 1)
    textbook = BayesClassifier(model="naive", prior=[0.25, 0.75]).fit(
        x, np.array(["no", "yes"])[np.unique(y, return_inverse=True)[1] % 2]
    )
    textbook.save(tmp_path / "textbook.suffice")
    with server(tmp_path / "textbook.suffice") as (address, _):
        browser.get(f"{address}/play")
        browser.find_element("name", "cell:größe").send_keys("12.5")
        until(browser, lambda: browser.find_elements("css selector", ".asking .number"))
        costs = Costs([[0, 1, 0.1], [1, 0, 0.1]], classes=["no", "yes"], actions=["no", "yes", REJECT])
        wanted = value_of(textbook, {"größe": 12.5}, costs).cells
        shown = [row.text.rsplit(maxsplit=1) for row in browser.find_elements("css selector", ".asking tbody tr")]
        assert shown == [[str(cell.column), f"{cell.saved:.3f}"] for cell in wanted[:5]]


@needs_chromium
def test_the_playground_names_the_setting_that_can_ask(browser, address):
    browser.get(f"{address}/play")
    browser.find_element("name", "cell:größe").send_keys("12.5")
    until(browser, lambda: "Fit one with model='naive'" in text(browser, ".asking"))
