"""Rules with nonterminals against their definition, and the files that hold them."""

from __future__ import annotations

import gzip
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import naive_rules
from oracles.naive_phrases import WordTable
from oracles.naive_rules import Limits, Rule
from phrases.corpora import random_aligned
from pralign import phrases
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment

# Counts are kept in units of 2**-24, of which each rule of a sentence pair may lack half.
CLOSE = 1e-5
DIGITS = 6e-6  # relative, of what is written by six digits

LIMITS = st.builds(Limits, st.integers(1, 8), st.integers(1, 6), st.integers(0, 2), st.integers(1, 3), st.booleans())


def given_settings(limits, shared=True):
    return {
        "max_span": limits.span,
        "max_symbols": limits.symbols,
        "max_nonterminals": limits.nonterminals,
        "min_hole": limits.hole,
        "tight": limits.tight,
        "count": "shared" if shared else "whole",
        "threads": 1,
    }


def naive(corpus, limits, shared=True):
    sentences = [(source.split(), target.split()) for source, target in corpus.pairs]
    aligned = [(*pair, links) for pair, links in zip(sentences, corpus.links, strict=True)]
    found = [naive_rules.counts(*each, limits, shared) for each in aligned]
    return found, WordTable((*each, 1.0) for each in aligned)


def in_bytes(key):
    return b" [X] ||| ".join(" ".join(naive_rules.unnumbered(symbols)).encode() for symbols in key) + b" [X] |||"


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), LIMITS, st.booleans(), st.sampled_from([0.05, 0.15, 0.3]))
def test_they_are_all_ways_to_take_phrase_pairs_out_of_phrase_pairs(seed, limits, shared, density):
    corpus = random_aligned(seed, pairs=4, words=4, most=7, density=density)
    found, _ = naive(corpus, limits, shared)
    grammar = naive_rules.Grammar(found)
    rules = list(phrases.rules(corpus.pairs, corpus.alignments, **given_settings(limits, shared)))
    assert {(each.source, each.target): each.count for each in rules} == pytest.approx(grammar.counts, abs=CLOSE)
    assert len(rules) == len(grammar.counts)
    order = [in_bytes((each.source, each.target)) for each in rules]
    assert order == sorted(order)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6))
def test_scores_are_those_of_a_naive_grammar(seed):
    corpus, limits = random_aligned(seed, pairs=20, words=2, most=6), Limits(span=6, hole=1)
    found, words = naive(corpus, limits, shared=False)  # so that counts are whole, and ties are ties
    grammar = naive_rules.Grammar(found)
    for each in phrases.rules(corpus.pairs, corpus.alignments, **given_settings(limits, shared=False)):
        key = (each.source, each.target)
        source, target = grammar.totals[0][each.source], grammar.totals[1][naive_rules.unnumbered(each.target)]
        assert (each.count, each.source_count, each.target_count) == (grammar.counts[key], source, target)
        assert (each.direct, each.inverse) == pytest.approx((each.count / source, each.count / target))
        most = max(grammar.links[key].values())
        best = [links for links, count in grammar.links[key].items() if count == most]
        assert each.alignment.links in best
        direct, inverse = zip(*(naive_rules.weights(Rule(*key, links), words) for links in best), strict=True)
        assert any(each.direct_weight == pytest.approx(weight) for weight in direct)
        assert any(each.inverse_weight == pytest.approx(weight) for weight in inverse)


@pytest.mark.parametrize("count", ["shared", "whole"])
def test_probabilities_add_up_to_one(count):
    corpus = random_aligned(4, pairs=60)
    totals = defaultdict(float), defaultdict(float)
    for rule in phrases.rules(corpus.pairs, corpus.alignments, count=count):
        totals[0][rule.source] += rule.direct
        totals[1][naive_rules.unnumbered(rule.target)] += rule.inverse
    for sums in totals:
        assert list(sums.values()) == pytest.approx([1.0] * len(sums))


def test_rules_of_an_initial_phrase_pair_share_a_count_of_one():
    corpus, limits = random_aligned(11, pairs=20), Limits()
    boxes = [
        rules
        for (source, target), links in zip(corpus.pairs, corpus.links, strict=True)
        for rules in naive_rules.rules_of_boxes(source.split(), target.split(), links, limits)
    ]
    total = sum(rule.count for rule in phrases.rules(corpus.pairs, corpus.alignments))
    assert total == pytest.approx(sum(1 for rules in boxes if rules), abs=1e-3)


def test_the_example_of_chiang():
    pair = (
        "Aozhou shi yu Beihan you bangjiao de shaoshu guojia zhiyi",
        "Australia is one of the few countries that have diplomatic relations with North Korea",
    )
    links = "0-0 1-1 2-11 3-12 3-13 4-8 5-9 5-10 6-7 7-4 7-5 8-6 9-2 9-3"
    found = {(" ".join(rule.source), " ".join(rule.target)) for rule in phrases.rules([pair], [links], min_hole=1)}
    assert ("yu [X,1] you [X,2]", "have [X,2] with [X,1]") in found
    assert ("[X,1] de [X,2]", "[X,2] that [X,1]") in found
    assert ("[X,1] zhiyi", "one of [X,1]") in found
    assert ("[X,1] [X,2]", "[X,1] [X,2]") not in found


# Files


def lines_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()


def parsed_moses(line):
    """A line of Moses as numbered symbols, links, scores and counts."""
    source, target, scores, links, counts, nothing, end = (part.strip() for part in f"{line} ".split("|||"))
    assert (nothing, end) == ("", "")
    sides = source.split(), target.split()
    assert sides[0].pop() == sides[1].pop() == "[X]"
    points = [tuple(map(int, point.split("-"))) for point in links.split()]
    assert points == sorted(points)
    places = [i for i, symbol in enumerate(sides[0]) if symbol == "[X][X]"]
    for number, i in enumerate(places, start=1):
        [j] = [right for left, right in points if left == i]
        assert sides[1][j] == "[X][X]"
        sides[0][i] = sides[1][j] = f"[X,{number}]"
    assert "[X][X]" not in sides[1]
    numbers = [float(number) for number in (scores + " " + counts).split()]
    return tuple(sides[0]), tuple(sides[1]), tuple(points), numbers


def test_a_table_of_moses_says_all_there_is(tmp_path):
    corpus = random_aligned(7, pairs=120, density=0.15)
    phrases.write_rules(corpus.pairs, corpus.alignments, tmp_path / "rules.gz", min_hole=1)
    lines = lines_of(tmp_path / "rules.gz")
    rules = list(phrases.rules(corpus.pairs, corpus.alignments, min_hole=1))
    assert len(lines) == len(rules) > 500
    swapped = 0
    for line, rule in zip(lines, rules, strict=True):
        source, target, links, numbers = parsed_moses(line)
        assert (source, target, links) == (rule.source, rule.target, rule.alignment.links)
        swapped += "[X,2]" in target and target.index("[X,2]") < target.index("[X,1]")
        scores = [rule.inverse, rule.inverse_weight, rule.direct, rule.direct_weight]
        counts = [rule.target_count, rule.source_count, rule.count]
        assert numbers == pytest.approx([*scores, *counts], rel=DIGITS)
    assert swapped > 10


def test_a_grammar_of_cdec_has_named_features(tmp_path):
    import math

    corpus = random_aligned(7, pairs=120, density=0.15)
    _, words = naive(corpus, Limits())
    phrases.write_rules(corpus.pairs, corpus.alignments, tmp_path / "grammar", format="cdec", count="whole", min_hole=1)
    lines = lines_of(tmp_path / "grammar")
    rules = list(phrases.rules(corpus.pairs, corpus.alignments, count="whole", min_hole=1))
    for line, rule in zip(lines, rules, strict=True):
        label, source, target, features, links = line.split(" ||| ")
        assert (label, tuple(source.split()), tuple(target.split())) == ("[X]", rule.source, rule.target)
        of_words = [(i, j) for i, j in rule.alignment.links if not naive_rules.is_nonterminal(rule.source[i])]
        assert Alignment.of(links).links == tuple(of_words)
        values = dict(feature.split("=") for feature in features.split())
        direct, inverse = naive_rules.largest(Rule(rule.source, rule.target, ()), words)
        assert {name: float(value) for name, value in values.items()} == pytest.approx(
            {
                "EgivenFCoherent": -math.log10(rule.direct),
                "SampleCountF": math.log10(1 + rule.source_count),
                "CountEF": math.log10(1 + rule.count),
                "MaxLexFgivenE": inverse,
                "MaxLexEgivenF": direct,
                "IsSingletonF": float(rule.source_count == 1),
                "IsSingletonFE": float(rule.count == 1),
                "FgivenE": -math.log10(rule.inverse),
            },
            rel=DIGITS,
            abs=1e-12,
        )


def test_extracted_lines_are_the_rules_of_each_sentence_pair(tmp_path):
    corpus = random_aligned(2, pairs=30, words=3)
    found, _ = naive(corpus, Limits())
    phrases.write_rules(corpus.pairs, corpus.alignments, extract=tmp_path / "e")
    assert not (tmp_path / "e").exists()
    remaining = iter(zip(lines_of(tmp_path / "e.gz"), lines_of(tmp_path / "e.inv.gz"), strict=True))
    for rules in found:
        expected = sorted(
            (" ".join(naive_rules.unnumbered(rule.source)), " ".join(naive_rules.unnumbered(rule.target)), rule.links)
            for rule in rules
        )
        seen, counts = [], []
        for line, inverse in (next(remaining) for _ in rules):
            source, target, links, count, end = line.split(" ||| ")
            assert end == ""
            points = [tuple(map(int, link.split("-"))) for link in links.split()]
            turned = " ".join(f"{j}-{i}" for i, j in points)
            assert inverse == f"{target} ||| {source} ||| {turned} ||| {count}"
            seen.append((source.removesuffix(" [X]"), target.removesuffix(" [X]"), tuple(sorted(points))))
            counts.append(float(count))
        assert sorted(seen) == expected
        assert sorted(counts) == pytest.approx(sorted(rules.values()), rel=DIGITS)
    assert next(remaining, None) is None


def test_links_of_words_come_before_those_of_nonterminals_as_moses_extracts_them(tmp_path):
    phrases.write_rules([("a b c d", "w x y z")], ["0-0 1-1 2-2 3-3"], extract=tmp_path / "e")
    assert "[X][X] c d [X] ||| [X][X] y z [X] ||| 1-1 2-2 0-0 ||| 0.166667 ||| " in lines_of(tmp_path / "e.gz")
    assert "a b [X] ||| w x [X] ||| 0-0 1-1 ||| 1 ||| " in lines_of(tmp_path / "e.gz")


def test_the_glue_grammar_has_three_rules(tmp_path):
    phrases.write_rules([("a", "x")], ["0-0"], tmp_path / "t", glue=tmp_path / "glue")
    assert [line.split(" ||| ")[1] for line in lines_of(tmp_path / "glue")] == [
        "<s> [S]",
        "[X][S] </s> [S]",
        "[X][S] [X][X] [S]",
    ]


@pytest.mark.parametrize("format", ["moses", "cdec"])
@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 3}, {"memory": "1M"}, {"memory": "4G", "threads": 2}])
def test_bytes_depend_on_nothing_but_the_text(options, format, tmp_path, many_ranges):
    corpus = random_aligned(3, pairs=900)
    for name, given_options in (("plain", {}), ("other", options)):
        places = {"grammar": tmp_path / f"{name}.table.gz", "extract": tmp_path / name}
        phrases.write_rules(corpus.pairs, corpus.alignments, format=format, **places, **given_options)
        many_ranges()
    for ending in (".table.gz", ".gz", ".inv.gz"):
        assert (tmp_path / f"plain{ending}").read_bytes() == (tmp_path / f"other{ending}").read_bytes()
    assert len(lines_of(tmp_path / "plain.table.gz")) > 1000


# What is written and read


def test_words_that_look_like_nonterminals_are_escaped(tmp_path):
    pairs = [("see [X] and [X][X] [ |||", "voir [X,1] et x] [ |||"), (["see", "[1]"], ["voir", "&#91;1&#93;"])]
    links = ["0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-1"]
    words = {symbol for rule in phrases.rules(pairs, links) for symbol in (*rule.source, *rule.target)}
    assert words - {"[X,1]", "[X,2]"} == {
        *("see", "and", "voir", "et", "x]", "[", "&#124;&#124;&#124;"),
        *("&#91;X&#93;", "&#91;X&#93;&#91;X&#93;", "&#91;X,1&#93;", "&#91;1&#93;"),
    }
    phrases.write_rules(pairs, links, tmp_path / "t", min_hole=1)
    lines = lines_of(tmp_path / "t")
    assert all(parsed_moses(line) for line in lines)
    assert [line.split(" ||| ")[0] for line in lines] == sorted(line.split(" ||| ")[0] for line in lines)


def test_a_text_without_links_has_no_rules(tmp_path):
    for pairs, alignments in (([], []), ([("a b", "x"), ("", "")], [Alignment(), Alignment()])):
        phrases.write_rules(pairs, alignments, tmp_path / "t.gz", extract=tmp_path / "e")
        for name in ("t.gz", "e.gz", "e.inv.gz"):
            assert lines_of(tmp_path / name) == []


@pytest.mark.parametrize(
    ("alignments", "message"),
    [
        (["0-0"], "the alignments has 1 alignments, but there are 2 pairs"),
        (["0-0"] * 4, "the alignments has 4 alignments, but there are 2 pairs"),
        (["0-0", "0-1"], "the alignments, pair 2: link 0-1 .* lies outside a pair of 1 source and 1 target words"),
    ],
)
def test_alignments_must_fit_the_text(alignments, message):
    with pytest.raises(InputError, match=message):
        list(phrases.rules([("a", "x"), ("b", "y")], alignments))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"max_span": 0}, "max_span lies between 1 and 30, but 0 was given"),
        ({"max_symbols": 31}, "max_symbols lies between 1 and 30, but 31 was given"),
        ({"max_nonterminals": 3}, "max_nonterminals lies between 0 and 2, but 3 was given"),
        ({"min_hole": 0}, "min_hole lies between 1 and 30, but 0 was given"),
        ({"count": "half"}, "rules are counted shared or whole, not half"),
        ({"memory": "much"}, "a size is such as 2G"),
    ],
)
def test_settings_must_make_sense(setting, message):
    with pytest.raises(UsageError, match=message):
        list(phrases.rules([], [], **setting))


def test_a_format_must_be_known(tmp_path):
    with pytest.raises(UsageError, match="unknown rule format 'joshua'; known are moses, cdec"):
        phrases.write_rules([("a", "x")], ["0-0"], tmp_path / "t", format="joshua")
    assert list(tmp_path.iterdir()) == []
