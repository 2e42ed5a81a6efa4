"""The browser of the report's tests, on the page for labelling."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from browser.conftest import driver
from labelling.driving import LabelPage
from labelling.fake_server import World, serving

__all__ = ["driver"]


@pytest.fixture
def label(driver):
    """Opens the page of a world; afterwards nothing may have gone wrong, and no request may have left its server."""
    with ExitStack() as servers:
        opened = []

        def _label(world=None, number=1, **options):
            world = World() if world is None else world
            address = servers.enter_context(serving(world))
            opened.append(LabelPage(driver, f"{address}#{number}", world, **options))
            return opened[-1]

        yield _label
        for page in opened:
            page.check()
        driver.get("about:blank")
