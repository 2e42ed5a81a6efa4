"""``import eflomal`` with pralign behind it: what scripts call, with the arguments that they give."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dropins.conftest import lines_of, links_of
from pralign.dropins.eflomal_module import Aligner
from pralign.dropins.linking import link_into, module_path
from pralign.text.files import read_lines


@pytest.fixture
def eflomal(monkeypatch):
    monkeypatch.syspath_prepend(str(module_path()))
    monkeypatch.delitem(sys.modules, "eflomal", raising=False)
    yield importlib.import_module("eflomal")
    sys.modules.pop("eflomal", None)


def test_the_module_is_found_only_by_its_folder(eflomal):
    assert Path(eflomal.__file__).is_relative_to(module_path())
    program = "import importlib.util, pralign, sys; sys.exit(importlib.util.find_spec('eflomal') is not None)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode == 0


def generated(lines):
    yield from lines


def test_a_filter_scores_pairs_by_priors_of_clean_text(eflomal, sentences, tmp_path):
    """The calls of a filter: generators for text, names of temporary files that stay open and are read from there."""
    kept = [pair for pair in zip(*sentences, strict=True) if all(pair)]
    source, target = (list(side) for side in zip(*kept, strict=True))
    priors_file = tmp_path / "priors"
    with (
        tempfile.NamedTemporaryFile("w+") as forward,
        tempfile.NamedTemporaryFile("w+") as reverse,
        tempfile.NamedTemporaryFile("w+") as forward_scores,
        tempfile.NamedTemporaryFile("w+") as reverse_scores,
    ):
        eflomal.Aligner(model=3).align(
            generated(source),
            generated(target),
            links_filename_fwd=forward.name,
            links_filename_rev=reverse.name,
            scores_filename_fwd=forward_scores.name,
            scores_filename_rev=reverse_scores.name,
            quiet=True,
        )
        scores = [[float(line.strip()) for line in pair] for pair in zip(forward_scores, reverse_scores, strict=True)]
        assert len(scores) == len(json.loads(json.dumps(scores))) == len(source)
        forward.seek(0)
        reverse.seek(0)
        priors = eflomal.calculate_priors(generated(source), generated(target), forward, reverse)
    assert [bool(part) for part in priors] == [True] * 5
    with priors_file.open("w", encoding="utf-8") as stream:
        eflomal.write_priors(stream, *priors)
    wrong = [*target[30:], *target[:30]]
    with (
        tempfile.TemporaryFile("w+") as left,
        tempfile.TemporaryFile("w+") as right,
        tempfile.NamedTemporaryFile("w+") as forward_scores,
        tempfile.NamedTemporaryFile("w+") as reverse_scores,
        priors_file.open(encoding="utf-8") as known,
    ):
        for stream, lines in ((left, source * 2), (right, target + wrong)):
            stream.writelines(f"{line}\n" for line in lines)
            stream.seek(0)
        eflomal.Aligner(model=3).align(
            *(left, right),
            scores_filename_fwd=forward_scores.name,
            scores_filename_rev=reverse_scores.name,
            priors_input=known,
            quiet=True,
        )
        found = []
        for stream in (forward_scores, reverse_scores):
            stream.seek(0)
            found.append([float(line.strip()) for line in stream])
    for side in found:
        assert len(side) == 2 * len(source)
        assert sum(side[: len(source)]) + len(source) < sum(side[len(source) :])


def documented(program):
    """How the path is set for a program, as the documentation has it."""
    text = Path(__file__).parents[2].joinpath("docs", "migration.md").read_text(encoding="utf-8")
    [setting] = re.findall(rf"^(PYTHONPATH=.*) python {program} …$", text, re.MULTILINE)
    return setting


def test_a_pipeline_runs_as_it_is(text, sentences, tmp_path):
    """A program that knows nothing of pralign: a pool of processes, parts, priors, and atools in a folder."""
    link_into(tmp_path / "bin", overwrite=False)
    for name in "st":
        (tmp_path / f"corpus.{name}").write_bytes((text / name).read_bytes())
    common = tmp_path / "repository" / "pipeline" / "common"
    common.mkdir(parents=True)
    (common / "logging.py").write_text("say = print\n")
    on_path = os.pathsep.join(filter(None, [str(tmp_path / "repository"), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": on_path, "BIN": str(tmp_path / "bin")}
    output = tmp_path / "out" / "corpus.aln.zst"
    output.parent.mkdir()
    program = Path(__file__).with_name("replay_mozilla.py")
    python = shlex.quote(sys.executable)
    call = documented("align.py").replace("pralign-eflomal", f"{python} -m pralign.dropins.eflomal")
    files = shlex.join(map(str, [program, tmp_path / "corpus.s", tmp_path / "corpus.t", output]))
    command = ["sh", "-c", f"{call} {python} {files}"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "aligned\n"
    assert done.stderr.count("pralign in place of eflomal") == 3
    found = [links_of(line) for line in read_lines(output)]
    assert len(found) == len(sentences[0])
    assert sum(map(len, found)) > 200
    assert all(line.count("\t") in (2, 3) for line in lines_of(output.parent / "corpus.priors"))


def test_words_may_be_cut_and_scores_be_those_of_another_model(eflomal, tmp_path):
    source = ["Walking home", "walked", "walks home"]
    target = ["zuhause gehend", "gegangen", "geht zuhause"]
    aligner = eflomal.Aligner(score_model=1, source_prefix_len=4, target_prefix_len=2)
    aligner.align(
        source, target, tmp_path / "f", scores_filename_fwd=tmp_path / "F", priors_input=["LEX\twalkable\tgesetzt\t9\n"]
    )
    assert lines_of(tmp_path / "f") == ["1-0 0-1", "0-0", "0-0 1-1"]
    assert all(float(line) > 0 for line in lines_of(tmp_path / "F"))


def test_texts_without_a_pair_are_answered(eflomal, tmp_path):
    eflomal.Aligner().align(["", "a"], ["b", ""], str(tmp_path / "f"), scores_filename_rev=str(tmp_path / "R"))
    assert (lines_of(tmp_path / "f"), lines_of(tmp_path / "R")) == (["", ""], ["-0", "-0"])
    eflomal.Aligner().align([], [], str(tmp_path / "none"))
    assert (tmp_path / "none").read_text() == ""


def test_small_functions_do_what_those_of_eflomal_do(eflomal):
    joint = ["a b ||| c\n", "d ||| e f\n"]
    assert list(eflomal.sentences_from_joint_file(joint)) == [("a b", "c"), ("d", "e f")]
    assert list(eflomal.sentences_from_joint_file(joint, 1)) == ["c", "e f"]
    sentences, index = eflomal.read_text(["The cat\n", "\n", "the\n"], True, 2, 0)
    assert ([each.tolist() for each in sentences], index) == ([[0, 1], [], [0]], {"th": 0, "ca": 1})
    lines = ["LEX\ta\tb\t2\n", "HMMF\t1\t3\n", "HMMR\t0\t1\n", "FERF\ta\t1\t2\n", "FERR\tb\t2\t1\n"]
    counted = eflomal.calculate_priors(["d e\n"], ["u v\n"], ["0-0 0-0 1-1\n"], ["1-1 0-1 0-0"])
    assert counted[0] == {("d", "u"): 2, ("e", "v"): 1} and counted[2] == {2: 1, 1: 2}
    assert eflomal.read_priors(lines) == ([("a", "b", 2.0)], {1: 3.0}, {0: 1.0}, [("a", 1, 2.0)], [("b", 2, 1.0)])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda e, f: e.Aligner().align(["a"], ["b", "c"], f), "Mismatched file sizes"),
        (lambda e, f: e.Aligner().align(["a"], ["b"], f, priors_input=["LEX\ta\n"]), "the priors, line 1"),
        (lambda e, f: e.Aligner(model=4).align(["a"], ["b"], f), "model must be 1 to 3"),
        (lambda e, f: e.calculate_priors(["a"], ["b"], ["0-1"], ["0-0"]), "line 1: the link 0-1 is out of bounds"),
        (lambda e, f: e.calculate_priors(["a"], ["b"], [], []), "shorter"),
        (lambda e, f: list(e.sentences_from_joint_file(["a b"])), "line 1"),
        (lambda e, f: e.read_priors(["LEX\ta\tb\tmany"]), "'?many"),
    ],
)
def test_what_cannot_be_done_is_a_value_error(eflomal, tmp_path, call, said):
    with pytest.raises(ValueError, match=said):
        call(eflomal, tmp_path / "f")
    assert not (tmp_path / "f").exists()


def test_what_is_missing_or_means_nothing_is_said(eflomal, caplog, tmp_path):
    Aligner(null_prior=0.3, n_iterations=(1, 2, 3))
    assert "no effect of n_iterations, null_prior" in caplog.text
    assert "rel_iterations" not in caplog.text
    Aligner(rel_iterations=0.2).align(["a"], ["b"], "", links_filename_rev=tmp_path / "r", use_gdb=True)
    assert "rel_iterations=0.2 is the preset fast" in caplog.text and "no effect of use_gdb" in caplog.text
    assert lines_of(tmp_path / "r") == ["0-0"]
    for name in ("align", "write_text", "TextIndex", "to_eflomal_text_file", "to_eflomal_priors_file"):
        with pytest.raises(NotImplementedError, match=f"stands in for eflomal here and has no {name}, which"):
            getattr(eflomal, name)([], {}, name="x")
    with pytest.raises(NotImplementedError, match=r"has no Aligner\.prepare_files"):
        Aligner().prepare_files([], [], [], [], None, None)
    with pytest.raises(OSError, match="none"):
        eflomal.Aligner().align(["a"], ["b"], tmp_path / "none" / "f")
