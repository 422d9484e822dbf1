"""What a person does with the page: look, press a key, move a slider, wait."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}

needs_chromium = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="Chromium and its driver are not installed (Debian's packages chromium and chromium-driver have them)",
)


def open_browser() -> Any:
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1200,900",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


@contextmanager
def on_a_phone(browser: Any) -> Iterator[None]:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def until(browser: Any, condition: Callable[[], Any]) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 30, ignored_exceptions=[Exception]).until(lambda _: condition())


def text(browser: Any, selector: str) -> str:
    return str(browser.find_element("css selector", selector).text)


def press(browser: Any, key: str) -> None:
    browser.find_element("tag name", "body").send_keys(key)


def waiting(browser: Any) -> int:
    """How many cases the page says are in the queue."""
    return int(text(browser, "#count"))


def shown(browser: Any) -> str:
    """The case on the page."""
    return text(browser, "#case-title")


def count(browser: Any, label: str) -> int:
    """How many cases of a class the page says were learned."""
    return int(text(browser, f"[data-class={label}]"))


def idle(browser: Any) -> Any:
    """Wait until nothing is under way and keys are taken."""
    return until(browser, lambda: not browser.find_elements("css selector", "body[aria-busy]"))


def sit_down(browser: Any, address: str) -> None:
    """The queue at the beginning of a session."""
    browser.get(f"{address}/health")  # the tab's storage belongs to the service, and this is its smallest page
    browser.execute_script("sessionStorage.clear()")
    browser.get(address)
    idle(browser)


def case_on(browser: Any) -> str:
    """The id of the case on the page."""
    return shown(browser).removeprefix("Case ")


def set_ask(browser: Any, cost: str) -> None:
    """Change the cost of asking, and confirm it."""
    if not browser.find_elements("css selector", ".settings[open]"):
        browser.find_element("css selector", ".settings > summary").click()
    move(browser, browser.find_element("id", "ask"), cost)
    until(browser, lambda: f"to {float(cost):g} for all users" in text(browser, "#ask-confirmation"))
    idle(browser)
    browser.find_element("css selector", "#ask-confirmation button").click()
    idle(browser)


def turn_suggestions(browser: Any) -> None:
    """Hide the model's suggestion, or show it again: the page is loaded anew."""
    from selenium.webdriver.support.expected_conditions import staleness_of

    browser.find_element("css selector", ".settings > summary").click()
    button = browser.find_element("name", "blind")
    button.click()
    until(browser, lambda: staleness_of(button)(browser))
    idle(browser)


def move(browser: Any, slider: Any, value: str) -> None:
    browser.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        slider,
        value,
    )
