"""What words look like, against a comparison of all pairs by the definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_likeness import naive_likeness
from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.errors import UsageError
from pralign.kernels.units import UNIT
from pralign.priors import gather_priors
from pralign.text.normalisation import Normalisation
from priors.counted import LONGEST, counts_of, elsewhere_of, sharded, together

# Few letters, so that words have many of them in common; some differ by an accent only, and one is two in disguise.
WORDS = st.one_of(
    st.text("abcáč", min_size=1, max_size=9),
    st.text("abcáčﬁ\u0301", min_size=3, max_size=7),
    st.text("abc-1", min_size=1, max_size=5),
    st.text(".,-\u0301", min_size=1, max_size=2),
)
SENTENCES = st.lists(
    st.tuples(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=5)), min_size=1, max_size=5
)


def lookalikes(sentences, strength=1.0, threads=1):
    corpus = sharded(sentences)
    return gather_priors([], strength, corpus, Normalisation(), ThreadEngine(threads)), corpus


def alike(sentences, strength=1.0):
    return counts_of(lookalikes(sentences, strength)[1])


def about(count, error=UNIT):
    """A count of both directions, as far as counts are exact."""
    return pytest.approx((count, count), abs=error)


def one(source, target):
    """How alike two words are; nothing if they are not."""
    return alike([([source], [target])]).get((source, target), (0.0, 0.0))


@quick(100)
@given(SENTENCES)
@example([(["finale"], ["ﬁnale", "ﬁnále"])])
@example([(["abcabcabc"] * LONGEST, ["cbacbacba"]), ([], ["abca"])])
def test_all_pairs_that_occur_together_are_compared(sentences):
    expected = {pair: naive_likeness(*pair) for pair in together(sentences)}
    found = alike(sentences)
    assert found == {pair: about(like) for pair, like in expected.items() if like > 0}


@quick(30)
@given(SENTENCES)
def test_source_and_target_may_change_places(sentences):
    turned = {(s, t): counts for (t, s), counts in alike([(t, s) for s, t in sentences]).items()}
    assert turned == alike(sentences)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("vardo", "vardo", 1.0),
        ("ox", "ox", 1.0),  # however short
        ("?", "?", 1.0),
        ("1947", "1947", 1.0),
        ("dorélia", "dorelia", 1.0),
        ("dorélia", "dórelia", 1.0),
        ("telmarin", "telmarina", ((16 / 17 - 0.6) / 0.4) ** 2),
        ("telmarin", "meltarin", ((12 / 16 - 0.6) / 0.4) ** 2),
        ("vard", "vadr", ((6 / 8 - 0.6) / 0.4) ** 2),
        ("vardo", "varli", 0.0),  # six letters of ten are not enough
        ("vardo", "telmi", 0.0),
        ("ard", "árd", 0.0),
        ("vardo", "vár", 0.0),
        ("1947", "1948", 0.0),
        ("1947", "1947th", 0.0),
        ("mark2", "mark3", 0.0),
        ("mark2", "mark", 0.0),
        (".", "!", 0.1),
        ("...", "\u2026", 0.1),
        ("?", "vardo", 0.0),
        (".", "7", 0.0),
        ("vardo", "dorva" * 300, 0.0),
        ("x" * 300, "x" * 300, 1.0),
    ],
)
def test_how_much_two_words_look_alike(source, target, expected):
    assert one(source, target) == about(expected)
    assert one(target, source) == about(expected)


def test_words_that_are_never_in_one_pair_are_not_compared():
    found = alike([(["vardo"], ["telmi"]), (["brun"], ["vardo"]), (["telmi"] * (LONGEST + 1), ["telmi"])])
    assert found == {}


def test_one_word_may_have_more_than_a_thousand_relatives():
    relatives = ["varadon" + "".join(ending) for ending in product("abdeghilmno", repeat=3)]
    sentences = [(["varadon"], relatives[k : k + LONGEST]) for k in range(0, len(relatives), LONGEST)]
    expected = ((14 / 17 - 0.6) / 0.4) ** 2
    assert alike(sentences) == {("varadon", word): about(expected) for word in relatives}


def test_the_prior_is_about_pairs_of_words_only():
    prior, corpus = lookalikes([(["vardo", "brun"], ["vardo"])])
    assert prior.forward == prior.reverse == ()
    assert counts_of(corpus) == {("vardo", "vardo"): (1, 1)}
    assert elsewhere_of(prior, corpus) == ({}, {})


def many_words(seed):
    """Sentences of many words, most of them with relatives on the other side."""
    rng = np.random.default_rng(seed)

    def word():
        return "".join(rng.choice(list("abcdeé"), rng.integers(3, 9)))

    words = [word() for _ in range(150)]
    return [([*rng.choice(words, 8)], [*rng.choice(words, 6), word(), word()]) for _ in range(60)]


def test_the_same_on_a_larger_text():
    # The last words, too, look like something.
    sentences = [*many_words(0)[:20], *([[word], [word]] for word in ("mund", "brisk", "0", "!!", "vardo"))]
    expected = {pair: naive_likeness(*pair) for pair in together(sentences)}
    assert alike(sentences) == {pair: about(like) for pair, like in expected.items() if like > 0}


@pytest.mark.parametrize("seed", range(2))
def test_the_number_of_threads_does_not_matter(seed):
    found = [lookalikes(many_words(seed), 1.5, threads) for threads in (1, 2, 3)]
    (first, counted), *others = [(prior.totals, counts_of(corpus)) for prior, corpus in found]
    assert found[0][1].pieces > 20
    assert len(counted) > 200
    for totals, counts in others:
        assert counts == counted
        assert [part.tobytes() for part in totals] == [part.tobytes() for part in first]


@pytest.mark.parametrize("strength", [0.25, 1.0, 3.0, 100.0])
def test_counts_grow_with_the_strength(strength):
    sentences = many_words(3)
    once = alike(sentences)
    assert alike(sentences, strength) == {
        pair: about(strength * count, (strength + 1) / 2 * UNIT) for pair, (count, _) in once.items()
    }
    assert max(once.values()) == (1.0, 1.0)


def test_without_strength_nothing_is_known():
    prior, _ = lookalikes([(["vardo"], ["vardo"])], 0.0)
    assert prior is None
    assert alike([(["vardo"], ["vardo"])], 2.0) == {("vardo", "vardo"): (2.0, 2.0)}


@pytest.mark.parametrize("strength", [-1.0, float("nan"), float("inf")])
def test_strengths_that_cannot_be(strength):
    with pytest.raises(
        UsageError, match=f"lookalikes is added to counts, at most 1,000,000,000, and cannot be {strength}"
    ):
        Aligner(lookalikes=strength)
