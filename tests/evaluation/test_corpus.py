import subprocess
import sys

import pytest

from pralign.errors import InputError
from pralign.evaluation import LinkCounts, Names, UnalignedSide, evaluate, paired
from pralign.links.alignment import Alignment

ONE = Alignment.of([(0, 0)])


def test_inputs_may_be_iterators_that_are_read_once():
    scores = evaluate(iter([ONE, Alignment()]), iter([ONE, ONE]), lengths=iter([(1, 1), (1, 2)]))
    assert scores.counts == LinkCounts(1, 2, 2, 1, 1, 2)
    assert scores.unaligned is not None
    assert scores.unaligned.target == UnalignedSide(missed=1, rightly=1)


@pytest.mark.parametrize(
    ("hypotheses", "golds", "message"),
    [
        (3, 4, "the hypothesis has 3 lines, the gold 4"),
        (4, 3, "the hypothesis has 4 lines, the gold 3"),
        (7, 3, "the hypothesis has 7 lines, the gold 3"),
        (1, 0, "the hypothesis has 1 line, the gold 0"),
        (0, 2, "the hypothesis has 0 lines, the gold 2"),
    ],
)
def test_different_numbers_of_lines_are_both_named(hypotheses, golds, message):
    with pytest.raises(InputError) as caught:
        evaluate([ONE] * hypotheses, [ONE] * golds)
    assert str(caught.value) == message


@pytest.mark.parametrize("lines", [1, 3])
def test_texts_of_another_length_are_refused(lines):
    with pytest.raises(InputError, match=f"^the text has {lines} lines?, the gold 2$"):
        evaluate([ONE] * 2, [ONE] * 2, lengths=[(1, 1)] * lines)


def test_paired_yields_what_zip_yields():
    assert list(paired("abc", [1, 2, 3], ("left", "right"))) == [("a", 1), ("b", 2), ("c", 3)]
    assert list(paired("", [], ("left", "right"))) == []


@pytest.mark.parametrize("link", [(2, 0), (0, 3)])
def test_a_link_beyond_the_sentences_names_file_line_link_and_lengths(link):
    bad, good = Alignment.of([link]), Alignment()
    names = Names("hyp.txt", "gold.txt")
    for hypothesis, gold, name in [(bad, good, "hyp.txt"), (good, bad, "gold.txt")]:
        with pytest.raises(InputError) as caught:
            evaluate([good, hypothesis], [good, gold], lengths=[(0, 0), (2, 3)], names=names)
        expected = f"{name}, line 2: link {link[0]}-{link[1]} (counted from 0) lies outside"
        assert str(caught.value).startswith(expected)
        assert "2 source and 3 target words" in str(caught.value)


def test_a_message_counts_words_as_the_file_does():
    bad, good = Alignment.of([(2, 0)]), Alignment()
    names = Names(hypothesis_base=1, gold_base=0)
    with pytest.raises(InputError, match=r"^the hypothesis, line 1: link 3-1 \(counted from 1\)"):
        evaluate([bad], [good], lengths=[(2, 2)], names=names)
    with pytest.raises(InputError, match=r"^the gold, line 1: link 2-0 \(counted from 0\)"):
        evaluate([good], [bad], lengths=[(2, 2)], names=names)


def test_the_last_words_are_within_bounds():
    corner = Alignment.of([(1, 2)])
    assert evaluate([corner], [corner], lengths=[(2, 3)]).aer == 0.0


def test_evaluation_needs_neither_numpy_nor_numba():
    code = "import sys, pralign.evaluation; print(sorted({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
