"""Numbers in files are claims: none may ask for more memory or time than the file is worth, or end in a traceback."""

from __future__ import annotations

import random

import pytest

from oracles.naive_symmetrization import NAIVE
from pralign.errors import InputError
from pralign.links.alignment import Alignment
from pralign.links.formats import ReadContext, get_format
from pralign.links.symmetrization import symmetrize

DIGITS = "9" * 5000


def read(text, name, lines=None):
    fmt = get_format(name)
    return list(fmt.read(text.splitlines(), ReadContext("in", fmt.default_base, lines)))


def giza(sentence, source="1", target="1"):
    header = f"# Sentence pair ({sentence}) source length {source} target length {target} alignment score : 0.5"
    return f"{header}\nb\nNULL ({{ }}) a ({{ 1 }})\n"


def naacl(sentence):
    return f"{sentence} 1 1\n"


@pytest.mark.parametrize(("name", "pair"), [("naacl", naacl), ("giza", giza)])
class TestSentenceIds:
    def test_one_far_beyond_the_size_of_the_file_is_refused(self, name, pair):
        with pytest.raises(InputError) as caught:
            read(pair(1) + pair(999_999_999) + pair(999_999_998), name)
        line = 2 if name == "naacl" else 4
        assert str(caught.value) == (
            f"in, line {line}: found '999999999'; expected a sentence id of at most 10300 in so small a file; if there "
            "are more pairs, say how many (--lines N) or give their text (--source and --target)"
        )

    def test_a_file_may_leave_out_many_pairs(self, name, pair):
        alignments = read(pair(10_100), name)
        assert len(alignments) == 10_100
        assert [k for k, alignment in enumerate(alignments) if alignment.links] == [10_099]
        with pytest.raises(InputError):
            read(pair(10_101), name)

    def test_whoever_knows_how_many_there_are_may_have_as_many(self, name, pair):
        assert len(read(pair(30_000), name, lines=40_000)) == 40_000

    def test_one_of_many_digits_is_refused(self, name, pair):
        with pytest.raises(InputError, match=r"expected a sentence id: a whole number, 1 or more"):
            read(pair(DIGITS), name)


@pytest.mark.parametrize("text", [giza(1, source=DIGITS), giza(1, target=DIGITS), giza(1, source="9" * 10)])
def test_lengths_of_many_digits_are_refused(text):
    with pytest.raises(InputError, match=r"^in, line 1: found '# Sentence pair .*…'; expected lengths of sentences"):
        read(text, "giza")


@pytest.mark.parametrize(
    "line",
    [
        f'{{"links": [[{DIGITS}, 0]]}}',
        f'{{"links": [[{DIGITS[:4000]}, 0]]}}',
        f'{{"links": [], "score": {DIGITS}}}',
        f'{{"links": [], "score": {DIGITS[:4000]}}}',
        '{"links": [[0, 0]], "scores": [1e400]}',
        f'{{"links": {"[" * 500}{"]" * 500}}}',
        f'{{"links": {"[" * 5000}{"]" * 5000}}}',
        f'{{"links": [], "source": {"[" * 980}{"]" * 980}}}',
    ],
)
def test_numbers_and_brackets_beyond_all_bounds_are_refused(line):
    with pytest.raises(InputError, match=r"^in, line 1: found ") as caught:
        read(line, "jsonl")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["pharaoh", "scored", "gold", "talp"])
@pytest.mark.parametrize("link", [f"{DIGITS}-0", f"0-{DIGITS}", f"0-0:{DIGITS}"])
def test_links_of_many_digits_are_refused(name, link):
    with pytest.raises(InputError, match=r"^in, line 1: found ") as caught:
        read(link, name)
    assert len(str(caught.value)) < 300


# Positions


@pytest.mark.parametrize("heuristic", NAIVE)
def test_links_far_apart_are_combined_as_if_they_were_near(heuristic):
    numbers = random.Random(3)
    far = {0: 0, 1: 1, 2: 2, 3: 500_000, 4: 500_001, 5: 500_003, 6: 999_999_998}
    for _ in range(200):
        links = [frozenset((numbers.randrange(7), numbers.randrange(7)) for _ in range(8)) for _ in range(2)]
        forward, reverse = (frozenset((far[i], far[j]) for i, j in side) for side in links)
        expected = NAIVE[heuristic](forward, reverse)
        found = symmetrize(Alignment.of(forward), Alignment.of(reverse), heuristic)
        assert found.links == tuple(sorted(expected))


def test_more_cells_than_memory_are_refused():
    with pytest.raises(InputError, match=r"links of 24000 source words and 24000 target words are too many"):
        symmetrize(Alignment.of([(3 * k, 3 * k) for k in range(12_000)]), Alignment(), "union")
