"""Priors counted in links: what eflomal reads, and what this package reads again."""

from __future__ import annotations

import io

import pytest

from pralign.errors import InputError
from pralign.priors.counting import CountedPriors, write_priors
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
