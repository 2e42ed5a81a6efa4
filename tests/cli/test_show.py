"""Looking at single sentence pairs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from cli.support import PATIENCE, PROGRAM
from pralign.links.alignment import Alignment
from pralign.links.formats import get_format
from pralign.pictures.grid import grid, legend
from pralign.pictures.interlinear import interlinear

SOURCE = ["the old house", "it is raining", "see you tomorrow"]
TARGET = ["la vieille maison", "il pleut", "à demain"]
LINKS = ["0-0 1-1 2-2", "0-0 1-1 2-1", "2-1"]
GOLD = ["0-0 1-1 2-2", "0-0 2-1 1?1", "2-1 0?0 1?0"]


@pytest.fixture
def pairs(work):
    """A folder with three pairs ``s`` and ``t``, alignments ``a`` and a gold ``g``."""
    for name, lines in (("s", SOURCE), ("t", TARGET), ("a", LINKS), ("g", GOLD)):
        work.write(name, lines)
    return work


def shown(work, *options, **given):
    outcome = work.ok("show", "s", "t", "a", *options, **given)
    assert outcome.err == ""
    return outcome.out


def parts(source, target, links, gold=None, width=100, first=0):
    """The table and the lines of a pair, each followed by an empty line."""
    words = source.split(), target.split()
    table = grid(*words, links, gold, width, first=first)
    return f"{table}\n\n{interlinear(*words, links, width, gold=gold, first=first)}\n\n"


# What is shown


def test_the_first_pair_is_shown_unless_others_are_asked_for(pairs):
    links = Alignment.of([(0, 0), (1, 1), (2, 2)])
    head = "pair 1: 3 source words, 3 target words\n\n"
    assert shown(pairs) == head + parts(SOURCE[0], TARGET[0], links) + "█ link\n"
    assert shown(pairs, "--line", "1") == shown(pairs)


def test_several_pairs_are_shown_with_one_legend(pairs):
    text = shown(pairs, "--line", "2-3")
    assert re.findall(r"^pair (\d+): (.*)$", text, flags=re.MULTILINE) == [
        ("2", "3 source words, 2 target words"),
        ("3", "3 source words, 2 target words"),
    ]
    assert text.count("█ link") == 1
    assert text.endswith("\n\n█ link\n")
    assert shown(pairs, "--line", "3") == text.replace(text[: text.index("pair 3")], "")


def test_a_gold_judges_every_link(pairs):
    pairs.write("a", ["0-0 1-0 2-2", *LINKS[1:]])
    text = shown(pairs, "--gold", "g")
    assert text.startswith("pair 1: 3 source words, 3 target words; AER 33.33 %, precision 66.67 %, recall 66.67 %\n\n")
    links, gold = Alignment.of([(0, 0), (1, 0), (2, 2)]), Alignment.of([(0, 0), (1, 1), (2, 2)])
    assert parts(SOURCE[0], TARGET[0], links, gold) in text
    assert "(missed: old-vieille 1-1)" in text
    assert text.endswith(legend(gold=True, scores=False) + "\n")


def test_pairs_after_the_end_of_the_gold_have_none(pairs):
    pairs.write("g", GOLD[:1])
    heads = [line for line in shown(pairs, "--gold", "g", "--line", "1-3").split("\n") if line.startswith("pair")]
    assert [("AER" in head, "no gold" in head) for head in heads] == [(True, False), (False, True), (False, True)]
    assert "no gold" not in shown(pairs, "--line", "1-3")


def test_one_word_is_no_words(pairs):
    pairs.write("s", ["so"] * 3)
    pairs.write("t", ["alors"] * 3)
    pairs.write("a", ["0-0"] * 3)
    assert shown(pairs).startswith("pair 1: 1 source word, 1 target word\n")


def test_empty_sentences(pairs):
    pairs.write("s", ["", "", "x"])
    pairs.write("t", ["", "y", ""])
    pairs.write("a", ["", "", ""])
    assert shown(pairs, "--line", "1-3") == (
        "pair 1: 0 source words, 0 target words\n\n"
        "pair 2: 0 source words, 1 target word\n\n(no link: y 0)\n\n"
        "pair 3: 1 source word, 0 target words\n\n0\nx\n·\n\n"
        "█ link\n"
    )


def test_scores_are_shades(pairs):
    pairs.write("a", ["0-0:0.9 1-1:0.3 2-2:0.1", "", ""])
    text = shown(pairs)
    assert "the  █  ·  ·\n" in text
    assert "old  ·  ▒  ·\n" in text
    assert text.endswith(legend(gold=False, scores=True) + "\n")


def test_words_are_split_at_spaces_and_tabs_only(pairs):
    pairs.write("s", ["10\u00a0000\twords", *SOURCE[1:]])
    pairs.write("a", ["0-0 1-1", *LINKS[1:]])
    assert shown(pairs).startswith("pair 1: 2 source words,")


def test_width(pairs):
    pairs.write("s", [" ".join(f"word{k}" for k in range(60))] * 3)
    pairs.write("t", [" ".join(f"wort{k}" for k in range(60))] * 3)
    pairs.write("a", [" ".join(f"{k}-{k}" for k in range(60))] * 3)
    assert max(map(cell_len, shown(pairs).split("\n"))) in range(90, 101)
    assert max(map(cell_len, shown(pairs, "--width", "40").split("\n"))) in range(30, 41)


def test_words_have_the_numbers_that_the_gold_has_for_them(pairs):
    assert "\n0   the  █  ·  ·\n1   old  ·  █  ·\n2 house  ·  ·  █\n" in shown(pairs)
    assert "\n0    1        2\nthe  old      house\nla   vieille  maison\n0    1        2\n" in shown(pairs)
    pairs.write("g", ["1 1 1 S", "1 3 3 S"])
    text = shown(pairs, "--gold", "g")
    assert "\n           1  2  3\n1   the [█] ·  ·\n2   old  ·  █  ·\n3 house" in text.replace(
        "         1", "           1"
    )


def test_one_file_may_hold_both_sides(pairs):
    expected = shown(pairs, "--line", "2", "--gold", "g")
    for name, bar in (("both.tsv", "\t"), ("both", " ||| "), ("bars.txt", " ||| ")):
        pairs.write(name, [bar.join(pair) for pair in zip(SOURCE, TARGET, strict=True)])
        assert pairs.ok("show", name, "a", "--line", "2", "--gold", "g").out == expected
    both = pairs.read("both")
    assert pairs.ok("show", "-", "a", "--line", "2", "--gold", "g", "--layout", "bars", stdin=both).out == expected
    assert pairs.fails("show", "both", "a", "--layout", "tsv") == (
        "both, line 1: no tab between the source and the target sentence"
    )


def test_without_alignments_there_is_nothing_to_show(pairs):
    message = pairs.fails("show", "s", code=2)
    assert message == "name the alignments too: SRC TGT ALIGN, or SRC ALIGN if SRC holds both sides"


# Formats


@pytest.mark.parametrize("name", ["pharaoh", "scored", "gold", "naacl", "giza", "jsonl"])
def test_the_format_is_found_out(pairs, name):
    base = get_format(name).default_base  # from which words are numbered too
    pairs.write("a", [re.sub(r"\d", lambda digit: str(int(digit[0]) + base), line) for line in LINKS])
    expected = shown(pairs, "--line", "1-3", "--base", base)
    pairs.write("scored", [re.sub(r"(\d-\d)", r"\1:1.0", line) for line in LINKS])
    pairs.ok(
        *("convert", "scored", "a", "--from", "scored", "--to", name, "--source", "s", "--target", "t", "--lines", "3")
    )
    for options in ((), ("--format", name)):
        lines = shown(pairs, "--line", "1-3", *options).split("\n")
        assert lines[:-2] == expected.split("\n")[:-2]


def test_files_that_leave_out_pairs(pairs):
    pairs.write("a", ["2 1 1 S", "2 3 2 S"])
    pairs.write("g", ["1 1 1 S"])
    text = shown(pairs, "--gold", "g", "--line", "1-3")
    assert "AER 100.00 %" in text
    assert text.count("no gold") == 2
    assert "(missed: the-la 1-1)" in text


def test_the_base_of_talp_files_is_stated_unless_it_is_given(pairs):
    pairs.write("a", ["1-1 2p2", "1-1", "1-1"])
    pairs.write("g", ["1-1 2p2", "1-1", "1-1"])
    outcome = pairs.ok("show", "s", "t", "a", "--gold", "g")
    assert [re.findall(r"--[a-z-]+ \d", line) for line in outcome.err.split("\n")] == [
        ["--base 1"],
        ["--gold-base 1"],
        [],
    ]
    text = shown(pairs, "--gold", "g", "--base", "1", "--gold-base", "1")
    assert "1   the [█] ·  ·\n2   old  · (█) ·\n" in text


def test_the_base_can_be_given(pairs):
    pairs.write("a", ["1-1 2-2", "1-1", "1-1"])
    assert "the  █  ·  ·\n" in shown(pairs, "--base", "1")
    assert "the  ·  ·  ·\n" in shown(pairs)


@pytest.mark.parametrize("file", ["s", "t", "a", "g"])
def test_one_of_the_files_may_be_standard_input(pairs, file):
    options = ["--gold", "g", "--line", "2-3"]
    expected = pairs.ok("show", "s", "t", "a", *options).out
    names = ["-" if name == file else name for name in ("s", "t", "a", *options)]
    assert pairs.ok("show", *names, stdin=pairs.read(file)) == (0, expected, "")


def test_nothing_is_read_beyond_the_pairs_shown(pairs):
    pairs.write("s", [*SOURCE[:2], "one more", "and more"])
    pairs.write("a", [*LINKS[:2], "rubbish"])
    assert "pair 2" in shown(pairs, "--line", "1-2", "--format", "pharaoh")


# Pictures


def test_pictures(pairs):
    root = ElementTree.fromstring(shown(pairs, "--svg", "--gold", "g", "--line", "2-3").encode())
    assert [group.get("id") for group in root.findall("{*}g")] == ["pair-2", "pair-3", "key"]
    document = shown(pairs, "--latex", "--gold", "g", "--line", "2-3")
    assert document.count(r"\begin{tikzpicture}") == 2
    assert document.startswith("% Word alignment")
    assert document.endswith("\\end{document}\n")


@pytest.mark.parametrize("options", [[], ["--svg"], ["--latex"]], ids=" ".join)
def test_output_to_a_file(pairs, options):
    expected = shown(pairs, *options)
    assert shown(pairs, *options, "-o", "out") == ""
    assert pairs.read("out") == expected
    assert shown(pairs, *options, "-o", "-") == expected


# What cannot be


@pytest.mark.parametrize("line", ["0", "9-3", "x", "", "-1", "1-", "1-2-3", "0-2", "1.5", " 1", "\u0661", "1" * 30])
def test_lines_that_cannot_be(pairs, line):
    assert f"--line {line}: " in pairs.fails("show", "s", "t", "a", f"--line={line}", code=2)


@pytest.mark.parametrize(("line", "missing"), [("4", 4), ("7", 7), ("3-4", 4), ("9-12", 9)])
def test_lines_beyond_the_end(pairs, line, missing):
    message = f"s and t: there are 3 pairs, so there is no pair {missing} to show"
    assert pairs.fails("show", "s", "t", "a", "--line", line) == message


def test_no_pairs_at_all(pairs):
    for name in "sta":
        pairs.write(name, "")
    assert pairs.fails("show", "s", "t", "a") == "s and t: there are 0 pairs, so there is no pair 1 to show"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["s", "t", "a", "--svg", "--latex"], "--latex and --svg cannot go together: give one of them"),
        (["-", "t", "-"], "only one of the files can be read from standard input"),
        (["s", "t", "-", "--gold", "-"], "only one of the files can be read from standard input"),
    ],
)
def test_options_that_do_not_go_together(pairs, options, message):
    assert pairs.fails("show", *options, code=2) == message


def test_unknown_formats(pairs):
    assert "unknown alignment format 'x'" in pairs.fails("show", "s", "t", "a", "--format", "x", code=2)
    assert "unknown alignment format 'x'" in pairs.fails(
        "show", "s", "t", "a", "--gold", "g", "--gold-format", "x", code=2
    )
    pairs.write("a", ["hello"])
    assert pairs.fails("show", "s", "t", "a").startswith("a, line 1: the format of alignments was not recognised")


def test_files_of_different_lengths(pairs):
    pairs.write("t", TARGET[:2])
    assert pairs.fails("show", "s", "t", "a", "--line", "3").startswith("s has 3 lines, t 2; line n of one")
    pairs.write("t", TARGET)
    pairs.write("a", LINKS[:1])
    assert pairs.fails("show", "s", "t", "a", "--line", "2") == "s and t has 3 lines, a 1"


def test_links_outside_their_sentences(pairs):
    pairs.write("a", [LINKS[0], "0-2", LINKS[2]])
    assert pairs.fails("show", "s", "t", "a", "--line", "2").startswith(
        "a, line 2: link 0-2 (counted from 0) lies outside"
    )
    assert shown(pairs, "--line", "1")
    pairs.write("g", ["0-3"])
    assert pairs.fails("show", "s", "t", "a", "--gold", "g").startswith("g, line 1: link 0-3")
    pairs.write("a", ["1 1 1", "1 4 1"])
    assert pairs.fails("show", "s", "t", "a").startswith("a, pair 1: link 4-1 (counted from 1)")


def test_a_file_is_not_touched_by_what_fails(pairs):
    pairs.write("out", "old\n")
    pairs.fails("show", "s", "t", "a", "--line", "9", "-o", "out")
    pairs.fails("show", "s", "t", "a", "-o", "nowhere/out")


def test_nothing_heavy_is_imported(pairs):
    code = (
        "import sys; from pralign.cli.app import app\n"
        f"app({['show', 's', 't', 'a', '--gold', 'g', '--svg', '-o', 'out']!r}, standalone_mode=False)\n"
        "print([name for name in ('numpy', 'numba', 'rich.console') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=pairs.folder, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stdout == "[]\n"


# On a terminal


def on_terminal(work, *arguments, columns=80, **environment):
    """What a terminal of so many columns is sent, and standard error."""
    pty = pytest.importorskip("pty", reason="there are no terminals here")
    import fcntl
    import struct
    import termios

    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        cwd=work.folder,
        env={**settings, "TERM": "xterm-256color", **environment},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=subprocess.PIPE,
    )
    os.close(terminal)
    received = b""
    with process:
        try:
            while chunk := os.read(main, 65536):
                received += chunk
        except OSError:  # the other end was closed
            pass
        os.close(main)
        err = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 0, err
    return received.decode().replace("\r\n", "\n"), err


def test_a_terminal_gets_colours_and_a_hint(pairs):
    text, err = on_terminal(pairs, "show", "s", "t", "a", "--gold", "g")
    assert "\x1b[32m[█]\x1b[0m" in text
    assert re.sub(r" *\n", "\n", re.sub(r"\x1b\[\d+m", "", text)) == shown(pairs, "--gold", "g", "--width", "80")
    assert err == "this is the first pair; --line 7 shows the seventh, --line 3-9 shows seven of them\n"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_refused(pairs, environment):
    text, _ = on_terminal(pairs, "show", "s", "t", "a", "--gold", "g", **environment)
    assert text == shown(pairs, "--gold", "g", "--width", "80")


def test_an_empty_no_color_refuses_nothing(pairs):
    assert "\x1b[" in on_terminal(pairs, "show", "s", "t", "a", "--gold", "g", NO_COLOR="")[0]


def test_those_who_ask_for_a_line_get_no_hint(pairs):
    assert on_terminal(pairs, "show", "s", "t", "a", "--line", "2")[1] == ""


def test_a_file_written_from_a_terminal_has_no_colours(pairs):
    assert on_terminal(pairs, "show", "s", "t", "a", "--gold", "g", "-o", "out") == ("", "")
    assert pairs.read("out") == shown(pairs, "--gold", "g")


def test_wide_characters_and_long_sentences_fit_the_terminal(pairs):
    pairs.write("s", ["the red apples in the garden", " ".join(f"word{k}" for k in range(60))])
    pairs.write("t", ["庭 の 赤い リンゴ", " ".join(f"単語{k}" for k in range(60))])
    pairs.write("a", ["1-2 2-3 3-1 5-0", " ".join(f"{k}-{59 - k}" for k in range(60))])
    text, _ = on_terminal(pairs, "show", "s", "t", "a", "--line", "1-2")
    lines = re.sub(r"\x1b\[\d+m", "", text).split("\n")
    assert max(map(cell_len, lines)) <= 80
    assert "               赤 ン" in lines
    assert "         庭 の い ゴ" in lines
    assert "          0  1  2  3" in lines
    assert text.count("█") == 4 + 60 + 1
    narrow, _ = on_terminal(pairs, "show", "s", "t", "a", "--line", "1-2", columns=8)
    lines = [line for line in re.sub(r"\x1b\[\d+m", "", narrow).split("\n") if not line.startswith(("pair", "(no"))]
    assert max(map(cell_len, lines)) <= 20


def test_a_pair_of_ten_thousand_words_is_shown_as_text_only(work):
    words = " ".join(f"w{k}" for k in range(10_000))
    work.write("s", [words])
    work.write("a", [" ".join(f"{k}-{k}" for k in range(10_000))])
    shown = work.ok("show", "s", "s", "a").out
    assert "too long for a table" in shown
    assert shown.count("w9999") == 2
    assert len(shown) < 1_000_000
    for picture in ("--svg", "--latex"):
        assert "10000 words; a picture has room for 200" in work.fails("show", "s", "s", "a", picture)


@pytest.mark.parametrize("name", ["s", "t", "a", "g"])
def test_what_is_read_is_not_written_over(pairs, name):
    message = pairs.fails("show", "s", "t", "a", "--gold", "g", "-o", name, code=2)
    assert message == f"{name}: cannot be written, because it is also the input {name}; choose another place"
