"""Text and alignments together: the same arrays from every format and however they are cut, and errors that name."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.lattices import quick
from pralign.errors import InputError
from pralign.links.aligned import (
    FileAlignments,
    GivenAlignments,
    ListedAlignments,
    alignments_of,
    read_aligned,
)
from pralign.links.alignment import Alignment
from pralign.links.files import AlignmentFile
from pralign.links.formats import FORMATS, Record, get_format
from pralign.text.vocabulary import VocabularyBuilder

PAIRS = [("the red house", "la maison rouge"), ("", ""), ("a  cat", "un chat"), ("the cat", "le chat")]
LINKS = ["0-0 1-2 2-1", "", "0-0 1-1", "1-1"]


def arrays(chunks):
    """All that chunks hold, as if they were one: words, links with their pairs, scores."""
    words, links, scores, done = [[], []], [], [], 0
    for chunk in chunks:
        texts, (owner, weight, found) = chunk
        for side, tokens, start in ((0, texts.source, texts.source_start), (1, texts.target, texts.target_start)):
            words[side] += [tokens[a:b].tolist() for a, b in pairwise(start)]
        pairs = np.repeat(owner, np.diff(found.start)) + done
        links += list(zip(pairs.tolist(), found.source.tolist(), found.target.tolist(), strict=True))
        scores += found.score.tolist()
        assert weight.size == owner.size == found.start.size - 1
        done += chunk.pairs
    return words, links, scores


def read(alignments, pairs=PAIRS, words=10**6):
    built = VocabularyBuilder(), VocabularyBuilder()
    return arrays(read_aligned(pairs, alignments, built, words)), [list(side) for side in built]


def expected(lines=LINKS):
    return [(number, i, j) for number, line in enumerate(lines) for i, j in Alignment.of(line)]


def test_words_and_links():
    (words, links, scores), vocabularies = read(GivenAlignments(map(Alignment.of, LINKS)))
    assert vocabularies == [["the", "red", "house", "a", "cat"], ["la", "maison", "rouge", "un", "chat", "le"]]
    assert words[0] == [[0, 1, 2], [], [3, 4], [0, 4]]
    assert links == expected()
    assert scores == []


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("words", [1, 5, 1000])
def test_every_format_gives_the_same(tmp_path, name, words):
    fmt = get_format(name)
    records = [
        Record(Alignment.of(line, [0.5] * len(Alignment.of(line))), source.split(), target.split(), 0.0)
        for line, (source, target) in zip(LINKS, PAIRS, strict=True)
    ]
    path = tmp_path / "links"
    path.write_text("".join(f"{line}\n" for line in fmt.write(records, fmt.default_base)))
    file = AlignmentFile(path, name)
    (_, links, scores), _ = read(alignments_of(file, len(PAIRS)), words=words)
    assert links == expected()
    assert scores == ([0.5] * len(links) if fmt.holds_scores else [])


@quick(50)
@given(st.lists(st.sampled_from(["", "0-0", "1-1 0-0", "0-0 1?1", "1-0 0-0 1-0"]), max_size=12), st.integers(1, 9))
def test_lines_for_the_patient_change_nothing(tmp_path_factory, lines, words):
    path = tmp_path_factory.mktemp("links") / "links"
    path.write_text("".join(f"{line}\n" for line in lines))
    pairs = [("a b", "x y")] * len(lines)
    (_, links, _), _ = read(FileAlignments(AlignmentFile(path, "gold")), pairs, words)
    assert links == [(n, i, j) for n, line in enumerate(lines) for i, j in sorted(Alignment.of(line).sure)]


def test_the_patient_name_the_line_however_the_file_is_cut(tmp_path):
    path = tmp_path / "links"
    path.write_text("0-0\n0?0\n0-0\n0-0\nx-0\n")
    for words in (1, 3, 100):
        with pytest.raises(InputError, match=re.escape(f"{path}, line 5: found 'x-0'")):
            read(FileAlignments(AlignmentFile(path, "gold")), [("a", "x")] * 5, words)


def test_several_alignments_of_a_pair():
    lists = [[(0.75, Alignment.of("0-0")), (0.25, Alignment.of("0-1 1-0"))], []]
    chunks = list(read_aligned([("a b", "x y"), ("a", "x")], ListedAlignments(lists), (VocabularyBuilder(),) * 2))
    assert chunks[0].alignments.pair.tolist() == [0, 0]
    assert chunks[0].alignments.weight.tolist() == [0.75, 0.25]
    assert arrays(chunks)[1] == [(0, 0, 0), (0, 0, 1), (0, 1, 0)]


@pytest.mark.parametrize("words", [1, 4, 1000])
@pytest.mark.parametrize(("given_links", "found"), [(LINKS[:3], 3), ([], 0), ([*LINKS, "0-0", ""], 6)])
def test_not_as_many_alignments_as_pairs(tmp_path, words, given_links, found):
    path = tmp_path / "links"
    path.write_text("".join(f"{line}\n" for line in given_links))
    with pytest.raises(InputError, match=f"links has {found} alignments, but there are 4 pairs; give those of this"):
        read(FileAlignments(AlignmentFile(path, "pharaoh")), words=words)


@pytest.mark.parametrize("words", [1, 1000])
@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("pharaoh", ["", "", "0-0 1-2", ""], r"links, line 3: link 1-2 \(counted from 0\) lies outside a pair of 2"),
        ("pharaoh", ["", "0-0", "", ""], "links, line 2: link 0-0 .* outside a pair of 0 source and 0 target words"),
        ("talp", ["1-1", "", "", "3-1"], r"links, line 4: link 3-1 \(counted from 1\)"),
        ("naacl", ["4 1 3"], "links, pair 4: link 1-3"),
    ],
)
def test_links_of_words_that_are_not_there(tmp_path, words, name, lines, message):
    path = tmp_path / "links"
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError, match=message):
        read(alignments_of(AlignmentFile(path, name, 1 if name == "talp" else None), 4), words=words)
