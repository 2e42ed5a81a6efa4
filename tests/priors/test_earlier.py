"""What an earlier run has counted, and how it helps with another text."""

from __future__ import annotations

import shutil
from collections import defaultdict

import numpy as np
import pytest

from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.errors import InputError, ModelError, UsageError
from pralign.priors import gather_priors
from pralign.text.normalisation import Normalisation
from priors.counted import counts_of, elsewhere_of, sharded, together

# No two of these look alike, so that nothing but the counts speaks for a pair.
SOURCE = ["brak", "tuno", "velm", "osk", "pidra", "gant", "lurv", "sopi", "mek", "drall"]
TARGET = ["aho", "ibbu", "ezz", "uqua", "yoff", "ohem", "inx", "ewwa", "uzzo", "akkib"]
TRANSLATION = dict(zip(SOURCE, TARGET, strict=True))


def made_up_pairs(seed, pairs):
    """Sentences whose translations have the same words in any order."""
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(len(SOURCE), rng.integers(3, 6), replace=False) for _ in range(pairs)]
    return [([SOURCE[k] for k in row], [TARGET[k] for k in rng.permutation(row)]) for row in chosen]


MANY = made_up_pairs(1, 150)
# Words that are known from there, in pairs known and not, and words that are not known.
OTHER = [
    (["brak", "tuno", "new"], ["ibbu", "aho", "neu"]),
    (["velm", "osk", "Brak"], ["inx", "uqua"]),
    (["gant"], ["sopi", "ohem"]),
]


def prior_for(directory, pairs, **settings):
    normalisation = Normalisation(**settings)
    corpus = sharded(pairs, normalisation)
    return gather_priors([directory], 0.0, corpus, normalisation, ThreadEngine(1)), corpus


@pytest.fixture(scope="module", params=["default", "ibm1", "hmm"])
def earlier(request, tmp_path_factory):
    """An aligner trained on many pairs, and where it is saved."""
    settings = {"preset": "default"} if request.param == "default" else {"model": request.param}
    aligner = Aligner(threads=1, **settings).fit(MANY)
    directory = tmp_path_factory.mktemp("earlier") / "m"
    aligner.save(directory)
    return aligner, directory


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Where an aligner of the default kind is saved."""
    place = tmp_path_factory.mktemp("earlier") / "m"
    Aligner(preset="default", threads=1).fit(MANY).save(place)
    return place


def probabilities_and_masses(aligner):
    """For each pair of words: its forward and its reverse count, each as probability times mass."""
    lexicon, words = aligner.model_.lexicon, aligner.vocabularies_
    normalizers = lexicon.words.normalizers
    counts = defaultdict(lambda: [0.0, 0.0])
    for place, (side, masses) in enumerate((("source", normalizers.source), ("target", normalizers.target))):
        other = words["target" if side == "source" else "source"].words
        for number, word in enumerate(words[side].words):
            for partner, probability in zip(*lexicon.partners(number, side), strict=True):
                pair = (word, other[partner]) if side == "source" else (other[partner], word)
                counts[pair][place] = float(probability) * float(masses[number])
    return {pair: both for pair, both in counts.items() if max(both) >= 0.01}


# Counts


@pytest.mark.parametrize("pairs", [OTHER, MANY[:20]], ids=["other", "same"])
def test_counts_are_probabilities_times_masses(earlier, pairs):
    aligner, directory = earlier
    prior, corpus = prior_for(directory, pairs)
    met = together(([word.lower() for word in source], target) for source, target in pairs)
    known, sources, targets = {}, defaultdict(float), defaultdict(float)
    for (source, target), (forward, reverse) in probabilities_and_masses(aligner).items():
        if (source, target) in met:
            known[source, target] = pytest.approx((forward, reverse), rel=1e-5)
        else:
            sources[source] += forward
            targets[target] += reverse
    assert len(known) >= 4
    assert counts_of(corpus) == known
    for masses, vocabulary, expected in zip(
        elsewhere_of(prior, corpus), (corpus.source, corpus.target), (sources, targets), strict=True
    ):
        assert masses == pytest.approx({word: expected[word] for word in vocabulary.words if expected[word]}, rel=1e-5)


def test_a_pair_counts_about_as_often_as_it_was_seen(directory):
    _, corpus = prior_for(directory, MANY)
    counts = counts_of(corpus)
    for source, target in TRANSLATION.items():
        seen = sum(source in sentence for sentence, _ in MANY)
        assert counts[source, target] == pytest.approx((seen, seen), rel=0.25)
    assert sum(forward for forward, _ in counts.values()) <= sum(len(target) for _, target in MANY) + 1


def test_words_that_were_never_seen_have_no_counts(directory):
    prior, corpus = prior_for(directory, OTHER)
    counts = counts_of(corpus)
    assert ("brak", "aho") in counts
    assert not {pair for pair in counts if {"new", "neu", "sopi"} & set(pair)}
    for masses in elsewhere_of(prior, corpus):
        assert not {"new", "neu", "sopi"} & set(masses)


def test_jumps_come_with_their_number(earlier):
    aligner, directory = earlier
    prior, _ = prior_for(directory, OTHER)
    for positions, model in ((prior.forward, aligner.model_.forward), (prior.reverse, aligner.model_.reverse)):
        (known,) = positions
        if aligner.settings.model == "ibm1":
            assert known.weights is None
            assert known.jumps == known.sentences == 0
            continue
        for found, expected in zip(known.weights, model.weights, strict=True):
            assert found.tolist() == expected.tolist()
        # There is a jump to each word but the first; null has none.
        jumps = sum(len(target) - 1 for _, target in MANY)
        assert 0.7 * jumps < known.jumps < jumps + 10
        assert known.sentences == pytest.approx(len(MANY), rel=0.05)


def test_fertilities_are_those_of_the_same_words(earlier):
    aligner, directory = earlier
    prior, corpus = prior_for(directory, OTHER)
    for side, (known,), model in (
        ("source", prior.forward, aligner.model_.forward),
        ("target", prior.reverse, aligner.model_.reverse),
    ):
        if aligner.settings.model != "fhmm":
            assert known.fertilities.size == 0
            continue
        for word, row in zip(getattr(corpus, side).words, known.fertilities.tolist(), strict=True):
            number = aligner.vocabularies_[side].number(word)
            assert row == ([0.0] * len(row) if number is None else model.fertilities.table[number].tolist())
        assert np.count_nonzero(known.fertilities.sum(axis=1)) >= 4


# Settings and files


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lowercase": False}, "was trained with lowercase True, now it is False; its words do not fit"),
        ({"prefix": 4}, "was trained with prefix None, now it is 4"),
        ({"suffix": 2}, "was trained with suffix None, now it is 2"),
    ],
)
def test_words_must_be_comparable(directory, settings, message):
    with pytest.raises(UsageError, match=f"{directory} {message}"):
        prior_for(directory, OTHER, **settings)
    with pytest.raises(UsageError, match=f"{directory} {message}"):
        Aligner(prior=[directory], threads=1, **settings).fit(OTHER)


def test_comparable_words_of_another_kind(tmp_path):
    Aligner(prefix=2, lowercase=False, threads=1).fit(MANY).save(tmp_path / "m")
    _, corpus = prior_for(tmp_path / "m", OTHER, prefix=2, lowercase=False)
    counts = counts_of(corpus)
    assert counts["tu", "ib"][0] > 10
    assert not {pair for pair in counts if pair[0] == "Br"}


@pytest.mark.parametrize("name", ["manifest.json", "parameters.safetensors", "source.json", "target.json"])
def test_a_damaged_model(directory, tmp_path, name):
    shutil.copytree(directory, tmp_path / "m")
    file = tmp_path / "m" / name
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(ModelError, match=f"^{tmp_path / 'm'}: {name} is damaged"):
        Aligner(prior=[tmp_path / "m"], threads=1).fit(OTHER)
    file.unlink()
    with pytest.raises(ModelError, match=f"{name} is missing"):
        Aligner(prior=[tmp_path / "m"], threads=1).fit(OTHER)


def test_a_directory_that_is_no_model(tmp_path):
    with pytest.raises(ModelError, match=r"there is no model here: manifest\.json is missing"):
        Aligner(prior=[tmp_path], threads=1).fit(OTHER)


def test_a_directory_that_is_missing(tmp_path):
    with pytest.raises(InputError, match="none: cannot read: No such file or directory"):
        Aligner(prior=[tmp_path / "none"], threads=1).fit(OTHER)


# What it is good for

# Without help, nobody can tell which of the words belong together.
RIDDLE = [("brak tuno", "ibbu aho"), ("velm osk pidra", "yoff uqua ezz")]
ANSWER = [{(0, 1), (1, 0)}, {(0, 2), (1, 1), (2, 0)}]
SETTINGS = [
    {},
    {"preset": "fast"},
    {"preset": "best"},
    {"model": "ibm1"},
    {"model": "ibm2", "estimator": "vb"},
    {"model": "hmm"},
    {"model": "fhmm", "estimator": "vb"},
]
with_any_settings = pytest.mark.parametrize(
    "settings", SETTINGS, ids=lambda chosen: " ".join(chosen.values()) or "none"
)


def answer(prior, **settings):
    return [set(found.links) for found in Aligner(prior=prior, threads=1, **settings).fit_align(RIDDLE)]


@with_any_settings
def test_a_large_text_helps_with_a_small_one(directory, settings):
    assert answer([], **settings) != ANSWER
    assert answer([directory], **settings) == ANSWER


@with_any_settings
def test_a_dictionary_helps_with_a_small_text(tmp_path, settings):
    path = tmp_path / "words.tsv"
    path.write_text("".join(f"{source}\t{target}\t5\n" for source, target in TRANSLATION.items()), encoding="utf-8")
    assert answer([], **settings) != ANSWER
    assert answer([path], **settings) == ANSWER
    assert answer(str(path), **settings) == ANSWER


def test_several_priors_help_together(tmp_path):
    halves = [tmp_path / name for name in ("first.tsv", "second.tsv")]
    halves[0].write_text("brak\taho\t5\n", encoding="utf-8")
    halves[1].write_text("osk\tuqua\t5\npidra\tyoff\t5\n", encoding="utf-8")
    # Models of positions would learn from one pair that words change places.
    assert [answer([half], model="ibm1") == ANSWER for half in halves] == [False, False]
    assert answer(halves, model="ibm1") == ANSWER


@pytest.mark.parametrize("settings", [{"model": "hmm"}, {"model": "fhmm"}, {"model": "hmm", "estimator": "vb"}])
@pytest.mark.parametrize("jump", [-1, 1])
def test_jumps_alone_can_decide(tmp_path, jump, settings):
    path = tmp_path / "jumps"
    path.write_text(f"HMMF\t{jump}\t500\nHMMR\t{jump}\t500\n", encoding="utf-8")
    pairs = [("brak tuno velm osk", "aho ibbu ezz uqua")]
    (alone,) = Aligner(threads=1, **settings).fit_align(pairs)
    (helped,) = Aligner(prior=[path], threads=1, **settings).fit_align(pairs)
    assert alone.links == ()
    assert helped.links == tuple((k, k if jump == 1 else 3 - k) for k in range(4))


def test_fertilities_add_to_those_of_the_text(tmp_path):
    path = tmp_path / "fertilities"
    path.write_text("FERF\tbrak\t3\t100\nFERR\tezz\t0\t200\nFERR\tnone\t0\t50\n", encoding="utf-8")
    aligner = Aligner(model="fhmm", prior=[path], threads=1).fit(RIDDLE)
    for side, model, word, fertility, count in (
        ("source", aligner.model_.forward, "brak", 3, 100),
        ("target", aligner.model_.reverse, "ezz", 0, 200),
    ):
        rows = dict(zip(aligner.vocabularies_[side].words, model.fertilities.table[:-1].copy(), strict=True))
        rows[word][fertility] -= count
        for row in rows.values():  # every word occurs once
            assert row.min() >= 0
            assert row.sum() == pytest.approx(1)


def test_a_saved_aligner_does_without_its_priors(directory, tmp_path):
    shutil.copytree(directory, tmp_path / "before")
    aligner = Aligner(prior=[tmp_path / "before"], threads=1)
    found = list(aligner.fit_align(RIDDLE))
    aligner.save(tmp_path / "m")
    shutil.rmtree(tmp_path / "before")
    loaded = Aligner.load(tmp_path / "m", threads=1)
    assert list(loaded.align(RIDDLE)) == found
    assert loaded.prior == [str(tmp_path / "before")]
