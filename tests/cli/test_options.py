"""Options: what they mean, and which do not exist or do not go together."""

from __future__ import annotations

import json
import re

import pytest

from pralign import __version__
from pralign.evaluation import evaluate
from pralign.links.formats import read_alignments

HEURISTICS = ["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and", "forward", "reverse"]
QUICK = ["--model", "ibm1", "--iterations", "ibm1=3", "-q"]


# Names that do not exist


@pytest.mark.parametrize("command", ["align", "train"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "ibm9"], "there is no model 'ibm9'; there are ibm1, ibm2, hmm"),
        (["--iterations", "ibm1=5,ibm9=5"], "there is no model 'ibm9'; there are ibm1, ibm2, hmm"),
        (["--symmetrize", "grow"], "there is no way to symmetrize called 'grow'; there are soft-union, intersection"),
        (
            ["--decode", "guess"],
            "there is no way to decode called 'guess'; there are posterior, viterbi, itg, matching",
        ),
        (["--threshold", "high"], "--threshold takes a number between 0 and 1, auto or balanced, not 'high'"),
        (["--threshold", "0"], "a threshold is a probability above 0, or auto, or balanced, not 0.0"),
        (["--threshold", "1.5"], "a threshold is a probability above 0, or auto, or balanced, not 1.5"),
        (["--threshold", "nan"], "a threshold is a probability above 0, or auto, or balanced, not nan"),
        (["--layout", "x"], "a layout is bars, csv, tsv, jsonl, parquet, tmx, xliff, not x"),
        (["--iterations", "5"], "'5' is not a stage of training; write for example ibm1=5,hmm=5"),
        (["--iterations", "ibm1=x"], "'ibm1=x' is not a stage of training"),
        (["--iterations", "hmm=-1"], "'hmm=-1' is not a stage of training"),
        (["--iterations", "hmm=1.5"], "'hmm=1.5' is not a stage of training"),
        (["--iterations", ""], "'' is not a stage of training"),
        (["--iterations", "ibm1=5,"], "'' is not a stage of training"),
        (["--iterations", "hmm=0"], "the last stage, hmm, needs at least one iteration"),
        (["--model", "hmm", "--iterations", "ibm1=5"], "the iterations end with ibm1 but the model is hmm"),
        (["--prefix", "3", "--suffix", "3"], "words can be cut to a prefix or to a suffix, not to both"),
        (["--decode", "viterbi", "--symmetrize", "soft-union"], "soft-union needs posteriors"),
        (["--smoothing", "inf"], "smoothing"),
    ],
)
def test_values_that_cannot_be(small, command, options, message):
    rest = ["-o", "out"] if command == "align" else ["--save", "m"]
    assert small.fails(command, "s", "t", "-q", *options, *rest, code=2).startswith(message)


@pytest.mark.parametrize("command", ["align", "train"])
def test_an_unknown_criterion_is_refused_before_training(text, command, monkeypatch):
    def fail(*arguments):
        raise AssertionError("trained all the same")

    monkeypatch.setattr("pralign.runs.run.Trainer.run", fail)
    rest = ["-o", "out"] if command == "align" else ["--save", "m"]
    arguments = [command, "s", "t", "-q", *rest, "--tune", "bleu"]
    assert text.fails(*arguments, "--dev", "s", "t", "g", code=2) == "--tune is aer or f1, not bleu"
    assert text.fails(*arguments, code=2) == "--tune is aer or f1, not bleu"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--threads", "0"],
        ["--threads", "-1"],
        ["--threads", "two"],
        ["--max-length", "0"],
        ["--prefix", "0"],
        ["--smoothing", "-1"],
        ["--nonsense"],
        ["--dev", "s", "t"],
    ],
)
@pytest.mark.parametrize("command", [["align", "-o", "out"], ["train", "--save", "m"]])
def test_misuse_that_the_parser_sees(small, command, arguments):
    before = small.snapshot()
    outcome = small.run(*command, "s", "t", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert arguments[0] in outcome.err
    assert "Traceback" not in outcome.err
    assert small.snapshot() == before


@pytest.mark.parametrize("arguments", [["align"], ["train", "s", "t"], ["evaluate", "s"], ["symmetrize", "s", "t"]])
def test_missing_arguments(small, arguments):
    outcome = small.run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Missing" in outcome.err


def test_an_unknown_command(work):
    outcome = work.run("allign")
    assert (outcome.code, outcome.out) == (2, "")
    assert "allign" in outcome.err


def test_an_unknown_format(small):
    message = small.fails("align", "s", "t", "-q", "--format", "moses", "-o", "out", code=2)
    assert message.startswith("unknown alignment format 'moses'; known are pharaoh, scored, gold, talp, naacl, giza")
    for option in ("--from", "--to"):
        other = "--to" if option == "--from" else "--from"
        message = small.fails("convert", "s", "out", option, "moses", other, "gold", code=2)
        assert message.startswith("unknown alignment format 'moses'")
    assert small.fails("evaluate", "s", "t", "--hyp-format", "moses", code=2).startswith("unknown alignment format")


@pytest.mark.parametrize("links", ["0-0 1-1\n", "\n", ""])
def test_an_unknown_heuristic(work, links):
    work.write("f", links)
    message = work.fails("symmetrize", "f", "f", "--heuristic", "grow", "-o", "out", code=2)
    assert message.startswith("there is no heuristic 'grow'; there are intersection, union, grow-diag")


def test_symmetrize_reads_standard_input_once(work):
    message = work.fails("symmetrize", "-", "-", "--heuristic", "union", code=2, stdin="0-0\n")
    assert message == "only one of the files can be read from standard input"


def test_labelled_pairs_set_the_threshold_alone(text):
    dev = ["--dev", "s", "t", "g"]
    for command in (["align"], ["train", "--save", "m"]):
        message = text.fails(*command, "s", "t", "-q", *dev, "--threshold", "0.5", code=2)
        assert message == "--dev sets the threshold, so --threshold cannot be given too"
    text.ok("train", "s", "t", *QUICK, "--save", "m")
    message = text.fails("align", "s", "t", "-q", *dev, "--load", "m", "--no-adapt", "--decode", "viterbi", code=2)
    assert message == "with --load, --dev sets the threshold, which --decode viterbi does not use"


def test_labelled_pairs_stop_training_for_viterbi_decoding_too(text):
    options = ["--model", "ibm1", "--decode", "viterbi", "--dev", "s", "t", "g"]
    aligned = text.ok("align", "s", "t", *options, "-o", "o")
    trained = text.ok("train", "s", "t", *options, "--save", "m")
    assert "dev area" in aligned.err
    assert "dev area" in trained.err
    text.ok("align", "s", "t", "-q", "--load", "m", "-o", "loaded")
    assert text.read("o") == text.read("loaded")


@pytest.mark.parametrize(
    ("option", "value", "saved"),
    [
        ("--model", "hmm", "with --model ibm1, not hmm"),
        ("--iterations", "ibm1=5", "with --iterations ibm1=3, not ibm1=5"),
        ("--no-lowercase", None, "with --lowercase True, not False"),
        ("--prefix", "3", "without --prefix, not 3"),
        ("--suffix", "3", "without --suffix, not 3"),
        ("--max-length", "100", "with --max-length 200, not 100"),
        ("--smoothing", "0.5", "with --smoothing 0.0, not 0.5"),
    ],
)
def test_a_saved_model_cannot_be_trained_otherwise(small, option, value, saved):
    small.ok("train", "s", "t", "--save", "m", *QUICK)
    given = [option] if value is None else [option, value]
    message = small.fails("align", "s", "t", "-q", "--load", "m", *given, code=2)
    assert message == f"a loaded model keeps its settings; m was trained {saved}"


def test_options_of_training_may_be_repeated_with_a_saved_model(small):
    small.ok("train", "s", "t", "--save", "m", *QUICK)
    plain = small.align("s", "t", "--load", "m")
    repeated = ["--model", "ibm1", "--lowercase", "--max-length", "200", "--smoothing", "0"]
    assert small.align("s", "t", "--load", "m", *repeated) == plain
    assert small.align("s", "t", "--load", "m", "--iterations", "ibm1=3") == plain
    assert small.align("s", "t", "--load", "m", "--iterations", "ibm1= 3") == plain


# What options mean


def links_of(work, name, format="pharaoh"):
    return [set(alignment.links) for alignment in read_alignments(work.folder / name, format)]


def test_the_model_and_its_iterations(text):
    _, _, err = text.ok("align", "s", "t", "-o", "o", "--model", "ibm2", "--iterations", "ibm1=2,ibm2=1")
    stages = [line.split(":")[0] for line in err.splitlines() if "log-likelihood" in line]
    assert stages == ["ibm1 1/2", "ibm1 2/2", "ibm2 1/1"]
    assert "model:ibm2|iterations:ibm1=2,ibm2=1|decode:posterior|threshold:0.5|symmetrize:soft-union|" in err
    assert f"version:{__version__}" in err
    _, _, err = text.ok("align", "s", "t", "-o", "o")
    assert "preset:default|model:fhmm|iterations:ibm1=3,fhmm=5|" in err


def test_messages_are_on_standard_error_only(small):
    loud = small.ok("align", "s", "t")
    quiet = small.ok("align", "s", "t", "-q")
    assert loud.out == quiet.out != ""
    assert quiet.err == ""
    assert loud.err != ""
    assert small.ok("train", "s", "t", "--save", "m").out == ""


def test_a_higher_threshold_keeps_a_subset(text):
    for threshold in ("0.1", "0.5", "0.9"):
        text.ok("align", "s", "t", *QUICK, "--threshold", threshold, "-o", threshold, "--format", "scored")
        for alignment in read_alignments(text.folder / threshold, "scored"):
            assert all(score >= float(threshold) - 1e-6 for score in alignment.scores)  # six decimals are written
    low, middle, high = (links_of(text, threshold, "scored") for threshold in ("0.1", "0.5", "0.9"))
    for most, more, few in zip(low, middle, high, strict=True):
        assert few <= more <= most
    assert sum(map(len, high)) < sum(map(len, middle)) < sum(map(len, low))


def test_the_automatic_threshold_gives_about_as_many_links_as_viterbi(text):
    text.ok("align", "s", "t", *QUICK, "--threshold", "auto", "-o", "o", "--forward", "f", "--reverse", "r")
    wanted = (sum(map(len, links_of(text, "f"))) + sum(map(len, links_of(text, "r")))) / 2
    found = sum(map(len, links_of(text, "o")))
    plain = sum(len(line.split()) for line in text.align("s", "t", *QUICK))
    assert abs(found - wanted) <= 10 < abs(plain - wanted)  # equal posteriors come and go together


def test_symmetrization_of_viterbi_alignments_is_that_of_the_symmetrize_command(text):
    text.ok("align", "s", "t", *QUICK, "-o", "o", "--forward", "f", "--reverse", "r")
    made = {}
    for heuristic in HEURISTICS:
        text.ok("align", "s", "t", *QUICK, "--decode", "viterbi", "--symmetrize", heuristic, "-o", heuristic)
        text.ok("symmetrize", "f", "r", "--heuristic", heuristic, "-o", "combined")
        made[heuristic] = text.read(heuristic)
        assert made[heuristic] == text.read("combined")
    assert made["forward"] == text.read("f")
    assert made["reverse"] == text.read("r")
    assert len(set(made.values())) >= 6
    assert text.align("s", "t", *QUICK, "--decode", "viterbi") == text.lines("grow-diag-final-and")


def test_case_matters_only_if_asked(work):
    work.write("s", ["House house", "HOUSE", "house"])
    work.write("t", ["Maison maison", "MAISON", "maison"])
    work.ok("train", "s", "t", "-q", "--save", "small")
    work.ok("train", "s", "t", "-q", "--save", "large", "--no-lowercase")
    assert json.loads(work.read("small/source.json")) == ["house"]
    assert sorted(json.loads(work.read("large/source.json"))) == ["HOUSE", "House", "house"]


def test_words_are_cut_to_a_prefix_or_suffix(small):
    small.ok("train", "s", "t", "-q", "--save", "m", "--prefix", "2")
    assert sorted(json.loads(small.read("m/target.json"))) == sorted({"la", "ma", "le", "ch", "un", "ro", "gr"})
    small.ok("train", "s", "t", "-q", "--save", "m", "--suffix", "2")
    assert "on" in json.loads(small.read("m/target.json"))


@pytest.mark.parametrize("criterion", ["aer", "f1"])
@pytest.mark.parametrize("symmetrize", ["soft-union", "union"])
def test_labelled_pairs_set_the_best_threshold(text, criterion, symmetrize):
    options = [*QUICK, "--symmetrize", symmetrize]
    text.ok("align", "s", "t", *options, "--dev", "s", "t", "g", "--tune", criterion, "-o", "tuned")
    golds = list(read_alignments(text.folder / "g", "gold"))

    def loss(name):
        scores = evaluate(read_alignments(text.folder / name), golds)
        return scores.aer if criterion == "aer" else -scores.f1

    others = []
    for threshold in ("0.05", "0.2", "0.35", "0.5", "0.65", "0.8", "0.95"):
        text.ok("align", "s", "t", *options, "--threshold", threshold, "-o", "o")
        others.append(loss("o"))
    assert loss("tuned") <= min(others)
    assert len(set(others)) > 3


def test_labelled_pairs_work_with_a_saved_model_and_when_training_one(text):
    dev = ["--dev", "s", "t", "g"]
    text.ok("train", "s", "t", *QUICK, "--save", "plain")
    text.ok("train", "s", "t", *QUICK, "--save", "tuned", *dev)
    expected = text.align("s", "t", *QUICK, *dev)
    assert expected != text.align("s", "t", *QUICK)
    assert text.align("s", "t", "--load", "plain", "--no-adapt", *dev) == expected
    assert text.align("s", "t", "--load", "tuned", "--no-adapt") == expected


def test_gold_lines_without_links_are_no_reason_to_fail(text):
    text.write("g", ["none"] * 40)
    assert len(text.align("s", "t", *QUICK, "--dev", "s", "t", "g")) == 40


# Other commands


def test_evaluate_prints_numbers_for_programs(work):
    work.write("h", "0-0 1-1\n\n2-2\n")
    work.write("g", "0-0 1?1 2-1\n0?0\n2-2\n")
    values = json.loads(work.ok("evaluate", "h", "g", "--json").out)
    assert {key: values[key] for key in ("links", "sure", "possible")} == {"links": 3, "sure": 3, "possible": 5}
    assert values["precision"] == 1.0
    assert values["recall"] == pytest.approx(2 / 3, abs=1e-15)
    assert values["aer"] == pytest.approx(1 - 5 / 6, abs=1e-15)
    assert values["f1"] == pytest.approx(0.8, abs=1e-15)
    text = work.ok("evaluate", "h", "g")
    assert "AER" in text.out
    assert text.err == ""


def test_symmetrize(work):
    work.write("f", "0-0 1-1\n\n1-0\n")
    work.write("r", "0-0 1-2\n0-1\n\n")
    assert work.ok("symmetrize", "f", "r", "--heuristic", "intersection").out == "0-0\n\n\n"
    assert work.ok("symmetrize", "f", "r", "--heuristic", "union").out == "0-0 1-1 1-2\n0-1\n1-0\n"
    assert work.ok("symmetrize", "-", "r", "--heuristic", "union", "-o", "o", stdin=work.read("f")).out == ""
    assert work.lines("o") == ["0-0 1-1 1-2", "0-1", "1-0"]


def test_inspect(small):
    small.ok("train", "s", "t", "-q", "--save", "m", "--smoothing", "0.1")
    described = small.ok("inspect", "m").out
    shown = dict(re.split(r"  +", line, maxsplit=1) for line in described.splitlines() if "  " in line)
    assert shown["smoothing"] == "0.1"
    assert shown["source words"] == "6"
    assert described.rstrip().endswith(f"version:{__version__}")
    word = small.ok("inspect", "m", "HOUSE", "-n", "2").out.splitlines()
    assert word[0] == "HOUSE as a source word; likeliest target words:"
    assert len(word) == 3
    assert word[1].split()[1] == "maison"


def test_help_of_every_command(work):
    overview = work.ok("--help").out
    assert overview == work.ok("-h").out
    for command in ("align", "train", "evaluate", "symmetrize", "convert", "inspect", "demo"):
        assert f"  {command} " in overview
        shown = work.ok(command, "--help")
        assert shown.out.lstrip().startswith(f"Usage: pralign {command}")
        assert shown.err == ""


def test_every_option_of_the_contract_exists(work):
    shown = work.ok("align", "--help").out
    options = "model iterations decode threshold dev tune symmetrize lowercase no-lowercase threads format forward"
    for name in [*options.split(" "), "reverse", "scores", "save", "load", "output"]:
        assert f"--{name}" in shown
    assert " -o," in shown


def test_version(work):
    assert work.ok("--version").out == f"pralign {__version__}\n"
