"""Driving the page for labelling."""

from __future__ import annotations

import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser.driving import Page

PATIENCE = 10.0


class LabelPage(Page):
    """The open page, and the world behind it."""

    def __init__(self, driver, address, world, **options):
        super().__init__(driver, address, **options)
        self.world = world
        self.expected_errors = ()
        self.until(lambda: self.run("return typeof current === 'object' && current !== null"))

    def until(self, isso, patience=PATIENCE):
        end = time.monotonic() + patience
        while not (found := isso()):
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.02)
        return found

    def word(self, side, at):
        return self.one(f'.w[data-side="{side}"][data-word="{at}"]')

    def cell(self, i, j):
        return self.one(f'[data-cell="{i}-{j}"]')

    def link(self, source, target):
        self.word("source", source).click()
        self.word("target", target).click()

    def kind(self, i, j):
        """The kind of a cell, about which both views have to agree."""
        kind = self.cell(i, j).get_attribute("data-kind")
        lines = [line.get_attribute("data-kind") for line in self.all(f'[data-line="{i}-{j}"]')]
        assert lines == ([] if kind in ("none", "refused") else [kind])
        return kind

    def click_line(self, i, j, act="click"):
        """In the middle of the line, where there is no word."""
        script = """const path = arguments[0].querySelector(".near");
            const at = path.getPointAtLength(path.getTotalLength() / 2);
            const board = document.getElementById("board").getBoundingClientRect();
            return [Math.round(board.left + at.x), Math.round(board.top + at.y)];"""
        x, y = self.run(script, self.one(f'[data-line="{i}-{j}"]'))
        chain = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(x, y)
        if act == "click":
            chain.w3c_actions.pointer_action.click()
        chain.perform()

    def drag(self, begin, end):
        ActionChains(self.driver).click_and_hold(begin).move_to_element(end).release().perform()

    def tap(self, element):
        box = self.run(
            "const b = arguments[0].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]", element
        )
        point = [{"x": box[0], "y": box[1]}]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def with_control(self, *keys):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(*keys).key_up(Keys.CONTROL).perform()

    def with_shift(self, *keys):
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(*keys).key_up(Keys.SHIFT).perform()

    @property
    def status(self):
        return self.one("#saved").get_attribute("data-status")

    def saved(self):
        """The pair as the server has it, once everything is there."""
        self.until(lambda: self.status == "saved")
        return self.world.pairs[self.number - 1]

    def links(self):
        return {(i, j): kind for i, j, kind in self.saved()["links"]}

    @property
    def number(self):
        return self.run("return current && current.number")

    def notice(self, name):
        return self.run("return document.querySelector(`[data-notice='${arguments[0]}']`)?.innerText ?? ''", name)

    def press_in_notice(self, name, title):
        [button] = [each for each in self.all(f'[data-notice="{name}"] button') if each.text == title]
        button.click()

    def overflows(self):
        """Whether anything can be scrolled sideways that is not meant to be."""
        script = """const page = document.getElementById("page");
            return document.documentElement.scrollWidth > innerWidth || page.scrollWidth > page.clientWidth;"""
        return self.run(script)

    def check(self):
        log = [entry["message"] for entry in self.driver.get_log("browser")]
        assert [text for text in log if not any(part in text for part in self.expected_errors)] == []
        allowed = (self.address.split("?")[0], "data:", "about:")
        assert [address for address in self.asked() if not address.startswith(allowed)] == []
