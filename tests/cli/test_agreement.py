"""``pralign agreement``: what it prints, what it reads, and what it refuses."""

from __future__ import annotations

import json

import pytest

A = ["0-0 1?1", "0-0", "skipped", "", "none"]
B = ["0-0 1-1 2-1", "0-1", "0-0", "", "none"]
SOURCE = ["a b c", "d e", "f", "g", "h"]
TARGET = ["x y", "z w", "v", "u", "t"]
TEXTS = ["--source", "s", "--target", "t"]

NUMBERS = """\
links       57.14 %   2 |A&B| / (|A| + |B|) = 2 * 2 / (3 + 4)
sure links  33.33 %   2 * 1 / (2 + 4)
possible     0.00 %   2 * 0 / (1 + 0)
same kind   50.00 %   of the links that both have, 1 of 2
"""
JUDGED = """\
AER         42.86 %   of A, judged by B
AER         50.00 %   of B, judged by A

3 pairs compared, which both have labelled; 1 labelled in B only; 1 labelled in neither; 1 skipped in A

"""
WITHOUT_TEXT = f"""\
{NUMBERS}\
kappa           -     needs the lengths of sentences: give --source and --target
{JUDGED}\
2 of 2 pairs that differ, those that differ most first:

pair 2: agreement 0.00 %
  only A: 0-0
  only B: 0-1

pair 1: agreement 80.00 %
  only B: 2-1
  sure or possible (A): 1?1

metric:agreement|pairs:3|version:0.1.0
"""
WITH_TEXT = f"""\
{NUMBERS}\
kappa        0.2281   none, sure or possible, of 11 cells
kappa        0.3774   linked or not, of 11 cells
{JUDGED}\
2 of 2 pairs that differ, those that differ most first:

pair 2: agreement 0.00 %
  only A: 0-0 d / z
  only B: 0-1 d / w

pair 1: agreement 80.00 %
  only B: 2-1 c / y
  sure or possible (A): 1?1 b / y

metric:agreement|cells:11|pairs:3|version:0.1.0
"""


@pytest.fixture
def two(work):
    """A folder with the links of two annotators, ``A`` and ``B``, and the text, ``s`` and ``t``."""
    for name, lines in (("A", A), ("B", B), ("s", SOURCE), ("t", TARGET)):
        work.write(name, lines)
    return work


def as_json(work, *arguments, **options):
    return json.loads(work.ok("agreement", *arguments, "--json", **options).out)


def test_numbers_and_pairs_that_differ(two):
    outcome = two.ok("agreement", "A", "B")
    assert (outcome.out, outcome.err) == (WITHOUT_TEXT, "")


def test_with_the_text_kappa_and_words(two):
    assert two.ok("agreement", "A", "B", *TEXTS).out == WITH_TEXT


def test_as_many_pairs_as_wanted(two):
    head, signature = WITHOUT_TEXT.partition("2 of 2 pairs")[0], WITHOUT_TEXT.splitlines()[-1]
    assert two.ok("agreement", "A", "B", "--most", "0").out == f"{head}{signature}\n"
    one = two.ok("agreement", "A", "B", "--most", "1").out
    assert "1 of 2 pairs that differ, those that differ most first:\n\npair 2" in one
    assert "pair 1:" not in one


def test_for_programs(two):
    found = as_json(two, "A", "B", *TEXTS)
    assert (found["first"], found["second"]) == ("A", "B")
    assert found["agreement"] == pytest.approx(4 / 7)
    assert found["kappa"] == pytest.approx((11 * 7 - 64) / (121 - 64))
    assert found["aer"] == {"first": pytest.approx(3 / 7), "second": 0.5}
    assert found["pairs"]["both"] == 3
    assert [pair["pair"] for pair in found["differences"]] == [2, 1]
    fewer = as_json(two, "A", "B", *TEXTS, "--most", "1")
    assert fewer == found | {"differences": found["differences"][:1]}


def test_twenty_pairs_have_an_interval(two):
    two.write("A", A[:2] * 10)
    two.write("B", B[:1] * 20)
    first = two.ok("agreement", "A", "B").out.splitlines()[0]
    assert "; 95 % interval " in first
    assert first.endswith(" %")


def test_who_never_disagrees(two):
    out = two.ok("agreement", "A", "A", *TEXTS).out
    assert "pairs that differ" not in out
    assert "kappa        1.0000   linked or not, of 11 cells" in out


def test_without_any_link_kappa_says_nothing(two):
    two.write("A", ["none", *[""] * 4])
    out = two.ok("agreement", "A", "A", *TEXTS).out
    assert "kappa           -     linked or not, which are all the same to both\n" in out
    two.write("s", ["", *SOURCE[1:]])
    assert "--source" not in two.ok("agreement", "A", "A", *TEXTS).out


def test_each_file_may_come_from_standard_input(two):
    expected = as_json(two, "A", "B", *TEXTS)
    for name in ("A", "B", "s", "t"):
        arguments = ["-" if argument == name else argument for argument in ("A", "B", *TEXTS)]
        found = as_json(two, *arguments, stdin=two.read(name))
        shown = {"A": "first", "B": "second"}.get(name)
        assert found == (expected if shown is None else expected | {shown: "standard input"})


# Other formats


def test_links_one_a_line(two):
    two.write("a", ["1 1 1 S", "1 2 2 P", "2 1 1 S"])
    two.write("b", ["1 1 1", "1 2 2", "1 3 2", "2 1 2", "3 1 1"])
    found = as_json(two, "a", "b", "--format", "naacl", *TEXTS)
    assert found["links"]["both"] == 2
    assert found["pairs"]["both"] == 5  # such files do not tell what is labelled from what has no links
    assert as_json(two, "a", "b", *TEXTS) == found
    without = as_json(two, "a", "b")  # the last pair of one file has no links in the other
    assert without["pairs"]["both"] == 3
    assert without["agreement"] == found["agreement"]


def test_one_file_a_gold_and_one_not(two):
    two.write("a", ["1 1 1 S", "1 2 2 P", "2 1 1 S"])
    found = as_json(two, "a", "B")
    assert found["pairs"]["both"] == 4
    assert found["pairs"]["neither"] == 0


def test_words_counted_from_one(two):
    two.write("A", ["1-1 2?2", "1-1", "skipped", "", "none"])
    two.write("B", ["1-1 2-2 3-2", "1-2", "1-1", "", "none"])
    assert two.ok("agreement", "A", "B", "--base", "1", *TEXTS).out == WITH_TEXT
    two.write("B", ["1-1 2-2 3-3", "1-2", "1-1", "", "none"])
    message = two.fails("agreement", "A", "B", "--base", "1", *TEXTS)
    assert message.startswith("B, line 1: link 3-3 (counted from 1) lies outside a pair of 3 source and 2 target words")


# What is refused


def test_links_lie_in_the_text(two):
    two.write("B", ["0-0", "0-2", "", "", ""])
    message = two.fails("agreement", "A", "B", *TEXTS)
    assert message.startswith("B, line 2: link 0-2 (counted from 0) lies outside a pair of 2 source and 2 target words")


@pytest.mark.parametrize(
    ("name", "lines", "options", "message"),
    [
        ("B", B[:4], [], "A has 5 lines, B 4"),
        ("B", B[:4], TEXTS, "A has 5 lines, B 4"),
        ("s", SOURCE[:4], TEXTS, "s has 4 lines, t 5"),
        ("B", ["", "", "0-0", "", ""], [], "A and B have no pair that both have labelled, so there is no comparing"),
        ("B", ["0-0", "0-x", "", "", ""], ["--format", "gold"], "B, line 2: "),
        ("B", ["what is this", *B[1:]], [], "B, line 1: the format of alignments was not recognised"),
    ],
)
def test_files_that_do_not_go_together(two, name, lines, options, message):
    two.write(name, lines)
    assert two.fails("agreement", "A", "B", *options).startswith(message)


def test_a_text_of_another_length(two):
    two.write("s", SOURCE[:4])
    two.write("t", TARGET[:4])
    assert two.fails("agreement", "A", "B", *TEXTS) == "A has 5 lines, s 4"


def test_wrong_calls(two):
    alone = "--source and --target go together: give both or neither"
    assert two.fails("agreement", "A", "B", "--source", "s", code=2) == alone
    assert two.fails("agreement", "A", "B", "--target", "t", code=2) == alone
    assert two.fails("agreement", "-", "-", code=2) == "only one of the files can be read from standard input"
    assert two.fails("agreement", "A", "C") == "C: cannot read: No such file or directory"
    assert two.fails("agreement", "A", "B", "--format", "csv", code=2).startswith(
        "unknown alignment format 'csv'; known"
    )
    for options in (["--most", "-1"], ["--base", "2"]):
        assert two.run("agreement", "A", "B", *options).code == 2


def test_names_do_nothing_to_a_terminal(two):
    two.write("A\x1b[2J", A)
    out = two.ok("agreement", "A\x1b[2J", "B").out
    assert "\x1b" not in out
    assert "AER         42.86 %   of A\\x1b[2J, judged by B" in out


def test_words_do_nothing_to_a_terminal(two):
    two.write("s", ["a b c", "d\x1b[2J e", *SOURCE[2:]])
    out = two.ok("agreement", "A", "B", *TEXTS).out
    assert "\x1b" not in out


def test_text_that_is_not_cut_into_words(two):
    two.write("s", ["a b, c", "d e", "f", "g", "h"])
    two.write("A", ["0-0 3-1", *A[1:]])
    assert "counted from 0" in two.fails("agreement", "A", "B", *TEXTS)
    assert "only A: 3-1 c / y" in two.ok("agreement", "A", "B", *TEXTS, "--tokenize", "unicode").out
    assert "give these too" in two.fails("agreement", "A", "B", "--tokenize", "unicode", code=2)
