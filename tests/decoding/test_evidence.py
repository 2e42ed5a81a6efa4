"""What models say of shards, word by word."""

from __future__ import annotations

import numpy as np
import pytest

from constraints.cases import Custom
from pralign.constraints import Agreement, Constraint, Symmetric, at_least
from pralign.decoding.evidence import AlignableShard, Evidence
from pralign.models.estimators import Collapsed
from pralign.text.shard import Shard
from shards import add_pairs, learn, random_sentences, sharded, small_blocks

MODELS = ["ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4"]
PAIRS = random_sentences(7, pairs=80, most=13)


@pytest.fixture(scope="module")
def learned():
    """Models by name, and the same pairs again as a shard that is not trained on."""
    known = {}

    def learn_once(name, **options):
        key = name, *options
        if key not in known:
            corpus = sharded(PAIRS)
            add_pairs(corpus, "again", PAIRS)
            known[key] = learn(corpus, (("ibm1", 2), (name, 2)), aligned=("again",), **options)
        return known[key]

    return learn_once


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm"])
def test_evidence_is_what_the_model_infers_of_each_pair_alone_source_words_first(learned, name):
    seen = []
    for shard_name in learned(name).names:
        opened = learned(name).open(shard_name)
        shard, model = opened.shard, opened.model
        (evidence,) = opened.evidence()
        forward_marks, reverse_marks = evidence.viterbi
        for k, n in enumerate(shard.pairs):
            rows, columns = (len(side) for side in PAIRS[shard.numbers[n]])
            assert (evidence.source_lengths[k], evidence.target_lengths[k]) == (rows, columns)
            (block,) = shard.blocks(np.array([n]))
            lattices = model.lattices(block)
            forward, reverse = (inference.posterior for inference in model.infer(lattices))
            forward_best, reverse_best = model.viterbi(lattices)
            cells = slice(evidence.cell_start[k], evidence.cell_start[k + 1])
            shape = (rows, columns)
            expected_forward = forward.link.reshape(columns, rows).T
            expected_reverse = reverse.link.reshape(rows, columns)
            assert evidence.forward[cells].reshape(shape).tolist() == expected_forward.tolist()
            assert evidence.reverse[cells].reshape(shape).tolist() == expected_reverse.tolist()
            for i in range(rows):
                for j in range(columns):
                    mean = (float(expected_forward[i, j]) + float(expected_reverse[i, j])) / 2
                    # One rounding to single precision of a number below one, or two of smaller ones.
                    assert evidence.mean[cells].reshape(shape)[i, j] == pytest.approx(mean, rel=0, abs=2.0**-24)
                    assert forward_marks[cells].reshape(shape)[i, j] == (forward_best[j] == i)
                    assert reverse_marks[cells].reshape(shape)[i, j] == (reverse_best[i] == j)
            score = (forward.log_likelihood[0] / columns + reverse.log_likelihood[0] / rows) / 2
            assert evidence.scores[k] == pytest.approx(score, rel=0, abs=1e-12)
        assert forward_marks.any()
        assert reverse_marks.any()
        seen += shard.numbers[shard.pairs].tolist()
    assert seen == [n for n, pair in enumerate(PAIRS) if all(0 < len(side) <= 12 for side in pair)]


def said(evidence: Evidence, k: int) -> tuple[bytes, ...]:
    """All that is said of a pair, bit by bit."""
    cells = slice(evidence.cell_start[k], evidence.cell_start[k + 1])
    marks = evidence.viterbi
    values = evidence.forward[cells], evidence.reverse[cells], marks[0][cells], marks[1][cells], evidence.scores[k]
    return tuple(np.ascontiguousarray(part).tobytes() for part in values)


def by_pair(opened: AlignableShard, constraint: Constraint | None = None, pairs=None) -> dict[int, tuple[bytes, ...]]:
    """What is said of each pair, by its number in the shard."""
    blocks = list(opened.evidence(constraint, pairs))
    answers = [said(evidence, k) for evidence in blocks for k in range(evidence.source_lengths.size)]
    numbers = (opened.shard.pairs if pairs is None else pairs).tolist()
    return dict(zip(numbers, answers, strict=True))


@pytest.mark.parametrize("constraint", [None, Symmetric()], ids=["plain", "symmetric"])
@pytest.mark.parametrize("options", [{}, {"estimator": Collapsed()}], ids=["em", "collapsed"])
@pytest.mark.parametrize("name", MODELS)
def test_where_blocks_are_cut_and_which_pairs_are_chosen_changes_no_bit(
    learned, monkeypatch, name, options, constraint
):
    opened = learned(name, **options).open("0")
    assert (opened.own is not None) == bool(options)
    whole = by_pair(opened, constraint)
    assert len(whole) > 4
    monkeypatch.setattr(Shard, "blocks", small_blocks)
    assert len(list(opened.evidence())) > 2
    assert by_pair(opened, constraint) == whole
    chosen = opened.shard.pairs[1::3]
    assert by_pair(opened, constraint, chosen) == {pair: whole[pair] for pair in chosen.tolist()}
    assert list(opened.evidence(constraint, np.empty(0, np.int64))) == []


@pytest.mark.parametrize("name", MODELS)
def test_text_that_was_trained_on_and_the_same_text_again_are_alike(learned, name):
    again = learned(name).open("again")
    answers = by_pair(again)
    for shard_name in learned(name).names:
        opened = learned(name).open(shard_name)
        for pair, answer in by_pair(opened).items():
            assert answers[int(opened.shard.numbers[pair])] == answer


@pytest.mark.parametrize("name", MODELS)
def test_a_pair_that_is_aligned_without_its_own_counts_is_judged_by_the_others(learned, name):
    collapsed = learned(name, estimator=Collapsed())
    opened = collapsed.open("0")
    with_own = AlignableShard(opened.shard, opened.model, None, opened.words)
    left_out, kept = by_pair(opened), by_pair(with_own)
    assert sum(left_out[pair] != kept[pair] for pair in left_out) > len(left_out) / 2


def test_a_constraint_is_shown_the_words_of_the_shard(learned):
    heard = []

    class Listening(Custom):
        def features(self, source, target):
            heard.append((source, target))
            return [at_least(0.9, forward=[(0, 0)])] if len(target) == 1 else []

    for shard_name in [*learned("hmm").names, "again"]:
        opened = learned("hmm").open(shard_name)
        heard.clear()
        blocks = list(opened.evidence(Listening(given=())))
        assert heard == [PAIRS[number] for number in opened.shard.numbers[opened.shard.pairs]]
        for evidence in blocks:
            for k in np.flatnonzero(evidence.target_lengths == 1):
                assert evidence.forward[evidence.cell_start[k]] > 0.89


@pytest.mark.parametrize("name", ["ibm1", "hmm"])
def test_projected_evidence_agrees_as_the_constraint_asks(learned, name):
    opened = learned(name).open("0")
    constraint = Agreement(tolerance=1e-4, slack=0, normalised=False)
    for plain, projected in zip(opened.evidence(), opened.evidence(constraint), strict=True):
        assert projected.scores == pytest.approx(plain.scores, abs=1e-5)  # those of the model, not of the projection
        assert np.abs(plain.forward - plain.reverse).max() > 0.1
        np.testing.assert_allclose(projected.forward, projected.reverse, rtol=0, atol=1.1e-4)


@pytest.mark.parametrize("name", ["hmm"])
def test_trees_link_each_word_of_the_longer_side_at_most_once(learned, name):
    (evidence,) = learned(name).open("0").evidence()
    for k, (rows, columns) in enumerate(zip(evidence.source_lengths, evidence.target_lengths, strict=True)):
        tree = evidence.tree[evidence.cell_start[k] : evidence.cell_start[k + 1]].reshape(rows, columns)
        if rows != columns:
            assert tree.sum(axis=int(rows > columns)).max() <= 1
    assert evidence.tree.any()
