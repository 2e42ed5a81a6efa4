import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.strategies import SIZE, link_sets
from oracles.naive_analysis import naive_shape
from pralign.errors import InputError, UsageError
from pralign.evaluation import LinkShape, Overlap, gappy_share, link_shape, overlap
from pralign.links.alignment import Alignment

lengths = st.tuples(st.integers(SIZE, SIZE + 2), st.integers(SIZE, SIZE + 2))
limits = st.integers(1, SIZE + 1)


def test_a_hand_counted_pair():
    # 0-0 is alone; 1-1 and 1-2 share a source word, 1-2 and 2-2 a target word; 3 and 3, 4 have no link
    shape = link_shape(Alignment.of([(0, 0), (1, 1), (1, 2), (2, 2)]), (4, 5))
    assert shape == LinkShape(
        links=4, one_to_one=1, source_words=4, target_words=5, source_linked=3, target_linked=3, gappy=0, pairs=1
    )
    assert shape.one_to_one_share == 0.25
    assert (shape.unlinked_source_share, shape.unlinked_target_share) == (0.25, 0.4)


@given(link_sets, lengths, limits)
def test_agrees_with_a_look_at_every_two_links(links, size, limit):
    assert asdict(link_shape(Alignment.of(links), size, limit)) == naive_shape(links, size, limit)


@given(st.lists(st.tuples(link_sets, lengths), max_size=5), limits)
def test_shapes_add(corpus, limit):
    total = sum((link_shape(Alignment.of(links), size, limit) for links, size in corpus), LinkShape())
    parts = [naive_shape(links, size, limit) for links, size in corpus]
    for name, value in asdict(total).items():
        assert value == sum(part[name] for part in parts)
    assert total.gappy_share == gappy_share([Alignment.of(links) for links, _ in corpus], limit).share
    assert total + LinkShape() == LinkShape() + total == total


@given(link_sets, lengths)
def test_seen_from_the_other_side_the_sides_change_places(links, size):
    shape = link_shape(Alignment.of(links), size)
    turned = link_shape(Alignment.of(links).transposed(), size[::-1])
    assert (turned.links, turned.one_to_one, turned.gappy) == (shape.links, shape.one_to_one, shape.gappy)
    assert turned.unlinked_source_share == shape.unlinked_target_share
    assert turned.unlinked_target_share == shape.unlinked_source_share


def test_the_limit_of_a_bridge_is_seven_words_by_default():
    seven, eight = Alignment.of([(0, 0), (0, 6)]), Alignment.of([(0, 0), (0, 7)])
    assert [link_shape(links, (1, 9)).gappy for links in (seven, eight)] == [0, 1]
    assert link_shape(eight, (1, 9), limit=8).gappy == 0
    with pytest.raises(UsageError, match="cannot be 0"):
        link_shape(eight, (1, 9), limit=0)


def test_possible_links_and_scores_make_no_difference():
    plain = link_shape(Alignment.of([(0, 0), (1, 0)]), (2, 1))
    assert link_shape(Alignment.of([(0, 0)], possible=[(1, 0)]), (2, 1)) == plain
    assert link_shape(Alignment.of([(0, 0), (1, 0)], scores=[0.1, 0.9]), (2, 1)) == plain


def test_links_beyond_the_sentences_are_refused():
    with pytest.raises(InputError, match=r"^the alignment: link 2-0 "):
        link_shape(Alignment.of([(2, 0)]), (2, 1))


def test_nothing_has_no_shares():
    zero = LinkShape()
    shares = [zero.one_to_one_share, zero.unlinked_source_share, zero.unlinked_target_share, zero.gappy_share]
    assert shares == [0.0] * 4


def test_as_dict_has_counts_and_shares():
    values = LinkShape(
        links=8, one_to_one=4, source_words=10, target_words=5, source_linked=9, target_linked=4, gappy=1, pairs=4
    ).as_dict()
    assert json.loads(json.dumps(values)) == values
    assert values == {
        "links": 8,
        "one_to_one": 4,
        "source_words": 10,
        "target_words": 5,
        "source_linked": 9,
        "target_linked": 4,
        "gappy": 1,
        "pairs": 4,
        "one_to_one_share": 0.5,
        "unlinked_source_share": 0.1,
        "unlinked_target_share": 0.2,
        "gappy_share": 0.25,
    }


# Agreement


@given(link_sets, link_sets)
def test_the_overlap_is_counted_link_by_link(first, second):
    cells = [(i, j) for i in range(SIZE) for j in range(SIZE)]
    found = overlap(Alignment.of(first), Alignment.of(second))
    assert found.both == sum(cell in first and cell in second for cell in cells)
    assert found.either == sum(cell in first or cell in second for cell in cells)
    assert found == overlap(Alignment.of(second), Alignment.of(first))
    assert (found.share == 1.0) is (first == second)


@given(st.lists(st.tuples(link_sets, link_sets), max_size=5))
def test_overlaps_add(corpus):
    found = [overlap(Alignment.of(first), Alignment.of(second)) for first, second in corpus]
    total = sum(found, Overlap())
    assert total == Overlap(sum(each.both for each in found), sum(each.either for each in found))


def test_two_empty_alignments_agree():
    assert overlap(Alignment(), Alignment()) == Overlap()
    assert Overlap().share == 1.0
    assert overlap(Alignment.of([(0, 0)]), Alignment()).share == 0.0


def test_sure_or_possible_makes_no_difference_to_agreement():
    assert overlap(Alignment.of([], possible=[(0, 0)]), Alignment.of([(0, 0)])).share == 1.0


def test_an_overlap_as_dict():
    assert Overlap(3, 4).as_dict() == {"both": 3, "either": 4, "share": 0.75}
