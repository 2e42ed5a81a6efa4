import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import alignment, gold_alignment, golds, link_sets
from oracles.naive_evaluation import naive_counts, naive_scores
from pralign.errors import InputError, UsageError
from pralign.evaluation import LinkCounts, Names, evaluate, evaluate_by_length
from pralign.links.alignment import Alignment

ONE = Alignment.of([(0, 0)])
ROUNDING = 1e-15  # one division
corpora = st.lists(st.tuples(link_sets, golds, st.integers(0, 45)), max_size=8)
rising = st.sets(st.integers(1, 40), max_size=4).map(sorted)


def by_length(corpus, edges):
    hypotheses = [alignment(links) for links, _, _ in corpus]
    return evaluate_by_length(
        hypotheses, [gold_alignment(gold) for _, gold, _ in corpus], [length for _, _, length in corpus], edges
    )


@given(corpora, rising)
def test_each_class_is_scored_as_if_it_were_alone(corpus, edges):
    classes = by_length(corpus, edges)
    lowest, highest = [0, *(edge + 1 for edge in edges)], [*edges, 1_000]
    assert len(classes) == len(edges) + 1
    for (_, scores), low, high in zip(classes, lowest, highest, strict=True):
        alone = [(links, gold) for links, gold, length in corpus if low <= length <= high]
        assert {name: getattr(scores.counts, name) for name in naive_counts(alone)} == naive_counts(alone)
        for name, value in naive_scores(alone).items():
            assert getattr(scores, name) == pytest.approx(float(value), abs=ROUNDING)


@given(corpora, rising)
def test_the_classes_add_up_to_the_whole(corpus, edges):
    whole = evaluate([alignment(links) for links, _, _ in corpus], [gold_alignment(gold) for _, gold, _ in corpus])
    assert sum((scores.counts for _, scores in by_length(corpus, edges)), LinkCounts()) == whole.counts


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        ((10, 20, 30), ["1-10", "11-20", "21-30", "31-"]),
        ((1, 2, 5), ["1", "2", "3-5", "6-"]),
        ((), ["1-"]),
    ],
)
def test_labels_say_which_lengths_belong_together(edges, labels):
    assert [label for label, _ in evaluate_by_length([], [], [], edges)] == labels


@pytest.mark.parametrize(
    ("length", "label"),
    [(0, "1-10"), (1, "1-10"), (10, "1-10"), (11, "11-20"), (20, "11-20"), (30, "21-30"), (31, "31-"), (999, "31-")],
)
def test_an_edge_is_the_longest_of_its_class(length, label):
    assert [name for name, scores in evaluate_by_length([ONE], [ONE], [length]) if scores.counts.pairs] == [label]


def test_inputs_may_be_iterators_that_are_read_once():
    classes = dict(evaluate_by_length(iter([ONE, Alignment()]), iter([ONE, ONE]), iter([5, 50])))
    assert (classes["1-10"].recall, classes["31-"].recall) == (1.0, 0.0)


@pytest.mark.parametrize("edges", [(0, 10), (-1,), (10, 10), (20, 10)])
def test_edges_that_do_not_rise_are_refused(edges):
    with pytest.raises(UsageError, match="numbers of words that rise"):
        evaluate_by_length([], [], [], edges)


def test_a_negative_length_is_refused():
    with pytest.raises(InputError, match=r"^text\.en, line 2: a sentence cannot have -1 words$"):
        evaluate_by_length([ONE, ONE], [ONE, ONE], [3, -1], names=Names(text="text.en"))


@pytest.mark.parametrize(
    ("hypotheses", "lengths", "message"),
    [
        (1, 2, "the hypothesis has 1 line, the gold 2"),
        (3, 2, "the hypothesis has 3 lines, the gold 2"),
        (2, 1, "the text has 1 line, the gold 2"),
        (2, 3, "the text has 3 lines, the gold 2"),
    ],
)
def test_different_numbers_of_lines_are_refused(hypotheses, lengths, message):
    with pytest.raises(InputError) as caught:
        evaluate_by_length([ONE] * hypotheses, [ONE] * 2, [4] * lengths)
    assert str(caught.value) == message
