"""The site builds without a warning, its links lead somewhere, and it fetches nothing from other hosts."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import html

from docs.pages import DOCS, ROOT, pages

sys.path.insert(0, str(DOCS / "_ext"))

pytestmark = pytest.mark.slow
PATIENCE = 600
FETCHING = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
    "embed": "src",
}
"""Elements that a browser fetches something for, and where they say what."""


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id):
    """The site, built once for all processes of the tests; what was said while it was built is in ``site.log``."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared if worker_id == "master" else shared.parent
    try:
        (shared / "site").mkdir()
    except FileExistsError:
        _wait_for(shared / "site.log")
    else:
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", shared / "doctrees", DOCS]
        done = subprocess.run(
            [*command, shared / "site"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        (shared / "site.part").write_text(f"{done.returncode}\n{done.stdout}{done.stderr}", encoding="utf-8")
        (shared / "site.part").rename(shared / "site.log")
    return shared / "site"


def _wait_for(path: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.2)


class Pages:
    """All pages of the site, read when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = sorted(path for path in folder.rglob("*.html") if "_downloads" not in path.parts)
        self._known: dict[Path, html.HtmlElement] = {}

    def tree(self, path: Path) -> html.HtmlElement:
        if path not in self._known:
            self._known[path] = html.fromstring(path.read_bytes())
        return self._known[path]

    def anchors(self, path: Path) -> set[str]:
        return set(self.tree(path).xpath("//@id | //@name"))


@pytest.fixture(scope="module")
def built(site):
    return Pages(site)


def test_it_builds_without_a_warning(site):
    code, _, said = site.with_name("site.log").read_text(encoding="utf-8").partition("\n")
    assert (code, said) == ("0", "")
    assert (site / "index.html").exists()


def test_every_page_that_people_wrote_and_every_command_has_a_page(built):
    found = {path.relative_to(built.folder).with_suffix("").as_posix() for path in built.paths}
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in pages() if DOCS in path.parents}
    assert written <= found
    assert {
        "reference/commands/match-fit",
        "reference/help/formats",
        "examples/own_jumps",
        "project/benchmarks",
    } <= found
    assert len(found) > 80


def test_no_link_inside_the_site_is_broken(built):
    broken = []
    for path in built.paths:
        links = set(built.tree(path).xpath("//a/@href | //link/@href | //img/@src | //script/@src"))
        inside = ((link, _why_broken(built, path, link)) for link in links if not urlsplit(link).scheme)
        broken += [f"{path.relative_to(built.folder)}: {link}: {wrong}" for link, wrong in inside if wrong]
    assert broken == []


def _why_broken(built: Pages, page: Path, link: str) -> str:
    parts = urlsplit(link)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return "no such file"
    wanted = unquote(parts.fragment)
    if wanted and target.suffix == ".html" and target in built.paths and wanted not in built.anchors(target):
        return "no such place"
    return ""


def test_links_to_other_hosts_look_like_links(built):
    links = {link for path in built.paths for link in built.tree(path).xpath("//a/@href") if urlsplit(link).scheme}
    assert links
    for link in links:
        parts = urlsplit(link)
        assert parts.scheme in {"https", "http", "mailto"}, link
        assert parts.scheme == "mailto" or re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?", parts.netloc), link
        assert not re.search(r"\s", link), link


def test_nothing_is_fetched_from_other_hosts(built):
    for path in built.paths:
        for element, attribute in FETCHING.items():
            for place in built.tree(path).xpath(f"//{element}/@{attribute}"):
                parts = urlsplit(place)
                assert parts.scheme in {"", "data"} and not parts.netloc, f"{path}: <{element}> {place}"
    for path in built.folder.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import\s+)['\"]?(https?:)?//", text), path


def test_commands_and_classes_that_pages_mention_lead_to_the_pages_about_them(built):
    links = set(built.tree(built.folder / "index.html").xpath("//a[code]/@href"))
    assert "reference/commands/help.html" in links
    links = set(built.tree(built.folder / "python.html").xpath("//a[code]/@href"))
    assert any(link.startswith("reference/api/pralign.links.formats.html#") for link in links)


def test_formulas_are_drawn_by_the_browser(built):
    formulas = built.tree(built.folder / "reference/api/pralign.constraints.html").xpath("//*[local-name()='math']")
    assert len(formulas) > 3


# The same links on a code host, which shows files as they are


def test_links_between_files_lead_to_files_that_are_kept():
    kept = set(subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    folders = {str(parent) for name in kept for parent in Path(name).parents}
    broken = []
    for page in [*pages(), *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"))]:
        for link in file_links(page.read_text(encoding="utf-8")):
            place, _, anchor = link.partition("#")
            target = (page.parent / place).resolve().relative_to(ROOT).as_posix() if place else _name(page)
            if target not in kept | folders:
                broken.append(f"{_name(page)}: {link}: no such file")
            elif anchor and target.endswith(".md") and anchor not in slugs(ROOT / target):
                broken.append(f"{_name(page)}: {link}: no such heading")
    assert broken == []


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def file_links(text: str) -> list[str]:
    """The targets of links and pictures in a page that are no addresses; none in code."""
    text = re.sub(r"^( *)(`{3,}).*?^\1\2$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    return [link for link in re.findall(r"\]\(([^()\s]+)\)", text) if not urlsplit(link).scheme]


def slugs(page: Path) -> set[str]:
    """The anchors that a code host makes of headings."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*?) *$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# What the site is made by


@pytest.mark.parametrize("path", sorted((DOCS / "_ext").glob("*.py")), ids=lambda path: path.stem)
def test_the_examples_of_extensions_are_true(path):
    assert doctest.testmod(importlib.import_module(path.stem)).failed == 0


def test_names_of_options_stand_out_and_nothing_else_is_markup():
    from docstrings import without_substitutions
    from markdown import prose

    assert prose("a_b|*c* --load, -o") == r"a\_b\|\*c\* `--load`, `-o`"
    assert list(without_substitutions(["|A|", ">>> '|A|'", "|A|", "", "``|B|``"]))[-1] == "``|B|``"
