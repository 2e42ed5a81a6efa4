"""The dictionary and the concordance of a report, and scripts without italics, in a real browser."""

from __future__ import annotations

import unicodedata

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser.test_report import contrast
from pralign.links.alignment import Alignment
from pralign.report import dictionary
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report
from report.inputs import disturbed, long_input, report_input

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report():
    return Report(report_input(gold=False), samples=10)


@pytest.fixture(scope="module")
def html(report):
    return render(report, "Words", ("en", "fr"))


def look_up(page, word):
    page.write("word", word)


def translations(page):
    """The rows of the first table of translations: for each word, its counts and shares, system by system."""
    rows = page.all("#concordance .translations tbody tr")
    cells = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in rows]
    return {name: numbers for name, *numbers in cells}


def naive_translations(inputs, wanted, side):
    """For each system, what the word is linked to, once for each link; an empty word where it has no link."""
    found = []
    for system in inputs.systems:
        linked = []
        for words, alignment in zip(inputs.folded, system.alignments, strict=True):
            for at, word in enumerate(words[side]):
                if word == wanted:
                    others = [words[1 - side][link[1 - side]] for link in alignment.links if link[side] == at]
                    linked += others or ["(no link)"]
        found.append(linked)
    return found


@pytest.mark.parametrize(("word", "side"), [("house", 0), ("THE", 0), ("maison", 1), ("nobody", 0)])
def test_translations_of_a_word_are_counted_for_each_system(show, report, html, word, side):
    page = show(html)
    look_up(page, word)
    linked = naive_translations(report.inputs, word.casefold(), side)
    expected = {
        other: [
            text for each in linked for text in (str(each.count(other)), f"{100 * each.count(other) / len(each):.1f} %")
        ]
        for other in {*linked[0], *linked[1]}
    }
    assert translations(page) == expected
    places = sum(words[side].count(word.casefold()) for words in report.inputs.folded)
    assert page.one("#concordance h3").text == f"{word} as a {('source', 'target')[side]} word: {places} times"


def test_a_count_leads_to_the_places_and_a_place_to_its_pair(show, report, html):
    page = show(html)
    look_up(page, "house")
    page.all("#concordance .translations tbody tr")[0].find_elements(By.CSS_SELECTOR, "button")[2].click()
    assert page.focused.get_attribute("aria-pressed") == "true"
    count = int(page.focused.text)
    other = page.one("#concordance .translations tbody tr td").text
    shown = 0
    for item in page.all("#concordance .places li"):
        times = item.find_element(By.CSS_SELECTOR, ".facts").text.split(", ")[1:]
        shown += int(times[0].split()[0]) if times else 1
        assert [mark.text for mark in item.find_elements(By.CSS_SELECTOR, "mark:not(.partner)")] == ["house"]
        assert other in [mark.text for mark in item.find_elements(By.CSS_SELECTOR, "mark.partner")]
    assert shown == count  # no word of these is linked to two of the same
    link = page.one("#concordance .places a")
    number = link.get_attribute("href").split("-")[-1]
    link.click()
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.one("#pair h3").text.startswith(f"Pair {number} ")


def test_the_dictionary_is_searched_sorted_and_cut(show, report, html):
    page = show(html)
    entries = report.dictionary.systems[0]
    words = report.dictionary.words

    def rows():
        found = page.all("#entries tbody tr")
        return [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in found]

    first = entries[0]
    assert rows()[0][:3] == [words[0][first.source], words[1][first.target], str(first.times)]
    assert f"{len(entries)} word pairs" in page.one("#dictionary .note").text
    page.one("#dictionary .pager button:last-child").click()
    assert page.one("#dictionary .pager span").text.startswith("page 2 of")
    assert page.focused.text == "Later"
    look_up(page, "ou")
    kept = {
        (words[0][e.source], words[1][e.target])
        for e in entries
        if "ou" in words[0][e.source] + " " + words[1][e.target]
    }
    assert {tuple(row[:2]) for row in rows()} == kept
    page.choose("word-order", "target")
    targets = [row[1] for row in rows()]
    assert targets == sorted(targets, key=lambda word: word.replace("ê", "e"))
    look_up(page, "house")
    assert "house" in rows()[0]
    page.write("word-least", "1000")
    assert rows() == [["none"]]


def test_a_word_of_the_dictionary_is_looked_up_with_its_translation(show, html):
    page = show(html)
    row = page.one("#entries tbody tr")
    source, target = (cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td.word"))
    row.find_element(By.TAG_NAME, "button").click()
    assert page.one("#word").get_attribute("value") == source
    assert page.one('#concordance .plain[aria-pressed="true"]')
    partners = {mark.text.casefold() for mark in page.all("#concordance mark.partner")}
    assert target in partners


def test_the_focus_goes_to_what_came_of_a_choice(show):
    """What has been used is drawn anew or gone, so that without care nothing has the focus."""
    words = [f"word{k:02}" for k in range(30)]
    pairs = [(["the", f"pair{k:02}"], [word, "the"]) for k, word in enumerate(words)]
    systems = [System("one", [Alignment.of([(0, 0), (1, 1)])] * 30)]
    page = show(render(Report(ReportInput(Text.of(pairs), pairs, range(30), systems)), "Focus"))

    def use(selector):
        page.run("arguments[0].focus()", page.one(selector))
        page.press(Keys.ENTER)
        return page.focused.get_attribute("textContent")

    assert use("#entries .plain") == "pair00 as a source word: once"
    assert use("#concordance .translations .plain") == "the as a target word: 30 times"
    assert (
        page.one("#found").get_attribute("textContent") == "the: 30 times as a source word, 30 times as a target word"
    )
    assert page.all("#words [aria-live]") == []
    assert use('#concordance [data-of="0"] + div > .plain') == "word12"
    assert use('#concordance .places[data-of="1"] + .plain') == "pair 11"
    count = '#concordance .translations[data-of="1"] td.number .plain'
    assert page.one(count).get_attribute("aria-label") == "1: pair00, one"
    for pressed in ("true", "false"):
        assert use(count) == "1"
        assert page.focused.get_attribute("aria-pressed") == pressed
        assert page.focused.get_attribute("aria-label") == "1: pair00, one"


def test_a_word_that_is_nowhere_is_said_to_be_nowhere(show, html):
    page = show(html)
    look_up(page, "<b>nothing</b>")
    assert "has the word “<b>nothing</b>” on its own" in page.one("#concordance").text
    assert page.all("#concordance b") == []


def test_the_page_and_the_dictionary_tell_the_same_words_apart(show, html):
    """Every letter that has an upper or a lower case, and accents as code points of their own."""
    letters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    cased = [each for each in letters if {each.casefold(), each.lower(), each.upper()} != {each}]
    words = [
        *cased,
        *(unicodedata.normalize("NFD", each) for each in cased),
        "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
        "STRASSE",
        "Stra\u1e9ee",
    ]
    page = show(html)
    found = page.run("return arguments[0].map(caseless)", words)
    keys = [dictionary.caseless(word) for word in words]
    assert len(set(zip(found, keys, strict=True))) == len(set(found)) == len(set(keys))
    assert page.run("return arguments[0].map(caseless)", keys) == found


NO_BREAK = "\u00a0"
STREET = f"Stra\u00dfe{NO_BREAK}"


@pytest.fixture
def streets(show):
    """A page with a word that ends in a no-break space."""
    pairs = [(["the", "street"], ["die", STREET]), (["a", "house"], ["ein", "Haus"])]
    systems = [System("one", [Alignment.of([(0, 0), (1, 1)])] * 2)]
    return show(render(Report(ReportInput(Text.of(pairs), pairs, range(2), systems)), "Streets"))


def test_a_word_with_a_no_break_space_at_its_end_is_looked_up(streets):
    [chosen] = [each for each in streets.all("#entries td.word .plain") if each.text.startswith("strasse")]
    chosen.click()
    assert streets.focused.get_attribute("textContent") == f"strasse{NO_BREAK} as a target word: once"
    for written, found in ((f" {STREET}  ", True), (STREET.strip(), False), (f"{NO_BREAK}house", False)):
        streets.run("arguments[0].value = arguments[1]; lookUp()", streets.one("#word"), written)
        assert bool(streets.all("#concordance h3")) == found


def test_pairs_are_found_by_the_words_that_the_dictionary_tells_apart(streets):
    for written, count in (
        ("STRASSE", "1 of 2 pairs"),
        (f"  the {STREET.upper()} ", "1 of 2 pairs"),
        (f"the{NO_BREAK}street", "0 of 2 pairs"),
        ("", "2 pairs"),
    ):
        streets.run("arguments[0].value = arguments[1]; readFilters()", streets.one("#query"), written)
        assert streets.count == count


# Scripts


SCRIPTS = {
    "ja": ("この 家 は 赤い", False),
    "zh": ("房子 是 红色", False),
    "ko": ("집은 빨간색 이다", False),
    "he": ("הבית הוא אדום", False),
    "ar": ("البيت أحمر جدا", False),
    "th": ("บ้าน สี แดง", False),
    "hi": ("घर लाल है", False),
    "ru": ("дом совсем красный", True),
    "fr": ("la maison rouge", True),
}


SLANTED = """
const isSlanted = (each) => getComputedStyle(each).fontStyle !== "normal";
return [...document.querySelectorAll("body *")].filter(isSlanted).map((each) => each.textContent);
"""


@pytest.mark.parametrize("language", SCRIPTS)
def test_only_scripts_that_have_italics_are_slanted(show, language):
    text, slanted = SCRIPTS[language]
    pairs = [(["the", "red", "家"], text.split())]
    made = ReportInput(Text.of(pairs), pairs, [0], [System("one", [Alignment.of([(0, 0)])])])
    page = show(render(Report(made), "Scripts"))
    styles = [word.value_of_css_property("font-style") for word in page.words("t")]
    assert styles == ["italic" if slanted else "normal"] * len(pairs[0][1])
    assert [word.value_of_css_property("font-style") for word in page.words("s")] == ["italic", "italic", "normal"]
    weights = [int(word.value_of_css_property("font-weight")) for word in [*page.words("t"), page.words("s")[2]]]
    assert all(weight >= 600 for weight in weights) or slanted
    assert weights[-1] >= 600
    slants = page.run(SLANTED)
    assert all(ord(letter) < 0x590 for word in slants for letter in word)
    assert page.one(".panel .words:nth-of-type(2)").get_attribute("data-script") not in (None, "Zyyy")


# What goes on beyond an edge


CUT = """
const cut = [];
for (const box of document.querySelectorAll("body *")) {
  const style = getComputedStyle(box);
  if (box.checkVisibility && !box.checkVisibility()) continue;
  if (box.matches("caption, .unseen, .skip, input, select, option") || box.closest("svg")) continue;
  if (box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0) continue;
  if (style.display === "inline" || style.overflowX === "visible") {
    if (box.closest(".scroll, .grid")) continue;  // the box that scrolls is looked at itself
    if (box.getBoundingClientRect().right <= document.documentElement.clientWidth + 1) continue;
    cut.push(["beyond the page", box.outerHTML.slice(0, 120)]);
  } else if (["auto", "scroll"].includes(style.overflowX)) {
    const shades = style.backgroundImage.match(/linear-gradient/g) ?? [];
    const isShown = shades.length === 4 && style.backgroundAttachment === "local, local, scroll, scroll";
    if (!isShown) cut.push(["no sign", box.outerHTML.slice(0, 120)]);
    if (!box.hasAttribute("tabindex")) cut.push(["no keyboard", box.outerHTML.slice(0, 120)]);
  } else if (style.textOverflow !== "ellipsis") {
    cut.push(["hidden", box.outerHTML.slice(0, 120)]);
  }
}
return cut;
"""


def wide_input(gold):
    inputs = long_input(8)
    pairs, golds = inputs.pairs, inputs.golds
    systems = [
        System(f"a system with a long name {k}", disturbed(golds, pairs, k, 0.1), origin="x" * 90) for k in (0, 1)
    ]
    return ReportInput(Text.of(pairs), pairs, range(8), systems, golds if gold else None)


@pytest.mark.parametrize("gold", [True, False], ids=["gold", "no gold"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_on_a_phone_nothing_is_cut_off_without_a_sign(show, gold, dark):
    page = show(
        render(Report(wide_input(gold), samples=10), "A title that is too long for a phone " * 3), width=375, dark=dark
    )
    page.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    look_up(page, "house")
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.run("return document.documentElement.scrollWidth") <= 375
    assert page.run(CUT) == []
    boxes = page.run(
        "return [...document.querySelectorAll('.scroll, .grid')].map((b) => b.scrollWidth > b.clientWidth)"
    )
    assert sum(boxes) > 5


def test_on_a_phone_words_of_the_dictionary_are_whole_unless_they_are_endless(show):
    endless = "x" * 300
    pairs = [(["nevertheless"], ["incontournables"]), ([endless], [endless])]
    systems = [System("a system", [Alignment.of([(0, 0)])] * 2)]
    page = show(render(Report(ReportInput(Text.of(pairs), pairs, range(2), systems)), "Whole words"), width=375)
    look_up(page, "nevertheless")
    lines = {button.text: page.run(LINES, button) for button in page.all("td.word .plain")}
    assert lines == {"nevertheless": 1, "incontournables": 1}
    look_up(page, endless)
    assert all(button.rect["width"] <= 360 for button in page.all("td.word .plain"))
    assert page.run("return document.documentElement.scrollWidth") <= 375


LINES = """
const range = document.createRange();
range.selectNodeContents(arguments[0]);
return range.getClientRects().length;
"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_sign_is_seen_and_goes_at_the_end(show, html, dark):
    """The right edge of a table that goes on differs from the paper; when it is scrolled to its end, it does not."""
    page = show(html, width=375, dark=dark)
    box = page.one("#analysis .scroll")
    page.run("arguments[0].closest('details').open = true; arguments[0].scrollIntoView({ block: 'center' })", box)
    paper = page.one("body").value_of_css_property("background-color")
    before = edge(page, box)
    page.run("arguments[0].scrollLeft = 10000", box)
    page.run("return new Promise((done) => setTimeout(done, 100))")
    after = edge(page, box)
    assert contrast(before, paper) > 1.4
    assert contrast(after, paper) < 1.1


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_sign_is_seen_where_little_is_beyond(show, html, dark):
    page = show(html, dark=dark)
    paper = page.one("body").value_of_css_property("background-color")
    box = page.one(".scroll:has(#table-corpus)")
    for beyond in (16, 20):
        page.run(WIDER, box, beyond)
        assert page.run("return arguments[0].scrollWidth - arguments[0].clientWidth", box) == beyond
        assert contrast(edge(page, box), paper) > 1.4


WIDER = """
const [box, beyond] = arguments;
box.firstElementChild.style.width = `${box.clientWidth + beyond}px`;
letScroll();
"""


PIXEL = """
const image = new Image();
image.src = "data:image/png;base64," + arguments[0];
return image.decode().then(() => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(image.width - 4, image.height - 3, 1, 1).data].slice(0, 3);
});
"""


def edge(page, box):
    """The colour of the paper at the right edge of a box, below the words of its last row."""
    return f"rgb({', '.join(map(str, page.run(PIXEL, box.screenshot_as_base64)))})"
