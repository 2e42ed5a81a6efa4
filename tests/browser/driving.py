"""Driving the browser."""

from __future__ import annotations

import json

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


def start(chromium, chromedriver, profile):
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in [*ARGUMENTS, f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))


class Page:
    """An open page."""

    def __init__(self, driver, address, width=1280, height=900, dark=False):
        self.driver = driver
        self.address = address
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        wishes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        driver.get("about:blank")
        for kind in ("browser", "performance"):
            driver.get_log(kind)
        driver.get(self.address)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def choose(self, field, value):
        Select(self.one(f"#{field}")).select_by_value(str(value))

    def write(self, field, text):
        self.one(f"#{field}").clear()
        self.one(f"#{field}").send_keys(text)

    def point_at(self, element):
        ActionChains(self.driver).scroll_to_element(element).move_to_element(element).perform()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    @property
    def count(self):
        return self.one("#count").text

    @property
    def focused(self):
        return self.driver.switch_to.active_element

    def numbers(self):
        """The numbers of the pairs in the list."""
        return [int(facts.text.split(":")[0]) for facts in self.all("#list .facts")]

    def words(self, side, panel=0):
        return self.all("#pair .panel")[panel].find_elements(By.CSS_SELECTOR, f'.w[data-side="{side}"]')

    def lit(self, kind, panel=0):
        """The words that are lit in the text of a panel."""
        found = self.all("#pair .panel")[panel].find_elements(By.CSS_SELECTOR, f".w.{kind}")
        return [word.text for word in found]

    def asked(self):
        """The addresses that the browser has asked for."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]

    def requests(self):
        """The addresses that the page asked for, itself and inlined data not among them."""
        return [each for each in self.asked() if each.split("#")[0] != self.address and not each.startswith("data:")]

    def check(self):
        assert self.driver.get_log("browser") == []
        assert self.requests() == []
