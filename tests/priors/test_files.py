"""Dictionaries and eflomal's priors: each line in its place, or a complaint that names it."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from oracles.naive_likeness import naive_likeness
from pralign.engine import ThreadEngine
from pralign.errors import InputError
from pralign.kernels.fertility_factor import MOST_WORDS
from pralign.kernels.hmm import BAND, REACH
from pralign.kernels.units import UNIT
from pralign.priors import gather_priors
from pralign.text.normalisation import Normalisation
from priors.counted import counts_of, elsewhere_of, sharded, together

TEXT = [
    ("Tamo keeps Sheep .", "tamok ovir virt ."),
    ("Sheep sleep .", "ovir slup ."),
    ("tamo sleeps", "tamok slupt"),
]
MET = together((source.lower().split(), target.split()) for source, target in TEXT)


class Reading:
    """A file as a prior for the text."""

    def __init__(self, path, normalisation=None, text=TEXT):
        normalisation = normalisation or Normalisation()
        self.corpus = sharded(text, normalisation)
        self.prior = gather_priors([path], 0.0, self.corpus, normalisation, ThreadEngine(1))

    @property
    def counts(self):
        return counts_of(self.corpus)

    @property
    def elsewhere(self):
        return elsewhere_of(self.prior, self.corpus)

    @property
    def forward(self):
        (forward,) = self.prior.forward
        return forward

    @property
    def reverse(self):
        (reverse,) = self.prior.reverse
        return reverse

    def fertilities(self, side):
        """The rows of words that have any."""
        table = (self.forward if side == "source" else self.reverse).fertilities
        vocabulary = getattr(self.corpus, side)
        return {word: row for word, row in zip(vocabulary.words, table.tolist(), strict=True) if any(row)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("priors")


@pytest.fixture
def read(tmp_path):
    """Read lines as a prior."""

    def read(*lines, normalisation=None):
        path = tmp_path / "known"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return Reading(path, normalisation)

    return read


def fertility_row(**counts):
    """Counts by fertility: ``fertility_row(n2=3)``."""
    row = [0.0] * (MOST_WORDS + 1)
    for name, count in counts.items():
        row[int(name[1:])] = count
    return row


# Dictionaries


def test_pairs_of_a_dictionary_are_found_in_the_text(read):
    reading = read("sheep\tovir", "keeps\tvirt\t2.5", "tamo\ttamok\t0")
    assert reading.counts == {("sheep", "ovir"): (1, 1), ("keeps", "virt"): (2.5, 2.5), ("tamo", "tamok"): (0, 0)}
    assert reading.elsewhere == ({}, {})


def test_a_dictionary_says_nothing_of_positions(read):
    reading = read("sheep\tovir")
    for positions in (reading.forward, reading.reverse):
        assert positions.weights is None
        assert positions.jumps == positions.sentences == positions.fertilities.size == 0


def test_pairs_that_never_occur_together_take_their_share(read):
    reading = read("sheep\tgoat\t3", "horse\tovir\t4", "keeps\tslup\t5", "keeps\tslupt\t0.5", "horse\tgoat\t6")
    assert reading.counts == {}
    assert reading.elsewhere == ({"sheep": 3, "keeps": 5.5}, {"ovir": 4, "slup": 5, "slupt": 0.5})


def test_an_entry_that_comes_again_counts_again(read):
    assert read("sheep\tovir\t2", "SHEEP\tovir", "sheep\tOvir\t0.25").counts == {("sheep", "ovir"): (3.25, 3.25)}


WORDS = st.sampled_from(["tamo", "keeps", "sheep", "sleep", "horse"])
ENTRIES = st.lists(
    st.tuples(WORDS, st.sampled_from(["tamok", "ovir", "slup", "virt", "goat"]), st.integers(0, 40)), max_size=12
)


@quick(50)
@given(ENTRIES, st.booleans())
def test_every_entry_is_in_one_place_or_in_none(folder, entries, of_eflomal):
    path = folder / "entries"
    kind = "LEX\t" if of_eflomal else ""
    path.write_text("".join(f"{kind}{s}\t{t}\t{n / 4}\n" for s, t, n in entries), encoding="utf-8")
    reading = Reading(path)
    pairs, sources, targets = defaultdict(float), defaultdict(float), defaultdict(float)
    for s, t, n in entries:
        if (s, t) in MET:
            pairs[s, t] += n / 4
        else:
            sources[s] += n / 4
            targets[t] += n / 4
    assert reading.counts == {pair: (count, count) for pair, count in pairs.items()}
    assert reading.elsewhere == (
        {word: mass for word, mass in sources.items() if mass and word != "horse"},
        {word: mass for word, mass in targets.items() if mass and word != "goat"},
    )


@pytest.mark.parametrize(
    ("normalisation", "entry", "found"),
    [
        (Normalisation(), "SHEEP\tOvir", ("sheep", "ovir")),
        (Normalisation(lowercase=False), "Sheep\tovir", ("Sheep", "ovir")),
        (Normalisation(lowercase=False), "sheep\tovir", None),
        (Normalisation(prefix=3), "Sheepskin\tovirac", ("she", "ovi")),
        (Normalisation(suffix=2), "asleep\tjir", ("ep", "ir")),
    ],
)
@pytest.mark.parametrize("line", ["{}\t7", "LEX\t{}\t7"])
def test_words_are_made_comparable_like_the_text(read, normalisation, entry, found, line):
    reading = read(line.format(entry), normalisation=normalisation)
    assert reading.counts == ({} if found is None else {found: (7, 7)})


def test_spaces_around_the_words_of_a_dictionary_do_not_matter(read):
    assert read(" sheep \t ovir ", "keeps\tvirt \t 2 ").counts == {("sheep", "ovir"): (1, 1), ("keeps", "virt"): (2, 2)}


@pytest.mark.parametrize(
    "entry", ["keeps sheep\tovir", "sheep\tovir virt", "keeps sheep\tovir\t3", "\tovir", "sheep\t "]
)
def test_entries_that_are_not_one_word_each_are_left_out(read, entry, caplog):
    with caplog.at_level("INFO", "pralign"):
        reading = read(entry, "tamo\ttamok", entry)
    assert reading.counts == {("tamo", "tamok"): (1, 1)}
    assert reading.elsewhere == ({}, {})
    assert "2 entries are not one word each and were left out" in caplog.text


def test_it_is_said_how_much_of_a_file_is_of_use(read, caplog):
    with caplog.at_level("INFO", "pralign"):
        read("tamo\ttamok", "tamo\tslup", "horse\tgoat")
    assert "3 word pairs, 1 of them occur together in the text" in caplog.text


# Priors of eflomal


def test_word_pairs_of_eflomal(read):
    reading = read("LEX\tsheep\tovir\t12", "LEX\tkeeps\tvirt\t0.5", "LEX\tsheep\tgoat\t3")
    assert reading.counts == {("sheep", "ovir"): (12, 12), ("keeps", "virt"): (0.5, 0.5)}
    assert reading.elsewhere == ({"sheep": 3}, {})


def test_jumps_are_weights_and_how_much_they_are_worth(read):
    reading = read("HMMF\t0\t3", "HMMF\t1\t40", "HMMF\t-5\t2", "HMMF\t5\t1", "HMMR\t-1\t7")
    weights = reading.forward.weights
    assert weights.jump.tolist() == [2, 0, 0, 0, 0, 3, 40, 0, 0, 0, 1, 0]
    assert (reading.forward.jumps, reading.forward.sentences) == (46, 0)
    assert reading.reverse.weights.jump.tolist() == [0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]
    assert reading.reverse.jumps == 7
    for positions in (reading.forward, reading.reverse):
        assert np.ptp(positions.weights.initial) == 0  # nothing is known of first positions
        assert positions.fertilities.size == 0
    assert reading.counts == {}


@quick(50)
@given(st.dictionaries(st.integers(-12, 12), st.integers(1, 99), min_size=1))
def test_jumps_beyond_reach_share_the_mean_of_their_counts(folder, jumps):
    path = folder / "jumps"
    path.write_text("".join(f"HMMR\t{jump}\t{count}\n" for jump, count in jumps.items()), encoding="utf-8")
    weights, reading = np.zeros(BAND + 1), Reading(path)
    for jump in range(-REACH, REACH + 1):
        weights[jump + REACH] = jumps.get(jump, 0)
    far = [count for jump, count in jumps.items() if abs(jump) > REACH]
    weights[-1] = sum(far) / len(far) if far else 0
    assert reading.reverse.weights.jump.tolist() == pytest.approx(weights.tolist())
    assert reading.reverse.jumps == pytest.approx(weights.sum())
    assert reading.forward.weights is None


def test_jumps_that_never_happened_are_no_weights(read):
    reading = read("HMMF\t1\t0", "HMMF\t9\t0")
    assert reading.forward.weights is None
    assert reading.forward.jumps == 0


def test_fertilities_of_both_sides(read):
    reading = read(
        "FERF\tsheep\t1\t5", "FERF\tSheep\t1\t2", "FERF\tSheep\t0\t3", "FERR\tovir\t2\t4", "FERF\thorse\t1\t9"
    )
    assert reading.fertilities("source") == {"sheep": fertility_row(n0=3, n1=7)}
    assert reading.fertilities("target") == {"ovir": fertility_row(n2=4)}
    assert reading.forward.fertilities.shape == (len(reading.corpus.source), MOST_WORDS + 1)
    assert reading.reverse.fertilities.shape == (len(reading.corpus.target), MOST_WORDS + 1)
    assert reading.forward.weights is reading.reverse.weights is None


def test_high_fertilities_count_as_the_highest(read):
    reading = read("FERR\tvirt\t7\t1", "FERR\tvirt\t8\t2", "FERR\tvirt\t9\t4", "FERR\tvirt\t40\t8")
    assert reading.fertilities("target") == {"virt": fertility_row(n7=1, n8=14)}
    assert reading.forward.fertilities.size == 0


def test_all_kinds_of_lines_go_together_in_any_order(read):
    lines = ["LEX\tsheep\tovir\t2", "HMMF\t1\t9", "HMMR\t2\t8", "FERF\tkeeps\t1\t7", "FERR\tvirt\t3\t6"]
    for turn in range(len(lines)):
        reading = read(*lines[turn:], *lines[:turn])
        assert reading.counts == {("sheep", "ovir"): (2, 2)}
        assert (reading.forward.jumps, reading.reverse.jumps) == (9, 8)
        assert reading.fertilities("source") == {"keeps": fertility_row(n1=7)}
        assert reading.fertilities("target") == {"virt": fertility_row(n3=6)}


# Files


def test_the_words_of_a_dictionary_may_be_called_like_the_lines_of_eflomal(read):
    assert read("sheep\tovir", "LEX\tvirt", "keeps\tLEX\t2").counts == {("sheep", "ovir"): (1, 1)}


@pytest.mark.parametrize(
    "lines", [["sheep\tovir", "", "  ", "keeps\tvirt"], ["LEX\tsheep\tovir\t1", "", "\t", "LEX\tkeeps\tvirt\t1", ""]]
)
def test_empty_lines_say_nothing(read, lines):
    assert read(*lines).counts == {("sheep", "ovir"): (1, 1), ("keeps", "virt"): (1, 1)}


@pytest.mark.parametrize("lines", [[], [""], ["", "", " "]])
def test_an_empty_file_says_nothing(read, lines):
    reading = read(*lines)
    assert reading.counts == {}
    assert reading.elsewhere == ({}, {})
    assert reading.forward.weights is None


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_files_may_be_compressed(tmp_path, compress):
    (tmp_path / "known").write_bytes(compress(b"sheep\tovir\t4\n"))
    assert Reading(tmp_path / "known").counts == {("sheep", "ovir"): (4, 4)}


def test_line_ends_of_other_systems(tmp_path):
    (tmp_path / "known").write_bytes(b"\xef\xbb\xbfsheep\tovir\t4\r\nkeeps\tvirt\r\n")
    assert Reading(tmp_path / "known").counts == {("sheep", "ovir"): (4, 4), ("keeps", "virt"): (1, 1)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "sheep",
            "a line of a dictionary has a word, a tab, a word and, if you like, a tab and a count; found 'sheep'",
        ),
        ("sheep ovir", "a line of a dictionary has a word, .*; found 'sheep ovir'"),
        ("sheep\tovir\t1\t2", r"a line of a dictionary has a word, .*; found 'sheep\\tovir\\t1\\t2'"),
        ("sheep\tovir\tmany", "'many' is not a count between 0 and 1,000,000,000"),
        ("sheep\tovir\t-1", "'-1' is not a count between 0 and 1,000,000,000"),
        ("sheep\tovir\tnan", "'nan' is not a count between 0 and 1,000,000,000"),
        ("sheep\tovir\tinf", "'inf' is not a count between 0 and 1,000,000,000"),
        ("sheep\tovir\t", "'' is not a count between 0 and 1,000,000,000"),
    ],
)
def test_bad_lines_of_a_dictionary(read, tmp_path, line, message):
    with pytest.raises(InputError, match=f"^{tmp_path / 'known'}, line 3: {message}$"):
        read("tamo\ttamok", "", line, "keeps\tvirt")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "LEX\tsheep\tovir",
            "not a line of a priors file, which begins with one of LEX, HMMF, HMMR, FERF, FERR; found ",
        ),
        ("LEX\tsheep\tovir\t1\t2", "not a line of a priors file"),
        ("HMMF\t1", "not a line of a priors file"),
        ("FERR\tovir\t1", "not a line of a priors file"),
        ("sheep\tovir", r"not a line of a priors file, .*; found 'sheep\\tovir'"),
        ("lex\tsheep\tovir\t1", "not a line of a priors file"),
        ("LEX\tsheep\tovir\tmany", "'many' is not a count between 0 and 1,000,000,000"),
        ("HMMR\t1\t-3", "'-3' is not a count between 0 and 274,877,906,944"),
        ("HMMR\t1\t1e12", "'1e12' is not a count between 0 and 274,877,906,944"),
        ("LEX\tsheep\tovir\t2e9", "'2e9' is not a count between 0 and 1,000,000,000"),
        ("HMMF\tone\t3", "'one' is not a whole number"),
        ("HMMF\t1.5\t3", "'1.5' is not a whole number"),
        (f"HMMF\t{'9' * 5000}\t3", "'9{60}…' is not a whole number"),
        (f"HMMF\t1\t{'9' * 5000}", "'9{60}…' is not a count"),
        ("FERF\tsheep\tx\t3", "'x' is not a whole number"),
        ("FERR\tovir\t1\tinf", "'inf' is not a count between 0 and 274,877,906,944"),
    ],
)
def test_bad_lines_of_a_priors_file(read, tmp_path, line, message):
    with pytest.raises(InputError, match=f"^{tmp_path / 'known'}, line 3: {message}"):
        read("LEX\ttamo\ttamok\t1", "", line, "LEX\tkeeps\tvirt\t1")


def test_what_a_huge_text_counted_keeps_its_proportions(read):
    """Jumps and fertilities of more pairs than a prior may count are worth as much as it may, not more."""
    reading = read("HMMF\t1\t9e10", "HMMF\t0\t3e10", "FERF\tsheep\t1\t8e9", "FERF\tsheep\t2\t2e9", "FERF\ttamo\t1\t5")
    assert reading.forward.jumps == (BAND + 1) * 1e9
    jump = reading.forward.weights.jump
    assert jump[REACH + 1] / jump.sum() == 0.75
    found = reading.fertilities("source")
    assert (found["sheep"][1], found["sheep"][2], found["tamo"][1]) == (1e9, 2.5e8, 5)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="none: cannot read: No such file or directory"):
        Reading(tmp_path / "none")


def test_text_that_is_not_utf8(tmp_path):
    (tmp_path / "known").write_bytes(b"sheep\tovir\nke\xe9ps\tvirt\n")
    with pytest.raises(InputError, match="known, line 2, byte 3: 0xe9 is not valid UTF-8"):
        Reading(tmp_path / "known")


def test_damaged_compressed_data(tmp_path):
    (tmp_path / "known").write_bytes(gzip.compress(b"sheep\tovir\n" * 99)[:-9])
    with pytest.raises(InputError, match="known: damaged compressed data"):
        Reading(tmp_path / "known")


# Several at once


def test_what_several_files_know_adds_up(tmp_path):
    contents = {
        "words": "sheep\tovir\t2\n.\t.\t5\nsheep\tgoat\t1\n",
        "more": "keeps\tvirt\nsheep\tovir\nsheep\tgoat\t2\n",
        "jumps": "HMMF\t1\t6\nFERF\tsheep\t1\t3\nLEX\tsheep\tovir\t10\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    corpus = sharded(TEXT)
    paths = [str(tmp_path / name) for name in contents]
    prior = gather_priors(paths, 0.5, corpus, Normalisation(), ThreadEngine(1))
    expected = {pair: 0.5 * naive_likeness(*pair) for pair in MET}
    for pair, count in {("sheep", "ovir"): 13, (".", "."): 5, ("keeps", "virt"): 1}.items():
        expected[pair] += count
    assert counts_of(corpus) == {
        pair: pytest.approx((count, count), abs=UNIT) for pair, count in expected.items() if count > 0
    }
    assert elsewhere_of(prior, corpus) == ({"sheep": 3}, {})
    assert [positions.jumps for positions in prior.forward] == [0, 0, 6]
    assert [positions.fertilities.size > 0 for positions in prior.forward] == [False, False, True]
    assert [positions.jumps for positions in prior.reverse] == [0, 0, 0]


def test_a_blank_line_at_the_beginning_does_not_hide_whose_file_it_is(tmp_path):
    path = tmp_path / "priors"
    path.write_text("\n\nLEX\tsheep\tovir\t2\n", encoding="utf-8")
    assert Reading(path).counts == {("sheep", "ovir"): (2.0, 2.0)}


def test_a_dictionary_may_begin_with_a_word_that_looks_like_a_keyword(tmp_path):
    path = tmp_path / "dictionary"
    path.write_text("LEX\tlex\nsheep\tovir\n", encoding="utf-8")
    assert Reading(path).counts == {("sheep", "ovir"): (1.0, 1.0)}


def test_a_space_that_does_not_break_does_not_separate_words(tmp_path):
    path = tmp_path / "dictionary"
    path.write_text("10\u00a0000\t10\u00a0000\n", encoding="utf-8")
    reading = Reading(path, text=[("a 10\u00a0000", "b 10\u00a0000")])
    assert reading.counts == {("10\u00a0000", "10\u00a0000"): (1.0, 1.0)}


@pytest.mark.parametrize("count", ["1e39", "1.1e9"])
def test_counts_beyond_all_measure_are_refused(tmp_path, count):
    path = tmp_path / "dictionary"
    path.write_text(f"sheep\tovir\t{count}\n", encoding="utf-8")
    with pytest.raises(InputError, match="not a count between 0 and"):
        Reading(path)
