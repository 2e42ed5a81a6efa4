from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import naive_trees as oracle
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.text.conllu import DEPREL, HEAD, LEMMA, MISC, UPOS, ConlluSentence, parse_conllu
from pralign.text.tokens import Tokens
from pralign.transfer import TreeTransfer, carry_trees
from pralign.transfer.compatibility import are_compatible
from pralign.transfer.streams import as_conllu

LABELS = ("nsubj", "obj", "punct", "case", "conj", "flat:name", "advmod", "det")
TAGS = ("NOUN", "VERB", "PUNCT", "ADP", "ADJ", "DET")


@st.composite
def trees(draw, words=8):
    """Sentences with a tree: words are put below words that are there already, in any order."""
    count = draw(st.integers(1, words))
    order = draw(st.permutations(range(count)))
    heads, labels = [0] * count, ["root"] * count
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, place - 1))] + 1
        labels[word] = draw(st.sampled_from(LABELS))
    sentence = ConlluSentence.of([f"w{k}" for k in range(count)]).with_heads(heads, labels)
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=count, max_size=count))
    rows = [(*row[:UPOS], tag, *row[UPOS + 1 :]) for row, tag in zip(sentence.rows, tags, strict=True)]
    return ConlluSentence((), tuple(rows), sentence.words, sentence.heads)


@st.composite
def cases(draw):
    source = draw(trees())
    target = draw(st.lists(st.sampled_from(["il", "pleut", ".", "«", "chat"]), min_size=1, max_size=8))
    cells = st.tuples(st.integers(0, len(source.words) - 1), st.integers(0, len(target) - 1))
    scores = st.sampled_from([0.1, 0.25, 0.5, 0.75, 1.0])
    links = draw(st.dictionaries(cells, scores, max_size=14))
    return source, ConlluSentence.of(target), links


def aligned(links):
    return Alignment.of(list(links), list(links.values()))


@given(cases())
def test_edges_are_those_of_a_search_by_the_book(case):
    source, target, links = case
    found = TreeTransfer()(source, target, aligned(links))
    expected = oracle.edges(source.heads, source.column(DEPREL), len(target.words), links)
    assert list(found.heads) == [head for head, _ in expected]
    notes = [dict(part.split("=") for part in cell.split("|")) if cell != "_" else {} for cell in found.column(MISC)]
    sure = [None if (_, value) == (_, None) else f"{value:.3f}" for _, value in expected]
    assert [note.get("EdgeConfidence") for note in notes] == sure


@given(cases())
def test_completed_trees_are_trees_by_the_rules_of_universal_dependencies(case):
    source, target, links = case
    found = TreeTransfer(complete=True)(source, target, aligned(links))
    assert oracle.complaints(found) == []


@given(cases())
def test_completing_keeps_edges_that_were_carried(case):
    source, target, links = case
    plain = TreeTransfer()(source, target, aligned(links))
    complete = TreeTransfer(complete=True)(source, target, aligned(links))
    for before, after in zip(plain.heads, complete.heads, strict=True):
        assert before in (after, -1)


@given(cases())
def test_words_that_were_made_up_depend_on_no_punctuation(case):
    source, target, links = case
    found = TreeTransfer(complete=True)(source, target, aligned(links))
    labels = found.column(DEPREL)
    for head, cell in zip(found.heads, found.column(MISC), strict=True):
        if head > 0 and "EdgeConfidence" not in cell and "TagConfidence" not in cell:
            assert labels[head - 1] not in {"punct", "case", "det"}


@given(trees())
def test_links_of_each_word_to_itself_carry_the_whole_tree(source):
    links = Alignment.of([(k, k) for k in range(len(source.words))])
    found = TreeTransfer()(source, ConlluSentence.of(source.forms), links)
    assert found.heads == source.heads
    assert found.column(DEPREL) == source.column(DEPREL)
    assert found.column(UPOS) == source.column(UPOS)


@given(cases())
def test_a_higher_threshold_carries_only_edges_whose_links_reach_it(case):
    source, target, links = case
    sure = {link: score for link, score in links.items() if score >= 0.75}
    found = TreeTransfer()(source, target, aligned(links).at_least(0.75))
    assert found.heads == TreeTransfer()(source, target, aligned(sure)).heads


@given(cases(), st.sampled_from([0.3, 0.6, 0.9]))
def test_edges_below_the_threshold_are_not_carried(case, threshold):
    source, target, links = case
    found = TreeTransfer(threshold=threshold)(source, target, aligned(links))
    expected = oracle.edges(source.heads, source.column(DEPREL), len(target.words), links)
    assert list(found.heads) == [head if sure is not None and sure >= threshold else -1 for head, sure in expected]
    complete = TreeTransfer(complete=True, threshold=threshold)(source, target, aligned(links))
    assert oracle.complaints(complete) == []


def test_links_between_words_that_do_not_go_together_are_left_out():
    source = next(parse_conllu(["1\tof\t_\tADP\t_\t_\t2\tcase\t_\t_", "2\train\t_\tNOUN\t_\t_\t0\troot\t_\t_"], "x"))
    target = next(parse_conllu(["1\tpluie\t_\tNOUN\t_\t_\t_\t_\t_\t_", "2\tforte\t_\tADJ\t_\t_\t_\t_\t_\t_"], "x"))
    links = Alignment.of("0-0 1-1")
    assert TreeTransfer()(source, target, links).heads == (2, 0)
    assert TreeTransfer(compatible_tags=True)(source, target, links).heads == (-1, 0)


@given(st.sampled_from(TAGS), st.sampled_from(TAGS))
def test_what_goes_together_does_so_both_ways(left, right):
    assert are_compatible(left, left)
    assert are_compatible(left, right) == are_compatible(right, left)


def test_words_take_over_what_they_lack_and_keep_what_they_have():
    source = next(parse_conllu(["1\tcats\tcat\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_"], "x"))
    bare, tagged = ConlluSentence.of(["chats"]), "1\tchats\tchat\tPROPN\t_\t_\t_\t_\t_\tSpaceAfter=No"
    found = TreeTransfer(carry=("upos", "feats"))(source, bare, Alignment.of("0-0", [0.5]))
    assert found.rows[0][1:7] == ("chats", "_", "NOUN", "_", "Number=Plur", "0")
    kept = TreeTransfer(carry=("upos", "lemma"))(source, next(parse_conllu([tagged], "x")), Alignment.of("0-0"))
    assert (kept.rows[0][LEMMA], kept.rows[0][UPOS]) == ("chat", "PROPN")
    assert kept.rows[0][MISC] == "SpaceAfter=No|EdgeConfidence=1.000"


def test_multiword_tokens_stay_and_empty_nodes_go():
    lines = ["1-2\tdu\t" + "\t".join("_" * 8), "1\tde\t" + "\t".join("_" * 8), "2\tle\t" + "\t".join("_" * 8)]
    lines.append("2.1\tvu\t" + "\t".join("_" * 8))
    source = ConlluSentence.of(["of", "the"]).with_heads([2, 0], ["case", "root"])
    found = TreeTransfer()(source, next(parse_conllu(lines, "x")), Alignment.of("0-0 1-1"))
    assert [row[0] for row in found.rows] == ["1-2", "1", "2"]
    assert (found.rows[1][HEAD], found.rows[2][HEAD]) == ("2", "0")
    assert found.heads == (2, 0)


def test_what_cannot_be_carried_is_refused():
    with pytest.raises(UsageError, match="what words take over is lemma, upos, xpos, feats, not 'deps'"):
        TreeTransfer(carry=("deps",))


def test_streams_of_trees_take_text_words_and_treebanks_by_links_posteriors_or_an_aligner():
    import numpy as np

    class Identity:
        def align(self, pairs):
            for left, right in pairs:
                yield Alignment.of([(k, k) for k in range(min(len(left), len(right)))])

    english = ConlluSentence.of(["It", "rains", "."]).with_heads([2, 0, 2], ["expl", "root", "punct"])
    targets = ["Il pleut .", Tokens("Il pleut.", [(0, 2), (3, 8), (8, 9)]), ConlluSentence.of(["Il", "pleut", "."])]
    for by in (["0-0 1-1 2-2"] * 3, [np.eye(3)] * 3, Identity()):
        found = list(carry_trees([english] * 3, targets, by))
        assert [each.heads for each in found] == [(2, 0, 2)] * 3
    assert found[1].text == "Il pleut."
    with pytest.raises(InputError, match="pair 1: link 0-7"):
        list(carry_trees([english], ["Il pleut"], ["0-7"]))
    with pytest.raises(InputError, match="has 2 lines"):
        list(carry_trees([english] * 2, ["Il pleut"], ["0-0"] * 2))
    with pytest.raises(UsageError, match="one alignment is needed for each pair"):
        list(carry_trees([english], ["Il pleut"], "0-0"))


def test_words_of_text_know_where_there_are_spaces():
    sentence = as_conllu(Tokens("L'eau, oui", [(0, 2), (2, 5), (5, 6), (7, 10)]))
    assert sentence.text == "L'eau, oui"
    assert sentence.column(MISC) == ["SpaceAfter=No", "SpaceAfter=No", "_", "_"]
