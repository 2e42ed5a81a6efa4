"""fast_align under another name: both directions, scores, tables, and alignment by a table."""

from __future__ import annotations

import math
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from dropins.conftest import lines_of, links_of
from pralign.dropins.diagonal import DiagonalModel, LinkShape, expected_feature, features, log_length
from pralign.dropins.fast_align import NAME, fast_align, sides
from pralign.dropins.tables import UNSEEN, TranslationTable, read_table, table_of
from pralign.errors import InputError
from pralign.lexicons import Lexicon


@pytest.fixture
def align(called):
    return partial(called, NAME, fast_align)


@pytest.fixture(scope="module")
def trained(tmp_path_factory, text):
    """What both directions write, each by a process of its own."""
    folder = tmp_path_factory.mktemp("trained")
    for name, more in (("fwd", ()), ("rev", ("-r", "-s"))):
        with (folder / name).open("w") as out, (folder / f"{name}.err").open("w") as err:
            command = [
                sys.executable,
                "-m",
                "pralign.dropins.fast_align",
                "-i",
                text / "joint",
                "-d",
                "-o",
                "-v",
                *more,
            ]
            subprocess.run([*command, "-p", folder / f"{name}.table"], stdout=out, stderr=err, check=True)
    return folder


def test_each_direction_has_its_links_in_its_order(trained, sentences):
    forward = [links_of(line) for line in lines_of(trained / "fwd")]
    reverse = [links_of(line.partition("||| ")[0]) for line in lines_of(trained / "rev")]
    for links, side in ((forward, 1), (reverse, 0)):
        assert sum(map(len, links)) > 200
        for found, source, target in zip(links, *sentences, strict=True):
            words = [link[side] for link in found]
            assert words == sorted(set(words))
            assert all(i < len(source.split()) and j < len(target.split()) for i, j in found)


def test_scores_are_log_probabilities(trained, sentences):
    scores = [float(line.rpartition("||| ")[2]) for line in lines_of(trained / "rev")]
    words = [len(source.split()) for source in sentences[0]]
    assert all(score < 0 for score in scores)
    long = [score for score, count in zip(scores, words, strict=True) if count > 10]
    assert sum(long) / len(long) < -10


def test_standard_error_has_what_scripts_look_for(trained):
    for name in ("fwd", "rev"):
        said = lines_of(trained / f"{name}.err")
        [ratio] = [float(line.split()[-1]) for line in said if "expected target length" in line]
        [tension] = [float(line.split()[-1]) for line in said if "final tension" in line]
        assert 0.5 < ratio < 2 and 0.1 <= tension <= 14
        assert said[:4] == ["ARG=i", "ARG=d", "ARG=o", "ARG=v"]
        assert any(line.startswith("ITERATION 8 (FINAL)") for line in said)
        assert "Error in line 4" in said
        assert (
            f"{NAME}: -d, -o, -v have no effect: it is pralign's model that is trained, not that of fast_align" in said
        )


def test_tables_hold_log_probabilities_of_either_direction(trained):
    for name, given, made in (("fwd", "the", "le"), ("rev", "le", "the")):
        table = read_table(trained / f"{name}.table")
        assert 0.05 < table.probability(given, made) <= 1
        assert table.probability(given.upper(), made) == table.probability(given, made)
        assert table.probability("<eps>", made) < 1


def test_pairs_are_aligned_by_tables_as_they_come(trained, text):
    """What scripts do: both directions and atools stay open, and each line is answered before the next is sent."""
    said = {name: lines_of(trained / f"{name}.err") for name in ("fwd", "rev")}

    def found(name, what):
        return next(line.split()[-1] for line in said[name] if what in line)

    running = []
    for name, more in (("fwd", ()), ("rev", ("-r",))):
        model = (
            "-T",
            found(name, "final tension"),
            "-m",
            found(name, "expected target"),
            "-f",
            trained / f"{name}.table",
        )
        command = [sys.executable, "-m", "pralign.dropins.fast_align", "-i", "-", "-d", *model, *more]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8"))
    trained_links = [links_of(line) for line in lines_of(trained / "fwd")]
    same = total = 0
    asked = [pair for pair in zip(lines_of(text / "joint"), trained_links, strict=True) if pair[1]][:30]
    for line, before in asked:
        for process, side in zip(running, (1, 0), strict=True):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            source, target, links, score = process.stdout.readline().split("|||")
            assert f"{source}|||{target}".split() == line.split()
            words = [link[side] for link in links_of(links)]
            assert words == sorted(set(words))
            assert float(score) < 0
            if side == 1:
                same, total = same + len(set(links_of(links)) & set(before)), total + len(before)
    assert same > total / 2
    for process in running:
        process.stdin.close()
        process.stdout.close()
        assert process.wait(60) == 0


def test_a_text_of_empty_lines_is_answered_and_named(align, tmp_path):
    (tmp_path / "j").write_text("a |||\n\n||| b\n")
    code, out, err = align("-i", tmp_path / "j", "-p", tmp_path / "p")
    assert (code, out) == (0, "\n\n\n")
    assert [line for line in err.splitlines() if line.startswith("Error")] == [f"Error in line {n}" for n in (1, 2, 3)]
    assert (tmp_path / "p").read_text() == ""
    assert f"{NAME}: nothing was trained: no line of {tmp_path}/j has words on both sides of ||| or of a tab" in err


def test_forced_alignment_ends_at_a_line_with_an_empty_side(align, tmp_path):
    (tmp_path / "j").write_text("a ||| b\na |||\na ||| b\n")
    (tmp_path / "p").write_text("a\tb\t-0.1\n")
    code, out, err = align("-i", tmp_path / "j", "-f", tmp_path / "p")
    assert (code, err.splitlines()[-1]) == (1, "Error in line 2")
    assert out.startswith("a ||| b ||| 0-0 ||| ") and out.count("\n") == 1


def test_a_tab_is_as_good_as_bars(align, tmp_path):
    assert sides("a b\tc") == (["a", "b"], ["c"])
    assert sides("a\tb c\td ||| e") == (["a"], ["b", "c", "|||", "d", "|||", "e"])
    (tmp_path / "j").write_text("a b\tc d\n\n")
    code, out, err = align("-i", tmp_path / "j", "-T", "5", "-o", "-t", "-3")
    assert (code, out.splitlines()[1:]) == (0, [""]) and "0-0" in out
    assert "final tension" in err and "nothing was trained" not in err
    assert f"{NAME}: -t has no effect: it is about the table of -p" in err


def test_files_that_are_open_get_the_table(align, tmp_path):
    (tmp_path / "j").write_text("a ||| b\n")
    with (tmp_path / "p").open("w+") as opened:
        assert align("-i", tmp_path / "j", "-p", tmp_path / "p")[0] == 0
        assert opened.read().startswith("a\tb\t")


def test_operands_and_empty_names_are_as_good_as_none(align, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j").write_text("a ||| b\n")
    code, out, err = align("-i", "j", "stray", "-p", "")
    assert (code, out) == (0, "0-0\n")
    assert f"{NAME}: stray has no effect: no option takes it" in err
    assert [path.name for path in tmp_path.iterdir()] == ["j"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "-i FILE is needed"),
        (("-i", "none"), "none"),
        (("-i", "j", "-x"), "option -x"),
        (("-i", "j", "-v", "-a", "0"), "--alpha must be > 0"),
        (("-i", "j", "-I", "many"), "-I takes a number, not many"),
        (("-i", "j", "-f", "none"), "none"),
        (("-i", "j", "-f", ""), "-f needs the name of a table"),
        (("-i", "j", "-f", "none", "-d", "-q", "1.5"), "-q is a probability, 0 to 1, not 1.5"),
        (("-i", "j", "-f", "none", "-m", "-1"), "-m is a ratio of lengths, 0 or more, not -1"),
        (("-i", "j", "-f", "none", "-T", "inf"), "-T is a number, not inf"),
        (("-i", "j", "-f", "j"), "j, line 1: a line of a table"),
        (("-i", "j", "-p", "j"), "j"),
    ],
)
def test_what_cannot_be_done_ends_with_one(align, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "j").write_text("a ||| b\n")
    code, out, err = align(*arguments)
    assert (code, out) == (1, "")
    assert said in err.splitlines()[-1]
    assert (tmp_path / "j").read_text() == "a ||| b\n"


def naive_forced(table, given, made, tension, null, ratio, use_null):
    """Links and score by the formula, word by word."""
    links, score = [], log_length(len(made), len(given), ratio)
    for j, word in enumerate(made):
        weights = [
            1.0 if tension is None else math.exp(-tension * abs((i + 1) / len(given) - (j + 1) / len(made)))
            for i in range(len(given))
        ]
        of_null = null if tension is not None else 1 / (len(given) + 1) if use_null else 0.0
        likely = [
            weight / sum(weights) * (1 - of_null) * table.probability(each, word)
            for weight, each in zip(weights, given, strict=True)
        ]
        unlinked = of_null * table.probability("<eps>", word) if use_null else 0.0
        if max(likely) > unlinked:
            links.append((likely.index(max(likely)), j))
        score += math.log(sum(likely) + unlinked)
    return links, score


@pytest.mark.parametrize("tension", [None, 0.0, 4.0, 12.5])
@pytest.mark.parametrize("null", [0.0, 0.08])
@pytest.mark.parametrize("use_null", [True, False])
def test_forced_alignment_is_that_of_the_formula(tension, null, use_null):
    table = TranslationTable()
    for given, made, probability in (("a", "x", 0.6), ("b", "x", 0.1), ("b", "y", 0.5), ("<eps>", "z", 0.4)):
        table.put(given, made, probability)
    model = DiagonalModel(table, tension, null, 1.25, use_null)
    for given, made in ((["a", "b", "c"], ["x", "y", "z", "x"]), (["b"], ["w", "x"]), (["c", "b", "a", "a"], ["x"])):
        links, score = model.align(given, made)
        expected = naive_forced(table, given, made, tension, null, 1.25, use_null)
        assert links == expected[0]
        assert score == pytest.approx(expected[1], abs=1e-9)


@pytest.mark.parametrize("tension", [0.8, 5.0, 13.0])
def test_the_tension_is_the_one_with_which_links_would_be_where_they_are(tension):
    shape, sizes = LinkShape(), [(6, 7), (6, 7), (3, 9), (12, 10)]
    for given, made in sizes:
        shape.add_pair(given, made)
    shape.linked, shape._distance = 1, expected_feature(shape.sizes, tension)
    assert shape.tension() == pytest.approx(tension, abs=1e-4)
    assert shape.ratio == pytest.approx((7 / 6 * 2 + 3 + 10 / 12) / 4)


def test_where_nothing_is_left_the_probability_is_zero():
    assert DiagonalModel(TranslationTable(), 4.0, 1.0, use_null=False).align(["a"], ["b"]) == ([], -math.inf)


def test_options_of_null_reach_the_model(align, tmp_path):
    """Without null its prior is left over; without a diagonal the prior is not looked at."""
    (tmp_path / "j").write_text("a ||| b\n")
    (tmp_path / "p").write_text("a\tb\t-0.1\n<eps>\tb\t-0.1\n")

    def score(*more):
        return float(align("-i", tmp_path / "j", "-f", tmp_path / "p", *more)[1].rpartition(" ")[2])

    length = log_length(1, 1, 1.0)
    assert score("-d", "-N", "-q", "0.3") == pytest.approx(length - 0.1 + math.log(0.7), abs=1e-5)
    assert score("-d", "-q", "0") == pytest.approx(length - 0.1, abs=1e-5)
    assert score("-q", "0") == pytest.approx(length - 0.1, abs=1e-5)
    assert score("-N") == pytest.approx(length - 0.1, abs=1e-5)
    assert score("-d", "-q", "0.3") == pytest.approx(length - 0.1, abs=1e-5)


@pytest.mark.parametrize(("beam", "kept"), [(-4.0, {"x", "y"}), (-1.5, {"x"}), (-0.5, set()), (-9.0, {"x", "y", "z"})])
def test_the_beam_multiplies_the_logarithm_of_the_best(beam, kept):
    """Of 0.5, 0.1 and 0.01: four times the logarithm of the first is that of 0.0625."""
    probabilities = np.array([0.5, 0.1, 0.01])
    lexicon = Lexicon(["a"], ["x", "y", "z"], np.zeros(3, int), np.arange(3), probabilities, probabilities)
    table = table_of(lexicon, False, beam)
    assert {made for made in "xyz" if table.probability("a", made) > UNSEEN} == kept


def test_the_ratio_of_lengths_is_kept_while_pairs_come():
    shape = LinkShape()
    shape.add_pair(2, 3)
    shape.sizes = None  # which are many
    assert shape.ratio == 1.5


def test_features_are_distances_from_the_diagonal():
    assert features(2, 1).tolist() == [[-0.5, 0.0]]


def test_what_a_table_calls_impossible_is_next_to_it(tmp_path):
    (tmp_path / "p").write_text("a\tb\t-inf\na\tc\t-1e-16\n")
    table = read_table(tmp_path / "p")
    assert 0 < table.probability("a", "b") < 1e-300
    assert table.probability("a", "c") == pytest.approx(1)


@pytest.mark.parametrize("line", ["a\tb", "a\tb\tc", "a\tb\t0.5", "a\tb\tnan", "a b -1", "a\tb\t-1\t2"])
def test_a_line_that_is_none_of_a_table_is_refused(tmp_path, line):
    (tmp_path / "p").write_text(f"a\tb\t-1\n{line}\n")
    with pytest.raises(InputError, match="p, line 2: a line of a table"):
        read_table(tmp_path / "p")
