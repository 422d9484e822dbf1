"""The moving figures and the equations of the course in a real browser, from a file, with no server."""

import csv
import math
import re
from pathlib import Path

import pytest
from scipy import stats

from suffice import BayesClassifier, Categorical
from web.browsing import move, needs_chromium, on_a_phone, open_browser, text, until

pytestmark = [needs_chromium, pytest.mark.xdist_group("browser")]
DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted((DOCS / "course").glob("*.md"))


@pytest.fixture(scope="module")
def browser():
    driver = open_browser()
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """All figures of the course, as the pages have them."""
    figures = "\n".join(figure for path in PAGES for figure in re.findall(r"<figure .*?</figure>", path.read_text()))
    scripts = "".join(
        f'<script src="{(DOCS / "assets" / name).as_uri()}"></script>' for name in ("moving.js", "equations.js")
    )
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = f'<link rel="stylesheet" href="{(DOCS / "assets" / "site.css").as_uri()}">'
    path = tmp_path_factory.mktemp("figures") / "figures.html"
    path.write_text(f'{head}{style}{figures}<p class="arithmatex">\\(\\pi_c = N_c / N\\)</p>{scripts}')
    return path.as_uri()


def slide(browser, picture, **values):
    for name, value in values.items():
        move(browser, browser.find_element("css selector", f"[data-picture={picture}] [name={name}]"), str(value))
    return text(browser, f"[data-picture={picture}] [role=status]")


def test_prior_moves_the_boundary(browser, page):
    browser.get(page)
    assert slide(browser, "prior") == "The decision changes at 4.886 cm."
    assert slide(browser, "prior", prior=0.6) == "The decision changes at 4.806 cm."


def test_costs_flip_the_decision_where_the_risks_are_equal(browser, page):
    browser.get(page)
    assert "healthy, with a risk of 0.4884" in slide(browser, "costs")
    assert "healthy, with a risk of 0.5079" in slide(browser, "costs", missed=1.04)
    assert "ill, with a risk of 0.5116" in slide(browser, "costs", missed=1.05)
    assert "ask a person, with a risk of 0.3000" in slide(browser, "costs", ask=0.3)


def test_threshold_trades_alarms_for_missed_cases(browser, page):
    browser.get(page)
    healthy, ill = stats.norm(40, math.sqrt(28 / 3)), stats.norm(52, math.sqrt(18.5))
    for at in (40.0, 47.0):
        alarms, missed = 100 * healthy.sf(at), 100 * ill.cdf(at)
        expected = f"{alarms:.1f} % of the healthy are alarmed, {missed:.1f} % of the ill are missed."
        assert slide(browser, "threshold", threshold=at) == expected


def test_smoothing_lifts_the_zero(browser, page):
    browser.get(page)
    with (DOCS.parent / "examples" / "tennis.csv").open(newline="") as file:
        days = list(csv.DictReader(file))
    overcast = [{"outlook": "overcast", "temperature": "mild", "humidity": "high", "windy": "true"}]
    for alpha in (0.0, 1.0, 5.0):
        model = BayesClassifier(Categorical(alpha=alpha), prior="mle").fit(days, "play")
        p = model.predict_proba(overcast)[0, 0]
        assert slide(browser, "smoothing", alpha=alpha) == f"p(N | overcast, mild, high, true) = {p:.4f}"


def test_covariance_changes_the_distance(browser, page):
    browser.get(page)
    said = slide(browser, "ellipse", first=2, second=0.5, correlation=-0.5)
    # Σ = [[2, −.5], [−.5, .5]], with determinant .75
    distance = math.sqrt((4 * 0.5 + 8 * 0.5 + 4 * 2) / 0.75)
    assert said == f"Σ₁₂ = -0.50; the point (2, 2) is 2.83 from the mean, and {distance:.2f} in Mahalanobis distance."


def test_sliders_have_labels_and_the_picture_says_what_it_shows(browser, page):
    browser.get(page)
    figures = browser.find_elements("css selector", "figure.moving")
    assert len(figures) == 5
    for figure in figures:
        assert figure.find_element("tag name", "svg").get_attribute("aria-label") == text(figure, "[role=status]")
        assert all(slider.accessible_name for slider in figure.find_elements("tag name", "input"))
    assert not browser.get_log("browser")
    with on_a_phone(browser):
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_equations_are_typeset(browser, page):
    browser.get(page)
    assert until(browser, lambda: browser.find_element("css selector", ".arithmatex math")).get_attribute("innerHTML")
    for path in PAGES:
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", path.read_text(), flags=re.M | re.S)
        equations = re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", prose, re.S)
        assert equations or path.name == "index.md"
        wrong = browser.execute_script(
            "return arguments[0].filter(tex => { try { katex.renderToString(tex); return false } catch { return true } })",
            [display or inline for display, inline in equations],
        )
        assert not wrong, path.name
