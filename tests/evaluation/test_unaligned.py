from dataclasses import asdict, replace

import pytest
from hypothesis import given

from evaluation.strategies import SIZE, alignment, corpora, gold_alignment, golds, link_sets
from oracles.naive_evaluation import naive_unaligned
from pralign.errors import InputError
from pralign.evaluation import Unaligned, UnalignedSide, count_unaligned, evaluate
from pralign.links.alignment import Alignment

LENGTHS = (SIZE, SIZE + 1)


def test_a_hand_sorted_pair():
    gold = Alignment.of([(0, 0), (1, 1)], possible=[(2, 1), (3, 2), (0, 2)])
    hypothesis = Alignment.of([(0, 0), (4, 3)])
    unaligned = count_unaligned(hypothesis, gold, (6, 5))
    # source: 0 linked, 1 missed, 2 and 3 optional, 4 wrongly linked, 5 linked by nobody
    assert unaligned.source == UnalignedSide(missed=1, optional=2, rightly=1, wrongly_linked=1)
    # target: 0 linked, 1 missed, 2 optional, 3 wrongly linked, 4 linked by nobody
    assert unaligned.target == UnalignedSide(missed=1, optional=1, rightly=1, wrongly_linked=1)
    assert unaligned.source.unaligned == 4


@given(link_sets, golds)
def test_kinds_agree_with_a_loop_over_words(links, gold):
    unaligned = count_unaligned(alignment(links), gold_alignment(gold), LENGTHS)
    assert asdict(unaligned.source) == naive_unaligned(links, gold, LENGTHS[0], side=0)
    assert asdict(unaligned.target) == naive_unaligned(links, gold, LENGTHS[1], side=1)


@given(link_sets, golds)
def test_without_lengths_only_the_rightly_unaligned_are_unknown(links, gold):
    pair = alignment(links), gold_alignment(gold)
    known, unknown = count_unaligned(*pair, LENGTHS), count_unaligned(*pair)
    assert unknown == Unaligned(replace(known.source, rightly=None), replace(known.target, rightly=None))
    assert unknown.source.unaligned is None


@given(corpora, corpora)
def test_kinds_add(left, right):
    def total(corpus):
        hypotheses = [alignment(links) for links, _ in corpus]
        gold = [gold_alignment(gold) for _, gold in corpus]
        unaligned = evaluate(hypotheses, gold, lengths=[LENGTHS] * len(corpus)).unaligned
        assert unaligned is not None
        return unaligned

    assert total(left) + total(right) == total(left + right)


def test_the_unknown_is_contagious():
    known, unknown = UnalignedSide(1, 2, 3, 4), UnalignedSide(1, 1, None, 1)
    assert known + unknown == unknown + known == UnalignedSide(2, 3, None, 5)
    assert known + known == UnalignedSide(2, 4, 6, 8)


@pytest.mark.parametrize("lengths", [(1, 2), (2, 1)])
def test_links_beyond_the_lengths_are_refused(lengths):
    diagonal = Alignment.of([(0, 0), (1, 1)])
    with pytest.raises(InputError, match=r"^the hypothesis: link 1-1"):
        count_unaligned(diagonal, Alignment(), lengths)
    with pytest.raises(InputError, match=r"^the gold: link 1-1"):
        count_unaligned(Alignment(), diagonal, lengths)


def test_as_dict_and_text_say_what_is_unknown():
    unaligned = Unaligned(UnalignedSide(1, 2, 3, 4), UnalignedSide(5, 6, None, 7))
    assert unaligned.as_dict() == {
        "source": {"missed": 1, "optional": 2, "rightly": 3, "wrongly_linked": 4, "unaligned": 6},
        "target": {"missed": 5, "optional": 6, "rightly": None, "wrongly_linked": 7, "unaligned": None},
    }
    rows = [line.split() for line in str(unaligned).splitlines()]
    assert rows[0] == ["unaligned", "words", "missed", "optional", "rightly", "wrongly", "linked"]
    assert rows[1:] == [["source", "1", "2", "3", "4"], ["target", "5", "6", "unknown", "7"]]
