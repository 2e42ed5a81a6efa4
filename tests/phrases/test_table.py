"""The phrase table against a naive one, and that it is always the same."""

from __future__ import annotations

import gzip
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import naive_phrases
from phrases.corpora import random_aligned
from pralign import phrases
from pralign.links.alignment import Alignment

SMOOTHINGS = ["none", "good-turing", "kneser-ney"]
# Counts are kept in units of 2**-24, and so are discounts; all else is double precision.
CLOSE = 1e-6


def naive(corpus, most=3):
    sentences = [(source.split(), target.split()) for source, target in corpus.pairs]
    found = [
        (phrase, 1.0)
        for (source, target), links in zip(sentences, corpus.links, strict=True)
        for phrase in naive_phrases.phrases(source, target, links, most)
    ]
    words = naive_phrases.WordTable((*pair, links, 1.0) for pair, links in zip(sentences, corpus.links, strict=True))
    return naive_phrases.Table(found), words


def phi(table, smoothing, key):
    """The source phrase given the target phrase, and the other way round."""
    if smoothing == "kneser-ney":
        return table.kneser_ney(1, key), table.kneser_ney(0, key)
    count = table.counts[key] if smoothing == "none" else table.good_turing(table.counts[key])
    return count / sum(table.of(1, key[1])), count / sum(table.of(0, key[0]))


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6))
def test_scores_are_those_of_a_naive_table(smoothing, seed):
    corpus = random_aligned(seed, words=3)
    table, words = naive(corpus)
    entries = list(phrases.phrase_table(corpus.pairs, corpus.alignments, max_length=3, smoothing=smoothing))
    assert [(each.source, each.target) for each in entries] == sorted(
        table.counts, key=lambda key: f"{' '.join(key[0])} ||| {' '.join(key[1])} ||| ".encode()
    )
    for each in entries:
        key = (each.source, each.target)
        assert each.count == table.counts[key]
        assert each.source_count == sum(table.of(0, key[0]))
        assert each.target_count == sum(table.of(1, key[1]))
        assert (each.inverse, each.direct) == pytest.approx(phi(table, smoothing, key), abs=CLOSE)
        assert each.alignment.links == table.best_links(key, inverse=False)
        direct = words.weights(naive_phrases.Phrase(*key, table.best_links(key, inverse=False), "", ""))[0]
        inverse = words.weights(naive_phrases.Phrase(*key, table.best_links(key, inverse=True), "", ""))[1]
        assert (each.direct_weight, each.inverse_weight) == pytest.approx((direct, inverse), abs=CLOSE)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_probabilities_add_up(smoothing):
    corpus = random_aligned(5, pairs=60)
    entries = list(phrases.phrase_table(corpus.pairs, corpus.alignments, max_length=3, smoothing=smoothing))
    totals = defaultdict(float)
    for each in entries:
        totals[each.source] += each.direct
    if smoothing == "none":
        assert list(totals.values()) == pytest.approx([1.0] * len(totals))
    elif smoothing == "good-turing":
        assert all(0 < total <= 1 + 1e-9 for total in totals.values())
        assert min(totals.values()) < 0.9
    else:
        table, _ = naive(corpus)
        for source, total in list(totals.items())[:5]:
            unseen = {key[1] for key in table.counts} - {each.target for each in entries if each.source == source}
            rest = sum(table.kneser_ney(0, (source, target)) for target in unseen)
            assert total + rest == pytest.approx(1.0, abs=CLOSE)


def test_reordering_probabilities_are_smoothed_shares(tmp_path):
    corpus = random_aligned(8, pairs=50, words=3)
    table, _ = naive(corpus)
    phrases.write_phrases(corpus.pairs, corpus.alignments, reordering=tmp_path / "reordering", max_length=3)
    lines = (tmp_path / "reordering").read_text().splitlines()
    assert len(lines) == len(table.counts)
    for line in lines:
        source, target, numbers = line.split(" ||| ")
        key = (tuple(source.split()), tuple(target.split()))
        shares = [float(number) for number in numbers.split()]
        for first, side in ((0, "before"), (3, "after")):
            seen = [table.orientations[key][side, name] for name in ("mono", "swap", "other")]
            expected = [(count + 0.5) / (sum(seen) + 1.5) for count in seen]
            assert shares[first : first + 3] == pytest.approx(expected, abs=1e-6)
            assert sum(shares[first : first + 3]) == pytest.approx(1.0, abs=2e-6)


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 3}, {"memory": "1M"}, {"memory": "4G", "threads": 2}])
def test_bytes_depend_on_nothing_but_the_text(options, tmp_path, many_ranges):
    corpus = random_aligned(3, pairs=900)
    for name, given_options in (("plain", {}), ("other", options)):
        phrases.write_phrases(
            corpus.pairs,
            corpus.alignments,
            tmp_path / f"{name}.gz",
            extract=tmp_path / name,
            reordering=tmp_path / f"{name}.reordering.gz",
            smoothing="kneser-ney",
            **given_options,
        )
        many_ranges()
    for ending in (".gz", ".inv.gz", ".o.gz", ".reordering.gz"):
        assert (tmp_path / f"plain{ending}").read_bytes() == (tmp_path / f"other{ending}").read_bytes()
    assert gzip.decompress((tmp_path / "plain.gz").read_bytes()).count(b"\n") > 1000


def test_a_word_of_bars_is_written_as_moses_does():
    [*entries] = phrases.phrase_table([("a ||| b", "x |||")], ["0-0 1-1"], max_length=1)
    assert ("&#124;&#124;&#124;",) in [each.source for each in entries]


def test_lines_are_those_of_moses(tmp_path):
    pairs = [("the red car", "la voiture rouge"), ("the car", "la voiture"), ("a car", "la voiture")]
    links = ["0-0 1-2 2-1", "0-0 1-1", "0-0 1-1"]
    phrases.write_phrases(
        pairs, links, tmp_path / "table", extract=tmp_path / "e", reordering=tmp_path / "r", max_length=2
    )
    assert (tmp_path / "table").read_text().splitlines() == [
        "a car ||| la voiture ||| 0.5 0.333333 1 1 ||| 0-0 1-1 ||| 2 1 1 ||| |||",
        "a ||| la ||| 0.333333 0.333333 1 1 ||| 0-0 ||| 3 1 1 ||| |||",
        "car ||| voiture ||| 1 1 1 1 ||| 0-0 ||| 3 3 3 ||| |||",
        "red car ||| voiture rouge ||| 1 1 1 1 ||| 1-0 0-1 ||| 1 1 1 ||| |||",
        "red ||| rouge ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||",
        "the car ||| la voiture ||| 0.5 0.666667 1 1 ||| 0-0 1-1 ||| 2 1 1 ||| |||",
        "the ||| la ||| 0.666667 0.666667 1 1 ||| 0-0 ||| 3 2 2 ||| |||",
    ]
    assert gzip.decompress((tmp_path / "e.gz").read_bytes()).decode().splitlines()[:3] == [
        "the ||| la ||| 0-0",
        "car ||| voiture ||| 0-0",
        "red car ||| voiture rouge ||| 1-0 0-1",
    ]
    assert gzip.decompress((tmp_path / "e.inv.gz").read_bytes()).decode().splitlines()[2] == (
        "voiture rouge ||| red car ||| 0-1 1-0"
    )
    assert gzip.decompress((tmp_path / "e.o.gz").read_bytes()).decode().splitlines()[:3] == [
        "the ||| la ||| mono other",
        "car ||| voiture ||| other swap",
        "red car ||| voiture rouge ||| mono mono",
    ]


def test_a_text_without_links_has_an_empty_table(tmp_path):
    phrases.write_phrases(
        [("a b", "x"), ("", "")], [Alignment(), Alignment()], tmp_path / "t.gz", extract=tmp_path / "e"
    )
    for name in ("t.gz", "e.gz", "e.inv.gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()) == b""
    assert list(phrases.phrase_table([], [])) == []
