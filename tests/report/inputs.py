"""What reports of the tests are about: a small corpus of our own, with errors of all kinds, and random ones."""

from __future__ import annotations

import random

from oracles.naive_report import Corpus
from pralign.links.alignment import Alignment
from pralign.report.inputs import ReportInput, System, Text

PAIRS = [
    ("the red house", "la maison rouge", "0-0 1-2 2-1"),
    ("a cat sleeps", "un chat dort", "0-0 1-1 2-2"),
    ("the cat sees the house", "le chat voit la maison", "0-0 1-1 2-2 3-3 4-4"),
    ("it is not late", "il n' est pas tard", "0-0 1-2 2-1 2-3 3-4"),
    ("we open the window", "nous ouvrons la fenêtre", "0-0 1-1 2-2 3-3"),
    ("she reads a long letter", "elle lit une longue lettre", "0-0 1-1 2-2 3-3 4-4"),
    ("bread and butter", "du pain et du beurre", "0-1 1-2 2-4"),
    ("the train leaves at noon", "le train part à midi", "0-0 1-1 2-2 3-3 4-4"),
    ("nobody came", "personne n' est venu", "0-0 0-1 1-2 1-3"),
    ("thank you very much", "merci beaucoup", "0-0 1-0 2-1 3-1"),
]
NASTY = [
    "<script>alerted=1</script>",
    '"quoted"',
    "it's",
    "&amp;",
    "</script>",
    "\u200f",
    "a\u202eb",
    "<!--",
    "{{7*7}}",
    "שלום",
    "👩\u200d👧",
]


def alignment(text):
    return Alignment.of([tuple(map(int, link.split("-"))) for link in text.split()])


def pairs_and_golds(copies=4):
    """Some pairs more than once, with the gold alignments of each; every third gold link is merely possible."""
    pairs, golds = [], []
    for _ in range(copies):
        for source, target, links in PAIRS:
            gold = alignment(links)
            pairs.append((source.split(), target.split()))
            golds.append(Alignment.of(gold.links, possible=gold.links[2::3]))
    return pairs, golds


def disturbed(golds, pairs, seed, rate, scored=True):
    """The gold with some links lost and some wrong ones added, each with a score."""
    chance = random.Random(seed)
    found = []
    for gold, (source, target) in zip(golds, pairs, strict=True):
        links = {link for link in gold.links if chance.random() > rate}
        links |= {(i, j) for i in range(len(source)) for j in range(len(target)) if chance.random() < rate / 4}
        scores = [round(chance.uniform(0.3, 1), 3) for _ in links]
        found.append(Alignment.of(sorted(links), scores if scored else None))
    return found


def report_input(gold=True, systems=2, copies=4, **options):
    """The input of a report with systems that are better and worse."""
    pairs, golds = pairs_and_golds(copies)
    rates = [0.3, 0.1, 0.5][:systems]
    made = [System(f"system {'ABC'[k]}", disturbed(golds, pairs, k, rate)) for k, rate in enumerate(rates)]
    return ReportInput(Text.of(pairs), pairs, range(len(pairs)), made, golds if gold else None, **options)


def long_input(count):
    """Three systems on pairs of some twenty words, each made of five of the short ones."""
    pairs, golds = pairs_and_golds(1)
    chance = random.Random(5)
    whole, joined = [], []
    for _ in range(count):
        source, target, links = [], [], []
        for k in chance.choices(range(len(pairs)), k=5):
            links += [(i + len(source), j + len(target)) for i, j in golds[k].links]
            source, target = [*source, *pairs[k][0]], [*target, *pairs[k][1]]
        whole.append((source, target))
        joined.append(Alignment.of(links))
    systems = [System(f"system {k}", disturbed(joined, whole, k, 0.05)) for k in range(3)]
    return ReportInput(Text.of(whole), whole, range(count), systems, joined)


def nasty_input():
    """Words that are markup, marks of direction, quotes and emoji, and a system whose name is markup too."""
    pairs = [(NASTY, NASTY[::-1]), (["plain"], ["simple"])]
    links = [Alignment.of([(k, len(NASTY) - 1 - k) for k in range(len(NASTY))]), Alignment.of([(0, 0)])]
    system = System("<b>bold</b>", links)
    return ReportInput(Text.of(pairs, ("<i>en</i>", "fr")), pairs, range(2), [system], links)


def corpus_input(corpus, **options):
    """What the oracle knows as plain lists, as a report takes it."""
    systems = []
    for name, found in corpus.systems.items():
        alignments = []
        for links in found:
            scores = None if None in links.values() else links.values()
            alignments.append(Alignment.of(links, scores))
        systems.append(System(name, alignments, corpus.scores.get(name)))
    golds = None
    if corpus.golds is not None:
        golds = [Alignment.of(possible, possible=possible - sure) for sure, possible in corpus.golds]
    return ReportInput(Text.of(corpus.text), corpus.pairs, corpus.lines, systems, golds, **options)


def random_corpus(seed, systems=3, gold=True, scored=True, looked_at=24):
    """Sentences of no, few and many words, rare and common ones; some pairs of the text are not looked at.

    Scores are quarters, so that sums of them are exact and many are equal.
    """
    chance = random.Random(seed)
    words = [f"{chance.choice('wW')}{min(chance.randrange(60), chance.randrange(60))}" for _ in range(200)]
    text = [[chance.choices(words, k=chance.choice([0, 1, 2, 4, 8, 14, 24, 33])) for _ in "st"] for _ in range(30)]
    text += [[["w0"] * 90, ["W1"] * 90]] * 6 + [[["w2"] * 60, ["w3"] * 60]]
    lines = sorted(chance.sample(range(30), looked_at))
    made = {}
    for number in range(systems):
        made[f"system {number}"] = [_random_links(chance, text[line], scored and number != 1) for line in lines]
    golds = None
    if gold:
        golds = [
            _random_gold(chance, text[line], [found[k] for found in made.values()]) for k, line in enumerate(lines)
        ]
    ratings = {"system 0": [chance.choice([None, -8.0, -1.25, -1.0, -0.75]) for _ in lines]} if scored else {}
    return Corpus([tuple(pair) for pair in text], lines, made, golds, ratings)


def _random_links(chance, pair, scored):
    links = {}
    for i in range(len(pair[0])):
        for j in range(len(pair[1])):
            if chance.random() < 1.5 / (1 + len(pair[1])):
                links[i, j] = chance.randrange(5) / 4 if scored else None
    return links


def _random_gold(chance, pair, found):
    """About half of what some system has found, and a little more; every fifth gold has no link at all."""
    if chance.random() < 0.2:
        return set(), set()
    links = {link for links in found for link in links if chance.random() < 0.5}
    links |= set(_random_links(chance, pair, False))
    return {link for link in links if chance.random() < 0.7}, links
