"""Alignments that other aligners have made."""

from __future__ import annotations

import pytest

from matching.cases import gold_of
from pralign.errors import InputError
from pralign.matching.predictions import PredictionStreams, predictions_for_labelled
from pralign.text.normalisation import Normalisation

BITEXT = [("A b", "x y"), ("c d e", "z"), ("f", "u v"), ("a b", "X Y"), ("g h", "w")]
ALL = [gold_of((0, 0)), gold_of((2, 0)), gold_of((0, 1)), gold_of((1, 1)), gold_of()]
LABELLED = [("f", "u v"), (["c", "d", "e"], "Z")]
WORDS = Normalisation()


def found(predictions, pairs=LABELLED, bitext=BITEXT):
    return predictions_for_labelled(predictions, pairs, bitext, WORDS)


def test_predictions_may_go_with_the_labelled_pairs():
    mine = [gold_of((0, 0)), gold_of((1, 0), (2, 0))]
    assert found([mine]) == [mine]
    other = [gold_of((0, 1)), gold_of()]
    assert found([mine, other]) == [mine, other]


def test_validation_pairs_come_after_the_labelled_ones():
    pairs = [*LABELLED, ("new", "neu")]
    mine = [gold_of((0, 0)), gold_of((1, 0)), gold_of((0, 0))]
    assert found([mine], pairs) == [mine]


def test_predictions_may_go_with_the_whole_bitext():
    assert found([ALL]) == [[ALL[2], ALL[1]]]


def test_each_prediction_may_go_with_something_else():
    mine = [gold_of((0, 0)), gold_of((1, 0))]
    assert found([ALL, mine, ALL]) == [[ALL[2], ALL[1]], mine, [ALL[2], ALL[1]]]


def test_pairs_are_looked_up_as_they_are_compared_and_the_first_counts():
    assert found([ALL], [("a B", "x y")]) == [[ALL[0]]]
    with_case = predictions_for_labelled([ALL], [("a b", "X Y")], BITEXT, Normalisation(lowercase=False))
    assert with_case == [[ALL[3]]]


def test_the_same_pair_may_be_labelled_twice():
    assert found([ALL], [LABELLED[0], LABELLED[0], LABELLED[1]]) == [[ALL[2], ALL[2], ALL[1]]]


def test_the_bitext_is_not_read_where_it_need_not_be():
    def unreadable():
        raise AssertionError("read")
        yield

    mine = [gold_of((0, 0)), gold_of()]
    assert found([mine], bitext=unreadable()) == [mine]
    with pytest.raises(AssertionError, match="read"):
        found([ALL], bitext=unreadable())


@pytest.mark.parametrize("count", [0, 1, 3, 4, 6])
def test_other_numbers_of_alignments_are_refused(count):
    mine = [gold_of()] * 2
    with pytest.raises(
        InputError, match=rf"prediction 2 has {count} alignments, but there are 2 labelled .* 5 pairs in the bitext"
    ):
        found([mine, [gold_of()] * count])


def test_labelled_pairs_that_are_not_in_the_bitext_are_named():
    with pytest.raises(InputError, match=r"prediction 1 goes with the bitext, but labelled pair 3 is not in it"):
        found([ALL], [*LABELLED, ("not", "there"), ("nor", "this")])


@pytest.mark.parametrize("link", [(1, 0), (0, 2)])
def test_links_outside_their_pair_are_refused(link):
    with pytest.raises(InputError, match=rf"prediction 1, pair 1: link {link[0]}-{link[1]} .* lies outside"):
        found([[gold_of(link), gold_of()]])
    whole = [*ALL[:2], gold_of(link), *ALL[3:]]
    with pytest.raises(InputError, match=rf"prediction 1, pair 1: link {link[0]}-{link[1]} .* lies outside"):
        found([whole])


def test_links_outside_other_pairs_of_the_bitext_do_not_matter():
    assert found([[gold_of((9, 9)), *ALL[1:]]]) == [[ALL[2], ALL[1]]]


def test_no_predictions_are_none():
    assert found([]) == []


# While aligning

LENGTHS = [(2, 2), (3, 1), (1, 2), (2, 2), (2, 1)]


def test_streams_are_taken_piece_by_piece():
    streams = PredictionStreams([iter(ALL), tuple(ALL)])
    assert streams.take(LENGTHS[:2]) == [ALL[:2], ALL[:2]]
    assert streams.take(LENGTHS[2:]) == [ALL[2:], ALL[2:]]
    streams.finish()


def test_streams_that_end_too_early_are_named():
    streams = PredictionStreams([ALL, ALL[:4]])
    streams.take(LENGTHS[:3])
    with pytest.raises(InputError, match="prediction 2 has 4 alignments, but there are more pairs"):
        streams.take(LENGTHS[3:])


def test_streams_that_go_on_are_named():
    streams = PredictionStreams([ALL[:3], ALL])
    streams.take(LENGTHS[:3])
    with pytest.raises(InputError, match="prediction 2 has 5 alignments, but there are 3 pairs"):
        streams.finish()


def test_links_outside_are_named_by_the_pair_of_the_whole_stream():
    streams = PredictionStreams([[*ALL[:3], gold_of((2, 0))]])
    streams.take(LENGTHS[:2])
    with pytest.raises(InputError, match="prediction 1, pair 4: link 2-0"):
        streams.take(LENGTHS[2:4])
