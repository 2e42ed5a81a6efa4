"""Spans are carried as they are by a search of all runs, and as people would carry them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import naive_spans as oracle
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.units import placed
from pralign.text.tokenizers import Tokenizer
from pralign.text.tokens import Tokens
from pralign.transfer.span_runs import GAP, SURE
from pralign.transfer.spans import AnnotatedSpan, CarriedSpan, SpanTransfer, words_within

WORDS = ["Ann", "Lee", ",", "«", "it's", "בית", "ก็", "é́", "👩‍🚀", "؟", "10\u00a0000"]


@st.composite
def sentences(draw, least=1, most=6):
    """Words with spaces between, but for some."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=least, max_size=most))
    text, spans = draw(st.sampled_from(["", " "])), []
    for word in words:
        spans.append((len(text), len(text) + len(word)))
        text += word + draw(st.sampled_from([" ", "", "  "]))
    return Tokens(text, spans)


@st.composite
def spans_of(draw, text, most=3):
    found = []
    for number in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        found.append(AnnotatedSpan(start, end, draw(st.sampled_from(["PER", "LOC"])), {"number": number}))
    return found


@st.composite
def cases(draw):
    """Two sentences, spans of the first, and links with probabilities in eighths, so that fractions are exact."""
    source, target = draw(sentences()), draw(sentences(draw(st.integers(1, 6))))
    cells = list(product(range(len(source)), range(len(target))))
    eighths = st.one_of(st.sampled_from([4, 8]), st.integers(0, 8))
    least = min(draw(st.integers(0, 9)), len(cells))
    links = draw(st.dictionaries(st.sampled_from(cells), eighths, min_size=least, max_size=max(least, 9)))
    return source, draw(spans_of(source.text)), target, {link: Fraction(k, 8) for link, k in links.items()}


def aligned(links):
    return Alignment.of(list(links), [float(p) for p in links.values()])


def places(spans):
    return [(span.start, span.end) for span in spans]


def carry(source, spans, target, links, scores=None, **settings):
    """Spans of words with spaces between, given as texts that they cover, carried to such texts."""
    left, right = Tokens.joined(source.split()), Tokens.joined(target.split())
    given = [AnnotatedSpan(source.index(each), source.index(each) + len(each), "X") for each in spans]
    answer = SpanTransfer(**settings)(left, given, right, Alignment.of(links, scores))
    return [target[span.start : span.end] for span in answer.carried]


# Against the definition


@settings(max_examples=500)
@given(cases(), st.booleans())
def test_spans_go_where_a_search_of_all_runs_puts_them(case, contiguous):
    source, spans, target, links = case
    answer = SpanTransfer(contiguous=contiguous)(source, spans, target, aligned(links))
    expected, missing = [], []
    for span in spans:
        problem = oracle.Problem(source, span.start, span.end, target, links)
        runs = problem.answer(contiguous)
        for first, last in runs:
            place = target.spans[first][0], target.spans[last][1]
            expected.append((*place, pytest.approx(float(problem.confidence(runs))), span))
        if not runs:
            missing.append(span)
    assert [(each.start, each.end, each.confidence, each.origin) for each in answer.carried] == expected
    assert answer.missing == missing


def test_the_search_knows_the_same_constants():
    assert (oracle.GAP, float(oracle.SURE)) == (GAP, SURE)


# What holds for all


@given(cases(), st.booleans(), st.floats(0, 1))
def test_carried_spans_lie_on_words_and_say_where_they_come_from(case, contiguous, threshold):
    source, spans, target, links = case
    answer = SpanTransfer(threshold, contiguous)(source, spans, target, aligned(links))
    starts, ends = zip(*target.spans, strict=True)
    for span in answer.carried:
        assert span.start in starts
        assert span.end in ends
        assert 0 <= span.start < span.end <= len(target.text)
        assert 0 < span.confidence <= 1
        assert span.unsure == (span.confidence < threshold)
        assert span.origin in spans
        assert (span.label, span.attributes) == (span.origin.label, span.origin.attributes)
    found = [span.attributes["number"] for span in answer.carried]
    missing = [span.attributes["number"] for span in answer.missing]
    assert found == sorted(found)
    assert sorted({*found, *missing}) == list(range(len(spans)))
    assert not {*found} & {*missing}


@given(cases(), st.booleans())
def test_a_span_begins_and_ends_with_words_that_its_own_words_are_linked_to(case, contiguous):
    source, spans, target, links = case
    answer = SpanTransfer(contiguous=contiguous)(source, spans, target, aligned(links))
    for span in answer.carried:
        own = oracle.span_words(source, span.origin.start, span.origin.end)
        reached = {j for (i, j), p in links.items() if i in own and p}
        inside = oracle.span_words(target, span.start, span.end)
        assert {min(inside), max(inside)} <= reached
    for span in answer.missing:
        own = oracle.span_words(source, span.start, span.end)
        reached = {j for (i, j), p in links.items() if i in own and p}
        assert all(oracle.is_punctuation(target[j]) for j in reached)


@given(sentences(), st.data(), st.booleans(), st.booleans())
def test_word_for_word_every_span_is_carried_as_it_is(words, data, scored, contiguous):
    ends = data.draw(st.lists(st.lists(st.integers(0, len(words) - 1), min_size=2, max_size=2).map(sorted), max_size=4))
    spans = [AnnotatedSpan(words.spans[a][0], words.spans[b][1], "X") for a, b in ends]
    links = [(k, k) for k in range(len(words))]
    alignment = Alignment.of(links, [1.0] * len(links) if scored else None)
    answer = SpanTransfer(contiguous=contiguous)(words, spans, words, alignment)
    assert answer.missing == []
    assert answer.carried == [CarriedSpan(*span[:3], 1.0, False, {}, span) for span in spans]


@given(cases())
def test_without_links_everything_is_missing_and_nothing_is_made_up(case):
    source, spans, target, _ = case
    answer = SpanTransfer()(source, spans, target, Alignment())
    assert answer == ([], spans)


@given(st.permutations(range(6)), st.data())
def test_a_word_goes_to_its_partner_and_back(order, data):
    source, target = Tokens.joined([f"s{k}" for k in range(6)]), Tokens.joined([f"t{k}" for k in order])
    alignment = Alignment.of(list(enumerate(order)))
    word = data.draw(st.integers(0, 5))
    span = AnnotatedSpan(*source.spans[word], "X")
    [there] = SpanTransfer()(source, [span], target, alignment).carried
    assert places([there]) == [target.spans[order[word]]]
    [back] = SpanTransfer()(target, [AnnotatedSpan(*there[:3])], source, alignment.transposed()).carried
    assert places([back]) == places([span])


@given(cases())
def test_where_a_span_is_one_run_each_way_turning_all_around_leads_back(case):
    source, _, target, _ = case
    size = min(len(source), len(target))
    links = Alignment.of([(k, size - 1 - k) for k in range(size)])
    for first in range(size):
        for last in range(first, size):
            span = AnnotatedSpan(source.spans[first][0], source.spans[last][1], "X")
            [there] = SpanTransfer()(source, [span], target, links).carried
            [back] = SpanTransfer()(target, [AnnotatedSpan(*there[:3])], source, links.transposed()).carried
            assert places([back]) == places([span])


@given(cases(), st.booleans(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_makes_more_spans_unsure_and_changes_nothing_else(case, contiguous, one, other):
    source, spans, target, links = case
    low, high = (
        SpanTransfer(threshold, contiguous)(source, spans, target, aligned(links)) for threshold in sorted([one, other])
    )
    assert all(more.unsure >= less.unsure for more, less in zip(high.carried, low.carried, strict=True))
    plain = [[span._replace(unsure=False) for span in answer.carried] for answer in (low, high)]
    assert plain[0] == plain[1]
    assert low.missing == high.missing


@given(cases(), st.booleans())
def test_each_span_is_carried_as_if_it_were_alone(case, contiguous):
    source, spans, target, links = case
    transfer = SpanTransfer(contiguous=contiguous)
    answers = [transfer(source, [span], target, aligned(links)) for span in spans]
    together = transfer(source, spans, target, aligned(links))
    assert together.carried == [span for answer in answers for span in answer.carried]
    assert together.missing == [span for answer in answers for span in answer.missing]


@given(sentences(), st.data())
def test_words_of_spans_are_those_that_share_a_character(words, data):
    spans = data.draw(spans_of(words.text))
    expected = [sorted(oracle.span_words(words, span.start, span.end)) for span in spans]
    assert words_within(spans, words) == expected


# Examples


def test_a_span_over_part_of_a_word_goes_to_the_whole_word():
    assert carry("Annas Haus", ["Ann"], "Anna 's house", "0-0 0-1 1-2") == ["Anna 's"]


def test_words_may_change_places_and_numbers():
    assert carry("the White House said", ["White House"], "la Maison Blanche dit", "0-0 1-2 2-1 3-3") == [
        "Maison Blanche"
    ]
    assert carry("the Commission said", ["the Commission"], "komisyon dedi", "0-0 1-0 2-1") == ["komisyon"]


def test_a_gap_is_bridged_if_what_lies_beyond_weighs_more():
    assert carry("Bank England", ["Bank England"], "Bank of old England", "0-0 1-3") == ["Bank of old England"]


def test_what_lies_beyond_too_wide_a_gap_is_cut_off():
    far = " ".join(["so"] * 7)
    assert carry("Bank England", ["Bank England"], f"Bank {far} England", "0-0 1-8") == [f"Bank {far} England"]
    assert carry("Bank England", ["Bank England"], f"Bank {far} so England", "0-0 1-9") == ["Bank"]


def test_the_posterior_mass_beyond_a_gap_decides():
    pair = "Ann Lee left", ["Ann Lee"], "Ann left Lee"
    links = "0-0 1-2 2-1"
    assert carry(*pair, links, [1, 0.9, 0.3]) == ["Ann left Lee"]
    assert carry(*pair, links, [1, 0.2, 0.9]) == ["Ann"]
    assert carry(*pair, links, [0.2, 1, 0.9]) == ["Lee"]


def test_of_equals_the_shorter_and_then_the_first_is_taken():
    left, right = Tokens.joined(["Ann", "left"]), Tokens.joined(["Anna", "x", "Anna"])
    links = Alignment.of("0-0 0-2 1-1")
    [found] = SpanTransfer()(left, [AnnotatedSpan(0, 3, "PER")], right, links).carried
    assert places([found]) == [(0, 4)]


def test_a_word_that_adds_nothing_is_no_end():
    assert carry("the Bank Oslo", ["Bank Oslo"], "bankens i Oslo", "0-1 1-0 1-1 2-2") == ["bankens i Oslo"]
    assert carry("the Bank left", ["Bank"], "i Bank left", "0-0 1-0 1-1 2-2") == ["Bank"]
    assert carry("the Bank left", ["Bank"], "Bank i left", "0-1 1-0 1-1 2-2") == ["Bank"]


def test_words_of_others_inside_make_a_span_less_sure():
    source, target = Tokens.joined(["Ann", "Lee", "left"]), Tokens.joined(["Ann", "left", "Lee"])
    alignment = Alignment.of("0-0 1-2 2-1", [1, 0.75, 0.25])
    [found] = SpanTransfer()(source, [AnnotatedSpan(0, 7, "PER")], target, alignment).carried
    assert places([found]) == [(0, 12)]
    assert found.confidence == pytest.approx((1 + 0.75) / 2 * (1 + 0 + 1) / 3)


def test_a_word_that_is_shared_is_taken_if_there_is_no_other():
    [found] = SpanTransfer()(
        Tokens.joined(["Anna", "'s"]), [AnnotatedSpan(0, 4, "PER")], Tokens.joined(["Annas"]), Alignment.of("0-0 1-0")
    ).carried
    assert (found.start, found.end, found.confidence, found.unsure) == (0, 5, 0.5, False)


def test_in_pieces_a_span_leaves_out_what_is_not_linked_to_it():
    pair = "pick it up", ["pick it up"], "hebe es jetzt auf"
    assert carry(*pair, "0-0 1-1 2-3") == ["hebe es jetzt auf"]
    assert carry(*pair, "0-0 1-1 2-3", contiguous=False) == ["hebe es", "auf"]


def test_pieces_are_as_sure_as_all_of_them_together():
    source, target = Tokens.joined(["pick", "up"]), Tokens.joined(["hebe", "es", "auf"])
    span = AnnotatedSpan(0, 7, "X")
    carried = SpanTransfer(contiguous=False)(source, [span], target, Alignment.of("0-0 1-2", [1, 0.5])).carried
    assert [(each.start, each.end, each.confidence) for each in carried] == [(0, 4, 0.75), (8, 11, 0.75)]


def test_doubtful_punctuation_is_at_no_end():
    pair = "says Ann today", ["Ann"], "« Ann , heute"
    links = "1-0 1-1 1-2 2-3"
    assert carry(*pair, links, [0.5, 1, 0.5, 1]) == ["Ann"]
    assert carry(*pair, links, [0.5, 1, 0.5, 1], contiguous=False) == ["Ann"]
    assert carry(*pair, links, [0.95, 1, 0.5, 1]) == ["« Ann"]
    assert carry(*pair, links, [0.5, 1, 0.95, 1]) == ["Ann ,"]


def test_punctuation_stays_where_the_source_span_has_some():
    pair = '" Ann " left', ['" Ann "'], "« Ann » partit"
    assert carry(*pair, "0-0 1-1 2-2 3-3", [0.5, 1, 0.5, 1]) == ["« Ann »"]
    assert carry("Dr. Ann left", ["Dr."], ". Dr x", "0-0 0-1", [0.5, 1]) == ["Dr"]
    assert carry("Dr. Ann left", ["Dr."], "Dr . x", "0-0 0-1", [1, 0.5]) == ["Dr ."]


@pytest.mark.parametrize("contiguous", [True, False])
def test_what_is_linked_to_doubtful_punctuation_alone_is_missing(contiguous):
    source, target = Tokens.joined(["Ann", "left"]), Tokens.joined([",", "partit"])
    span = AnnotatedSpan(0, 3, "PER")
    transfer = SpanTransfer(contiguous=contiguous)
    assert transfer(source, [span], target, Alignment.of("0-0 1-1", [0.5, 1])) == ([], [span])
    assert transfer(source, [span], target, Alignment.of("0-0 1-1")).missing == []


def test_a_span_of_blanks_is_missing():
    words = Tokens("Ann  Lee", [(0, 3), (5, 8)])
    span = AnnotatedSpan(3, 5, "X")
    assert SpanTransfer()(words, [span], words, Alignment.of("0-0 1-1")).missing == [span]


def test_words_that_stand_nowhere_are_no_ends():
    target = Tokens("Ann", [(0, 0), (0, 3)])
    [found] = SpanTransfer()(
        Tokens.joined(["Ann"]), [AnnotatedSpan(0, 3, "X")], target, Alignment.of("0-0 0-1")
    ).carried
    assert places([found]) == [(0, 3)]


@pytest.mark.parametrize("score", [0.0, -1.0, float("nan"), 1e-20])
def test_links_without_probability_are_none(score):
    words = Tokens.joined(["Ann"])
    assert SpanTransfer()(words, [AnnotatedSpan(0, 3, "X")], words, Alignment.of("0-0", [score])).carried == []


def test_scores_above_one_are_certain():
    words = Tokens.joined(["Ann"])
    [found] = SpanTransfer()(words, [AnnotatedSpan(0, 3, "X")], words, Alignment.of("0-0", [7.5])).carried
    assert found.confidence == 1


def test_nested_and_overlapping_spans_are_carried_each():
    assert carry(
        "University of Oslo Library",
        ["University of Oslo Library", "Oslo", "Oslo Library"],
        "a b c d",
        "0-0 1-1 2-2 3-3",
    ) == [
        "a b c d",
        "c",
        "c d",
    ]


@pytest.mark.parametrize(
    ("source", "span", "target", "links", "expected"),
    [
        ("Dana lives in Haifa", "Haifa", "דנה גרה בחיפה", "0-0 1-1 2-2 3-2", "בחיפה"),
        ("Omar read the book", "the book", "قرأ عمر الكتاب", "0-1 1-0 2-2 3-2", "الكتاب"),
        ("Nok loves Chiang Mai", "Chiang Mai", "นก รัก เชียง ใหม่", "0-0 1-1 2-2 3-3", "เชียง ใหม่"),
        ("the astronaut Zoë", "Zoë", "👩‍🚀 Zoë́", "1-0 2-1", "Zoë́"),
        ("a 👩‍🚀 flies", "👩‍🚀", "vole une astronaute", "0-1 1-2 2-0", "astronaute"),
    ],
)
def test_all_scripts_are_counted_in_characters(source, span, target, links, expected):
    assert carry(source, [span], target, links) == [expected]


def test_text_without_spaces_is_carried_by_its_words():
    source, target = Tokenizer("spaces")("Nok loves Oslo"), Tokens("นกรักออสโล", [(0, 2), (2, 5), (5, 10)])
    [found] = SpanTransfer()(source, [AnnotatedSpan(10, 14, "LOC")], target, Alignment.of("0-0 1-1 2-2")).carried
    assert target.text[found.start : found.end] == "ออสโล"


# Wrong calls


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(UsageError, match="from 0 to 1"):
        SpanTransfer(threshold)


@pytest.mark.parametrize("place", [(0, 4), (-1, 2), (2, 2), (3, 1)])
def test_a_span_outside_the_text_is_refused(place):
    words = Tokens.joined(["Ann"])
    with pytest.raises(UsageError, match=f"a span from {place[0]} to {place[1]} cannot be in a text of 3 characters"):
        SpanTransfer()(words, [AnnotatedSpan(*place, "X")], words, Alignment())


def test_a_link_to_a_word_that_is_not_there_is_refused():
    words = Tokens.joined(["Ann"])
    with pytest.raises(InputError, match=r"link 0-1 .* lies outside a pair of 1 source and 1 target words"):
        SpanTransfer()(words, [], words, Alignment.of("0-1"))


@pytest.mark.parametrize(
    ("text", "span", "target", "found"),
    [
        ("Ann left", (0, 3), "Ann, partie", "Ann"),
        ("Ann left", (0, 3), "«Ann» partie", "Ann"),
        ("the USA won", (4, 7), "les U.S.A. gagnent", "U.S.A."),
        ("I like Yahoo! Mail", (7, 13), "j'aime Yahoo! Mail", "Yahoo!"),
        ("a . b", (2, 3), "a . b", "."),
    ],
)
def test_punctuation_that_sticks_to_a_word_is_left_out_unless_the_span_has_it(text, span, target, found):
    words, others = placed(text), placed(target)
    links = Alignment.of([(k, k) for k in range(min(len(words), len(others)))])
    if text.startswith("I like"):
        links = Alignment.of("2-1")
    [carried] = SpanTransfer()(words, [AnnotatedSpan(*span, "X")], others, links).carried
    assert target[carried.start : carried.end] == found
