"""The page for labelling in a real browser."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from labelling.fake_server import NASTY, World, pair, serving, settling_pair
from pralign.labelling.page import label_page

SLOW = pytest.mark.slow


def plain(**more):
    """A pair without proposals."""
    return pair("the house is small", "la maison est petite", **more)


# The text of the page


def test_the_policy_names_style_and_script_of_the_page_and_nothing_else():
    page, policy = label_page()
    assert len(re.findall(r"'sha256-[^']+'", policy)) == 2
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert policy.removesuffix("; frame-ancestors 'none'") in page
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_words_get_onto_the_page_as_text_alone():
    page, _ = label_page()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", page)


# Linking


@SLOW
def test_a_word_and_then_a_word_of_the_other_line_are_linked(label):
    page = label(World([plain()]))
    page.link(0, 0)
    assert page.kind(0, 0) == "sure"
    page.word("target", 2).click()
    page.word("source", 1).click()
    assert page.kind(1, 2) == "sure"
    assert page.links() == {(0, 0): "sure", (1, 2): "sure"}
    assert page.saved()["state"] == "started"
    assert page.all(".w.chosen") == []


@SLOW
def test_clicks_on_a_line_and_on_a_cell_go_from_sure_to_possible_to_none(label):
    page = label(World([plain()]))
    page.cell(3, 1).click()
    assert page.kind(3, 1) == "sure"
    page.click_line(3, 1)
    assert page.kind(3, 1) == "possible"
    page.click_line(3, 1)
    assert page.kind(3, 1) == "none"
    assert page.links() == {}
    assert page.saved()["state"] == "unlabelled"
    for expected in ("sure", "possible", "none"):
        page.cell(3, 1).click()
        assert page.kind(3, 1) == expected


@SLOW
def test_dragging_links_words_of_two_lines_and_chooses_words_of_one(label):
    page = label(World([plain()]))
    page.drag(page.word("source", 1), page.word("target", 1))
    assert page.links() == {(1, 1): "sure"}
    page.drag(page.word("source", 2), page.word("source", 3))
    assert [word.text for word in page.all(".w.chosen")] == ["is", "small"]
    page.drag(page.word("target", 3), page.word("target", 2))
    assert page.one("#link-bar").is_displayed()
    page.one("#link-possible").click()
    phrase = {(i, j): "possible" for i in (2, 3) for j in (2, 3)}
    assert page.links() == {(1, 1): "sure"} | phrase
    page.one("#undo").click()
    assert page.links() == {(1, 1): "sure"}


@SLOW
def test_a_drag_links_only_the_words_where_it_began_and_ended(label):
    page = label(World([plain()]))
    chain = ActionChains(page.driver).click_and_hold(page.word("source", 0)).move_to_element(page.word("source", 1))
    chain.move_to_element(page.word("target", 3)).release().perform()
    assert page.links() == {(0, 3): "sure"}
    for k in (1, 2):
        ActionChains(page.driver).key_down(Keys.CONTROL).click(page.word("source", k)).key_up(Keys.CONTROL).perform()
    page.drag(page.word("source", 2), page.word("target", 0))
    assert page.links() == {(0, 3): "sure", (1, 0): "sure", (2, 0): "sure"}


@SLOW
def test_what_was_linked_a_moment_ago_can_be_made_possible_by_a_key(label):
    page = label(World([plain()]))
    page.link(1, 1)
    page.press("p")
    assert page.links() == {(1, 1): "possible"}
    page.press("l")
    assert page.links() == {(1, 1): "sure"}
    page.link(2, 1)
    page.press("p")  # the word has two links now
    assert page.links() == {(1, 1): "sure", (2, 1): "sure"}
    assert "Choose words in both lines first" in page.one("#hint").text


@SLOW
def test_shift_and_control_choose_several_words(label):
    page = label(World([plain()]))
    page.word("source", 0).click()
    shift = ActionChains(page.driver).key_down(Keys.SHIFT).click(page.word("source", 2)).key_up(Keys.SHIFT)
    shift.key_down(Keys.CONTROL).click(page.word("target", 3)).click(page.word("target", 1)).key_up(Keys.CONTROL)
    shift.perform()
    page.press("l")
    assert page.links() == {(i, j): "sure" for i in (0, 1, 2) for j in (1, 3)}


@SLOW
def test_fingers_link_words_and_phrases(label):
    page = label(World([plain()]), width=375, height=760)
    page.tap(page.word("source", 0))
    page.tap(page.word("target", 0))
    page.until(lambda: page.links() == {(0, 0): "sure"})
    page.tap(page.one("#several"))
    for side, at in [("source", 1), ("source", 2), ("target", 1), ("target", 2)]:
        page.tap(page.word(side, at))
    page.tap(page.one("#link-sure"))
    page.until(lambda: len(page.links()) == 5)
    page.tap(page.one("#several"))
    page.tap(page.one('[data-line="0-0"] .near'))
    page.until(lambda: page.kind(0, 0) == "possible")


@SLOW
def test_everything_can_be_done_by_keys(label):
    page = label(World([plain(), plain(), plain()]))
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.focused.text == "house"
    page.press(Keys.SPACE, Keys.TAB, Keys.ARROW_RIGHT, Keys.ENTER)
    assert page.links() == {(1, 1): "sure"}
    page.press(Keys.ARROW_UP)
    assert page.focused.get_attribute("data-side") == "source"
    page.press(Keys.ENTER, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, "p")
    assert page.links() == {(1, 1): "sure", (1, 2): "possible"}
    page.press(Keys.SPACE, Keys.ARROW_UP)
    page.with_shift(Keys.ARROW_RIGHT)
    page.press("l")
    assert page.links()[2, 2] == "sure"
    page.press("u")
    page.with_control("z")
    assert page.links() == {(1, 1): "sure"}
    page.with_control("y")
    assert page.links() == {(1, 1): "sure", (1, 2): "possible"}
    page.press(Keys.HOME, Keys.ARROW_RIGHT, "x")  # all of the word with the focus
    assert page.links() == {}
    page.with_control("z")
    page.press("d")
    page.until(lambda: page.number == 2)
    assert page.focused.get_attribute("class").startswith("w")
    page.press("s")
    page.until(lambda: page.number == 3)
    page.press("n")
    page.until(lambda: page.one("#nothing").is_displayed())
    assert [each["state"] for each in page.world.pairs] == ["labelled", "skipped", "labelled"]
    assert page.world.pairs[2]["links"] == []


@SLOW
def test_the_grid_can_be_walked_and_marked_by_keys(label):
    page = label(World([plain()]))
    page.cell(0, 0).click()
    page.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
    page.press(Keys.ARROW_DOWN, "p")
    page.press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.DELETE)
    assert page.links() == {(1, 1): "sure", (2, 1): "possible"}
    assert page.focused.get_attribute("aria-label") == "the (1) – la (1): no link"  # noqa: RUF001
    page.press("g")
    assert not page.one("#grid-box").is_displayed()


# Proposals


@SLOW
def test_proposals_are_no_links_until_they_are_taken(label):
    page = label()
    assert [page.kind(k, k) for k in range(4)] == ["proposal", "proposal", "proposal", "none"]
    assert page.cell(1, 1).text == "55"
    page.click_line(0, 0)
    assert page.kind(0, 0) == "sure"
    page.click_line(1, 1, act="hover")
    assert "proposal, 55 %" in page.one("#hint").text
    page.press("p")
    assert page.kind(1, 1) == "possible"
    page.click_line(2, 2, act="hover")
    page.press("x")
    assert page.kind(2, 2) == "refused"
    assert page.links() == {(0, 0): "sure", (1, 1): "possible"}
    assert page.saved()["refused"] == [[2, 2]]
    page.press("uuu")
    assert [page.kind(k, k) for k in range(3)] == ["proposal"] * 3
    assert page.saved()["refused"] == []


@SLOW
def test_all_proposals_shown_are_taken_at_once_and_undone_at_once(label):
    page = label()
    assert page.one("#accept").text.startswith("Accept all 3 shown")
    page.run("const r = field('least'); r.value = 60; r.dispatchEvent(new Event('input', {bubbles: true}))")
    assert page.kind(1, 1) == "none"
    page.press("a")
    assert page.links() == {(0, 0): "sure", (2, 2): "sure"}
    page.one("#undo").click()
    assert page.links() == {}
    page.one("#redo").click()
    assert page.links() == {(0, 0): "sure", (2, 2): "sure"}


@SLOW
def test_a_proposal_refused_in_a_pair_without_links_leaves_it_labelled(label):
    page = label()
    page.one("#none").click()
    page.until(lambda: page.number == 2)
    page.one("#previous").click()
    page.until(lambda: page.number == 1)
    page.click_line(0, 0, act="hover")
    page.press("x")
    assert page.saved()["state"] == "labelled"
    assert page.saved()["refused"] == [[0, 0]]
    page.cell(3, 3).click()
    page.press("u")
    assert page.saved()["state"] == "labelled"


@SLOW
def test_links_and_refusals_stay_when_the_model_has_learned(label):
    page = label()
    page.cell(0, 0).click()
    page.click_line(1, 1, act="hover")
    page.press("x")
    page.saved()
    page.world.pairs[0]["proposals"] = [[0, 0, 0.1], [1, 1, 0.99], [4, 4, 0.77]]
    page.world.has_learned()
    page.until(lambda: page.cell(4, 4).text == "77")
    assert [page.kind(k, k) for k in range(5)] == ["sure", "refused", "none", "none", "proposal"]
    assert page.one("#estimate").text == "Estimated errors: 11 in 100 links; the model alone: 15"
    assert page.one("#chart svg").is_displayed()


@SLOW
def test_what_two_people_have_set_is_taken_only_by_button(label):
    world = World([settling_pair()])
    world.settling = {"names": ["A.gold", "B.gold"]}
    page = label(world)
    assert [page.cell(k, k).text for k in range(4)] == ["AB", "A", "A≠B", "B"]
    assert page.links() == {}
    page.one('[data-take="both"]').click()
    assert page.links() == {(0, 0): "sure", (2, 2): "possible"}
    page.click_line(3, 3)
    assert page.links()[3, 3] == "sure"
    page.press("uu")
    page.one('[data-take="B"]').click()
    assert page.links() == {(0, 0): "sure", (2, 2): "sure", (3, 3): "sure"}


# From pair to pair


@SLOW
def test_done_skip_and_no_link_lead_on_and_previous_leads_back(label):
    page = label(World([plain(), plain(test=True), plain()]))
    page.one("#done").click()  # without a link, that could mean two things
    assert "There is no link yet" in page.one("#toast").text
    assert page.number == 1
    page.link(0, 0)
    assert not page.one("#none").is_enabled()
    page.one("#done").click()
    page.until(lambda: page.number == 2)
    assert page.world.pairs[0]["state"] == "labelled"
    assert page.one("#test").is_displayed()
    page.one("#none").click()
    page.until(lambda: page.number == 3)
    page.one("#previous").click()
    page.until(lambda: page.number == 2)
    assert page.one("#state").text == "✓ labelled: no link"
    page.one("#undo").click()
    assert page.saved()["state"] == "unlabelled"
    page.one("#previous").click()
    page.until(lambda: page.number == 1)
    page.link(1, 1)
    assert page.saved()["state"] == "labelled"  # put right, it stays labelled
    page.one("#skip").click()
    page.until(lambda: page.number == 2)
    assert page.world.pairs[0]["state"] == "skipped"
    page.until(lambda: "1 skipped" in page.one("#progress").text)


@SLOW
def test_proposals_left_are_told_of_once(label):
    page = label()
    page.cell(4, 4).click()
    page.one("#done").click()
    page.until(lambda: page.number == 2)
    assert "3 proposals of pair 1 were not taken" in page.one("#toast").text
    [close] = [each for each in page.all("#toast button") if each.text == "Close"]
    close.click()
    assert not page.one("#toast").is_displayed()
    page.cell(1, 1).click()
    page.one("#done").click()
    page.until(lambda: page.number == 3)
    assert not page.one("#toast").is_displayed()


@SLOW
def test_the_list_leads_to_any_pair(label):
    page = label()
    page.one("#list-button").click()
    page.until(lambda: len(page.all("#pairs button")) == 7)
    page.one('[data-pair="5"]').click()
    page.until(lambda: page.number == 5)
    page.one("#list-button").click()
    page.choose("filter", "skipped")
    page.until(lambda: page.one("#list-count").text == "No such pairs.")
    page.write("jump", "2")
    page.press(Keys.ENTER)
    page.until(lambda: page.number == 2)


@SLOW
def test_help_comes_by_itself_before_anything_is_labelled(label):
    page = label(World([plain()], labelled=0))
    page.until(lambda: page.one("#help").is_displayed())
    assert len(page.all("#help ol li")) == 5
    page.press(Keys.ESCAPE)
    assert not page.one("#help").is_displayed()
    page.press("?")
    assert page.one("#help").is_displayed()
    page.press("d")  # keys of the page mean nothing while it is open
    assert page.world.changes == []


@SLOW
def test_finishing_says_where_things_are(label):
    page = label()
    page.one("#finish-button").click()
    page.until(lambda: page.one("#finished").is_displayed())
    assert "/home/me/hand.gold.match" in page.one("#files").text
    assert page.one("#command").text == page.world.finish["command"]
    assert ("POST", "/api/finish") in [(method, path) for method, path, _ in page.world.asked]


# Saving


@SLOW
def test_each_change_is_sent_in_order_and_saved_is_said_only_afterwards(label):
    page = label(World([plain()]))
    page.world.wait = 0.3
    page.run("for (const k of [0, 1, 2, 3]) cycle(cellOf(current, k, k))")
    assert page.status == "saving"
    assert len(page.links()) == 4
    assert [len(body["links"]) for _, body in page.world.changes] == [1, 4]  # the newest of those that had to wait
    clients = {client for _, _, client in page.world.asked}
    assert len(clients) == 1
    assert len(clients.pop()) > 8


@SLOW
def test_what_could_not_be_saved_is_tried_again(label):
    page = label(World([plain(), plain()]))
    page.expected_errors = ("507",)
    page.world.error = "the disk is full."
    page.link(0, 0)
    page.until(lambda: page.status == "unsaved")
    assert page.notice("unsaved").startswith("Not saved: the disk is full. The page goes on trying")
    assert page.run("const e = new Event('beforeunload', {cancelable: true}); return dispatchEvent(e)") is False
    page.one("#done").click()
    assert page.number == 1
    page.link(1, 1)
    page.world.error = None
    page.until(lambda: page.number == 2)
    assert page.world.pairs[0]["links"] == [[0, 0, "sure"], [1, 1, "sure"]]
    assert page.status == "saved"
    assert page.notice("unsaved") == ""
    assert page.run("const e = new Event('beforeunload', {cancelable: true}); return dispatchEvent(e)") is True


@SLOW
@pytest.mark.parametrize("mine", [True, False])
def test_a_pair_that_somebody_else_has_changed_is_asked_about(label, mine):
    page = label(World([plain()], others=1))
    page.expected_errors = ("409",)
    assert page.notice("others").startswith("Open in another window too")
    page.world.pairs[0] |= {"version": 9, "links": [[3, 3, "possible"]], "state": "started"}
    page.link(0, 0)
    page.until(lambda: page.notice("conflict"))
    assert page.status == "unsaved"
    assert "Theirs has 1 link, yours 1; they differ in 2 places" in page.notice("conflict")
    page.press_in_notice("conflict", "Keep mine" if mine else "Take theirs")
    assert page.links() == ({(0, 0): "sure"} if mine else {(3, 3): "possible"})
    assert page.notice("conflict") == ""
    if not mine:
        page.one("#undo").click()
        assert page.links() == {(0, 0): "sure"}
    page.world.others = 0
    page.until(lambda: page.notice("others") == "")


# Looks


@SLOW
def test_words_of_others_stay_text(label):
    page = label(number=6)
    assert page.word("source", 1).text == NASTY[:39] + "…"
    assert page.word("source", 1).get_attribute("title") == NASTY
    assert page.all("main img") == []
    page.cell(1, 1).click()
    page.one("#list-button").click()
    page.until(lambda: len(page.all("#pairs button")) == 7)
    assert NASTY in page.one('[data-pair="6"]').text
    assert "broken" not in page.driver.title


@SLOW
def test_words_from_right_to_left_run_so_in_both_views(label):
    page = label(number=4)
    left = [page.word("target", k).rect["x"] for k in range(4)]
    columns = [page.cell(0, k).rect["x"] for k in range(4)]
    assert left == sorted(left, reverse=True)
    assert columns == sorted(columns, reverse=True)
    sources = [page.word("source", k).rect["x"] for k in range(6)]
    assert sources == sorted(sources)
    page.word("target", 0).click()
    page.press(Keys.ESCAPE, Keys.ARROW_LEFT)
    assert page.focused.get_attribute("data-word") == "1"


@SLOW
@pytest.mark.parametrize("number", [1, 3, 7])
def test_nothing_sticks_out_of_a_narrow_screen(label, number):
    page = label(number=number, width=375, height=760)
    assert not page.overflows()
    small = page.run("""return [...document.querySelectorAll("button, select, input, #grid [data-cell]")]
        .filter((each) => each.offsetParent && !each.closest("dialog"))
        .filter((each) => each.offsetWidth < 32 || each.offsetHeight < 32).map((each) => each.id || each.outerHTML)""")
    assert small == []
    for name in ("list-button", "help-button"):
        page.one(f"#{name}").click()
        assert not page.overflows()
        page.press(Keys.ESCAPE)


ENDS = """
const board = document.getElementById("board").getBoundingClientRect();
const away = (path, side, at, where) => {
  const box = document.querySelector(`[data-side=${side}][data-word="${at}"]`).getBoundingClientRect();
  const end = path.getPointAtLength(where), x = board.left + end.x, y = board.top + end.y;
  const upright = Math.min(Math.abs(y - box.top), Math.abs(y - box.bottom));
  return Math.max(Math.abs(x - box.left - box.width / 2), upright);
};
return [...document.querySelectorAll("[data-line]")].map((line) => {
  const path = line.querySelector(".near"), [i, j] = line.dataset.line.split("-");
  return Math.max(away(path, "source", i, 0), away(path, "target", j, path.getTotalLength()));
});
"""


@SLOW
@pytest.mark.parametrize("width", [375, 1280])
def test_lines_end_at_their_words_where_a_pair_fills_several_lines(label, width):
    page = label(number=3, width=width)
    away = page.run(ENDS)
    assert len(away) == 62
    assert max(away) < 1.5
    assert page.run("return document.querySelectorAll('.band').length") > 1


@SLOW
@pytest.mark.parametrize("width", [375, 1280])
def test_from_any_pair_to_any_other_words_are_there_and_lines_end_at_them(label, width):
    page = label(width=width)
    for number in (3, 4, 5, 3, 2, 6, 7, 1, 4):
        page.run("openPair(arguments[0])", number)
        page.until(lambda number=number: page.number == number)
        assert all(word.is_displayed() for word in page.all(".w"))
        away = page.run(ENDS)
        assert len(away) == len([score for *_, score in page.world.pairs[number - 1]["proposals"] if score >= 0.5])
        assert max(away, default=0) < 1.5


CLICK = """
const [cell, before] = [document.querySelector(`[data-cell="${arguments[0]}"]`), window.fetch];
let sent = null;
const begun = performance.now();
window.fetch = (...all) => {
  sent ??= performance.now() - begun;
  return before(...all);
};
cell.click();
window.fetch = before;
return sent;
"""


@SLOW
def test_a_click_in_a_long_pair_is_sent_at_once(label):
    page = label(number=3)
    spent = []
    for k in range(5):
        spent.append(page.run(CLICK, f"{k + 20}-{k}"))
        page.saved()
    assert sorted(spent)[2] < 20
    assert len(page.links()) == 5


CONTRASTS = """
const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const channels = (colour) => {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
};
const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
const behind = (each) => {
  for (let at = each; at; at = at.parentElement) {
    const colour = channels(getComputedStyle(at).backgroundColor);
    if (colour[3] === 255) return colour;
  }
};
return [...document.querySelectorAll(".w, #grid td, #grid th, p, button, h1, h2, .badge, #saved, label")]
  .filter((each) => each.offsetParent && each.textContent.trim())
  .map((each) => {
    const [a, b] = [light(channels(getComputedStyle(each).color)), light(behind(each))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), each.id || each.className || each.textContent];
  });
"""


@SLOW
@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_what_is_behind_it(label, dark):
    page = label(dark=dark)
    page.cell(0, 0).click()
    page.word("source", 1).click()
    lowest = min(page.run(CONTRASTS))
    assert lowest[0] >= 4.5, lowest
    background = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(17, 21, 26)") == dark


@SLOW
def test_hovering_a_word_lights_its_links_and_its_row_or_column(label):
    page = label(number=2)
    page.cell(7, 7).click()  # the second "the", the second "le"
    page.point_at(page.word("source", 7))
    assert [word.get_attribute("data-word") for word in page.all(".w.partner")] == ["7"]
    assert len(page.all("#grid td.band-lit")) == 9
    assert [head.get_attribute("data-number") for head in page.all("#grid th.lit")] == ["8"]
    assert page.word("source", 7).get_attribute("aria-label") == "the, source word 8 of 9, linked to: le 8"


@SLOW
def test_a_page_with_a_wrong_address_says_so(driver):
    with serving(World()) as address:
        driver.get(address.replace("secret", "guessed"))
        text = driver.execute_async_script(
            "const tell = arguments[0]; setTimeout(() => tell(document.getElementById('notices').textContent), 800)"
        )
        driver.get("about:blank")
    driver.get_log("browser")
    assert "Open the page with the whole address that pralign has printed" in text


@SLOW
def test_the_page_works_where_browsers_may_remember_nothing(driver, label):
    forbid = """for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });"""
    made = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": forbid})
    try:
        page = label(World([plain()], labelled=0))
        page.until(lambda: page.one("#help").is_displayed())
        page.one("#help [data-close]").click()
        page.link(0, 0)
        assert page.links() == {(0, 0): "sure"}
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


@SLOW
def test_a_program_that_has_ended_is_told_of(driver, label):
    page = label(World([plain()]))
    driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    try:
        page.link(0, 0)
        page.until(lambda: "does not answer. Is it still running?" in page.notice("unsaved"))
        page.until(lambda: page.notice("lost"))
    finally:
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline | {"offline": False})
    page.press_in_notice("unsaved", "Try again now")
    assert page.links() == {(0, 0): "sure"}
    page.until(lambda: not page.notice("lost"))
    page.expected_errors = ("ERR_INTERNET_DISCONNECTED",)
