import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import alignment, gold_alignment, golds, link_sets
from evaluation.worded import frequency_tables, golds_of, hypotheses_of, lengths_of, worded_corpora, words_of
from oracles.naive_analysis import naive_counts_where
from pralign.errors import InputError, UsageError
from pralign.evaluation import (
    LinkCounts,
    Names,
    Scores,
    count_links,
    count_links_by,
    evaluate,
    evaluate_by_frequency,
    evaluate_by_part,
)
from pralign.links.alignment import Alignment

ONE = Alignment.of([(0, 0)])
SIDES = ["source", "target"]
sides = st.sampled_from(SIDES)
rising = st.sets(st.integers(1, 12), max_size=4).map(sorted)
LABELS = {
    "source word": lambda link: link[0],
    "distance": lambda link: abs(link[0] - link[1]),
    "the same for all": lambda link: "all",
}


def numbers(counts):
    """Everything that adds up over classes."""
    return counts.links, counts.sure, counts.possible, counts.links_sure, counts.links_possible


# Any property of a link


@given(link_sets, golds, st.sampled_from(sorted(LABELS)))
def test_each_class_is_counted_as_if_its_links_were_all(links, gold, name):
    label = LABELS[name]
    found = count_links_by(alignment(links), gold_alignment(gold), label)
    assert set(found) == {label(link) for link in links | gold[1]}
    for key, counts in found.items():
        expected = naive_counts_where([(links, gold, lambda link, key=key: label(link) == key)])
        assert counts == LinkCounts(**expected)
        assert counts.pairs == 1


@given(link_sets, golds, st.sampled_from(sorted(LABELS)))
def test_the_classes_add_up_to_the_whole(links, gold, name):
    pair = alignment(links), gold_alignment(gold)
    total = sum(count_links_by(*pair, LABELS[name]).values(), LinkCounts())
    assert numbers(total) == numbers(count_links(*pair))


def test_classes_come_in_the_order_of_their_first_links():
    found = count_links_by(Alignment.of([(3, 0), (1, 1)]), Alignment.of([(0, 5), (2, 0)]), lambda link: link[1])
    assert list(found) == [5, 1, 0]


def test_pairs_without_links_have_no_classes():
    assert count_links_by(Alignment(), Alignment(), lambda link: link) == {}


# Rare and frequent words


@given(worded_corpora, frequency_tables, sides, rising)
def test_a_link_belongs_to_the_frequency_of_its_word(corpus, frequencies, side, edges):
    classes = evaluate_by_frequency(words_of(corpus), hypotheses_of(corpus), golds_of(corpus), frequencies, side, edges)
    column = SIDES.index(side)
    lowest, highest = [0, *(edge + 1 for edge in edges)], [*edges, 1_000]
    assert len(classes) == len(edges) + 1
    for (_, scores), low, high in zip(classes, lowest, highest, strict=True):

        def keep(words, low=low, high=high):
            return lambda link: low <= frequencies.get(words[column][link[column]], 0) <= high

        expected = naive_counts_where([(links, gold, keep(words)) for *words, links, gold in corpus])
        assert scores == Scores(LinkCounts(**expected))


@given(worded_corpora, frequency_tables, sides)
def test_frequencies_add_up_to_the_whole(corpus, frequencies, side):
    hypotheses, judges = hypotheses_of(corpus), golds_of(corpus)
    classes = evaluate_by_frequency(words_of(corpus), hypotheses, judges, frequencies, side)
    total = sum((scores.counts for _, scores in classes), LinkCounts())
    assert numbers(total) == numbers(evaluate(hypotheses, judges).counts)


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ((5, 50, 500), ["1-5", "6-50", "51-500", "501-"]),
        ((1, 2, 5), ["1", "2", "3-5", "6-"]),
        ((), ["1-"]),
    ],
)
def test_labels_say_which_frequencies_belong_together(edges, labels):
    assert [label for label, _ in evaluate_by_frequency([], [], [], {}, "source", edges)] == labels


@pytest.mark.parametrize(
    ("frequency", "label"),
    [(0, "1-5"), (1, "1-5"), (5, "1-5"), (6, "6-50"), (50, "6-50"), (51, "51-500"), (500, "51-500"), (501, "501-")],
)
@pytest.mark.parametrize("side", SIDES)
def test_an_edge_is_the_highest_frequency_of_its_class(frequency, label, side):
    pair = {"source": (["x"], ["other"]), "target": (["other"], ["x"])}[side]
    classes = evaluate_by_frequency([pair], [ONE], [ONE], {"x": frequency, "other": 9_999}, side)
    assert [name for name, scores in classes if scores.counts.pairs] == [label]


def test_unseen_words_are_rare_and_spelling_matters():
    pair = ["New", "new"], ["neu"]
    [(_, rare), (_, frequent)] = evaluate_by_frequency(
        [pair], [Alignment.of([(0, 0)])], [Alignment.of([(1, 0)])], {"new": 7}, "source", [5]
    )
    assert (rare.counts.links, rare.counts.sure) == (1, 0)
    assert (frequent.counts.links, frequent.counts.sure) == (0, 1)


@pytest.mark.parametrize("edges", [(0, 10), (-1,), (10, 10), (20, 10)])
def test_edges_that_do_not_rise_are_refused(edges):
    with pytest.raises(UsageError, match="frequencies that rise"):
        evaluate_by_frequency([], [], [], {}, "source", edges)


def test_a_sentence_that_is_not_split_is_refused():
    with pytest.raises(TypeError, match="a sequence of words here"):
        evaluate_by_frequency([("a text", ["ein", "Text"])], [ONE], [ONE], {}, "source")


# Parts of the sentence


@given(worded_corpora, sides, st.integers(1, 5))
def test_a_link_belongs_to_the_part_where_its_word_stands(corpus, side, parts):
    classes = evaluate_by_part(lengths_of(corpus), hypotheses_of(corpus), golds_of(corpus), parts, side)
    column = SIDES.index(side)
    assert len(classes) == parts
    for part, (_, scores) in enumerate(classes):

        def keep(words, part=part):
            # Between these shares of the sentence, the first included; compared without rounding.
            size = len(words[column])
            return lambda link: part * size <= link[column] * parts < (part + 1) * size

        expected = naive_counts_where([(links, gold, keep(words)) for *words, links, gold in corpus])
        assert scores == Scores(LinkCounts(**expected))


@given(worded_corpora, sides, st.integers(1, 5))
def test_parts_add_up_to_the_whole(corpus, side, parts):
    hypotheses, judges = hypotheses_of(corpus), golds_of(corpus)
    classes = evaluate_by_part(lengths_of(corpus), hypotheses, judges, parts, side)
    total = sum((scores.counts for _, scores in classes), LinkCounts())
    assert numbers(total) == numbers(evaluate(hypotheses, judges).counts)


@pytest.mark.parametrize(
    ("parts", "labels"),
    [
        (3, ["beginning", "middle", "end"]),
        (2, ["part 1 of 2", "part 2 of 2"]),
        (1, ["part 1 of 1"]),
    ],
)
def test_parts_have_names(parts, labels):
    assert [label for label, _ in evaluate_by_part([], [], [], parts)] == labels


@pytest.mark.parametrize(
    ("length", "parts"), [(1, [1, 0, 0]), (2, [1, 1, 0]), (3, [1, 1, 1]), (4, [2, 1, 1]), (7, [3, 2, 2])]
)
def test_words_fall_into_parts_of_nearly_equal_length(length, parts):
    every = Alignment.of([(0, j) for j in range(length)])
    classes = evaluate_by_part([(1, length)], [every], [every], side="target")
    assert [scores.counts.links for _, scores in classes] == parts


@pytest.mark.parametrize("parts", [0, -1])
def test_no_parts_are_refused(parts):
    with pytest.raises(UsageError, match=f"at least one part, not {parts}"):
        evaluate_by_part([], [], [], parts)


# Both


def by_frequency(hypotheses, golds, texts, **options):
    return evaluate_by_frequency(texts, hypotheses, golds, {}, **{"side": "source"} | options)


def by_part(hypotheses, golds, texts, **options):
    return evaluate_by_part(((len(source), len(target)) for source, target in texts), hypotheses, golds, **options)


both = pytest.mark.parametrize("breakdown", [by_frequency, by_part])
PAIR = ["a"], ["b"]


@both
def test_inputs_may_be_iterators_that_are_read_once(breakdown):
    classes = breakdown(iter([ONE, Alignment()]), iter([ONE, ONE]), iter([PAIR, PAIR]))
    assert classes[0][1].counts == LinkCounts(1, 2, 2, 1, 1, 2)


@both
@pytest.mark.parametrize(
    ("hypotheses", "texts", "message"),
    [
        (1, 2, "hyp has 1 line, gold 2"),
        (3, 2, "hyp has 3 lines, gold 2"),
        (2, 1, "text has 1 line, gold 2"),
        (2, 3, "text has 3 lines, gold 2"),
    ],
)
def test_different_numbers_of_lines_are_refused(breakdown, hypotheses, texts, message):
    with pytest.raises(InputError) as caught:
        breakdown([ONE] * hypotheses, [ONE] * 2, [PAIR] * texts, names=Names("hyp", "gold", "text"))
    assert str(caught.value) == message


@both
def test_links_beyond_the_sentence_are_refused(breakdown):
    far = Alignment.of([(1, 0)])
    with pytest.raises(InputError, match=r"^the hypothesis, line 2: link 1-0 "):
        breakdown([ONE, far], [ONE, ONE], [PAIR] * 2)
    with pytest.raises(InputError, match=r"^the gold, line 1: link 2-1 \(counted from 1\)"):
        breakdown([ONE, far], [far, ONE], [PAIR] * 2, names=Names(gold_base=1))


@both
def test_other_sides_are_refused(breakdown):
    with pytest.raises(UsageError, match="source and target, but not 'left'"):
        breakdown([], [], [], side="left")
