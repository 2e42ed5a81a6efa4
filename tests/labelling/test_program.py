"""The page and the program behind it, together: a browser, a real server, files on a disk."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from labelling.driving import LabelPage
from labelling.running import serving
from pralign.links.formats import read_alignments
from pralign.sample import GOLD, SOURCE, TARGET

pytest.importorskip("starlette")

PAIRS = 60
TO_LEARN = 10  # pairs until it learns for the first time


class RealPage(LabelPage):
    """A page whose program is a real one; what is saved is read from the disk."""

    def __init__(self, driver, program, journal, **options):
        self.journal = journal
        super().__init__(driver, program.address.geturl(), None, **options)

    left = False

    def leave(self):
        """Nothing may have gone wrong so far; afterwards the program may end."""
        self.check()
        self.driver.get("about:blank")
        self.left = True

    def answers(self):
        """The last answer of each pair, as it is on the disk."""
        events = [json.loads(line) for line in self.journal.read_bytes().splitlines()]
        return {event["pair"]: event for event in events if event["event"] == "answer"}

    def saved(self):
        self.until(lambda: self.status == "saved")
        return self.answers()[self.number]

    def label_as(self, gold):
        """Set the links that a gold has in the open pair, cell by cell, and go on."""
        number = self.number
        self.run("hideToast()")  # which would lie on cells
        for link in gold:
            cell = self.cell(*link)
            cell.click()
            if link in gold.possible:
                cell.click()
        self.press("d")
        self.until(lambda: self.number != number)
        return number


@pytest.fixture
def text(tmp_path):
    for name, path in (("en", SOURCE), ("fr", TARGET)):
        lines = path.read_text(encoding="utf-8").splitlines()[:PAIRS]
        (tmp_path / f"text.{name}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = ["train", str(SOURCE), str(TARGET), "--save", str(tmp_path / "model"), "--preset", "fast", "-q"]
    subprocess.run([sys.executable, "-m", "pralign", *command], check=True)
    return tmp_path


@pytest.fixture
def opened(text, driver):
    """Starts the program and opens its page; afterwards nothing may have gone wrong in the browser."""
    with ExitStack() as programs:
        pages = []

        def _open(*options, **screen):
            program = programs.enter_context(serving(text, text / "model", *options))
            pages.append(RealPage(driver, program, text / "hand.gold.journal", **screen))
            return program, pages[-1]

        yield _open
        if pages and not pages[-1].left:
            pages[-1].leave()


def links_of(gold):
    return {link: "possible" if link in gold.possible else "sure" for link in gold}


@pytest.mark.slow
def test_from_the_first_pair_to_the_model_that_was_learned(opened, text, driver):
    golds = list(read_alignments(GOLD, "gold"))
    program, page = opened()
    page.until(lambda: page.one("#help").is_displayed())
    page.one("#help [data-close]").click()
    assert "errors expected" in page.one("#reason").text  # why it asks for this one

    first = page.label_as(golds[page.number - 1])
    assert first != 1  # not simply in order
    assert page.answers()[first]["state"] == "labelled"
    while len(page.answers()) < TO_LEARN:
        page.label_as(golds[page.number - 1])
    for number, answer in page.answers().items():
        assert {(i, j): kind for i, j, kind in answer["links"]} == links_of(golds[number - 1])

    # It learns, and what it has learned is shown, without a click.
    page.until(lambda: "Estimated errors" in page.one("#estimate").text, 60)
    assert page.one("#progress").text.startswith(f"{TO_LEARN} of {PAIRS} labelled")
    page.cell(0, 0).click()
    begun = page.number
    marks = page.links()

    # Killed, and started again: all is as it was, and the page that stayed open says what has happened.
    program.end(signal.SIGKILL)
    page.cell(0, 0).click()
    page.until(lambda: page.notice("unsaved"))
    assert page.status == "unsaved"
    # The page would not let itself be left while something is not saved.
    page.run("for (const each of unsaved.values()) clearTimeout(each.timer); unsaved.clear()")
    program, page = opened()
    page.expected_errors = ("/api/leave",)  # of the page before, whose program is no more
    assert page.one("#progress").text.startswith(f"{TO_LEARN} of {PAIRS} labelled")
    driver.execute_async_script("openPair(arguments[0]).then(arguments[1])", begun)
    assert page.kind(0, 0) == next(iter(marks.values()))

    # The end: files, and a command that works.
    page.one("#finish-button").click()
    page.until(lambda: page.one("#finished").is_displayed(), 60)
    command = page.one("#command").text.replace("NEW.src", "text.en").replace("NEW.tgt", "text.fr").split()
    assert command[0] == "pralign"
    page.leave()
    program.end()
    subprocess.run([sys.executable, "-m", *command], cwd=text, check=True, capture_output=True)
    assert len((text / "new.align").read_text(encoding="utf-8").splitlines()) == PAIRS
    labelled = list(read_alignments(text / "hand.gold", "gold"))
    for number, gold in enumerate(labelled, start=1):
        if gold.is_labelled:
            assert links_of(gold) == links_of(golds[number - 1])
    assert sum(gold.is_labelled for gold in labelled) == TO_LEARN


@pytest.mark.slow
def test_two_windows_on_one_file_are_told_of_each_other(opened, driver):
    program, page = opened("--order", "file")
    page.one("#help [data-close]").click()
    mine = driver.current_window_handle
    page.until(lambda: page.number == 1)
    driver.switch_to.new_window("window")
    try:
        other = RealPage(driver, program, page.journal)
        assert other.number == 2  # the other one has the first
        assert other.notice("others").startswith("Open in another window too")
        other.run("openPair(1)")
        other.until(lambda: other.number == 1)
        other.cell(1, 1).click()
        assert other.links() == {(1, 1): "sure"}
        other.expected_errors = ("409",)
        driver.switch_to.window(mine)
        page.cell(0, 0).click()
        page.until(lambda: page.notice("conflict"))
        page.press_in_notice("conflict", "Take theirs")
        assert page.links() == {(1, 1): "sure"}
    finally:
        driver.switch_to.window(next(each for each in driver.window_handles if each != mine))
        driver.close()
        driver.switch_to.window(mine)
    page.expected_errors = ("409",)
