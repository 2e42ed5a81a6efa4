import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import UsageError
from pralign.evaluation import Gaps, gappy_share, is_gappy
from pralign.links.alignment import Alignment

LENGTH = 12
link_sets = st.sets(st.tuples(st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1)), max_size=10)
limits = st.integers(1, LENGTH + 1)


def naive_is_gappy(links, limit):
    """Look at every two links that share a word, on either side."""
    for i, j in links:
        for k, m in links:
            if i == k and abs(j - m) + 1 > limit:
                return True
            if j == m and abs(i - k) + 1 > limit:
                return True
    return False


@given(link_sets, limits)
def test_agrees_with_a_look_at_every_two_links(links, limit):
    assert is_gappy(Alignment.of(links), limit) == naive_is_gappy(links, limit)


@pytest.mark.parametrize(("last", "gappy"), [(7, False), (8, True), (20, True)])
def test_a_bridge_may_span_seven_words_and_no_more(last, gappy):
    links = [(3, 1), (3, last)]
    for offset in (0, 5):
        moved = [(i + offset, j + offset) for i, j in links]
        assert is_gappy(Alignment.of(moved)) is gappy
        assert is_gappy(Alignment.of(moved).transposed()) is gappy


def test_links_within_a_bridge_make_no_difference():
    ends = [(0, 0), (0, 8)]
    between = [(0, j) for j in range(1, 8)]
    assert is_gappy(Alignment.of(ends))
    assert is_gappy(Alignment.of([*ends, (0, 4)]))
    assert is_gappy(Alignment.of([*ends, *between]))


def test_a_chain_of_short_bridges_is_no_long_one():
    chain = [link for k in range(0, 40, 2) for link in ((k, k), (k, k + 2))]
    assert not is_gappy(Alignment.of(chain), limit=3)


def test_links_far_from_the_diagonal_are_no_bridge():
    assert not is_gappy(Alignment.of([(0, 30), (30, 0)]), limit=1)


def test_possible_links_and_scores_make_no_difference():
    links = [(0, 0), (0, 9)]
    assert is_gappy(Alignment.of([(0, 0)], possible=[(0, 9)]))
    assert is_gappy(Alignment.of(links, scores=[0.9, 0.1]))
    assert not is_gappy(Alignment.of(links, scores=[0.9, 0.1]).at_least(0.5))


@given(link_sets)
def test_at_a_limit_of_one_every_word_with_two_links_counts(links):
    alone = all(sum(link[side] == word[side] for link in links) == 1 for word in links for side in (0, 1))
    assert is_gappy(Alignment.of(links), 1) is not alone


@given(link_sets, limits)
def test_a_higher_limit_never_finds_more(links, limit):
    alignment = Alignment.of(links)
    assert is_gappy(alignment, limit) >= is_gappy(alignment, limit + 1)
    assert not is_gappy(alignment, LENGTH)


@given(st.lists(link_sets, max_size=6), limits)
def test_the_share_is_that_of_gappy_pairs(corpus, limit):
    gaps = gappy_share((Alignment.of(links) for links in corpus), limit)
    expected = sum(naive_is_gappy(links, limit) for links in corpus)
    assert gaps == Gaps(len(corpus), expected, limit)
    assert gaps.share == (expected / len(corpus) if corpus else 0.0)


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_that_no_link_keeps_is_refused(limit):
    with pytest.raises(UsageError, match=f"cannot be {limit}$"):
        is_gappy(Alignment(), limit)
    with pytest.raises(UsageError):
        gappy_share([Alignment()], limit)


def test_as_dict_and_text():
    gaps = Gaps(sentences=8, gappy=3, limit=5)
    assert gaps.as_dict() == {"sentences": 8, "gappy": 3, "limit": 5, "share": 0.375}
    assert str(gaps) == "37.50 % gappy: 3 of 8 pairs have a bridge over more than 5 words"
