"""Files of alignments in any format, read as often as needed."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading

import pytest

from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.files import AlignmentFile, expect_pairs
from pralign.links.formats import read_alignments
from pralign.text.bitext import Bitext

SAMPLES = {
    "pharaoh": "0-0 2-1\n\n1-1\n",
    "scored": "0-0:0.5 2-1:0.25\n\n1-1:1\n",
    "gold": "0-0 2?1\n\n1-1\n",
    "talp": "0-0 2p1\n\n1-1\n",
    "naacl": "1 1 1 S\n1 3 2 P\n3 2 2 S\n",
    "giza": (
        "# Sentence pair (1) source length 1 target length 2 alignment score : 0.25\n"
        "un deux\nNULL ({ 2 }) one ({ 1 })\n"
        "# Sentence pair (3) source length 1 target length 1 alignment score : 0.5\nun\nNULL ({ }) one ({ 1 })\n"
    ),
    "jsonl": '{"links": [[0, 0], [2, 1]], "possible": [[2, 1]]}\n\n{"links": [[1, 1]], "source": ["a", "b"]}\n',
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into an empty folder, where names are looked up too."""
    monkeypatch.chdir(tmp_path)

    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


@pytest.mark.parametrize("name", SAMPLES)
def test_the_format_is_found_out_and_the_file_read_again_and_again(write, name):
    path = write("links", SAMPLES[name])
    file = AlignmentFile(path)
    expected = list(read_alignments(path, name))
    assert (file.name, file.format.name) == (str(path), name)
    assert file.base == file.format.default_base
    assert list(file.read()) == list(file) == list(file) == expected
    assert [record.alignment for record in file.records()] == expected
    assert list(file.lines()) == SAMPLES[name].splitlines()
    assert len(expected) == 3


@pytest.mark.parametrize("name", SAMPLES)
def test_two_readings_at_once_do_not_disturb_each_other(write, name):
    file = AlignmentFile(write("links", SAMPLES[name]))
    expected = list(file)
    assert list(zip(file, file, strict=True)) == list(zip(expected, expected, strict=True))


def test_a_format_that_is_given_is_not_doubted(write):
    write("links", SAMPLES["gold"])
    file = AlignmentFile("links", "pharaoh")
    assert (file.name, file.format.name) == ("links", "pharaoh")
    write("links", "0-0 1-1\n")
    assert AlignmentFile("links", "gold").format.name == "gold"
    write("links", "no links at all\n")
    with pytest.raises(InputError, match=r"^links, line 1: found 'no'"):
        list(AlignmentFile("links", "pharaoh"))
    with pytest.raises(UsageError, match="unknown alignment format 'nope'"):
        AlignmentFile("links", "nope")


def test_a_base_that_is_given_counts(write):
    write("links", "1-1 2-3\n")
    file = AlignmentFile("links", base=1)
    assert file.base == 1
    assert list(file) == [Alignment.of([(0, 0), (1, 2)])]
    write("links", "1 1 1\n")
    assert next(iter(AlignmentFile("links", base=0))).links == ((1, 1),)
    with pytest.raises(UsageError, match="cannot be 2"):
        AlignmentFile("links", base=2)


@pytest.mark.parametrize(("name", "one"), [(name, name not in ("naacl", "giza")) for name in SAMPLES])
def test_only_some_formats_have_one_line_a_pair(write, name, one):
    file = AlignmentFile(write("links", SAMPLES[name]))
    assert file.one_line_a_pair is one
    if one:
        assert len(list(file.lines())) == len(list(file))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_number_of_pairs_is_for_formats_that_leave_out_some(write, name):
    file = AlignmentFile(write("links", SAMPLES[name]))
    more = 2 if name in ("naacl", "giza") else 0
    assert list(file.read(5)) == [*file, *[Alignment()] * more]
    assert [record.alignment for record in file.records(5)] == list(file.read(5))


def test_a_number_of_pairs_that_is_too_low_is_complained_of(write):
    write("links", SAMPLES["naacl"])
    with pytest.raises(InputError, match="links, line 3: found '3'; expected a sentence id from 1 to 2"):
        list(AlignmentFile("links").read(2))


def test_records_have_words_where_the_file_has_them(write):
    write("links", SAMPLES["jsonl"])
    assert [record.source for record in AlignmentFile("links").records()] == [None, None, ["a", "b"]]
    write("links", SAMPLES["giza"])
    assert [record.score for record in AlignmentFile("links").records()] == [0.25, None, 0.5]


@pytest.mark.parametrize("name", SAMPLES)
def test_compressed_files_are_read_too(write, name):
    write("links.gz", gzip.compress(SAMPLES[name].encode()))
    plain = AlignmentFile(write("links", SAMPLES[name]))
    packed = AlignmentFile("links.gz")
    assert packed.format is plain.format
    assert list(packed) == list(packed) == list(plain)


# What comes only once


@pytest.fixture
def pipe(tmp_path):
    """A named pipe, filled by a thread."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    threads = []

    def fill(text):
        threads.append(threading.Thread(target=path.write_text, args=[text]))
        threads[-1].start()
        return path

    yield fill
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("name", SAMPLES)
def test_what_comes_from_a_pipe_is_kept(write, pipe, name):
    expected = list(AlignmentFile(write("links", SAMPLES[name])))
    file = AlignmentFile(pipe(SAMPLES[name]))
    assert file.format.name == name
    assert list(file) == list(file) == expected
    assert list(zip(file, file, strict=True)) == list(zip(expected, expected, strict=True))
    assert list(file.lines()) == SAMPLES[name].splitlines()


def stdin_of(monkeypatch, data):
    stream = io.TextIOWrapper(io.BytesIO(data))
    monkeypatch.setattr(sys, "stdin", stream)
    return stream


def test_standard_input_only_where_it_is_wanted(write, monkeypatch):
    write("-", "a file of this name is not meant\n")
    stdin_of(monkeypatch, b"0-0 1?1\n2-2\n")
    with pytest.raises(UsageError, match="not from standard input"):
        AlignmentFile("-")
    file = AlignmentFile("-", standard_input=True)
    assert (file.name, file.format.name) == ("standard input", "gold")
    assert list(file) == list(file)
    assert [alignment.links for alignment in file] == [((0, 0), (1, 1)), ((2, 2),)]


def test_a_stream_is_read_no_further_than_asked_for(write, monkeypatch):
    stdin_of(monkeypatch, b"0-0 1?1\n2-2\n\xff\n")
    file = AlignmentFile("-", standard_input=True)
    alignments = file.read()
    assert [next(alignments).links, next(alignments).links] == [((0, 0), (1, 1)), ((2, 2),)]
    with pytest.raises(InputError, match=r"^standard input, line 3, byte 1: 0xff is not valid UTF-8"):
        next(alignments)


def test_files_that_cannot_be_read(tmp_path):
    for path in ("none", tmp_path / "none"):
        with pytest.raises(InputError, match=r"none: cannot read: No such file or directory$"):
            AlignmentFile(path)
    with pytest.raises(InputError, match="it is a directory"):
        AlignmentFile(tmp_path)


def test_the_message_about_an_unknown_format_names_the_file(write):
    write("links", "\nthe house\n")
    with pytest.raises(
        InputError, match=r"^links, line 2: the format of alignments was not recognised: found 'the house'"
    ):
        AlignmentFile("links")


# As many as there are pairs


def bitext(pairs):
    return Bitext([("a b c", "x y z")] * pairs)


@pytest.mark.parametrize("name", SAMPLES)
def test_as_many_alignments_as_pairs_are_fine(write, name):
    file = AlignmentFile(write("links", SAMPLES[name]))
    expect_pairs([file], bitext(3))
    assert len(list(file)) == 3


@pytest.mark.parametrize("pairs", [2, 4])
def test_more_or_fewer_alignments_than_pairs_are_not(write, pairs):
    files = [AlignmentFile(write(name, SAMPLES[name])) for name in ("naacl", "gold", "scored")]
    with pytest.raises(InputError, match=f"gold has 3 alignments, but there are {pairs} pairs$"):
        expect_pairs(files, bitext(pairs))


@pytest.mark.parametrize("name", ["naacl", "giza"])
def test_formats_that_leave_out_pairs_are_told_how_many_there_are(write, name):
    file = AlignmentFile(write("links", SAMPLES[name]))
    expected = [*file, Alignment(), Alignment()]
    expect_pairs([file], bitext(5))
    assert list(file) == expected
    assert list(file.read(4)) == expected[:4]


def test_without_files_the_pairs_are_not_counted():
    missing = Bitext.read("there is", "no such text")
    expect_pairs([], missing)
    with pytest.raises(InputError, match="No such file"):
        list(missing)
