import json
import subprocess
import sys

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from oracles.naive_evaluation import naive_scores
from pralign import __version__
from pralign.cli.console import messages_shown
from pralign.cli.evaluate import evaluate
from pralign.errors import InputError, UsageError

app = typer.Typer()
app.command()(evaluate)

MEASURES = ["aer", "precision", "recall", "f1", "f1_sure", "errors"]
GOLD = "0-0 1-1 2?2\n0-0 1-2 2-1\n0-1 1?1\n0-0\n1-1 2-2 3-3\n0?0 1-1\n"
HYP = "0-0 1-2\n0-0 1-1 2-2\n0-1\n1-1\n1-1 2-2\n\n"
OTHER = "0-0 1-1\n0-0 1-2\n0-0 1-1\n0-0\n1-1 2-2 3-3\n1-1\n"
SOURCE = "a b c\na b c\na b\na b\na b c d\na b\n"
TEXTS = ["--source", "source", "--target", "target"]


def run(*arguments, stdin=None):
    with messages_shown():
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def as_json(*arguments, stdin=None):
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def error(*arguments, kind=InputError):
    with pytest.raises(kind) as caught:
        run(*arguments)
    return str(caught.value)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into the folder where the command runs; some are there already."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        for name, text in contents.items():
            (tmp_path / name).write_text(text, encoding="utf-8")

    write(hyp=HYP, other=OTHER, gold=GOLD, source=SOURCE, target=SOURCE)
    return write


# An oracle that draws whole test sets, link by link


def links(text):
    return [{tuple(map(int, link.split("-"))) for link in line.split()} for line in text.splitlines()]


def golds(text):
    sure = links("\n".join(" ".join(t for t in line.split() if "-" in t) for line in text.splitlines()))
    return list(zip(sure, links(text.replace("?", "-")), strict=True))


def drawn(text, samples, seed, measure):
    """The score on each sample of the pairs."""
    pairs = list(zip(links(text), golds(GOLD), strict=True))
    numbers = np.random.default_rng(seed).integers(len(pairs), size=(samples, len(pairs)))
    return np.array([float(naive_scores([pairs[k] for k in row])[measure]) for row in numbers])


def middle(values):
    return pytest.approx(np.quantile(values, [0.025, 0.975]).tolist(), abs=1e-12)


@pytest.mark.parametrize(("options", "samples", "seed"), [([], 1000, 0), (["--bootstrap", "40", "--seed", "7"], 40, 7)])
def test_json_holds_scores_differences_and_intervals(write, options, samples, seed):
    values = as_json("hyp", "gold", "--compare", "other", *options)
    compared = values["compare"]
    assert list(compared) == ["name", "scores", "measures"]
    assert compared["name"] == "other"
    assert compared["scores"] == as_json("other", "gold")
    assert list(compared["measures"]) == MEASURES
    for measure, found in compared["measures"].items():
        first, second = (drawn(text, samples, seed, measure) for text in (HYP, OTHER))
        gains = (first - second if measure in ("aer", "errors") else second - first).round(12)
        worse = samples - max((gains > 0).sum(), (gains < 0).sum())
        assert found["measure"] == measure
        assert (found["first"], found["second"]) == (values[measure], compared["scores"][measure])
        assert found["difference"] == found["second"] - found["first"]
        assert found["first_interval"] == middle(first)
        assert found["second_interval"] == middle(second)
        assert found["interval"] == middle(second - first)
        assert found["better"] == (gains > 0).sum() / samples
        assert found["p_value"] == min(1, 2 * (worse + 1) / (samples + 1))
        assert (found["pairs"], found["samples"], found["seed"]) == (6, samples, seed)


def test_the_scores_themselves_stay_as_they_are(write):
    plain = as_json("hyp", "gold", *TEXTS)
    compared = as_json("hyp", "gold", *TEXTS, "--compare", "other", "--bootstrap", "9")
    assert compared.keys() - plain.keys() == {"compare", "intervals"}
    assert {name: compared[name] for name in plain} == plain
    assert compared["compare"]["scores"] == as_json("other", "gold", *TEXTS)
    shown = run("hyp", "gold", *TEXTS).stdout.rstrip("\n")
    assert run("hyp", "gold", *TEXTS, "--compare", "other").stdout.startswith(f"{shown}\n\nHYP    hyp\n")
    assert run("hyp", "gold", *TEXTS, "--bootstrap", "9").stdout.startswith(f"{shown}\n\n")


# Intervals of one system


def test_a_bootstrap_alone_gives_intervals(write):
    values = as_json("hyp", "gold", "--bootstrap", "60", "--seed", "3")
    assert "compare" not in values
    assert list(values["intervals"]) == MEASURES
    for measure, interval in values["intervals"].items():
        assert interval == middle(drawn(HYP, 60, 3, measure))
    assert "intervals" not in as_json("hyp", "gold", "--compare", "other")
    assert (
        as_json("hyp", "gold", "--compare", "other", "--bootstrap", "60", "--seed", "3")["intervals"]
        == (values["intervals"])
    )


TITLES = ["AER", "precision", "recall", "F1", "F1 sure", "errors a pair"]


def shown(measure, value, sign=""):
    """All are percentages, but for the number of errors."""
    return f"{value if measure == 'errors' else 100 * value:{sign}z.2f}"


def unit(measure):
    return [] if measure == "errors" else ["%"]


def test_intervals_as_text(write):
    values = as_json("hyp", "gold", "--bootstrap", "60")
    *_, header, aer, precision, recall, f1, sure, errors, blank, signature = (
        run("hyp", "gold", "--bootstrap", "60").stdout.rstrip("\n").split("\n")
    )
    assert header.split() == ["HYP", "95", "%", "interval"]
    assert (blank, signature) == ("", f"test:bootstrap|pairs:6|samples:60|seed:0|version:{__version__}")
    for title, measure, line in zip(TITLES, MEASURES, (aer, precision, recall, f1, sure, errors), strict=True):
        low, high = (shown(measure, value) for value in values["intervals"][measure])
        assert line.startswith(f"{title} ")
        assert line.removeprefix(title).split() == [shown(measure, values[measure]), *unit(measure), low, "to", high]
        assert len(line) == len(header)


def test_with_a_curve_too(write):
    write(hyp="".join(" ".join(f"{link}:0.5" for link in line.split()) + "\n" for line in HYP.splitlines()))
    values = as_json("hyp", "gold", "--curve", "--bootstrap", "5", "--compare", "other")
    assert {"curve", "intervals", "compare"} <= values.keys()
    out = run("hyp", "gold", "--curve", "--compare", "other").stdout
    assert out.index("metric:aer") < out.index("area under") < out.index("\nHYP ") < out.index("test:paired-bootstrap")


# The comparison as text


def comparison(*arguments):
    """The part of the output that compares, line by line."""
    out = run(*arguments).stdout
    assert out.isascii()
    return out[out.index("\nHYP ") + 1 :].rstrip("\n").split("\n")


def test_the_comparison_is_a_table_a_sentence_and_a_signature(write):
    values = as_json("hyp", "gold", "--compare", "other")["compare"]["measures"]
    first, second, blank, header, *rows = comparison("hyp", "gold", "--compare", "other")
    assert (first, second, blank) == ("HYP    hyp", "OTHER  other", "")
    assert header.split("  ")[-1].strip() == "p"
    *rows, empty, verdict, end, signature = rows
    assert (empty, end) == ("", "")
    assert verdict.startswith("By AER OTHER is better than HYP, ")
    assert signature == values["aer"]["signature"]
    assert signature == f"test:paired-bootstrap|measure:aer|pairs:6|samples:1000|seed:0|version:{__version__}"
    for title, measure, row in zip(TITLES, MEASURES, rows, strict=True):
        found = values[measure]
        expected = []
        for order in ("first", "second"):
            low, high = (shown(measure, value) for value in found[f"{order}_interval"])
            expected += [shown(measure, found[order]), *unit(measure), low, "to", high]
        low, high = (shown(measure, value, "+") for value in found["interval"])
        expected += [shown(measure, found["difference"], "+"), low, "to", high, f"{found['p_value']:.4f}"]
        assert row.startswith(f"{title} ")
        assert row.removeprefix(title).split() == expected
        assert len(row) == len(header)
    assert len({tuple(k for k in range(len(row) - 1) if row[k : k + 2] == "to") for row in rows}) == 1


def test_the_block_does_not_repeat_the_intervals_of_the_first_system(write):
    assert run("hyp", "gold", "--compare", "other", "--bootstrap", "1000").stdout == (
        run("hyp", "gold", "--compare", "other").stdout
    )


def verdict(hyp, other, gold, write):
    write(hyp=hyp, other=other, gold=gold)
    return comparison("hyp", "gold", "--compare", "other")[-3]


def test_the_sentence_says_who_is_better_and_whether_that_could_be_chance(write):
    gold, wrong = "0-0\n" * 20, "1-1\n" * 20
    sure = "and this is hardly chance: p is below 0.05."
    assert verdict(wrong, gold, gold, write) == f"By AER OTHER is better than HYP, {sure}"
    assert verdict(gold, wrong, gold, write) == f"By AER HYP is better than OTHER, {sure}"
    nearly = gold.replace("0-0\n", "1-1\n", 1)
    perhaps = "but this could be chance: p is not below 0.05."
    assert verdict(nearly, gold, gold, write) == f"By AER OTHER is better than HYP, {perhaps}"
    assert verdict(gold, nearly, gold, write) == f"By AER HYP is better than OTHER, {perhaps}"
    assert verdict(nearly, nearly, gold, write) == "HYP and OTHER have the same AER."


def test_the_sentence_can_be_about_errors_a_pair_which_another_system_may_win(write):
    """Of ten links, one system draws four, all right; the other sixteen, nine of them right."""
    right = [f"{k}-{k}" for k in range(10)]
    wrong = [f"{k}-{k + 1}" for k in range(7)]
    few, many, gold = (f"{' '.join(each)}\n" * 40 for each in (right[:4], right[:9] + wrong, right))
    write(hyp=few, other=many, gold=gold)
    arguments = ["hyp", "gold", "--compare", "other"]
    assert comparison(*arguments)[-3].startswith("By AER OTHER is better than HYP")
    assert comparison(*arguments) == comparison(*arguments, "--by", "aer")
    *_, told, _, signature = comparison(*arguments, "--by", "errors")
    assert told == "By errors a pair HYP is better than OTHER, and this is hardly chance: p is below 0.05."
    assert "measure:errors" in signature
    same = comparison("hyp", "gold", "--compare", "hyp", "--by", "errors")
    assert same[-3] == "HYP and OTHER make equally many errors."


def test_what_decides_is_one_of_two_measures_of_a_comparison(write):
    assert "--by is aer or errors, not f1" in error("hyp", "gold", "--compare", "other", "--by", "f1", kind=UsageError)
    assert "give OTHER with --compare" in error("hyp", "gold", "--by", "errors", kind=UsageError)


def test_a_system_is_as_good_as_itself(write):
    values = as_json("hyp", "gold", "--compare", "hyp")["compare"]
    assert values["name"] == "hyp"
    for found in values["measures"].values():
        assert (found["difference"], found["interval"], found["p_value"]) == (0, [0, 0], 1)
    table = "\n".join(comparison("hyp", "gold", "--compare", "hyp"))
    assert "+0.00" in table
    assert "-0.00" not in table


def test_the_two_may_change_places(write):
    one = as_json("hyp", "gold", "--compare", "other")
    two = as_json("other", "gold", "--compare", "hyp")
    for measure in MEASURES:
        left, right = (each["compare"]["measures"][measure] for each in (one, two))
        assert left["difference"] == -right["difference"]
        assert left["p_value"] == right["p_value"]
        assert left["first_interval"] == right["second_interval"]
        assert left["interval"] == pytest.approx([-value for value in reversed(right["interval"])], abs=1e-12)


# How the other system is read


def test_the_format_of_the_other_is_found_out_or_given(write):
    expected = as_json("hyp", "gold", "--compare", "other")["compare"]
    jsonl = "".join(json.dumps({"links": sorted(pair)}) + "\n" for pair in links(OTHER))
    naacl = "".join(f"{n} {i + 1} {j + 1}\n" for n, pair in enumerate(links(OTHER), 1) for i, j in sorted(pair))
    scored = "".join(" ".join(f"{i}-{j}:0.5" for i, j in pair) + "\n" for pair in links(OTHER))
    for text, name in ((jsonl, "jsonl"), (naacl, "naacl"), (scored, "scored")):
        write(other=text)
        assert as_json("hyp", "gold", "--compare", "other")["compare"] == expected
        assert as_json("hyp", "gold", "--compare", "other", "--compare-format", name)["compare"] == expected
    assert error("hyp", "gold", "--compare", "other", "--compare-format", "gold").startswith("other, line 1: found '")
    message = error("hyp", "gold", "--compare", "other", "--compare-format", "nope", kind=UsageError)
    assert "unknown alignment format 'nope'" in message


def test_what_is_left_out_at_the_end_of_the_other_is_empty(write):
    write(other="1 1 1\n", hyp="0-0\n\n\n\n\n\n")
    compared = as_json("hyp", "gold", "--compare", "other")["compare"]
    assert compared["measures"]["aer"]["difference"] == 0
    assert compared["scores"]["pairs"] == 6


def test_the_base_of_the_other_is_its_own(write):
    expected = as_json("hyp", "gold", "--compare", "other")["compare"]["measures"]
    write(other="".join(" ".join(f"{i + 1}-{j + 1}" for i, j in pair) + "\n" for pair in links(OTHER)))
    compared = as_json("hyp", "gold", "--compare", "other", "--compare-base", "1")["compare"]["measures"]
    assert compared == expected
    assert as_json("hyp", "gold", "--compare", "other")["compare"]["measures"] != expected


def test_an_ambiguous_base_of_the_other_is_stated(write):
    write(other=OTHER.replace("1-1", "1p1"))
    result = run("hyp", "gold", "--compare", "other", "--json")
    assert result.stderr.startswith("other: talp files may count words from 0 or 1; ")
    assert "(--compare-base 1 for the other)" in result.stderr
    assert run("hyp", "gold", "--compare", "other", "--compare-base", "0").stderr == ""


def test_each_of_the_files_may_come_from_standard_input(write):
    expected = as_json("hyp", "gold", "--compare", "other", *TEXTS)["compare"]["measures"]
    for name, text in (("hyp", HYP), ("gold", GOLD), ("other", OTHER), ("source", SOURCE)):
        arguments = [
            "-" if argument == name else argument for argument in ("hyp", "gold", "--compare", "other", *TEXTS)
        ]
        assert as_json(*arguments, stdin=text)["compare"]["measures"] == expected
    assert "only one of the files" in error("-", "gold", "--compare", "-", kind=UsageError)


# What must fit


def test_links_of_the_other_are_checked_against_the_text(write):
    write(other=OTHER.replace("0-0 1-2", "0-0 1-3"))
    message = error("hyp", "gold", "--compare", "other", *TEXTS)
    assert message.startswith("other, line 2: link 1-3 (counted from 0) lies outside a pair of 3 source and 3 target")
    write(other="1-1\n1-4\n1-1\n1-1\n1-1\n1-1\n")
    message = error("hyp", "gold", "--compare", "other", "--compare-base", "1", *TEXTS)
    assert message.startswith("other, line 2: link 1-4 (counted from 1) lies outside a pair of 3 source and 3 target")


def test_another_number_of_lines_is_refused_with_a_way_out(write):
    write(other=OTHER + "0-0\n")
    message = "other has 7 lines, gold 6; to score only the first 6, add --first"
    assert error("hyp", "gold", "--compare", "other") == message
    assert error("hyp", "gold", "--compare", "other", *TEXTS) == message
    write(other="0-0\n")
    for options in ([], ["--first"]):
        assert error("hyp", "gold", "--compare", "other", *options) == "other has 1 line, gold 6"


def test_first_applies_to_all_files(write):
    expected = as_json("hyp", "gold", "--compare", "other", *TEXTS)
    more = "no links\n" * 2
    write(other=OTHER + more, hyp=HYP + more, source=SOURCE + more, target=SOURCE + more)
    options = ["--first", "--compare-format", "pharaoh"]
    assert as_json("hyp", "gold", "--compare", "other", *TEXTS, *options) == expected


def test_an_other_of_no_known_format_is_refused(write):
    write(other="\nnot links\n")
    assert error("hyp", "gold", "--compare", "other").startswith(
        "other, line 2: the format of alignments was not recognised: found 'not links'; known are pharaoh, "
    )
    assert error("hyp", "gold", "--compare", "none") == "none: cannot read: No such file or directory"


@pytest.mark.parametrize("option", [("--compare-format", "gold"), ("--compare-base", "0")])
def test_how_to_read_the_other_says_nothing_without_it(write, option):
    assert "give it with --compare" in error("hyp", "gold", *option, kind=UsageError)


@pytest.mark.parametrize("option", [("--bootstrap", "0"), ("--seed", "-1"), ("--compare-base", "2")])
def test_values_out_of_range_are_usage_errors(write, option):
    assert run("hyp", "gold", "--compare", "other", *option).exit_code == 2


def test_only_samples_need_numpy(write):
    code = (
        "import sys\n"
        "from pralign.cli import main\n"
        "sys.argv = ['pralign', 'evaluate', 'hyp', 'gold', *sys.argv[1:]]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as stop:\n"
        "    assert not stop.code, stop.code\n"
        "print(sorted({'numba', 'numpy', 'scipy'} & set(sys.modules)), file=sys.stderr)\n"
    )
    for options, expected in (([], "[]"), (["--compare", "other"], "['numpy']"), (["--bootstrap", "9"], "['numpy']")):
        done = subprocess.run([sys.executable, "-c", code, *options], capture_output=True, text=True, check=True)
        assert done.stderr.splitlines()[-1] == expected


def test_of_a_few_pairs_nothing_is_said_about_chance(write):
    write(hyp="\n" * 5, other="0-0\n" * 5, gold="0-0\n" * 5)
    told = run("hyp", "gold", "--compare", "other", "--bootstrap", "50").stdout
    assert "By AER OTHER is better than HYP, but with fewer than 20 pairs nobody can tell" in told
