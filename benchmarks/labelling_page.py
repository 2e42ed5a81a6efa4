"""How long it takes from a click on the labelling page to an answer on disk, also while the program is learning.

    python benchmarks/labelling_page.py CORPUS [--size 100000] [--words 60] [--pairs 100] [--clicks 100]

CORPUS is laid out as corpora.py says. A model is trained on its text, and `pralign label` started for pairs of about so
many words on each side. A browser (Chromium with its driver, headless) clicks cells of the grid, one after the other:
at rest; then while the program learns from all the labelled pairs, for as long as that takes. It is also measured how
long it takes to open another pair. Times are taken inside the page, from the click until it says "saved".
"""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from selenium import webdriver

from corpora import LANGUAGES, prepare
from options import positive, size
from pralign.aligner import Aligner
from pralign.text.bitext import Bitext
from tables import say, table

_PATIENCE = 300.0

_CLICK = """
const [name, tell] = arguments, box = document.getElementById("saved"), begun = performance.now();
const watch = new MutationObserver(() => {
  if (box.dataset.status !== "saved") return;
  watch.disconnect();
  tell(performance.now() - begun);
});
watch.observe(box, { attributes: true });
document.querySelector(`[data-cell="${name}"]`).click();
"""
_OPEN = """
const [number, tell] = arguments, begun = performance.now();
openPair(number).then(() => requestAnimationFrame(() => tell(performance.now() - begun)));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--size", type=size, default=100_000, help="lines of training text")
    parser.add_argument("--words", type=positive, default=60)
    parser.add_argument("--pairs", type=positive, default=100, help="how many pairs are labelled")
    parser.add_argument("--clicks", type=positive, default=100)
    options = parser.parse_args()
    if options.corpus.resolve().name not in LANGUAGES:
        parser.error(f"a corpus is one of {', '.join(LANGUAGES)}")
    with tempfile.TemporaryDirectory() as name:
        rows = measured(options, Path(name))
    say(table(["", "count", "median", "p99", "longest", "100 ms and more"], rows))


def measured(options: argparse.Namespace, folder: Path) -> list[list[str]]:
    """A row for each kind of thing that somebody waits for."""
    prepared = prepare(options.corpus.resolve(), options.size, folder)
    bitext = Bitext.read(prepared.source, prepared.target)
    Aligner(preset="fast").fit(bitext).save(folder / "model")
    pairs = long_pairs(bitext, options.words, options.pairs + 20)
    for side, ending in ((0, "src"), (1, "tgt")):
        (folder / f"text.{ending}").write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
    with program(folder) as (address, ask), browser(folder) as driver:
        driver.get(f"{address}#{len(pairs)}")
        time.sleep(2)
        at_rest = [click(driver, k) for k in range(options.clicks)]
        opened = [driver.execute_async_script(_OPEN, len(pairs) - k % 10) for k in range(20)]
        driver.execute_async_script(_OPEN, len(pairs))
        for number in range(1, options.pairs + 1):
            label(ask, number)
        begun, learning, meanwhile = time.monotonic(), [], []
        while (state := ask("GET", "/api/state")["learning"])["status"] == "learning" or not state["history"]:
            learning.append(click(driver, len(learning)))
            if len(learning) % 5 == 0:
                meanwhile.append(driver.execute_async_script(_OPEN, len(pairs) - len(learning) % 10))
                driver.execute_async_script(_OPEN, len(pairs))
            assert time.monotonic() < begun + _PATIENCE, "it learns for ever"
        learned = state["history"][-1]["pairs"]
    rows = [("a click, at rest", at_rest), (f"a click, while it learns from up to {learned} pairs", learning)]
    rows += [("another pair, at rest", opened), ("another pair, while it learns", meanwhile)]
    return [row(title, times) for title, times in rows]


def long_pairs(bitext: Bitext, words: int, most: int) -> list[tuple[str, str]]:
    """Pairs whose sides have about so many words."""
    found = []
    for source, target in bitext:
        lengths = len(source.split()), len(target.split())
        if all(0.9 * words <= length <= words for length in lengths):
            found.append((source, target))
    if len(found) < most:
        raise SystemExit(f"there are only {len(found)} pairs of about {words} words; {most} are needed (--size)")
    return found[:most]


def label(ask: Any, number: int) -> None:
    """Take what is proposed for a pair."""
    pair = ask("GET", f"/api/pair/{number}")
    links = [[i, j, "sure"] for i, j, probability in pair["proposals"] if probability > 0.5]
    answer = {"version": pair["version"], "state": "labelled", "links": links, "refused": []}
    ask("PUT", f"/api/pair/{number}", answer)


def click(driver: webdriver.Chrome, count: int) -> float:
    return float(driver.execute_async_script(_CLICK, f"{count % 50}-{count // 50 % 50}"))


def row(title: str, times: list[float]) -> list[str]:
    times = sorted(times)
    chosen = [times[int(share * (len(times) - 1))] for share in (0.5, 0.99, 1)]
    return [title, str(len(times)), *(f"{each:.0f} ms" for each in chosen), str(sum(each >= 100 for each in times))]


@contextmanager
def program(folder: Path) -> Iterator[tuple[str, Any]]:
    """The address of a running ``pralign label``, and what asks it."""
    command = [sys.executable, "-m", "pralign", "label", "text.src", "text.tgt", "--model", "model", "--no-browser"]
    process = subprocess.Popen([*command, "--quiet"], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    parts = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=60)

    def ask(method: str, path: str, body: Any = None) -> Any:
        headers = {"X-Pralign-Token": parse_qs(parts.query)["token"][0], "X-Pralign-Client": "benchmark"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return json.loads(content)

    try:
        yield address, ask
    finally:
        connection.close()
        process.kill()
        process.communicate()


@contextmanager
def browser(folder: Path) -> Iterator[webdriver.Chrome]:
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        raise SystemExit("needs Chromium and its driver (on Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-background-networking", "--disable-sync"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={folder / 'profile'}")
    options.add_argument("--window-size=1280,900")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
