"""A page to look at alignments, from files."""

from __future__ import annotations

import gzip
import json
import math
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from cli.support import PATIENCE, Workspace, gold_lines, sample_lines
from pralign.links.alignment import Alignment
from pralign.report.html import render
from pralign.report.inputs import ReportInput, System, Text
from pralign.report.report import Report

SOURCE = ["the old house", "it is raining", "see you tomorrow"]
TARGET = ["la vieille maison", "il pleut", "à demain"]
WORDS = [(source.split(), target.split()) for source, target in zip(SOURCE, TARGET, strict=True)]
LINKS = ["0-0 1-1 2-2", "0-0 1-1 2-1", "2-1"]
OTHER = ["0-0 1-2", "", "2-1 0-0"]
GOLD = ["0-0 1-1 2-2", "0-0 2-1 1?1", "2-1 0?0"]
FEW = ["--bootstrap", "100"]
SCORES = [[90, 25, 100], [80, 50, 40], [75]]
FORMATS = {
    "pharaoh": LINKS,
    "gold": ["0-0 1-1 2-2", "0-0 1?1 2-1", "2-1"],
    "talp": ["0-0 1-1 2-2", "0-0 1p1 2-1", "2-1"],
    "scored": ["0-0:0.9 1-1:0.25 2-2:1", "0-0:0.8 1-1:0.5 2-1:0.4", "2-1:0.75"],
    "jsonl": [
        '{"links": [[0, 0], [1, 1], [2, 2]], "scores": [0.9, 0.25, 1]}',
        '{"links": [[0, 0], [1, 1], [2, 1]], "scores": [0.8, 0.5, 0.4]}',
        '{"links": [[2, 1]], "scores": [0.75]}',
    ],
    "naacl": [
        *("1 1 1 S 0.9", "1 2 2 S 0.25", "1 3 3 S 1", "2 1 1 P 0.8", "2 2 2 S 0.5", "2 3 2 S 0.4", "3 3 2 0.75"),
    ],
    "giza": [
        "# Sentence pair (1) source length 3 target length 3 alignment score : 0.5",
        "la vieille maison",
        "NULL ({ }) the ({ 1 }) old ({ 2 }) house ({ 3 })",
        "# Sentence pair (2) source length 3 target length 2 alignment score : 0.25",
        "il pleut",
        "NULL ({ }) it ({ 1 }) is ({ 2 }) raining ({ 2 })",
        "# Sentence pair (3) source length 3 target length 2 alignment score : 0.125",
        "à demain",
        "NULL ({ 1 }) see ({ }) you ({ }) tomorrow ({ 2 })",
    ],
}


def alignment(text):
    links = [(tuple(map(int, re.split("[-?]", link))), "?" in link) for link in text.split()]
    return Alignment.of([link for link, _ in links], possible=[link for link, possible in links if possible])


@pytest.fixture
def files(work):
    """A folder with three pairs ``s`` and ``t``, alignments ``a`` and ``b``, and a gold ``g``."""
    for name, lines in (("s", SOURCE), ("t", TARGET), ("a", LINKS), ("b", OTHER), ("g", GOLD)):
        work.write(name, lines)
    return work


@pytest.fixture
def many(work):
    """A folder with two hundred pairs and their alignments, of which the first fifty also have a gold ``g``."""
    source, target = sample_lines(200)
    work.write("s", source)
    work.write("t", target)
    work.write("a", ["0-0"] * 200)
    work.write("g", gold_lines(50))
    return work


def expected_report(gold=True, systems=("a", "b"), samples=100, seed=0):
    lines = {"a": LINKS, "b": OTHER}
    found = [System(name.upper(), [alignment(line) for line in lines[name]], [None] * 3, name) for name in systems]
    golds = [alignment(line) for line in GOLD] if gold else None
    made = ReportInput(Text.of(WORDS, ("s", "t")), WORDS, range(3), found, golds, gold_pairs=3 if gold else None)
    return Report(made, samples, seed)


def data(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def title(page):
    return re.search("<h1[^>]*>(.*?)</h1>", page)[1]


def report(work, *options, **given):
    """The page and the JSON of a report."""
    outcome = work.ok("report", "s", "t", *FEW, *options, "--json", "j", **given)
    return work.read("report.html"), json.loads(work.read("j")), outcome


# What is written


def test_the_page_and_the_json_are_those_of_the_library(files):
    options = ["--system", "A=a", "--system", "B=b", "--gold", "g", "--bootstrap", "120", "--seed", "3"]
    page, found, outcome = report(files, *options)
    expected = expected_report(samples=120, seed=3)
    assert page == render(expected, "Word alignment of s and t")
    assert found == json.loads(json.dumps(expected.as_dict()))
    assert outcome.out == ""
    assert outcome.err.split("\n") == ["report.html: 0.1 MB; open it in a browser", str(expected.signature), ""]


def test_without_a_gold_too(files):
    page, found, _ = report(files, "--system", "A=a", "--system", "B=b")
    expected = expected_report(gold=False)
    assert page == render(expected, "Word alignment of s and t")
    assert found == json.loads(json.dumps(expected.as_dict()))


def test_the_same_files_give_the_same_bytes(files):
    options = ["--system", "A=a", "--gold", "g", "-q", *FEW]
    files.ok("report", "s", "t", *options, "-o", "one.html", "--json", "one.json")
    files.ok("report", "s", "t", *options, "-o", "two.html", "--json", "two.json")
    assert files.read("one.html") == files.read("two.html")
    assert files.read("one.json") == files.read("two.json")


def test_standard_output(files):
    options = ["report", "s", "t", "--system", "A=a", "--gold", "g", *FEW]
    files.ok(*options, "--json", "j")
    page, found = files.read("report.html"), files.read("j")
    outcome = files.ok(*options, "-o", "-")
    assert outcome.out == page
    assert "open it" not in outcome.err
    assert files.ok(*options, "--json", "-").out == found
    assert found.endswith("}\n")
    before = files.snapshot()
    assert files.ok(*options, "-q", "-o", "-", "--json", "j").err == ""
    assert files.snapshot() == before


def test_a_name_may_ask_for_compression(files):
    files.ok("report", "s", "t", "--system", "A=a", "-o", "r.html.gz", "-q")
    page = gzip.decompress((files.folder / "r.html.gz").read_bytes()).decode()
    assert page == files.ok("report", "s", "t", "--system", "A=a", "-o", "-", "-q").out


def test_curves_as_files(files):
    files.write("a", FORMATS["scored"])
    files.ok("report", "s", "t", "--system", "A=a", "--gold", "g", "--figures", "new/figures", "-q", *FEW)
    found = sorted(path.name for path in (files.folder / "new" / "figures").iterdir())
    assert found == ["aer.svg", "precision_recall.svg"]
    for name in found:
        root = ElementTree.fromstring(files.read(f"new/figures/{name}"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    files.ok("report", "s", "t", "--system", "A=a", "--figures", "new/figures", "-q")
    assert len(list((files.folder / "new" / "figures").iterdir())) == 3
    files.ok("report", "s", "t", "--system", "A=b", "--figures", "none", "-q")
    assert list((files.folder / "none").iterdir()) == []


@pytest.mark.parametrize(
    ("names", "option", "languages"),
    [
        (("s", "t"), [], None),
        (("x.en", "x.fr"), [], ["en", "fr"]),
        (("x.en", "x.fr.gz"), [], ["en", "fr"]),
        (("x.en", "t"), [], None),
        (("x.gz", "y.gz"), [], None),
        (("x.en", "x.fr"), ["--languages", "de, pt-BR"], ["de", "pt-BR"]),
    ],
)
def test_languages(files, names, option, languages):
    for old, new in zip("st", names, strict=True):
        shutil.move(files.folder / old, files.folder / new)
    page = files.ok("report", *names, "--system", "A=a", "-q", "-o", "-", *option).out
    assert data(page)["languages"] == languages


def test_titles(files):
    files.ok("report", "s", "t", "--system", "A=a", "-q", "--title", "<b>bold</b>\x1b")
    assert title(files.read("report.html")) == "&lt;b&gt;bold&lt;/b&gt;␛"
    (files.folder / "deep").mkdir()
    shutil.copy(files.folder / "s", files.folder / "deep" / "source.en")
    files.ok("report", "deep/source.en", "t", "--system", "A=a", "-q")
    assert title(files.read("report.html")) == "Word alignment of source.en and t"


# What is read


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_recognised(files, name, compressed):
    text = "".join(f"{line}\n" for line in FORMATS[name]).encode()
    files.write("a", gzip.compress(text) if compressed else text)
    page, found, outcome = report(files, "--system", "A=a")
    for pair, line, scores in zip(data(page)["pairs"], LINKS, SCORES, strict=True):
        width = len(pair["t"])
        cells, *percentages = pair["x"][0]
        assert [divmod(cell, width) for cell in cells] == list(alignment(line).links)
        assert percentages == ([scores] if name in ("scored", "jsonl", "naacl") else [])
    assert ("confidence" in found["curves"]) == (name in ("scored", "jsonl", "naacl"))
    assert ("may count words from 0 or 1" in outcome.err) == (name == "talp")


def test_scores_of_pairs_are_looked_at(files):
    lines = ["so", *["the house"] * 12]
    for name in "st":
        files.write(name, lines)
    scores = [-1.0, -1.1, -0.9] * 4
    links = [f'{{"links": [[0, 0], [1, 1]], "score": {score}}}' for score in scores]
    files.write("a", ['{"links": [[0, 0]], "score": -50}', *links])
    _, found, _ = report(files, "--system", "A=a")
    (row,) = found["tables"]["suspicious"]["rows"]
    assert (row["reasons"], row["score"]) == ("an improbable pair", -50.0)


def test_probabilities_of_whole_sentences_are_looked_at_by_word(files):
    """GIZA++ writes them as they are, so that long sentences have tiny ones."""
    lines = ["one two three four", *["one", "one two"] * 6]
    for name in "st":
        files.write(name, lines)
    found = []
    for number, line in enumerate(lines, start=1):
        words = line.split()
        score = 1e-40 if number == 1 else (0.5 + 0.01 * number) ** len(words)
        head = f"# Sentence pair ({number}) source length {len(words)} target length {len(words)} alignment score"
        links = " ".join(f"{word} ({{ {place} }})" for place, word in enumerate(words, start=1))
        found += [f"{head} : {score}", line, f"NULL ({{ }}) {links}"]
    files.write("a", found)
    _, told, _ = report(files, "--system", "A=a")
    (row,) = (row for row in told["tables"]["suspicious"]["rows"] if "an improbable pair" in row["reasons"])
    assert row["pairs"] == [1]
    assert row["score"] == pytest.approx(math.log(1e-40) / 4)


def test_formats_and_bases_may_be_given(files):
    files.write("a", ["1-1 2-2 3-3", "1-1 2-2 3-2", "3-2"])
    files.write("g", ["1-1 2-2 3-3", "1-1 2p2 3-2", "3-2"])
    options = ["--system", "A=a", "--gold", "g", "--base", "1", "--gold-base", "1", "--gold-format", "talp"]
    page, _, outcome = report(files, *options, "--format", "pharaoh")
    assert [pair["x"][0][0] for pair in data(page)["pairs"]] == [[0, 4, 8], [0, 3, 5], [5]]
    assert [pair["p"] for pair in data(page)["pairs"]] == [[], [3], []]
    assert "may count words" not in outcome.err


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("mine=a", "mine"),
        (" mine =a", "mine"),
        ("a", "a"),
        ("deep/a", "a"),
        ("=a", "a"),
        ("mine=deep/x=y", "mine"),
        ("<b>&=a", "<b>&"),
        ("a b|c:d=a", "a b|c:d"),
    ],
)
def test_names_of_systems(files, option, name):
    (files.folder / "deep").mkdir()
    for path in ("deep/a", "deep/x=y"):
        files.write(path, LINKS)
    page, found, _ = report(files, "--system", option, "--gold", "g")
    assert data(page)["systems"] == [name]
    assert found["tables"]["scores"]["rows"][0]["system"] == name
    assert "<b>" not in page


def test_one_file_may_hold_both_sides(files):
    expected, _, _ = report(files, "--system", "A=a")
    rows = list(zip(SOURCE, TARGET, strict=True))
    files.write("both.tsv", [f"{source}\t{target}\tmore" for source, target in rows])
    files.write("bars", [f"{source} ||| {target}" for source, target in rows])
    for arguments in (["both.tsv"], ["bars"], ["bars", "--layout", "bars"]):
        page = files.ok("report", *arguments, "--system", "A=a", "-q", "-o", "-").out
        assert data(page) == data(expected)
        assert title(page) == f"Word alignment of {arguments[0]} and its second column"


def test_standard_input(files):
    expected, _, _ = report(files, "--system", "A=a", "--gold", "g")
    text, links, gold = (files.read(name) for name in ("s", "a", "g"))
    for arguments, stdin in (
        (["-", "t", "--system", "A=a", "--gold", "g"], text),
        (["s", "t", "--system", "A=-", "--gold", "g"], links),
        (["s", "t", "--system", "A=a", "--gold", "-"], gold),
    ):
        assert data(files.ok("report", *arguments, *FEW, "-q", "-o", "-", stdin=stdin).out) == data(expected)
    page = files.ok("report", "-", "t", "--system", "A=a", "-q", "-o", "-", stdin=text).out
    assert title(page) == "Word alignment of standard input and t"


def test_blank_lines_are_pairs_too(files):
    files.write("s", ["the cat", "", "", " "])
    files.write("t", ["le chat", "", "seul", "\t"])
    files.write("a", ["0-0 1-1", "", "", ""])
    page, found, _ = report(files, "--system", "A=a", "--gold", "a")
    assert [(len(pair["s"]), len(pair["t"])) for pair in data(page)["pairs"]] == [(2, 2), (0, 0), (0, 1), (0, 0)]
    assert found["tables"]["corpus"]["rows"][0]["words"] == 2
    page, found, _ = report(files, "--system", "A=a")
    assert [row["reasons"] for row in found["tables"]["suspicious"]["rows"]] == ["an empty side"]
    assert [pair.get("w") for pair in data(page)["pairs"]] == [None, None, ["an empty side"], None]


def test_words_are_split_at_spaces_and_tabs_only(files):
    files.write("s", ["10\u00a0000\twords\u2028more", *SOURCE[1:]])
    page, _, _ = report(files, "--system", "B=b")
    assert data(page)["pairs"][0]["s"] == ["10\u00a0000", "words␤more"]


# Pairs to label


@pytest.fixture
def differing(many):
    """Two hundred pairs, and two systems that differ in every fourth."""
    many.write("b", ["0-0" if k % 4 else "0-0 0-1" for k in range(200)])
    return many


TWO = ["--system", "A=a", "--system", "B=b"]
WRITTEN = ["src", "tgt", "first.links", "second.links", "tsv"]


def test_pairs_to_label_are_those_that_differ(differing):
    page, found, outcome = report(differing, *TWO, "--pairs-to-label", "todo", "--label-count", "9")
    source, target, first, second, (_, *rows) = (differing.lines(f"todo.{ending}") for ending in WRITTEN)
    lines = [int(row.split("\t")[0]) for row in rows]
    assert len(set(lines)) == 9
    assert all(line % 4 == 1 for line in lines)
    assert lines != sorted(lines)
    texts = sample_lines(200)
    assert (source, target) == tuple([side[line - 1] for line in lines] for side in texts)
    assert (first, second) == (["0-0"] * 9, ["0-0 0-1"] * 9)
    commands = found["to_label"]["commands"]
    assert [f"  {command}" for command in commands] == outcome.err.split("\n")[-4:-2]
    assert "with fewer than 20 labelled pairs nobody can tell" in outcome.err.split("\n")[-2]
    assert all(command in page for command in commands)
    assert "9 pairs are in files that begin with todo" in page


def test_labels_of_them_say_which_system_is_better(differing):
    _, _, outcome = report(differing, *TWO, "--pairs-to-label", "todo")
    *_, label, evaluate = (line.split() for line in outcome.err.strip().split("\n"))
    assert label[:4] == ["pralign", "label", "todo.src", "todo.tgt"]
    differing.write("todo.gold", ["0-0 0-1"] * 20 + [""] * (len(differing.lines("todo.src")) - 20))
    told = differing.ok(*evaluate[1:]).out
    row = next(line for line in told.split("\n") if line.startswith("errors a pair"))
    assert row.split()[3] == "1.00"
    assert row.split()[-1] == "0.0020"
    assert "By errors a pair OTHER is better than HYP" in told
    message = differing.fails("report", "s", "t", *TWO, "--pairs-to-label", "todo", code=2)
    assert "todo.gold has labels of pairs that were drawn before" in message


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([*TWO, "--label-count", "3"], 2, "--label-count goes with --pairs-to-label PREFIX"),
        ([*TWO, "--pairs-to-label", "x", "--gold", "g"], 2, "leave out --gold"),
        (["--system", "A=a", "--pairs-to-label", "x"], 2, "compares two systems, not 1"),
        (["--system", "A=a", "--system", "B=a", "--pairs-to-label", "x"], 1, "there is nothing to label"),
        ([*TWO, "--pairs-to-label", "x", "--label-count", "99"], 1, "ask for fewer, or look at more with --sample"),
        ([*TWO, "--pairs-to-label", "x", "--json", "x.tsv"], 2, "x.tsv"),
        ([*TWO, "--pairs-to-label", "missing/x"], 1, "missing/x.src"),
        ([*TWO, "--pairs-to-label", "folder"], 2, "such as folder/todo"),
        ([*TWO, "--pairs-to-label", "missing/.."], 2, "such as missing/../todo"),
        *(([*TWO, "--pairs-to-label", name], 2, "this is a folder; name also") for name in (".", "./", "", "/", "..")),
    ],
)
def test_pairs_that_cannot_be_drawn(differing, options, code, message):
    (differing.folder / "folder").mkdir()
    before = differing.snapshot()
    assert message in differing.fails("report", "s", "t", *options, code=code)
    assert differing.snapshot() == before


# Parts of the text


def test_of_a_long_text_some_pairs_are_drawn(many):
    page, found, outcome = report(many, "--system", "A=a", "--sample", "10", "--seed", "4")
    numbers = [pair["n"] for pair in data(page)["pairs"]]
    assert len(numbers) == 10
    assert [entry["pair"] for entry in found["pairs"]] == numbers == sorted(set(numbers))
    sentence = "This report looks at 10 of all 200 sentence pairs; they were drawn at random (seed 4)."
    assert sentence in page
    assert found["findings"][0].startswith(sentence)
    assert "drawn_from:200|sample_seed:4" in found["signature"]
    assert outcome.err.startswith("looked at 10 of 200 pairs, seed 4\n")
    source, _ = sample_lines(200)
    assert [" ".join(pair["s"]) for pair in data(page)["pairs"]] == [source[number - 1] for number in numbers]
    again, _, _ = report(many, "--system", "A=a", "--sample", "10", "--seed", "4")
    assert again == page
    other, _, _ = report(many, "--system", "A=a", "--sample", "10", "--seed", "5")
    assert [pair["n"] for pair in data(other)["pairs"]] != numbers


def test_words_are_counted_in_the_whole_text(many):
    _, whole, _ = report(many, "--system", "A=a")
    page, part, _ = report(many, "--system", "A=a", "--sample", "10")
    assert part["tables"]["corpus"] == whole["tables"]["corpus"]
    words = [word.casefold() for line in sample_lines(200)[0] for word in line.split()]
    assert whole["tables"]["corpus"]["rows"][0]["words"] == len(words)
    for pair in data(page)["pairs"]:
        assert pair["r"][0] == [i for i, word in enumerate(pair["s"]) if words.count(word.casefold()) <= 5]
    assert "drawn at random" not in whole["findings"][0]


def test_pairs_that_were_not_drawn_need_no_links(many):
    page, _, _ = report(many, "--system", "A=a", "--sample", "5")
    drawn = {pair["n"] for pair in data(page)["pairs"]}
    many.write("a", ["0-0" if number in drawn else "97-98" for number in range(1, 201)])
    assert report(many, "--system", "A=a", "--sample", "5")[0] == page


def test_a_gold_of_the_first_pairs(many):
    page, found, outcome = report(many, "--system", "A=a", "--gold", "g", "--first")
    assert [pair["n"] for pair in data(page)["pairs"]] == list(range(1, 51))
    sentence = "This report looks at the first 50 of 200 sentence pairs, which are also aligned by hand."
    assert found["findings"][0].startswith(sentence)
    assert "looked at" not in outcome.err
    _, found, outcome = report(many, "--system", "A=a", "--gold", "g", "--first", "--sample", "7")
    assert len(found["pairs"]) == 7
    assert max(entry["pair"] for entry in found["pairs"]) <= 50
    assert outcome.err.startswith("looked at 7 of 50 pairs, seed 0\n")
    assert "drawn_from:50" in found["signature"]


# Models


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Where sixty pairs, a model of them, one that was judged while it was trained, and two that match are made."""
    folder = tmp_path_factory.mktemp("models")
    work = Workspace(folder)
    source, target = sample_lines(60)
    gold = gold_lines(60)
    for name, lines in (("s", source), ("t", target), ("g", gold)):
        work.write(name, lines)
        work.write(f"l{name}", lines[:12])
    work.write("a", ["0-0"] * 60)
    train = ["train", "s", "t", "-q", "--model", "ibm1", "--iterations", "ibm1=2", "--threads", "1"]
    fit = ["match", "fit", "s", "t", "-q", "--labelled", "ls", "lt", "lg", "--rounds", "5"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        work.ok(*train, "--save", "plain")
        work.ok(*train, "--dev", "ls", "lt", "lg", "--save", "judged")
        work.ok(*fit, "--features", "dice,distance", "--save", "matching")
        work.ok(*fit, "--features", "dice,posteriors", "--model", "plain", "--save", "informed")
    return folder


@pytest.fixture
def trained(work, models):
    """A folder with all that."""
    shutil.copytree(models, work.folder, dirs_exist_ok=True)
    return work


def test_a_model_adds_its_probabilities_settings_and_training(trained):
    page, found, _ = report(trained, "--system", "A=a", "--gold", "g", "--model", "./judged/../plain/")
    assert data(page)["model"] == "plain"
    assert all(len(pair["m"]) == 2 for pair in data(page)["pairs"])
    assert list(found["curves"]) == ["precision_recall", "aer", "likelihood"]
    assert len(found["history"]) == 2
    rows = {row["setting"]: row["value"] for row in found["tables"]["settings"]["rows"]}
    assert rows["model"] == "ibm1"
    assert found["tables"]["agreement"]["rows"][0]["first"] == "plain: forward"
    assert "Signature of the model:" in page


def test_a_model_that_was_judged_while_it_was_trained(trained):
    _, found, _ = report(trained, "--system", "A=a", "--model", "judged")
    assert list(found["curves"]) == ["confidence", "likelihood", "dev_aer"]
    points = found["curves"]["dev_aer"]["series"][0]["points"]
    assert points == [[number, entry["dev_aer"]] for number, entry in enumerate(found["history"], start=1)]


@pytest.mark.parametrize(("model", "probabilities"), [("matching", False), ("informed", True)])
def test_a_matching_model_shows_its_weights(trained, model, probabilities):
    page, found, _ = report(trained, "--system", "A=a", "--model", model)
    assert found["tables"]["weights"]["rows"]
    assert ("confidence" in found["curves"]) == probabilities
    assert all(("m" in pair) == probabilities for pair in data(page)["pairs"])
    assert data(page)["model"] == model


def test_a_model_may_not_know_the_words(trained):
    trained.write("s", ["xx yy", "", "the"])
    trained.write("t", ["zz", "la", ""])
    trained.write("a", ["0-0", "", ""])
    page, _, _ = report(trained, "--system", "A=a", "--model", "plain")
    assert [pair["m"][0][0] for pair in data(page)["pairs"]][1:] == [[], []]


def test_without_a_model_no_compiler_is_imported(files):
    code = (
        "import sys; from pralign.cli.app import app\n"
        f"app({['report', 's', 't', '--system', 'A=a', '--gold', 'g', '-q']!r}, standalone_mode=False)\n"
        "print([name for name in ('numba', 'scipy', 'safetensors') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=files.folder, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stdout == "[]\n"
