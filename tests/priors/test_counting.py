"""Priors counted in links: what eflomal reads, and what this package reads again."""

from __future__ import annotations

import io

import pytest

from pralign.errors import InputError
from pralign.priors.counting import CountedPriors, links_in_order, write_priors
from pralign.priors.files import sorted_lines


def counted():
    priors = CountedPriors()
    priors.add(["the", "red", "car"], ["la", "voiture", "rouge"], [(0, 0), (2, 1), (1, 2)], [(0, 0), (2, 1), (2, 2)])
    priors.add(["the"], ["la", "la"], [(0, 0), (0, 1)], [(0, 1)])
    priors.add(["a", "b"], [], [], [])
    return priors


def test_everything_is_counted_and_written_in_order():
    stream = io.StringIO()
    write_priors(stream, counted())
    assert stream.getvalue().split("\n") == [
        *("LEX\tcar\tvoiture\t1", "LEX\tred\trouge\t1", "LEX\tthe\tla\t3"),
        *("FERF\tcar\t1\t1", "FERF\tred\t1\t1", "FERF\tthe\t1\t1", "FERF\tthe\t2\t1"),
        *("FERR\tla\t1\t2", "FERR\trouge\t1\t1", "FERR\tvoiture\t1\t1"),
        # 0, 2, 1 and the end at 3; 0, 0 and the end at 1; the end at 2 alone
        *("HMMF\t-1\t1", "HMMF\t0\t1", "HMMF\t1\t3", "HMMF\t2\t2", "HMMF\t3\t1"),
        # from the first place of a word to that of the next: 0, 1 (which ends at 2) and the end at 3; 1 and 2; 0
        *("HMMR\t1\t5", "HMMR\t2\t1"),
        "",
    ]


def test_repeated_links_count_again_and_the_order_within_a_word_stays():
    priors = CountedPriors()
    links = links_in_order("2-0  0-0\t1-1\n"), links_in_order("0-1 1-0 0-0 0-0")
    assert links == ([(2, 0), (0, 0), (1, 1)], [(0, 1), (1, 0), (0, 0), (0, 0)])
    priors.add(["a", "b", "c"], ["x", "y"], *links)
    assert priors.pairs == {("c", "x"): 1, ("a", "x"): 1, ("b", "y"): 1}
    assert priors.forward_jumps == {3: 1, 1: 1, 2: 1}  # to 2, from 0 to 1, to the end at 3
    assert priors.reverse_jumps == {2: 2, 0: 1}  # to 1, from 0 to 0, to the end at 2
    assert priors.reverse_fertilities == {("y", 1): 1, ("x", 3): 1}
    priors.add(["a"], ["x"], [(0, 0), (0, 0)], [])
    assert priors.pairs["a", "x"] == 3
    assert priors.forward_fertilities["a", 2] == 1


def test_what_was_written_is_read_again():
    stream = io.StringIO()
    priors = counted()
    write_priors(stream, priors)
    found = sorted_lines(stream.getvalue().splitlines(), "again", of_eflomal=True)
    assert {(source, target): count for source, target, count in found.pairs} == priors.pairs
    assert (found.jumps["HMMF"], found.jumps["HMMR"]) == (priors.forward_jumps, priors.reverse_jumps)
    assert found.fertilities["FERF"] == priors.forward_fertilities
    assert found.fertilities["FERR"] == priors.reverse_fertilities


def test_links_of_words_that_are_not_there_are_refused():
    with pytest.raises(InputError, match="1-0 is out of bounds: the pair has 1 by 1 words"):
        CountedPriors().add(["a"], ["b"], [(0, 0)], [(1, 0)])
