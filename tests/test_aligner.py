"""The aligner from Python."""

from __future__ import annotations

import gc
import itertools
import logging
import sys
import time
from dataclasses import fields

import numpy as np
import pytest

import pralign
from pralign import Aligner, Alignment, Bitext, sample
from pralign.decoding import stream
from pralign.decoding.decoder import Thresholds
from pralign.errors import InputError, ModelError, PralignError, UsageError
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments
from pralign.settings import setting_fields

MODELS = ["ibm1", "ibm2", "hmm"]
WAYS = [
    ("posterior", "soft-union"),
    ("posterior", "union"),
    ("posterior", "forward"),
    ("viterbi", "grow-diag-final-and"),
    ("viterbi", "reverse"),
]
# What single precision leaves of a probability: 2^-24 for each of at most some dozen additions.
ROUNDING = 1e-6


def sentences(count, start=0):
    pairs = list(Bitext.read(sample.SOURCE, sample.TARGET))
    return pairs[start : start + count]


PAIRS = [*sentences(30), ("", "rien"), ("x", ""), (["Two", "words"], ("Deux", "mots"))]
GOLDS = list(read_alignments(sample.GOLD, "gold"))


def trained(pairs=PAIRS, **settings):
    return Aligner(**{"iterations": None, "threads": 1, **settings}).fit(pairs)


@pytest.fixture(scope="module")
def hmm():
    return trained(model="hmm")


# Fitting and aligning


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("decode", "symmetrize"), WAYS)
def test_all_ways_to_ask_give_the_same_answer(model, decode, symmetrize):
    settings = {"model": model, "decode": decode, "symmetrize": symmetrize}
    aligner = trained(**settings)
    aligned = list(aligner.align(PAIRS))
    assert len(aligned) == len(PAIRS)
    assert list(Aligner(**settings).fit_align(PAIRS)) == aligned
    assert list(Aligner(**settings).fit_align(Bitext(PAIRS))) == aligned
    assert list(Aligner(**settings).fit_align(iter(PAIRS))) == aligned
    assert [aligner.align_pair(source, target) for source, target in PAIRS] == [
        Alignment() if not (source and target) else alignment
        for (source, target), alignment in zip(PAIRS, aligned, strict=True)
    ]
    assert sum(len(alignment) for alignment in aligned) > 20
    assert aligned[30].links == aligned[31].links == ()


def test_a_sentence_is_a_string_or_its_words(hmm):
    source, target = "The coffee was hot .", "Le café était chaud ."
    expected = hmm.align_pair(source, target)
    assert expected.links
    assert hmm.align_pair(source.split(), target) == expected
    assert hmm.align_pair(tuple(source.split()), target.split()) == expected
    assert hmm.posteriors(source, target)[2].tolist() == hmm.posteriors(source.split(), target.split())[2].tolist()


def test_pairs_of_words_may_hold_spaces():
    pairs = [(["New York", "is", "big"], ["New York", "est", "grand"]), (["is"], ["est"]), (["New York"], ["New York"])]
    aligner = trained(pairs, model="ibm1")
    assert aligner.translations("New York")[0][0] == "new york"
    assert (0, 0) in aligner.align_pair(*pairs[0]).links


def test_links_carry_the_posteriors_that_speak_for_them(hmm):
    for source, target in sentences(10):
        alignment = hmm.align_pair(source, target)
        mean = hmm.posteriors(source, target).mean
        assert alignment.scores == tuple(float(mean[link]) for link in alignment.links)
        marked = {tuple(cell) for cell in np.argwhere(mean >= np.float32(0.5)).tolist()}
        assert set(alignment.links) == marked


@pytest.mark.parametrize("symmetrize", ["forward", "reverse", "intersection", "union"])
def test_directions_are_compared_with_the_threshold_one_by_one(symmetrize):
    aligner = trained(symmetrize=symmetrize, threshold=0.3)
    for source, target in sentences(10):
        posteriors = aligner.posteriors(source, target)
        forward, reverse = posteriors.forward >= 0.3, posteriors.reverse >= 0.3
        expected = {
            "forward": forward,
            "reverse": reverse,
            "intersection": forward & reverse,
            "union": forward | reverse,
        }[symmetrize]
        links = aligner.align_pair(source, target).links
        assert list(links) == [tuple(cell) for cell in np.argwhere(expected).tolist()]


def test_aligning_reads_no_further_than_it_must(hmm):
    endless = hmm.align(itertools.cycle(sentences(5)))
    found = [next(endless).links for _ in range(7)]
    assert found[:2] == found[5:]
    assert found[0]


def test_aligning_takes_pairs_as_they_come(hmm, monkeypatch):
    monkeypatch.setattr("pralign.runs.trained._CHUNK", 3)
    taken = 0

    def source():
        nonlocal taken
        for pair in sentences(8):
            taken += 1
            yield pair

    answers = hmm.align(source())
    assert taken == 0
    next(answers)
    assert taken == 3
    assert len(list(answers)) == 7
    assert taken == 8


def test_chunks_do_not_show(hmm, monkeypatch):
    pairs = [*PAIRS, ("Zorro came", "Zorro vient"), ("Zorro", "Zorro")]
    whole = list(hmm.decode_pairs(pairs, directions=True))
    monkeypatch.setattr("pralign.runs.trained._CHUNK", 4)
    pieces = list(hmm.decode_pairs(pairs, directions=True))
    assert [answer._replace(score=0.0) for answer in pieces] == [answer._replace(score=0.0) for answer in whole]
    assert np.array_equal([answer.score for answer in pieces], [answer.score for answer in whole], equal_nan=True)


@pytest.mark.parametrize("model", [*MODELS, "fhmm"])
def test_pairs_that_were_not_trained_on_are_aligned_alike_alone_and_beside_others(model):
    long = tuple(" ".join(pair[side] for pair in sentences(8, 40)) for side in (0, 1))
    aligner = Aligner(model=model, estimator="collapsed", max_length=20, threads=1)
    answers = list(aligner.fit_decode([*PAIRS, long]))
    [alone] = aligner.decode_pairs([long])
    *_, beside = aligner.decode_pairs([*PAIRS, long])
    assert answers[-1] == alone == beside
    assert alone.alignment.links


def test_answers_that_nobody_waits_for_are_dropped_without_a_sound(monkeypatch):
    # An error elsewhere leaves them in a cycle of frames, which is found by whichever thread collects garbage next.
    decode = stream.BlockDecoder.decode

    def collecting(*arguments):
        time.sleep(0.02)
        gc.collect()
        return decode(*arguments)

    aligner = trained(model="ibm1", iterations="ibm1=1", threads=2)
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    monkeypatch.setattr(stream.BlockDecoder, "decode", collecting)
    gc.disable()  # in this thread
    try:
        answers = aligner.align(sentences(100) * 20)
        next(answers)
        cycle = [answers]
        cycle.append(cycle)
        del answers, cycle
        time.sleep(0.3)
    finally:
        gc.enable()
    assert [str(complaint.exc_value) for complaint in complaints] == []


def test_pairs_too_large_to_align_are_named_by_their_number(hmm, monkeypatch, caplog):
    monkeypatch.setattr("pralign.runs.trained._CHUNK", 2)
    monkeypatch.setattr("pralign.text.corpus.MOST_CELLS", 6)
    pairs = [("a b", "x y"), ("a b c", "x y z"), ("", "x"), ("a b", "x y z"), ("a b c d e f g", "x")]
    with caplog.at_level(logging.WARNING, "pralign"):
        answers = list(hmm.decode_pairs(pairs))
    assert [np.isnan(answer.score) for answer in answers] == [False, True, True, False, True]
    assert [record.getMessage().split(" words")[0] for record in caplog.records] == [
        "pair 2 is too large to align (3 by 3",
        "pair 5 is too large to align (7 by 1",
    ]
    assert hmm.align_pair("a b c", "x y z") == Alignment()


def test_scores_are_log_probabilities_a_word():
    # With IBM 1, a word's probability is the mean of its translation probabilities from null and from each word.
    aligner = trained(model="ibm1")
    [answer] = aligner.decode_pairs([sentences(1)[0]])
    source, target = (side.lower().split() for side in sentences(1)[0])
    tables = tables_of(aligner)
    forward = np.log(tables.forward(source, target).sum(axis=0) / (len(source) + 1)).mean()
    reverse = np.log(tables.reverse(source, target).sum(axis=0) / (len(target) + 1)).mean()
    assert answer.score == pytest.approx((forward + reverse) / 2, abs=1e-5)


def test_the_directional_alignments_come_on_demand(hmm):
    pairs = [*sentences(3), ("", "x")]
    plain, both = list(hmm.decode_pairs(pairs)), list(hmm.decode_pairs(pairs, directions=True))
    assert {answer.forward for answer in plain[:3]} == {None}
    assert [answer.alignment for answer in plain] == [answer.alignment for answer in both]
    for (_, target), answer in zip(pairs, both, strict=True):
        targets = [j for _, j in answer.forward.links]
        assert len(set(targets)) == len(targets) <= len(target.split())
        sources = [i for i, _ in answer.reverse.links]
        assert len(set(sources)) == len(sources)


# Posteriors


class Tables:
    """The probabilities of words given null (first row) and given each word, from the public parts of an aligner."""

    def __init__(self, aligner):
        self.aligner = aligner
        self.null = aligner.model_.lexicon.translations

    def _table(self, given, words, side, null):
        known = {word: dict(self.aligner.translations(word, side, most=10**6)) for word in given}
        number = self.aligner.vocabularies_["target" if side == "source" else "source"].number
        rows = [[float(max(null[number(word)], 1e-9)) for word in words]]
        return np.array(rows + [[known[word_given].get(word, 1e-9) for word in words] for word_given in given])

    def forward(self, source, target):
        return self._table(source, target, "source", self.null.null_to_target)

    def reverse(self, source, target):
        return self._table(target, source, "target", self.null.null_to_source)


def tables_of(aligner):
    return Tables(aligner)


def test_ibm1_posteriors_are_the_shares_of_translation_probabilities():
    aligner = trained(model="ibm1", iterations="ibm1=3")
    for source, target in sentences(5):
        words = source.lower().split(), target.lower().split()
        forward, reverse = tables_of(aligner).forward(*words), tables_of(aligner).reverse(*words)
        found = aligner.posteriors(source, target)
        np.testing.assert_allclose(found.forward, (forward / forward.sum(axis=0))[1:], atol=ROUNDING)
        np.testing.assert_allclose(found.reverse, (reverse / reverse.sum(axis=0))[1:].T, atol=ROUNDING)


@pytest.mark.parametrize("model", MODELS)
def test_posteriors_are_distributions_over_the_explaining_words_and_null(model):
    aligner = trained(model=model)
    for source, target in [*sentences(10), ("unknown words", "here and there"), ("Anna unknown", "Anna")]:
        forward, reverse, mean = aligner.posteriors(source, target)
        shape = (len(source.split()), len(target.split()))
        assert forward.shape == reverse.shape == mean.shape == shape
        for cells in (forward, reverse, mean):
            assert cells.min() >= 0
            assert cells.max() <= 1 + ROUNDING
        assert forward.sum(axis=0).max() <= 1 + 10 * ROUNDING
        assert reverse.sum(axis=1).max() <= 1 + 10 * ROUNDING
        np.testing.assert_allclose(mean, (forward + reverse) / 2, atol=ROUNDING)
    assert aligner.posteriors(*sentences(1)[0]).forward.sum() > 1


@pytest.mark.parametrize(("source", "target", "shape"), [("", "a b", (0, 2)), ("a", [], (1, 0)), ("", "", (0, 0))])
def test_posteriors_of_a_pair_with_an_empty_side(hmm, source, target, shape):
    assert [cells.shape for cells in hmm.posteriors(source, target)] == [shape] * 3
    assert hmm.align_pair(source, target) == Alignment()


# Translations


def test_translations_are_sorted_probabilities(hmm):
    found = hmm.translations("the", most=5)
    assert len(found) == 5
    probabilities = [probability for _, probability in found]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0 < probability <= 1 for probability in probabilities)
    everything = hmm.translations("the", most=10**6)
    assert everything[:5] == found
    assert sum(probability for _, probability in everything) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("side", ["source", "target"])
def test_translations_go_both_ways(side):
    aligner = trained([("house", "maison"), ("cat", "chat"), ("house cat", "chat maison")], model="ibm1")
    words = {"source": ("house", "maison"), "target": ("chat", "cat")}
    word, expected = words[side]
    assert aligner.translations(word, side)[0][0] == expected
    assert sum(p for _, p in aligner.translations(word, side)) == pytest.approx(1, abs=1e-6)
    assert aligner.translations(word.upper(), side) == aligner.translations(word, side)
    assert aligner.translations(expected, side) == []


def test_translations_of_an_untrained_aligner():
    with pytest.raises(UsageError, match="learned nothing yet"):
        Aligner().translations("house")


# Settings


def test_the_public_names():
    assert {name for name in pralign.__all__ if hasattr(pralign, name)} == set(pralign.__all__)
    assert pralign.Aligner is Aligner
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = pralign.nonsense


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "ibm9"}, "there is no model 'ibm9'"),
        ({"iterations": "ibm1"}, "'ibm1' is not a stage"),
        ({"model": "hmm", "iterations": "ibm1=2"}, "end with ibm1 but the model is hmm"),
        ({"model": "hmm", "iterations": (("ibm1", 2),)}, "end with ibm1 but the model is hmm"),
        ({"iterations": (("hmm", 0),)}, "at least one iteration"),
        ({"iterations": (("ibm9", 1), ("hmm", 1))}, "there is no model 'ibm9'"),
        ({"decode": "guess"}, "no way to decode called 'guess'"),
        ({"symmetrize": "guess"}, "no way to symmetrize called 'guess'"),
        ({"symmetrize": "soft-union", "decode": "viterbi"}, "soft-union needs posteriors"),
        ({"threshold": 0}, "threshold"),
        ({"threshold": -0.1}, "threshold"),
        ({"threshold": 1.01}, "threshold"),
        ({"threshold": float("nan")}, "threshold"),
        ({"threshold": "high"}, "threshold"),
        ({"smoothing": -1.0}, "smoothing"),
        ({"smoothing": float("nan")}, "smoothing"),
        ({"smoothing": float("inf")}, "smoothing"),
        ({"prefix": 0}, "prefix"),
        ({"prefix": 1, "suffix": 1}, "not to both"),
        ({"threads": 0}, "thread"),
        ({"constraint": "one-to-one"}, "^there is no constraint called 'one-to-one'; there are none, bijective, symm"),
        ({"constraint": "symmetric", "tolerance": 0}, "^a tolerance is a number above 0, not 0$"),
        ({"constraint": "symmetric", "tolerance": -0.1}, "^a tolerance is a number above 0, not -0.1$"),
        ({"constraint": "symmetric", "tolerance": float("nan")}, "^a tolerance is a number above 0, not nan$"),
        ({"constraint": "symmetric", "tolerance": float("inf")}, "^a tolerance is a number above 0, not inf$"),
        ({"constraint": "bijective", "slack": -0.1}, "^a slack is a number from 0, not -0.1$"),
        ({"constraint": "bijective", "slack": float("nan")}, "^a slack is a number from 0, not nan$"),
        ({"constraint": "bijective", "slack": float("inf")}, "^a slack is a number from 0, not inf$"),
        ({"tolerance": 0.1}, "^without a constraint there is no tolerance to set$"),
        ({"slack": 0.0}, "^without a constraint there is no slack to set$"),
        ({"tolerance": 0.1, "slack": 0.1}, "^without a constraint there is no tolerance and no slack to set$"),
        ({"project_at_decode": True}, "^without a constraint there is nothing to project onto at decode time$"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused_at_once(settings, message):
    with pytest.raises(UsageError, match=message):
        Aligner(**settings)


def test_arguments_are_kept_as_they_were_given():
    given = {"model": "ibm2", "decode": "viterbi", "prefix": 4, "threads": 2}
    aligner = Aligner(**given)
    nothing = dict.fromkeys(field.name for field in fields(Aligner))
    assert aligner.get_params() == {**nothing, **given}
    again = Aligner(**aligner.get_params())
    assert again.get_params() == aligner.get_params()
    assert list(again.fit_align(PAIRS)) == list(aligner.fit_align(PAIRS))
    assert aligner.get_params() == {**nothing, **given}


def test_settings_say_what_follows_from_the_arguments():
    aligner = Aligner(model="ibm2", decode="viterbi", prefix=4, threads=2)
    expected = {
        "preset": None,
        "model": "ibm2",
        "iterations": None,
        "estimator": "em",
        "alpha": 0.001,
        "prior": (),
        "lookalikes": 0.0,
        "relatives": 0.0,
        "forms": (),
        "decode": "viterbi",
        "symmetrize": None,
        "threshold": None,
        "tokenize": "spaces",
        "lowercase": True,
        "prefix": 4,
        "suffix": None,
        "max_length": 200,
        "smoothing": 0.0,
        "constraint": "none",
        "constraint_from": 1,
        "tolerance": None,
        "slack": None,
        "project_at_decode": None,
        "classes": 50,
        "pegging": False,
    }
    assert {field.name: getattr(aligner.settings, field.name) for field in setting_fields()} == expected
    assert aligner.signature.as_dict()["iterations"] == "ibm1=5,ibm2=5"
    assert aligner.signature.as_dict()["symmetrize"] == "grow-diag-final-and"
    assert list(Aligner(**expected).fit_align(PAIRS)) == list(aligner.fit_align(PAIRS))
    model = aligner.model_
    saved = model.recipe.as_saved(model.schedule, model.thresholds)
    settled = {
        "iterations": "ibm1=5,ibm2=5",
        "prior": [],
        "forms": [],
        "symmetrize": "grow-diag-final-and",
        "project_at_decode": False,
    }
    assert saved.items() >= {**expected, **settled}.items()


def test_arguments_can_be_changed_for_the_next_fit():
    aligner = trained(model="ibm1")
    first = list(aligner.align(PAIRS))
    assert aligner.set_params(model="hmm", prefix=3) is aligner
    assert (aligner.get_params()["model"], aligner.settings.model) == ("hmm", "hmm")
    assert list(aligner.align(PAIRS)) == first
    assert list(aligner.fit_align(PAIRS)) == list(trained(model="hmm", prefix=3).align(PAIRS)) != first
    for change, message in (({"model": "ibm9"}, "no model 'ibm9'"), ({"speed": 3}, "has no argument speed")):
        with pytest.raises(UsageError, match=message):
            aligner.set_params(**change, prefix=2)
        assert (aligner.model, aligner.prefix) == ("hmm", 3)


def test_a_schedule_may_be_given_as_text_or_as_stages():
    text = Aligner(iterations="ibm1=2, ibm2=0,hmm=1", threads=1)
    assert text.signature.as_dict()["iterations"] == "ibm1=2,hmm=1"
    stages = Aligner(iterations=(("ibm1", 2), ("hmm", 1)), threads=1)
    assert str(stages.signature) == str(text.signature)
    assert list(stages.fit_align(PAIRS)) == list(text.fit_align(PAIRS))
    assert Aligner(model="ibm1").signature.as_dict()["iterations"] == "ibm1=5"


def test_the_signature_says_what_produced_the_alignments():
    signature = str(Aligner(model="ibm2", threshold=0.25, prefix=3, smoothing=0.5).signature)
    assert signature == (
        "model:ibm2|iterations:ibm1=5,ibm2=5|decode:posterior|threshold:0.25|symmetrize:soft-union|lowercase:yes|"
        f"prefix:3|max_length:200|estimator:em|smoothing:0.5|constraint:none|version:{pralign.__version__}"
    )
    assert "threshold" not in str(Aligner(decode="viterbi").signature)


@pytest.mark.parametrize("use", ["align", "decode_pairs", "match_viterbi", "align_pair", "posteriors", "tune", "save"])
def test_an_untrained_aligner_says_so(use, tmp_path):
    aligner = Aligner()
    arguments = {"align_pair": ["a", "b"], "posteriors": ["a", "b"], "save": [tmp_path / "m"]}
    arguments["tune"] = [[("a", "b", Alignment())]]
    with pytest.raises(UsageError, match="learned nothing yet"):
        list(getattr(aligner, use)(*arguments.get(use, [[("a", "b")]])))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([], "the text is empty"),
        ([("", "x"), ("y", "")], "every pair has an empty side"),
        ([("a b c", "x"), ("", "x")], "no pair has at most 2 words a side"),
    ],
)
def test_there_must_be_something_to_learn_from(pairs, why):
    with pytest.raises(InputError, match=f"^the pairs given: no sentence pairs to learn from: {why}$"):
        Aligner(max_length=2).fit(pairs)


def test_pairs_not_trained_on_are_counted(caplog):
    with caplog.at_level(logging.INFO, "pralign"):
        trained([("a", "x"), ("a a a", "x"), ("", "x")], max_length=2)
    first, *_ = (record.getMessage() for record in caplog.records)
    assert first == "not trained on: 1 pairs with an empty side, 1 with a side over 2 words"


def test_what_null_was_chosen_is_said(caplog):
    with caplog.at_level(logging.INFO, "pralign"):
        aligner = trained(PAIRS)
    probability = aligner.model_.forward.null.probability[0]
    assert 0.05 < probability < 0.22
    said = f"null has a probability of {probability:.2f}, by how much both directions agree"
    assert caplog.records[-1].getMessage() == said


@pytest.mark.parametrize("place", [0, len(PAIRS)])
def test_a_model_that_leaves_pairs_out_is_made_of_a_text_with_very_long_pairs(place, tmp_path):
    long = ("only here are these words " * 400, "seulement ici sont ces mots " * 400)  # they fill a shard
    aligner = trained([*PAIRS[:place], *[long] * 3, *PAIRS[place:]], estimator="collapsed")
    aligner.save(tmp_path / "m")
    assert list(aligner.align(PAIRS)) == list(Aligner.load(tmp_path / "m").align(PAIRS))


def test_long_pairs_teach_nothing_and_are_aligned(hmm):
    long = ("only here are these words " * 10, "seulement ici sont ces mots " * 10)
    with_long = trained([*PAIRS, long], max_length=40)
    assert with_long.translations("only") == []
    assert with_long.vocabularies_["source"].number("only") is not None
    assert with_long.model_.lexicon.table.source.size == hmm.model_.lexicon.table.source.size
    [alignment] = with_long.align([long])
    assert alignment.links


def test_a_listener_hears_of_every_iteration():
    heard = []
    Aligner(iterations="ibm1=2,hmm=3", threads=1).fit(PAIRS, listener=heard.append)
    ends = [progress for progress in heard if progress.log_likelihood is not None]
    assert [(progress.model, progress.iteration, progress.iterations) for progress in ends] == [
        ("ibm1", 1, 2),
        ("ibm1", 2, 2),
        ("hmm", 1, 3),
        ("hmm", 2, 3),
        ("hmm", 3, 3),
    ]
    assert all(0 <= progress.done <= 1 for progress in heard)
    for before, after in itertools.pairwise(ends[2:]):
        assert after.log_likelihood > before.log_likelihood


def test_the_number_of_threads_does_not_matter():
    answers = [list(Aligner(threads=threads).fit_align(PAIRS)) for threads in (1, 2, None)]
    assert answers[0] == answers[1] == answers[2]


def test_words_are_made_comparable_as_the_settings_say():
    pairs = [("House", "Maison"), ("house", "maison"), ("HOUSES", "MAISONS")]
    assert len(trained(pairs).vocabularies_["source"]) == 2
    assert len(trained(pairs, lowercase=False).vocabularies_["source"]) == 3
    assert trained(pairs, prefix=3).vocabularies_["target"].words == ["mai"]
    assert trained(pairs, suffix=1).vocabularies_["target"].words == ["n", "s"]


# Thresholds


def links(aligner, pairs):
    return sum(len(alignment) for alignment in aligner.align(pairs))


@pytest.mark.parametrize("model", MODELS)
def test_the_automatic_threshold_matches_the_number_of_viterbi_links(model):
    pairs = sentences(60)
    aligner = trained(pairs, model=model, threshold="auto")
    answers = list(aligner.decode_pairs(pairs, directions=True))
    forward = sum(len(answer.forward) for answer in answers)
    reverse = sum(len(answer.reverse) for answer in answers)
    posteriors = [aligner.posteriors(*pair) for pair in pairs]
    for name, wanted in (("forward", forward), ("reverse", reverse), ("mean", round((forward + reverse) / 2))):
        cells = np.concatenate([getattr(posterior, name).ravel() for posterior in posteriors])
        threshold = np.float32(getattr(aligner.thresholds_, name))
        # As many cells reach it as there are links, but for cells of the very same posterior.
        assert np.sum(cells > threshold) < wanted <= np.sum(cells >= threshold)
    assert aligner.thresholds_ != Thresholds.all(0.5)
    fixed = trained(pairs, model=model).match_viterbi(pairs)
    assert fixed.thresholds_ == aligner.thresholds_
    assert list(fixed.align(pairs)) == list(aligner.align(pairs))


def test_matching_nothing_changes_nothing(hmm):
    before = hmm.thresholds_
    assert hmm.match_viterbi([("", "x")]).thresholds_ == before


def labelled(count=30):
    return [(source, target, gold) for (source, target), gold in zip(sentences(count), GOLDS, strict=False)]


@pytest.mark.parametrize("symmetrize", ["soft-union", "intersection", "grow-diag-final"])
@pytest.mark.parametrize("by", ["aer", "f1"])
def test_tuning_finds_the_best_threshold(symmetrize, by):
    examples = labelled()
    aligner = trained(sentences(100), symmetrize=symmetrize).tune(examples, by)

    def loss(threshold):
        model = aligner.model_.with_threshold(threshold)
        found = model.decode_pairs([(source, target) for source, target, _ in examples])
        scores = evaluate([answer.alignment for answer in found], [gold for _, _, gold in examples])
        return scores.aer if by == "aer" else -scores.f1

    chosen = aligner.thresholds_.mean
    assert aligner.thresholds_ == Thresholds.all(chosen)
    assert aligner.model_.recipe.settings.threshold == chosen
    assert aligner.threshold is None
    best = loss(chosen)
    grid = [loss(step / 100) for step in range(1, 100)]
    assert best <= min(grid)
    assert best < max(grid)


def test_tuning_in_between_is_fitting_and_tuning():
    examples = labelled()
    apart = Aligner(threads=1).fit(sentences(60), labelled=iter(examples)).tune(examples)
    together = Aligner()
    answers = list(together.fit_decode(sentences(60), labelled=examples))
    assert together.thresholds_ == apart.thresholds_ != Thresholds.all(0.5)
    assert str(together.signature) == str(apart.signature)
    assert [answer.alignment for answer in answers] == list(apart.align(sentences(60)))


def test_tuning_checks_its_examples(hmm):
    with pytest.raises(InputError, match=r"labelled pair 2: link 0-5 .* lies outside a pair of 1 source and 1 target"):
        hmm.tune([("a", "x", Alignment()), ("a", "x", Alignment.of([(0, 5)]))])
    with pytest.raises(InputError, match="no labelled pairs"):
        hmm.tune([])
    with pytest.raises(InputError, match="no labelled pairs"):
        hmm.tune([("", "x", Alignment())])
    with pytest.raises(UsageError, match="Viterbi decoding has no threshold"):
        trained(decode="viterbi").tune(labelled())


@pytest.mark.parametrize("symmetrize", ["soft-union", "union"])
def test_tuning_by_something_unknown_is_refused(symmetrize):
    with pytest.raises((UsageError, ValueError), match="bleu"):
        trained(symmetrize=symmetrize).tune(labelled(), "bleu")


# Saving and loading


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("decode", "symmetrize"), WAYS)
def test_a_loaded_aligner_answers_with_the_same_bits(tmp_path, model, decode, symmetrize):
    threshold = "auto" if decode == "posterior" else 0.5
    aligner = trained(model=model, decode=decode, symmetrize=symmetrize, threshold=threshold)
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m", threads=1)
    assert loaded.get_params() == aligner.get_params()
    assert loaded.thresholds_ == aligner.thresholds_
    assert str(loaded.signature) == str(aligner.signature)
    unseen = [*PAIRS, ("Zorro the unseen", "Zorro l' inconnu")]
    assert list(loaded.align(unseen)) == list(aligner.align(unseen))
    for mine, theirs in zip(loaded.posteriors(*PAIRS[0]), aligner.posteriors(*PAIRS[0]), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert loaded.translations("the") == aligner.translations("the")


def test_a_loaded_aligner_may_decode_otherwise(tmp_path, hmm):
    hmm.save(tmp_path / "m")
    viterbi = Aligner.load(tmp_path / "m", decode="viterbi")
    assert viterbi.signature.as_dict()["symmetrize"] == "grow-diag-final-and"
    assert list(viterbi.align(PAIRS)) == list(trained(model="hmm", decode="viterbi").align(PAIRS))
    strict = Aligner.load(tmp_path / "m", threshold=0.9)
    assert strict.thresholds_ == Thresholds.all(0.9)
    assert links(strict, PAIRS) < links(hmm, PAIRS)
    with pytest.raises(UsageError):
        Aligner.load(tmp_path / "m", decode="viterbi", symmetrize="soft-union")


def test_a_loaded_aligner_does_not_pretend_to_be_another_model(tmp_path):
    trained(model="hmm", iterations="ibm1=1,hmm=1").save(tmp_path / "m")
    with pytest.raises(PralignError):
        Aligner.load(tmp_path / "m", model="ibm1", iterations="ibm1=1")


def test_a_tuned_threshold_is_saved(tmp_path):
    aligner = trained(sentences(60)).tune(labelled())
    aligner.save(tmp_path / "m")
    assert Aligner.load(tmp_path / "m").thresholds_ == aligner.thresholds_ != Thresholds.all(0.5)


def test_there_must_be_a_model_to_load(tmp_path):
    with pytest.raises(ModelError, match="there is no model here: no such directory"):
        Aligner.load(tmp_path / "none")


def test_what_is_closed_is_forgotten_unless_it_was_asked_for(tmp_path):
    kept, forgotten = trained(model="ibm1"), trained(model="ibm1")
    expected = list(kept.align(PAIRS))
    for aligner in (kept, forgotten):
        aligner.close()
        assert aligner.signature.as_dict()["iterations"] == "ibm1=5"
        assert len(aligner.history_) == 5
    assert list(kept.align(PAIRS)) == expected
    kept.save(tmp_path / "m")
    for use in (lambda: forgotten.align_pair("a", "b"), lambda: forgotten.save(tmp_path / "n")):
        with pytest.raises(UsageError, match="what was learned is forgotten, since it was closed"):
            use()
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert list(forgotten.fit_align(PAIRS)) == expected


@pytest.mark.parametrize("word", ["two\nlines", "", "a\r", "\u2028", " "])
def test_any_word_survives_saving(tmp_path, word):
    pairs = [([word, "b"], ["x", "y"]), (["b"], ["y"]), ([word], ["x"])]
    aligner = trained(pairs, model="ibm1")
    aligner.save(tmp_path / "m")
    loaded = Aligner.load(tmp_path / "m")
    assert loaded.vocabularies_["source"].words == aligner.vocabularies_["source"].words
    assert list(loaded.align(pairs)) == list(aligner.align(pairs))


def test_only_an_empty_word(tmp_path):
    aligner = trained([([""], ["x"])], model="ibm1")
    aligner.save(tmp_path / "m")
    assert Aligner.load(tmp_path / "m").vocabularies_["source"].words == [""]
