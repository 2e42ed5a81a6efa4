"""Reports as one page."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pralign import __version__
from pralign.links.alignment import Alignment
from pralign.pictures.words import visible
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.posteriors import ModelPosteriors
from pralign.report.report import Report
from pralign.report.scripts import script_of, slants
from report.inputs import NASTY, corpus_input, nasty_input, random_corpus, report_input

VOID = {"meta", "link", "input", "rect", "br", "img"}
NASTIER = [*NASTY, "\x00", "\x1b[31m", "]]>", "-->", "\u2028", "\u2029", "\ufffe", "\\u003c", "{% x %}", "'\"><img>"]
RAW = {"script", "style"}


class Page(HTMLParser):
    """A page taken apart; complains of elements that are not closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.raw, self.comments = [], [], [], []
        self._open = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attributes):
        assert len({name for name, _ in attributes}) == len(attributes), (tag, attributes)
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, text):
        if self._open and self._open[-1] in RAW:
            self.raw.append((self._open[-1], self.elements[-1][1], text))
        else:
            self.texts.append((list(self._open), text))

    def handle_comment(self, text):
        self.comments.append(text)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def text_in(self, tag):
        return [text for path, text in self.texts if tag in path]

    @property
    def data(self):
        (text,) = (text for tag, attributes, text in self.raw if attributes.get("id") == "data")
        return json.loads(text)


POSTERIORS = ModelPosteriors(
    "a <model>",
    *([Alignment.of([(0, 0)], [0.75])] * 40 for _ in range(3)),
    signature="model:some|<b>",
    settings=[("model", "<i>some</i>")],
    thresholds=(0.5, 0.5, 0.5),
    history=[{"model": "<u>", "log_likelihood": [-2.0, -1.0], "dev_aer": 0.5, "kept": True}],
    learned=[("group", "<feature>", 0.5)],
)
KINDS = {
    "gold": lambda: report_input(systems=3),
    "no gold": lambda: report_input(gold=False),
    "one system": lambda: report_input(systems=1),
    "a model": lambda: report_input(posteriors=POSTERIORS),
    "part of the text": lambda: corpus_input(random_corpus(5)),
    "markup": nasty_input,
}


@pytest.fixture(scope="module", params=KINDS)
def rendered(request):
    report = Report(KINDS[request.param](), samples=20)
    text = render(report, "A <title> & more")
    return report, text, Page(text)


# Every page


def test_every_element_is_closed_in_order_and_ids_are_different(rendered):
    _, text, page = rendered
    assert text.startswith("<!doctype html>\n<html lang=")
    ids = Counter(attributes["id"] for _, attributes in page.elements if "id" in attributes)
    assert ids.most_common(1)[0][1] == 1
    targets = {attributes["href"][1:] for attributes in page.all("a") if not attributes["href"].startswith("#pair-")}
    assert targets <= ids.keys()
    assert page.comments == []


def test_the_data_are_the_records_of_the_report(rendered):
    report, _, page = rendered
    scores = report.as_dict()["tables"].get("scores", {"rows": [{"aer": 0}]})["rows"]
    rates = [row["aer"] for row in scores]
    assert page.data == {
        "languages": None,
        "best": rates.index(min(rates)),
        "scripts": [script_of(counts) for counts in report.inputs.text.frequencies],
        "slants": [slants(counts) for counts in report.inputs.text.frequencies],
        "most": 4,
        "systems": [visible(system.name) for system in report.inputs.systems],
        "model": "a <model>" if report.inputs.posteriors else None,
        "gold": report.inputs.golds is not None,
        "pairs": json.loads(json.dumps(report.records)),
        "dictionary": json.loads(json.dumps(report.dictionary.data())),
    }


def test_the_policy_allows_the_style_and_the_script_of_the_page_and_nothing_else(rendered):
    _, _, page = rendered
    (policy,) = [each["content"] for each in page.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    texts = {(tag, attributes.get("type")): text for tag, attributes, text in page.raw}
    assert texts.keys() == {("style", None), ("script", "application/json"), ("script", None)}
    for kind in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(texts[kind, None].encode()).digest()).decode()
        assert rules[f"{kind}-src"] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)


def test_nothing_is_fetched_from_anywhere(rendered):
    _, text, page = rendered
    assert set(re.findall(r"https?://[^\"'\s)]*", text)) == {"http://www.w3.org/2000/svg"}
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "data", "srcset", "poster", "xlink:href"):
            value = attributes.get(name, "#")
            assert value.startswith("#") or (tag, value) == ("link", "data:,")
    (style,) = [text for tag, _, text in page.raw if tag == "style"]
    assert "@import" not in style
    assert "url(" not in style


def test_tables_have_as_many_cells_in_each_row_as_columns(rendered):
    report, text, _ = rendered
    for table in report.tables:
        body = text.split(f'<table id="table-{table.key}">')[1].split("</table>")[0].split("<tbody>")[1]
        covered = 0  # rows that the first cell of a row above still stands in
        for row in re.findall(r"<tr>(.*?)</tr>", body, flags=re.DOTALL):
            cells = len(re.findall(r"<t[dh][ >]", row)) + (1 if covered else 0)
            covered = max(covered - 1, 0)
            if span := re.search(r'rowspan="(\d+)"', row):
                covered = int(span[1]) - 1
            if 'colspan="' not in row:
                assert cells == len(table.columns), (table.key, row)
        assert covered == 0


def test_tables_show_all_their_values(rendered):
    report, _, page = rendered
    shown = "".join(text for path, text in page.texts if "td" in path or "th" in path)
    for table in report.tables:
        assert table.title in page.text_in("caption")
        for row in table.rows:
            for column, value in zip(table.columns, row, strict=True):
                assert visible(column.show(value)) in shown


def test_pairs_are_linked_if_the_page_has_them(rendered):
    report, _, page = rendered
    linked = {attributes["href"] for attributes in page.all("a") if attributes["href"].startswith("#pair-")}
    numbers = {f"#pair-{record['n']}" for record in report.records}
    listed = {
        f"#pair-{line + 1}"
        for table in report.tables
        for row in table.rows
        for column, value in zip(table.columns, row, strict=True)
        if column.kind == "lines"
        for line in value
    }
    assert linked == listed & numbers


def test_the_summary_says_what_was_found(rendered):
    report, _, page = rendered
    told = [text.strip() for text in page.text_in("li") if text.strip()]
    assert told[: len(report.findings)] == [visible(finding).replace(" %", "\u00a0%") for finding in report.findings]
    assert str(report.signature) in page.text_in("code")
    assert page.text_in("h1") == ["A <title> & more"]
    assert f"Made by pralign {__version__}." in "".join(page.text_in("footer"))


def test_curves_are_in_the_page(rendered):
    report, text, page = rendered
    figures = [attributes["id"] for attributes in page.all("figure")]
    assert figures == [f"curve-{chart.key}" for chart in report.charts]
    for chart in report.charts:
        assert chart.svg() in text
    assert ("Curves need links with probabilities" in text) == (not report.charts)


# Different pages


def test_what_a_page_has_depends_on_what_there_is():
    with_gold, without = (render(Report(report_input(gold=gold), samples=5), "x") for gold in (True, False))
    assert 'id="table-scores"' in with_gold
    assert 'id="table-scores"' not in without
    assert "There is no gold here" in without
    assert "There is no gold here" not in with_gold
    with_model = render(Report(report_input(posteriors=POSTERIORS), samples=5), "x")
    assert "Signature of the model:" in with_model
    assert "<code>--model DIR</code>" not in with_model
    assert "<code>--model DIR</code>" in with_gold


def test_pairs_that_the_page_leaves_out_are_not_linked():
    page = Page(render(Report(report_input(), samples=5, largest=3000), "x"))
    numbers = {pair["n"] for pair in page.data["pairs"]}
    assert 0 < len(numbers) < 40
    linked = {int(each["href"][6:]) for each in page.all("a") if each["href"].startswith("#pair-")}
    assert linked
    assert linked <= numbers


def test_languages_are_told_to_whoever_reads_the_page_out():
    assert Page(render(Report(nasty_input(), samples=5), "x", ("en", "pt-BR"))).data["languages"] == ["en", "pt-BR"]


# Text that is not to be trusted


def hostile(words, name):
    """The input of a report with these words everywhere: in both sides, in names, and wherever a table lists words."""
    pairs = [(list(words), list(words[::-1]))]
    last = len(words) - 1
    links = [Alignment.of([(k, last - k) for k in range(0, len(words), 2)])]
    systems = [System(name, links, origin=name), System(name + "2", [Alignment.of([(0, 0), (0, 1)], [0.5, 0.25])])]
    golds = [Alignment.of([(k, last - k) for k in range(1, len(words), 2)])]
    return ReportInput(Text.of(pairs, (name, name)), pairs, [0], systems, golds)


@cache
def usual_elements():
    """What a page of harmless words is made of."""
    page = Page(render(Report(hostile(["one", "two", "three"], "name"), samples=3), "title"))
    return {tag for tag, _ in page.elements}


def check_hostile(words, name):
    report = Report(hostile(words, name), samples=3)
    text = render(report, name)
    page = Page(text)
    assert {tag for tag, _ in page.elements} == usual_elements()
    assert Counter(tag for tag, _ in page.elements)["script"] == 2
    assert page.comments == []
    assert page.data["pairs"] == json.loads(json.dumps(report.records))
    assert page.data["pairs"][0]["s"] == [visible(word) for word in words]
    assert page.data["systems"] == [visible(name), visible(name + "2")]
    assert not any(character in text for character in "\x00\x1b\u2028\u2029\u202e\ufffe")
    assert "".join(page.text_in("h1")) == visible(name)
    json.loads(json.dumps(report.as_dict(), allow_nan=False))


def test_words_and_names_are_never_markup():
    check_hostile(NASTIER, "<script>alert('x')</script>&amp;\"\x00\u2028")


@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n"), min_size=1),
        min_size=2,
        max_size=9,
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
)
def test_no_word_and_no_name_breaks_a_page(words, name):
    check_hostile(words, name)


# Always the same


def test_the_same_input_gives_the_same_bytes():
    pages = {render(Report(report_input(systems=3), samples=50), "Same") for _ in range(2)}
    assert len(pages) == 1
    code = (
        "import hashlib\n"
        "from pralign.report.html import render\n"
        "from pralign.report.report import Report\n"
        "from report.inputs import report_input\n"
        "page = render(Report(report_input(systems=3), samples=50), 'Same')\n"
        "print(hashlib.sha256(page.encode()).hexdigest())\n"
    )
    tests = str(Path(__file__).parent.parent)
    found = set()
    for seed in ("1", "2"):
        path = os.pathsep.join([tests, os.environ.get("PYTHONPATH", "")])
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path, "TZ": f"UTC{seed}"}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        found.add(done.stdout.strip())
    assert found == {hashlib.sha256(pages.pop().encode()).hexdigest()}
