import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.worded import frequency_tables, golds_of, hypotheses_of, worded_corpora, words_of
from oracles.naive_analysis import naive_collectors
from pralign.errors import InputError, UsageError
from pralign.evaluation import Collector, GarbageCollectors, Names, garbage_collectors
from pralign.links.alignment import Alignment

PAIR = ["rare", "usual"], ["v", "w", "x", "y", "z"]
FREQUENCIES = {"rare": 5, "usual": 6}, dict.fromkeys("vwxyz", 100)
tables = st.tuples(frequency_tables, frequency_tables)


def fan(word, links):
    return Alignment.of([(word, j) for j in range(links)])


def as_rows(found):
    return [(each.side, each.word, each.frequency, each.links, each.line) for each in found]


@given(worded_corpora, tables, st.integers(0, 8), st.integers(1, 4), st.booleans(), st.integers(0, 6))
def test_agrees_with_a_loop_over_all_words(corpus, frequencies, rarest, fewest, judged, most):
    golds = golds_of(corpus) if judged else None
    found = garbage_collectors(
        words_of(corpus), hypotheses_of(corpus), frequencies, rarest, fewest, golds=golds, most=most
    )
    occurrences, collectors = naive_collectors(corpus, frequencies, rarest, fewest, judged)
    assert (found.occurrences, found.collectors) == (occurrences, len(collectors))
    assert found.share == (len(collectors) / occurrences if occurrences else 0.0)
    assert as_rows(found.worst) == collectors[:most]


@pytest.mark.parametrize(("links", "collects"), [(3, False), (4, True), (5, True)])
def test_four_links_are_too_many_for_a_rare_word(links, collects):
    found = garbage_collectors([PAIR], [fan(0, links)], FREQUENCIES)
    assert (found.occurrences, found.collectors) == (1, int(collects))
    assert found.worst == ((Collector("source", "rare", 5, links, 0),) if collects else ())


def test_frequent_words_may_have_many_links():
    assert garbage_collectors([PAIR], [fan(1, 5)], FREQUENCIES).collectors == 0
    assert garbage_collectors([PAIR], [fan(1, 5)], FREQUENCIES, rarest=6).collectors == 1


def test_either_side_may_collect():
    turned = garbage_collectors([PAIR[::-1]], [fan(0, 4).transposed()], FREQUENCIES[::-1])
    assert turned.worst == (Collector("target", "rare", 5, 4, 0),)


@pytest.mark.parametrize(("right", "collects"), [(0, True), (1, True), (2, True), (3, False), (4, False)])
def test_with_a_gold_there_must_be_twice_as_many_links_as_are_right(right, collects):
    sure, possible = [(0, j) for j in range(right // 2)], [(0, j) for j in range(right // 2, right)]
    gold = Alignment.of(sure, possible=possible)
    found = garbage_collectors([PAIR], [fan(0, 4)], FREQUENCIES, golds=[gold])
    assert found.collectors == int(collects)
    assert found.occurrences == 1


def test_words_that_were_never_seen_are_rare_and_spelling_matters():
    found = garbage_collectors([(["Usual"], list("vwxyz"))], [fan(0, 4)], FREQUENCIES, rarest=0)
    assert found.worst == (Collector("source", "Usual", 0, 4, 0),)


def test_the_worst_come_first_and_equally_bad_ones_as_in_the_text():
    unseen = {}, {}
    square = Alignment.of([(i, j) for i in range(4) for j in range(4)])
    pairs = [(list("abcd"), list("ABCD")), (list("e"), list("FGHIJ"))]
    found = garbage_collectors(pairs, [square, fan(0, 5)], unseen)
    assert [each.word for each in found.worst] == list("eabcdABCD")
    assert (found.occurrences, found.collectors) == (14, 9)
    few = garbage_collectors(pairs, [square, fan(0, 5)], unseen, most=1)
    assert (few.worst, few.collectors) == (found.worst[:1], 9)


def test_nothing_has_no_share():
    assert garbage_collectors([], [], ({}, {})).share == 0.0
    assert garbage_collectors([], [], ({}, {}), golds=[]) == GarbageCollectors(0, 0, (), 5, 4)


def test_inputs_that_do_not_fit_are_refused():
    far = Alignment.of([(2, 0)])
    with pytest.raises(InputError, match=r"^the text has 2 lines, the alignments 1$"):
        garbage_collectors([PAIR] * 2, [fan(0, 1)], FREQUENCIES)
    with pytest.raises(InputError, match=r"^the alignments, line 1: link 2-0 "):
        garbage_collectors([PAIR], [far], FREQUENCIES)
    with pytest.raises(InputError, match=r"^mine has 1 line, the gold 2$"):
        garbage_collectors([PAIR] * 2, [fan(0, 1)], FREQUENCIES, golds=[Alignment()] * 2, names=Names("mine"))
    with pytest.raises(InputError, match=r"^the gold, line 1: link 2-0 "):
        garbage_collectors([PAIR], [fan(0, 1)], FREQUENCIES, golds=[far])
    with pytest.raises(TypeError, match="a sequence of words here"):
        garbage_collectors([("a text", ["x"])], [Alignment()], FREQUENCIES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rarest": -1}, "cannot be seen -1 times"),
        ({"fewest": 0}, "a word with 0 links collects nothing"),
        ({"most": -1}, "cannot be cut to -1"),
    ],
)
def test_settings_that_cannot_be_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        garbage_collectors([], [], ({}, {}), **options)


def test_as_dict():
    found = GarbageCollectors(8, 2, (Collector("target", "w", 1, 7, 3),), rarest=5, fewest=4)
    worst = {"side": "target", "word": "w", "frequency": 1, "links": 7, "line": 3}
    expected = {"occurrences": 8, "collectors": 2, "share": 0.25, "rarest": 5, "fewest": 4, "worst": [worst]}
    assert found.as_dict() == expected
    assert json.loads(json.dumps(found.as_dict())) == expected
