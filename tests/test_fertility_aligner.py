"""Aligners with IBM 3 and IBM 4, with and without constraints, and the ways to decode that look at both directions."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from constrained import PAIRS, UNSEEN, contents, posteriors, with_settings_of
from pralign import Aligner
from pralign.constraints import ITG, Agreement, solver
from pralign.decoding.matching import best_matching
from pralign.errors import UsageError
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments
from pralign.sample import GOLD, SOURCE, TARGET
from pralign.text.bitext import Bitext

pytestmark = pytest.mark.slow

STAGES = {"ibm3": "ibm1=3,hmm=2,ibm3=2", "ibm4": "ibm1=3,hmm=2,ibm3=1,ibm4=2"}
SHORT = {"ibm1": "ibm1=3", "ibm2": "ibm1=3,ibm2=2", "hmm": "ibm1=3,hmm=2", **STAGES}

every_model = pytest.mark.parametrize("model", STAGES)
every_constraint = pytest.mark.parametrize("constraint", ["none", "bijective", "symmetric", "agreement", "itg"])


def trained(pairs=PAIRS, **settings):
    return Aligner(**{"iterations": SHORT[settings["model"]], "threads": 1, **settings}).fit(pairs)


@every_constraint
@every_model
def test_posteriors_are_probabilities(model, constraint):
    aligner = trained(model=model, constraint=constraint)
    for pair in [*PAIRS, *UNSEEN]:
        forward, reverse, mean = aligner.posteriors(*pair)
        assert np.all(forward >= 0) and np.all(reverse >= 0)
        assert np.all(forward.sum(axis=0) <= 1 + 1e-5)
        assert np.all(reverse.sum(axis=1) <= 1 + 1e-5)
        assert np.array_equal(mean, (forward + reverse) * np.float32(0.5))


@every_constraint
@every_model
def test_a_loaded_aligner_answers_with_the_same_bits(model, constraint, tmp_path):
    aligner = trained(model=model, constraint=constraint, classes=7)
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model", threads=1)
    assert posteriors(loaded, UNSEEN) == posteriors(aligner, UNSEEN)
    assert list(loaded.align(PAIRS)) == list(aligner.align(PAIRS))
    assert str(loaded.signature) == str(aligner.signature)
    loaded.save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "model")


@pytest.mark.parametrize("constraint", ["none", "symmetric", "itg"])
@every_model
def test_the_number_of_threads_does_not_matter(model, constraint, tmp_path):
    pairs = list(Bitext.read(SOURCE, TARGET)) * 3
    for threads in (1, 3):
        aligner = Aligner(model=model, constraint=constraint, iterations=SHORT[model], threads=threads).fit(pairs)
        aligner.save(tmp_path / str(threads))
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


@pytest.mark.parametrize("constraint", ["none", "bijective", "symmetric", "itg"])
@every_model
def test_exchanging_the_sides_transposes_the_alignment(model, constraint):
    settings = {"model": model, "constraint": constraint, "classes": 5}
    there = trained(**settings)
    back = trained([(target, source) for source, target in PAIRS], **settings)
    for source, target in PAIRS:
        found, turned = there.posteriors(source, target), back.posteriors(target, source)
        np.testing.assert_array_equal(found.forward, turned.reverse.T)
        np.testing.assert_array_equal(found.reverse, turned.forward.T)


@every_model
def test_fertilities_and_places_are_distributions(model):
    for direction in (trained(model=model).model_.forward, trained(model=model).model_.reverse):
        parameters = direction.parameters
        np.testing.assert_allclose(parameters.fertility.sum(axis=1), 1, atol=1e-9)
        assert parameters.null.sum() == pytest.approx(1)
        if model == "ibm4":
            head, other = parameters.head.copy(), parameters.other.copy()
            for table in (head[..., 0], head[..., -1], other[..., -1]):
                table *= 10  # the share of the farthest distance is spread over all beyond
            np.testing.assert_allclose(head.sum(axis=-1), 1, atol=1e-9)
            np.testing.assert_allclose(other.sum(axis=-1), 1, atol=1e-9)


def test_model_4_learns_from_few_pairs_what_the_gold_says():
    golds = list(read_alignments(GOLD, "gold"))
    found = list(Aligner(model="ibm4").fit_align(Bitext.read(SOURCE, TARGET)))[: len(golds)]
    assert evaluate(found, golds).aer < 0.2


@pytest.mark.parametrize("iterations", ["ibm4=2", "ibm1=3,ibm4=2", "ibm1=2,ibm2=2,ibm3=1,ibm4=1", "hmm=2,ibm4=1"])
def test_any_model_may_come_before(iterations):
    assert sum(len(found.links) for found in Aligner(model="ibm4", iterations=iterations).fit_align(PAIRS)) > 10


def test_more_classes_than_words_and_only_one_class():
    for classes in (1, 10_000):
        assert trained(model="ibm4", classes=classes).align_pair("the cat", "le chat")
    with pytest.raises(UsageError, match="at least one class"):
        Aligner(model="ibm4", classes=0)


def test_pegging_is_remembered(tmp_path):
    aligner = trained(model="ibm4", pegging=True)
    aligner.save(tmp_path / "model")
    assert Aligner.load(tmp_path / "model").model_.forward.pegging
    assert "pegging:yes" in str(aligner.signature)


@pytest.mark.parametrize("shape", [(1, 1), (1, 30), (30, 1), (3, 120), (60, 60)], ids=str)
@every_model
def test_pairs_of_any_shape(model, shape):
    aligner = trained(model=model)
    source, target = (["house", "new"] * 100)[: shape[0]], (["maison", "neu"] * 100)[: shape[1]]
    forward, reverse, _ = aligner.posteriors(source, target)
    assert forward.shape == reverse.shape == shape
    assert np.isfinite(forward).all() and np.isfinite(reverse).all()


@pytest.mark.parametrize("model", SHORT)
def test_a_matching_links_each_word_at_most_once(model):
    aligner = trained(model=model, decode="matching", threshold=0.2)
    for pair in [*PAIRS, *UNSEEN]:
        links = aligner.align_pair(*pair).links
        assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_is_the_best_there_is(seed):
    random = np.random.default_rng(seed)
    probability = random.random((random.integers(1, 5), random.integers(1, 5))).astype(np.float32)
    threshold = 0.3
    odds = np.log(probability / (1 - probability)) - np.log(threshold / (1 - threshold))
    cells = list(product(*map(range, probability.shape)))
    best = 0.0
    for size in range(1, min(probability.shape) + 1):
        for chosen in combinations(cells, size):
            if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == size:
                best = max(best, sum(float(odds[cell]) for cell in chosen))
    assert odds[best_matching(probability, threshold)].sum() == pytest.approx(best, abs=1e-5)


def test_certain_links_can_be_matched():
    assert best_matching(np.array([[1.0, 1.0], [1.0, 0.0]], np.float32), 0.5).tolist() == [[False, True], [True, False]]
    assert best_matching(np.zeros((2, 3), np.float32), 0.5).sum() == 0


@pytest.mark.parametrize("threshold", [0.0, 0.25, 0.5])
def test_the_matching_of_a_transposed_grid_is_transposed(threshold):
    rng = np.random.default_rng(1)
    for size in [(2, 2), (3, 3), (5, 5), (2, 4), (6, 3)] * 8:
        # Of few different values, so that many matchings are equally good.
        grid = rng.integers(0, 3, size).astype(np.float32) / 3
        grids = [grid, np.maximum(grid, grid.T)] if size[0] == size[1] else [grid]
        for each in grids:
            back = best_matching(np.ascontiguousarray(each.T), threshold)
            np.testing.assert_array_equal(best_matching(each, threshold), back.T)


def test_words_that_nothing_tells_apart_are_matched_in_order():
    assert best_matching(np.full((4, 4), 0.9, np.float32), 0.5).tolist() == np.eye(4, dtype=bool).tolist()


def test_a_matching_with_the_default_threshold_needs_more_than_even_odds():
    aligner = trained(model="hmm", decode="matching")
    for pair in PAIRS:
        mean = aligner.posteriors(*pair).mean
        assert all(mean[link] >= 0.5 for link in aligner.align_pair(*pair).links)


@pytest.mark.parametrize("model", SHORT)
def test_a_tree_links_everything_that_is_better_linked_than_not(model):
    aligner = trained(model=model, decode="itg")
    for pair in [*PAIRS, *UNSEEN]:
        links = aligner.align_pair(*pair).links
        assert links or "" in pair
        # The words of one side have at most one partner.
        assert len(links) in (len({i for i, _ in links}), len({j for _, j in links}))
    strict = trained(model=model, decode="itg", threshold=0.5)
    for pair in PAIRS:
        assert set(strict.align_pair(*pair).links) <= set(aligner.align_pair(*pair).links)


def test_trees_and_matchings_have_their_own_defaults(tmp_path):
    aligner = trained(model="ibm1", threshold=0.3)
    aligner.save(tmp_path / "model")
    assert Aligner.load(tmp_path / "model").thresholds_.mean == 0.3
    assert Aligner.load(tmp_path / "model", decode="itg").thresholds_.mean == 0
    assert Aligner.load(tmp_path / "model", decode="matching").thresholds_.mean == 0.5
    assert "threshold" not in Aligner.load(tmp_path / "model", decode="itg").signature.as_dict()
    for decode in ("itg", "matching"):
        with pytest.raises(UsageError, match="looks at both directions at once"):
            Aligner(decode=decode, symmetrize="union")


@pytest.mark.parametrize("decode", ["itg", "matching"])
def test_thresholds_of_trees_and_matchings_can_be_tuned(decode):
    golds = list(read_alignments(GOLD, "gold"))
    pairs = list(Bitext.read(SOURCE, TARGET))
    labelled = [(*pair, gold) for pair, gold in zip(pairs[: len(golds)], golds, strict=True)]
    aligner = Aligner(model="ibm1", decode=decode).fit(pairs)
    plain = evaluate(aligner.align(pairs[: len(golds)]), golds).aer
    tuned = evaluate(aligner.tune(labelled).align(pairs[: len(golds)]), golds).aer
    assert tuned <= plain


def test_the_tree_constraint_raises_what_the_tree_links():
    """In the tree, the less sure direction goes up towards the surer one; elsewhere the two approach each other."""
    plain = trained(model="hmm")
    projected = with_settings_of(plain, model="hmm", constraint=ITG(steps=40), project_at_decode=True)
    trees = trained(model="hmm", decode="itg")
    closer = lower = 0
    for pair in PAIRS:
        before, after = plain.posteriors(*pair), projected.posteriors(*pair)
        if before.mean.size == 0:
            continue
        apart_before = np.abs(before.forward - before.reverse).sum()
        closer += np.abs(after.forward - after.reverse).sum() < apart_before
        for link in trees.align_pair(*pair).links:
            most = max(before.forward[link], before.reverse[link])
            lower += max(after.forward[link], after.reverse[link]) < 0.5 * most
    assert closer >= 0.9 * sum(bool(source and target) for source, target in PAIRS)
    assert lower <= 2


def test_trees_are_for_training_unless_asked_for():
    plain, projected = (trained(model="hmm", constraint="itg", project_at_decode=asked) for asked in (None, True))
    assert not plain.model_.recipe.projects_at_decode
    assert projected.model_.recipe.projects_at_decode
    assert posteriors(plain) != posteriors(projected)


def test_steps_along_the_gradient_make_the_directions_agree():
    plain, apart = trained(model="hmm"), []
    for steps in (0, 5, 50):
        projected = with_settings_of(plain, model="hmm", constraint=Agreement(steps=steps)) if steps else plain
        answers = [projected.posteriors(*pair) for pair in PAIRS]
        apart.append(sum(float(np.abs(answer.forward - answer.reverse).sum()) for answer in answers))
    assert apart[2] < 0.5 * apart[0]
    assert apart[2] < apart[1] < apart[0]


@every_model
def test_searching_again_lets_the_directions_agree_more(model, monkeypatch):
    """Alignments near the first peak differ from it in a word or two, and seldom agree."""
    projected = with_settings_of(trained(model=model), model=model, constraint=Agreement(steps=20))
    apart = []
    for between in (solver.STEPS_BETWEEN_SEARCHES, 1000):
        monkeypatch.setattr(solver, "STEPS_BETWEEN_SEARCHES", between)
        answers = [projected.posteriors(*pair) for pair in PAIRS]
        apart.append(sum(float(np.abs(answer.forward - answer.reverse).sum()) for answer in answers))
    assert apart[0] < 0.9 * apart[1]
