import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from pralign import __version__
from pralign.cli.console import messages_shown
from pralign.cli.evaluate import evaluate
from pralign.errors import InputError, UsageError
from pralign.links.alignment import Alignment
from pralign.links.formats import Record, write_alignments

app = typer.Typer()
app.command()(evaluate)


class Files:
    """A directory with small files; ``run`` calls the command on them by name."""

    def __init__(self, directory):
        self.directory = directory

    def write(self, **contents):
        for name, text in contents.items():
            (self.directory / name).write_text(text, encoding="utf-8")

    def run(self, *arguments, stdin=None):
        with messages_shown():
            result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def json(self, *arguments, stdin=None):
        result = self.run(*arguments, "--json", stdin=stdin)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    def error(self, *arguments, kind=InputError):
        with pytest.raises(kind) as caught:
            self.run(*arguments)
        return str(caught.value)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = Files(tmp_path)
    files.write(
        hyp="0-0 1-1 2-3\n\n0-1:0.5\n",
        gold="0-0 1-1 2-2 2?3\n0?0\n0-1 1?1\n",
        source="a b c d\nx\ny\u00a0z  w\n",
        target="a\tb c d\nx y\nu v\n",
    )
    return files


def test_json_holds_scores_counts_and_signature(files):
    values = files.json("hyp", "gold")
    # A: 4, S: 4, P: 7; all links are possible at least, three of them sure.
    assert values["precision"] == 1.0
    assert values["recall"] == 0.75
    assert values["aer"] == 1 - 7 / 8
    assert values["f1"] == 6 / 7
    assert values["f1_sure"] == values["f_alpha"] == 0.75
    assert {name: values[name] for name in ("links", "sure", "possible", "pairs")} == {
        "links": 4,
        "sure": 4,
        "possible": 7,
        "pairs": 3,
    }
    assert values["signature"] == f"metric:aer|gold:sure+possible|alpha:0.5|pairs:3|version:{__version__}"
    assert "curve" not in values


def test_without_texts_the_rightly_unaligned_are_unknown(files):
    unaligned = files.json("hyp", "gold")["unaligned"]
    assert unaligned["source"] == {
        "missed": 0,
        "optional": 2,
        "rightly": None,
        "wrongly_linked": 0,
        "unaligned": None,
    }
    assert "unknown" in files.run("hyp", "gold").stdout


def test_with_texts_all_kinds_are_counted(files):
    unaligned = files.json("hyp", "gold", "--source", "source", "--target", "target")["unaligned"]
    # Source words: 4 + 1 + 2 (the no-break space joins), of which d is linked by nobody.
    assert unaligned["source"] == {
        "missed": 0,
        "optional": 2,
        "rightly": 1,
        "wrongly_linked": 0,
        "unaligned": 3,
    }
    # Target words: 4 + 2 + 2; c is missed, x optional, y and u linked by nobody.
    assert unaligned["target"] == {
        "missed": 1,
        "optional": 1,
        "rightly": 2,
        "wrongly_linked": 0,
        "unaligned": 4,
    }


def test_plain_text_is_a_readable_table(files):
    out = files.run("hyp", "gold", "--source", "source", "--target", "target", "--alpha", "0.25").stdout
    assert out.isascii()
    assert "AER         12.50 %" in out
    assert "F0.25 sure" in out
    assert ["target", "1", "1", "2", "0"] in [line.split() for line in out.splitlines()]
    assert out.rstrip().endswith(f"alpha:0.25|pairs:3|version:{__version__}")


def test_a_link_listed_as_sure_and_possible_is_sure(files):
    files.write(hyp="0-0\n", gold="0?0 0-0\n")
    assert files.json("hyp", "gold")["sure"] == 1


def test_standard_input(files):
    assert files.json("-", "gold", stdin=(files.directory / "hyp").read_text()) == files.json("hyp", "gold")


def test_a_longer_hypothesis_is_refused_with_a_way_out(files):
    files.write(hyp="0-0\n" * 5)
    assert files.error("hyp", "gold") == "hyp has 5 lines, gold 3; to score only the first 3, add --first"


def test_first_scores_the_labelled_lines_and_reads_no_further(files):
    expected = files.json("hyp", "gold", "--source", "source", "--target", "target")
    for name in ("hyp", "source", "target"):
        text = (files.directory / name).read_text(encoding="utf-8")
        files.write(**{name: text + "not links at all\n" * 2})
    assert files.json("hyp", "gold", "--source", "source", "--target", "target", "--first") == expected


@pytest.mark.parametrize("options", [[], ["--first"]])
def test_a_shorter_hypothesis_is_refused(files, options):
    files.write(hyp="0-0\n")
    assert files.error("hyp", "gold", *options) == "hyp has 1 line, gold 3"


def test_texts_of_other_lengths_are_refused(files):
    texts = ["--source", "source", "--target", "target"]
    files.write(target="a b c d\n")
    assert files.error("hyp", "gold", *texts, "--json").startswith("source has 3 lines, target 1")
    files.write(source="a b c d\n" * 4, target="a b c d\n" * 4)
    message = files.error("hyp", "gold", *texts)
    assert message == "source has 4 lines, gold 3; to score only the first 3, add --first"


@pytest.mark.parametrize("bad", ["hyp", "gold"])
def test_links_out_of_range_name_file_line_link_and_lengths(files, bad):
    files.write(**{bad: "0-0\n\n2-1\n"})
    message = files.error("hyp", "gold", "--source", "source", "--target", "target")
    assert message.startswith(f"{bad}, line 3: link 2-1 ")
    assert "2 source and 2 target words" in message


def test_bases_apply_to_each_file(files):
    files.write(hyp="1-1 2-2\n", gold="0-0 1-1\n", one="1-1 2-2\n")
    assert files.json("hyp", "gold", "--hyp-base", "1")["aer"] == 0.0
    assert files.json("hyp", "one", "--hyp-base", "1", "--gold-base", "1")["aer"] == 0.0
    assert files.json("hyp", "gold")["aer"] == 0.5


def test_formats_apply_to_each_file(files):
    # The naacl format counts from 1 and has no line for a pair without links, such as the last one here.
    files.write(
        hyp="0-0:0.25 1-1:0.5\n1-0:0.5\n\n",
        gold="1 1 1 S\n1 2 2 P\n2 2 1 S\n",
        source="a b\na b\na\n",
        target="a b\na b\na\n",
    )
    options = ["--hyp-format", "scored", "--gold-format", "naacl"]
    values = files.json("hyp", "gold", *options, "--source", "source", "--target", "target")
    assert (values["pairs"], values["sure"], values["possible"], values["aer"]) == (3, 2, 3, 0.0)
    swapped = files.json("gold", "hyp", "--hyp-format", "naacl", "--gold-format", "pharaoh")
    assert (swapped["pairs"], swapped["sure"], swapped["aer"]) == (3, 3, 0.0)
    assert "unknown alignment format 'nope'" in files.error("hyp", "gold", "--hyp-format", "nope", kind=UsageError)


def test_an_ambiguous_base_is_stated_on_standard_error(files):
    files.write(hyp="1-1\n", gold="0-0\n")
    result = files.run("hyp", "gold", "--hyp-format", "talp", "--json")
    assert "talp files may count words from 0 or 1" in result.stderr
    assert "--hyp-base" in result.stderr
    json.loads(result.stdout)
    assert files.run("hyp", "gold", "--hyp-format", "talp", "--hyp-base", "1").stderr == ""


def test_curve(files):
    files.write(hyp="0-0:0.9 1-1:0.5 3-3:0.2\n\n0-1:0.5\n")
    curve = files.json("hyp", "gold", "--curve")["curve"]
    assert [(point["threshold"], point["links"]) for point in curve["points"]] == [
        (0.9, 1),
        (0.5, 3),
        (0.2, 4),
    ]
    # Recall 1/4 and 3/4 at precision 1, then 3/4 at 3/4.
    assert curve["area"] == 0.75
    assert curve["best"]["aer"]["threshold"] == curve["best"]["f1"]["threshold"] == pytest.approx(0.35)
    assert curve["best"]["aer"]["aer"] == 1 - 6 / 7
    out = files.run("hyp", "gold", "--curve").stdout
    assert "area under the precision-recall curve: 0.7500" in out
    assert "best AER  14.29 %   at threshold 0.35" in out


def test_a_curve_needs_scores(files):
    assert files.error("hyp", "gold", "--curve").startswith("hyp, line 1: links without scores")


def test_an_empty_gold_is_refused(files):
    files.write(gold="", hyp="")
    assert files.error("hyp", "gold") == "gold: has no lines to score by"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hyp", "gold", "--source", "source"], "--source and --target go together"),
        (["hyp", "gold", "--target", "target"], "--source and --target go together"),
        (["-", "-"], "only one of the files"),
    ],
)
def test_options_that_do_not_go_together(files, arguments, message):
    assert message in files.error(*arguments, kind=UsageError)


@pytest.mark.parametrize("option", [("--alpha", "1.5"), ("--hyp-base", "2"), ("--gold-base", "-1")])
def test_values_out_of_range_are_usage_errors(files, option):
    assert files.run("hyp", "gold", *option).exit_code == 2


def test_the_command_needs_neither_numpy_nor_numba():
    code = "import sys, pralign.cli.evaluate; print(sorted({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["pharaoh", "scored", "gold", "talp", "naacl", "giza", "jsonl"])
def test_formats_are_found_out(files, name):
    links = [Alignment.of([(0, 0), (1, 1), (2, 3)], [0.5, 0.25, 1.0]), Alignment((), ()), Alignment.of([(0, 1)], [0.5])]
    files.write(hyp="0-0 1-1 2-3\n\n0-1\n")
    expected = files.json("hyp", "gold")
    with (files.directory / "other").open("w") as stream:
        records = [Record(each, list("abcd"), list("abcd"), 0.5) for each in links]
        write_alignments(stream, records, name)
    found = files.json("other", "gold")
    assert {**found, "signature": ""} == {**expected, "signature": ""}
    as_gold = files.json("hyp", "other")
    assert (as_gold["precision"], as_gold["recall"]) == (1.0, 1.0)


def test_a_gold_may_have_its_first_possible_link_late(files):
    files.write(gold="0-0\n" * 1500 + "0?0\n", hyp="0-0\n" * 1501)
    assert files.json("hyp", "gold")["sure"] == 1500
