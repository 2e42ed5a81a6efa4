"""A real browser, where there is one."""

from __future__ import annotations

import shutil

import pytest

from browser.driving import Page, start


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    """Headless Chromium; without it, tests are skipped and say why."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("needs Chromium and its driver (on Debian: apt-get install chromium chromium-driver)")
    running = start(chromium, chromedriver, tmp_path_factory.mktemp("profile"))
    yield running
    running.quit()


@pytest.fixture
def show(driver, tmp_path):
    """Write a page and open it; afterwards nothing may have gone wrong, and no request may have left it."""
    opened = []

    def _show(html, **options):
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        opened.append(Page(driver, path.as_uri(), **options))
        return opened[-1]

    yield _show
    for page in opened:
        page.check()
