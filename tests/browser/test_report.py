"""The report in a real browser."""

from __future__ import annotations

from itertools import pairwise

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pralign.evaluation import Scores
from pralign.links.alignment import Alignment
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report
from report.inputs import NASTY, PAIRS, disturbed, long_input, nasty_input, pairs_and_golds, report_input

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def html():
    return render(Report(report_input(systems=3), samples=100), "A report")


@pytest.fixture(scope="module")
def html_without_gold():
    return render(Report(report_input(gold=False), samples=100), "No gold")


@pytest.fixture(scope="module")
def many():
    """Forty pairs, no two of which have the same words."""
    return render(Report(long_input(40), samples=10), "Many")


def counts():
    return report_input(systems=3).counts


# Search and filters


def test_all_pairs_are_there_at_first_the_worst_one_open(show, html):
    page = show(html)
    assert page.count == "40 pairs"
    assert len(page.numbers()) == 10
    errors = [Scores(each).aer for each in counts()["system B"]]  # the best one
    worst = sorted(range(40), key=lambda k: (-errors[k], k))
    expected = list({k % 10: k for k in reversed(worst)}.values())[::-1]  # the worst of those with the same words
    expected.sort(key=worst.index)
    found = page.numbers()
    assert [errors[number - 1] for number in found] == pytest.approx([errors[k] for k in expected[:10]])
    assert page.one("#pair h3").text.startswith(f"Pair {found[0]}")


def test_search_finds_pairs_by_words_of_either_side(show, html):
    page = show(html)
    page.write("query", "FENÊTRE")
    assert page.count == "4 of 40 pairs"
    page.write("query", "window nous")
    assert page.count == "4 of 40 pairs"
    page.write("query", "window chat")
    assert page.count == "0 of 40 pairs"
    assert "No pair fits" in page.one("#pair").text
    page.one("#filters button[type=reset]").click()
    assert page.count == "40 pairs"


def test_filters_by_kind_of_error_agree_with_the_counts(show, html):
    page = show(html)
    for number, (name, found) in enumerate(counts().items()):
        page.choose("system", number)
        assert page.run("return data.systems[state.system]") == name
        for kind, number_of_pairs in {
            "wrong": sum(c.links > c.links_possible for c in found),
            "missed": sum(c.sure > c.links_sure for c in found),
            "perfect": sum(c.links == c.links_possible and c.sure == c.links_sure for c in found),
        }.items():
            page.choose("kind", kind)
            assert page.count == f"{number_of_pairs} of 40 pairs"
        page.choose("kind", "all")


def test_filters_by_length_score_and_rare_words(show, html):
    page = show(html)
    page.write("shortest", "5")
    assert page.count == "12 of 40 pairs"
    page.write("longest", "5")
    assert page.count == "12 of 40 pairs"
    page.write("shortest", "2")
    page.write("longest", "2")
    assert page.count == "4 of 40 pairs"
    page.one("#filters button[type=reset]").click()
    page.write("bound", "15")
    bad = sum(round(100 * Scores(each).aer) >= 15 for each in counts()["system B"])
    assert 0 < bad < 40
    assert page.count == f"{bad} of 40 pairs"


def test_pairs_with_rare_words_can_be_asked_for(show):
    pairs = [(["common"], ["courant"])] * 6 + [(["common", "odd"], ["courant"]), (["common"], ["bizarre"])]
    links = [Alignment.of([(0, 0)])] * 8
    page = show(render(Report(ReportInput(Text.of(pairs), pairs, range(8), [System("one", links)])), "Rare"))
    page.one("#rare").click()
    assert page.count == "2 of 8 pairs"
    assert page.numbers() == [7, 8]
    assert [word.text for word in page.all(".panel .w.rare")] == ["odd"]


def test_pairs_can_be_sorted(show, html):
    page = show(html)
    page.choose("order", "file")
    assert page.numbers() == list(range(1, 11))
    page.choose("order", "short")
    assert page.numbers()[:2] == [9, 1]
    lengths = [len(PAIRS[(number - 1) % 10][0].split()) for number in page.numbers()]
    assert lengths == sorted(lengths)


def test_results_come_some_at_a_time(show, many):
    page = show(many)
    page.choose("order", "file")
    assert page.numbers() == list(range(1, 11))
    page.one("#later").click()
    assert page.one("#page").text == "page 2 of 4"
    assert page.numbers() == list(range(11, 21))


def test_pairs_with_the_same_words_are_one_entry(show, html):
    page = show(html)
    page.choose("order", "file")
    assert page.one("#different").text == "10 different ones, each listed once."
    assert [facts.text.split(", ")[-1] for facts in page.all("#list .facts")] == ["4 times"] * 10
    page.all("#list button")[2].click()
    told = page.one("#pair .same").text
    links = page.run("return data.pairs.filter((pair) => pair.n % 10 === 3).map((pair) => JSON.stringify(pair.x))")
    others = [
        f"{n}{'' if each == links[0] else ' (other links)'}" for n, each in zip((13, 23, 33), links[1:], strict=True)
    ]
    assert told == f"These words are there 4 times; also in {', '.join(others)}"
    page.all("#pair .same a")[1].click()
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.one("#pair h3").text == "Pair 23 3 of 10"
    assert page.one('#list [aria-current="true"] .facts').text.startswith("3: ")
    page.choose("kind", "perfect")
    chosen = page.run("return chosenPairs().map((pair) => pair.n)")
    assert len(page.numbers()) == len({n % 10 for n in chosen}) < len(chosen) < 40
    assert [facts.text.split(", ")[-1] for facts in page.all("#list .facts")] == ["4 times"] * len(page.numbers())
    assert page.one("#pair .same").text.startswith("These words are there 4 times")


# The pair


def test_hovering_a_word_lights_its_partners_in_text_and_grid(show, html):
    page = show(html)
    page.choose("order", "file")
    data = page.run("return data.pairs[3]")
    page.all("#list button")[3].click()
    assert page.one("#pair h3").text.startswith("Pair 4")
    width = len(data["t"])
    links = [[divmod(cell, width) for cell in cells] for cells, _ in data["x"]]
    for i, word in enumerate(data["s"]):
        page.point_at(page.words("s", i % 3)[i])
        for panel in range(3):
            assert page.lit("lit", panel) == [word]
            assert page.lit("partner", panel) == [data["t"][j] for at, j in links[panel] if at == i]
    page.point_at(page.words("t", 1)[2])
    assert page.lit("partner", 1) == [data["s"][i] for i, at in links[1] if at == 2]
    labels = page.all("#pair .panel")[1].find_elements(By.CSS_SELECTOR, "text.lit")
    assert [label.text for label in labels] == [data["t"][2]]
    page.point_at(page.one("h1"))
    assert page.all("#pair .lit, #pair .partner") == []


def test_a_touched_word_stays_lit(show, html):
    page = show(html, width=375)
    word = page.words("s")[1]
    word.click()
    assert word.get_attribute("aria-pressed") == "true"
    page.run("document.activeElement.blur()")
    assert page.lit("lit") == [word.text]
    word.click()
    assert word.get_attribute("aria-pressed") == "false"


def test_grids_show_gold_and_links_with_sizes(show, html):
    page = show(html)
    page.choose("order", "file")
    page.choose("colours", "errors")
    pair = page.run("return data.pairs[0]")
    panel = page.all("#pair .panel")[0]
    assert len(panel.find_elements(By.CSS_SELECTOR, "rect.sure")) == len(pair["g"])
    assert len(panel.find_elements(By.CSS_SELECTOR, "rect.possible")) == len(pair["p"])
    circles = panel.find_elements(By.CSS_SELECTOR, ".grid circle")
    cells, scores = pair["x"][0]
    radii = {
        tuple(map(float, (c.get_attribute("cx"), c.get_attribute("cy")))): float(c.get_attribute("r")) for c in circles
    }
    assert sorted(radii.values()) == pytest.approx(sorted(7 * (score / 100) ** 0.5 for score in scores), abs=0.01)
    wrong = [cell for cell in cells if cell not in pair["g"] + pair["p"]]
    assert len(panel.find_elements(By.CSS_SELECTOR, "circle.wrong")) == len(wrong)
    assert len(panel.find_elements(By.CSS_SELECTOR, "rect.missed")) == len(set(pair["g"]) - set(cells))


def test_systems_stand_side_by_side_with_gains_and_losses(show, html):
    page = show(html)
    page.choose("order", "differ")
    pair = page.run("return data.pairs.find((pair) => pair.n === state.at)")
    panels = page.all("#pair .panel")
    assert [panel.find_element(By.TAG_NAME, "h4").text for panel in panels] == ["system A", "system B", "system C"]
    assert panels[0].rect["y"] == panels[1].rect["y"]
    assert panels[0].rect["x"] < panels[1].rect["x"]
    base = set(pair["x"][0][0])
    for k, panel in enumerate(panels):
        links = set(pair["x"][k][0])
        gained, lost = (panel.find_elements(By.CSS_SELECTOR, f".grid circle.{kind}") for kind in ("gained", "lost"))
        assert (len(gained), len(lost)) == (len(links - base), len(base - links))
        green = [circle.value_of_css_property("fill") for circle in gained]
        red = [circle.value_of_css_property("stroke") for circle in lost]
        assert set(green) <= {"rgb(26, 127, 55)"}
        assert set(red) <= {"rgb(200, 37, 44)"}
    assert page.all("circle.gained")
    assert page.all("circle.lost")


def test_the_links_of_a_pair_can_be_read_as_a_list(show, html):
    page = show(html)
    page.choose("order", "differ")
    page.run("document.querySelectorAll('details.listing').forEach((each) => (each.open = true))")
    pair = page.run("return data.pairs.find((pair) => pair.n === state.at)")
    base = pair["x"][0][0]
    for panel, (cells, scores) in zip(page.all("#pair .panel"), pair["x"], strict=True):
        rows = {}
        for row in panel.find_elements(By.CSS_SELECTOR, ".listing tbody tr"):
            source, target, probability, verdict = (cell.text for cell in row.find_elements(By.TAG_NAME, "td"))
            rows[source, target] = (probability, verdict)
        expected = {}
        for cell in {*cells, *base, *pair["g"]}:
            i, j = divmod(cell, len(pair["t"]))
            right = "right" if cell in pair["g"] + pair["p"] else "wrong"
            told = [right] if cell in cells else ["missed"] if cell in pair["g"] else []
            if (cell in cells) != (cell in base):
                told.append("gained" if cell in cells else "lost")
            percent = f"{scores[cells.index(cell)]} %" if cell in cells else ""
            expected[pair["s"][i], pair["t"][j]] = (percent, ", ".join(told))
        assert rows == expected


def test_a_kept_word_stays_lit_while_nothing_else_is_pointed_at(show, html):
    page = show(html)
    word = page.words("s")[0]
    word.click()
    page.point_at(page.words("s")[1])
    assert page.lit("lit") == [page.words("s")[1].text]
    page.point_at(page.one("#pair h4"))
    assert page.lit("lit") == [word.text]


def test_pairs_with_an_empty_side_are_shown(show):
    pairs = [([], ["mot"]), (["word"], ["mot"]), (["word"], [])]
    links = [Alignment(), Alignment.of([(0, 0)]), Alignment()]
    made = ReportInput(Text.of(pairs), pairs, range(3), [System("one", links)], links)
    page = show(render(Report(made), "Empty"))
    page.choose("order", "file")
    assert "(no words)" in page.one(".panel").text
    assert "nothing to judge" in page.one(".panel").text
    assert page.all(".panel .grid") == []


def test_of_many_systems_two_are_shown_at_a_time(show):
    pairs, golds = pairs_and_golds(1)
    systems = [System(f"number {k}", disturbed(golds, pairs, k, 0.2)) for k in range(9)]
    page = show(render(Report(ReportInput(Text.of(pairs), pairs, range(10), systems, golds)), "Many"))
    page.choose("system", 7)
    assert [title.text for title in page.all(".panel h4")] == ["number 0", "number 7"]
    assert len(page.all(".findings li")) < 16


# Keyboard


def test_everything_can_be_done_by_keyboard(show, html):
    page = show(html)
    page.press(Keys.TAB)
    assert page.focused.get_attribute("class") == "skip"
    page.run("document.getElementById('query').focus()")
    page.press("window")
    assert page.count == "4 of 40 pairs"
    page.press(*[Keys.BACKSPACE] * 6)
    page.run("document.querySelector('#list button').focus()")
    page.press(Keys.ENTER)
    first = page.one("#pair h3").text
    assert page.focused.get_attribute("id") == "pair"
    page.press("j")
    assert page.one("#pair h3").text != first
    page.press("K")
    assert page.one("#pair h3").text == first
    page.run("document.getElementById('query').focus()")
    page.press("window")
    page.run("document.querySelector('#list button').focus()")
    page.press(Keys.ENTER)
    while "w" not in (page.focused.get_attribute("class") or "").split():
        page.press(Keys.TAB)
    assert page.focused.text == page.words("s")[0].text
    assert page.lit("lit") == ["we"]
    page.press(Keys.ARROW_RIGHT)
    assert page.focused.text == "open"
    assert page.lit("lit") == ["open"]
    page.press(Keys.ENTER)
    assert page.focused.get_attribute("aria-pressed") == "true"
    page.press(Keys.TAB)
    assert page.focused.get_attribute("data-side") == "t"  # one stop a row, not one a word


def test_arrows_follow_links(show, html):
    page = show(html)
    page.choose("order", "file")
    pair = page.run("return data.pairs[0]")
    i, j = divmod(pair["x"][0][0][0], len(pair["t"]))
    page.run("arguments[0].focus()", page.words("s")[i])
    page.press(Keys.ARROW_DOWN)
    assert (page.focused.get_attribute("data-side"), page.focused.get_attribute("data-at")) == ("t", str(j))
    page.press(Keys.ARROW_UP)
    assert page.focused.get_attribute("data-side") == "s"


def test_numbers_of_pairs_in_tables_open_them(show, html):
    page = show(html)
    page.write("query", "nothing fits this")
    page.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    link = page.one("#table-missed_pairs a")
    number = link.text
    page.run("arguments[0].click()", link)
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.one("#pair h3").text.startswith(f"Pair {number} ")
    assert page.count == "40 pairs"
    page.press("j")
    assert not page.one("#pair h3").text.startswith(f"Pair {number} ")
    page.run("arguments[0].click()", link)
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.one("#pair h3").text.startswith(f"Pair {number} ")


def test_the_last_page_keeps_the_focus_on_the_button(show, many):
    page = show(many)
    for _ in range(5):
        page.one("#later").click()
    assert page.one("#page").text == "page 4 of 4"
    assert page.focused.get_attribute("id") == "later"


def test_words_are_marked_with_their_languages(show):
    page = show(render(Report(report_input(), samples=100), "Languages", ("en", "fr")))
    assert [row.get_attribute("lang") for row in page.all(".panel:first-child .words")] == ["en", "fr"]


def test_controls_have_names_that_can_be_read_out(show, html):
    page = show(html)
    unnamed = page.run(
        """const controls = "button, input, select, a, summary, [tabindex='0'], svg[role=img]";
        const isNamed = (each) => each.textContent.trim() || each.getAttribute("aria-label") || each.labels?.length;
        const seen = [...document.querySelectorAll(controls)].filter((each) => !each.closest("[hidden]"));
        return seen.filter((each) => !isNamed(each)).map((each) => each.outerHTML);"""
    )
    assert unnamed == []
    assert page.one("html").get_attribute("lang") == "en"
    assert page.one("#count").get_attribute("aria-live") == "polite"
    levels = [int(each.tag_name[1]) for each in page.all("h1, h2, h3, h4")]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


# Themes and sizes


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgba(").removeprefix("rgb(").rstrip(")").split(",")[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_both_themes_are_readable(show, html, dark):
    page = show(html, dark=dark)
    paper = page.one("body").value_of_css_property("background-color")
    assert (luminance(paper) < 0.1) == dark
    page.words("s")[0].click()
    for selector in ("body", ".note", "a", ".facts", "th", "#count", ".legend li", ".chart text", ".grid text"):
        element = page.one(selector)
        colour = element.value_of_css_property("fill" if selector.endswith("text") else "color")
        assert contrast(colour, paper) >= 4.5, selector
    for kind in ("lit", "partner"):
        for word in page.all(f".w.{kind}"):
            ink, background = (word.value_of_css_property(name) for name in ("color", "background-color"))
            assert contrast(ink, background) >= 4.5
    for kind in ("gained", "lost"):
        page.choose("order", "differ")
        sign = page.one(f".grid circle.{kind}")
        assert contrast(sign.value_of_css_property("fill" if kind == "gained" else "stroke"), paper) >= 3


def test_the_theme_can_be_switched(show, html):
    page = show(html)
    before = page.one("body").value_of_css_property("background-color")
    page.one("#theme").click()
    after = page.one("body").value_of_css_property("background-color")
    assert luminance(after) < 0.1 < luminance(before)
    page.one("#theme").click()
    assert page.one("body").value_of_css_property("background-color") == before


@pytest.mark.parametrize("width", [375, 640], ids=["phone", "200 % zoom of 1280"])
def test_narrow_screens_need_no_sideways_scrolling(show, html, width):
    page = show(html, width=width, height=800)
    page.run("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.run("return document.documentElement.scrollWidth") <= width
    for selector in ("#query", "#kind", "#list button", "#pair h3", "#after", ".panel", "figure"):
        box = page.one(selector).rect
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= width, selector
    panels = page.all(".panel")
    assert panels[0].rect["x"] == panels[1].rect["x"]  # one below the other


def test_choosing_a_pair_on_a_phone_brings_it_into_view(show, html):
    page = show(html, width=375, height=700)
    page.run("arguments[0].scrollIntoView(); arguments[0].click()", page.all("#list button")[2])
    page.run("return new Promise((done) => setTimeout(done, 800))")
    assert 0 <= page.run("return document.getElementById('pair').getBoundingClientRect().top") < 700


# Without gold, and with text that is not to be trusted


def test_without_gold_there_are_no_scores_and_the_least_sure_pair_comes_first(show, html_without_gold):
    page = show(html_without_gold)
    assert "gold" in page.one("#summary").text
    assert page.all("#table-scores") == []
    assert page.all("rect.sure") == []
    confidences = page.run("return chosenPairs().map((pair) => pair.c[0])")
    assert confidences == sorted(confidences)
    kinds = [option.get_attribute("value") for option in page.all("#kind option")]
    assert "wrong" not in kinds
    assert "differ" in kinds
    page.choose("kind", "differ")
    one, other = (system.alignments for system in report_input(gold=False).systems)
    different = sum(a.links != b.links for a, b in zip(one, other, strict=True))
    assert 0 < different < 40
    assert page.count == f"{different} of 40 pairs"


def test_words_are_never_markup(show):
    page = show(render(Report(nasty_input(), samples=10), "<b>title</b> & more"))
    assert page.driver.title == "<b>title</b> & more"
    page.choose("order", "file")
    shown = [word.get_attribute("textContent") for word in page.words("s")]
    assert shown[:5] == NASTY[:5]
    assert shown[5] == "U+200F"
    assert shown[7:] == NASTY[7:]
    assert "\u202e" not in shown[6]
    labels = [each.get_attribute("textContent") for each in page.all('.grid text[data-side="s"]')]
    assert labels[1:5] == NASTY[1:5]
    assert page.one(".panel h4").text == "<b>bold</b>"
    assert page.all("b, i, h4 *") == []
    assert len(page.all("script")) == 2
    assert page.run("return window.alerted") is None
    text = page.one("#summary").text
    assert "<i>en</i>" in text
    page.write("query", "<script>")
    assert page.count == "1 of 2 pairs"


def test_the_policy_of_the_page_refuses_other_scripts(show, html):
    page = show(html)
    page.run(
        "const made = document.createElement('script'); made.textContent = 'hacked = 1'; document.body.append(made)"
    )
    assert page.run("return window.hacked") is None
    refused = [entry for entry in page.driver.get_log("browser") if "Content Security Policy" in entry["message"]]
    assert refused


def test_curves_can_be_saved(show, html, tmp_path, driver):
    page = show(html)
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.run("document.querySelector('.save').click()")
    for _ in range(50):
        page.run("return new Promise((done) => setTimeout(done, 100))")
        if (tmp_path / "precision_recall.svg").exists():
            break
    assert (tmp_path / "precision_recall.svg").read_text().startswith("<svg")


def test_a_large_report_opens_within_two_seconds(show):
    made = long_input(2500)
    page = render(Report(made, samples=10), "Large")
    assert 2_500_000 < len(page.encode()) < 5_000_000
    opened = show(page)
    timing = opened.run("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime")
    assert 0 < timing < 2000
    assert opened.all(".panel")
