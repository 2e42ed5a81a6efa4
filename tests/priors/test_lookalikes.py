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
from pralign.engine import Engine
from pralign.errors import UsageError
from pralign.priors import gather_priors
from pralign.priors.lookalikes import lookalikes
from pralign.text.normalisation import Normalisation
from priors.counted import counts_of, together
from training.corpora import LONGEST, build, transposed

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


def alike(sentences, strength=1.0, threads=1):
    corpus, index = build(sentences)
    prior = lookalikes(corpus, index, strength, Engine(threads))
    return counts_of(prior.lexical, corpus, index)


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
    assert found == {pair: pytest.approx((like, like)) for pair, like in expected.items() if like > 0}


@quick(30)
@given(SENTENCES)
def test_source_and_target_may_change_places(sentences):
    turned = {(s, t): counts for (t, s), counts in alike(transposed(sentences)).items()}
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
    assert one(source, target) == pytest.approx((expected, expected))
    assert one(target, source) == pytest.approx((expected, expected))


def test_words_that_are_never_in_one_pair_are_not_compared():
    found = alike([(["vardo"], ["telmi"]), (["brun"], ["vardo"]), (["telmi"] * (LONGEST + 1), ["telmi"])])
    assert found == {}


def test_one_word_may_have_more_than_a_thousand_relatives():
    relatives = ["varadon" + "".join(ending) for ending in product("abdeghilmno", repeat=3)]
    sentences = [(["varadon"], relatives[k : k + LONGEST]) for k in range(0, len(relatives), LONGEST)]
    expected = ((14 / 17 - 0.6) / 0.4) ** 2
    assert alike(sentences) == {("varadon", word): pytest.approx((expected, expected)) for word in relatives}


def test_the_prior_is_about_pairs_of_words_only():
    corpus, index = build([(["vardo", "brun"], ["vardo"])])
    prior = lookalikes(corpus, index, 1.0, Engine(1))
    assert prior.forward == prior.reverse == ()
    assert prior.lexical.elsewhere_source.tolist() == [0.0, 0.0]
    assert prior.lexical.elsewhere_target.tolist() == [0.0]


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
    assert alike(sentences) == {pair: pytest.approx((like, like)) for pair, like in expected.items() if like > 0}


@pytest.mark.parametrize("seed", range(2))
def test_the_number_of_threads_does_not_matter(seed):
    corpus, index = build(many_words(seed))
    first, *others = (lookalikes(corpus, index, 1.5, Engine(threads)).lexical for threads in (1, 2, 3))
    assert first.slots.size > 200
    for other in others:
        assert other.slots.tobytes() == first.slots.tobytes()
        assert other.counts.tobytes() == first.counts.tobytes()


@pytest.mark.parametrize("strength", [0.25, 1.0, 3.0, 100.0])
def test_counts_grow_with_the_strength(strength):
    sentences = many_words(3)
    once = alike(sentences)
    assert alike(sentences, strength) == {
        pair: pytest.approx((strength * count, strength * count)) for pair, (count, _) in once.items()
    }
    assert max(once.values()) == (1.0, 1.0)


def test_without_strength_nothing_is_known():
    corpus, index = build([(["vardo"], ["vardo"])])
    assert gather_priors([], 0.0, corpus, index, Normalisation(), Engine(1)) is None
    known = gather_priors([], 2.0, corpus, index, Normalisation(), Engine(1))
    assert counts_of(known.lexical, corpus, index) == {("vardo", "vardo"): (2.0, 2.0)}


@pytest.mark.parametrize("strength", [-1.0, float("nan"), float("inf")])
def test_strengths_that_cannot_be(strength):
    with pytest.raises(
        UsageError, match=f"lookalikes is added to counts, at most 1,000,000,000, and cannot be {strength}"
    ):
        Aligner(lookalikes=strength)
