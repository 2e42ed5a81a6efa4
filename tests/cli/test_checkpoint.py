"""Training that is ended goes on where it was: the same bits as if nothing had happened, and nothing left behind."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.support import PATIENCE, PROGRAM, SMALL_SOURCE, SMALL_TARGET, Workspace, gold_lines, sample_lines
from constrained import Same
from pralign import Aligner, sample
from pralign.constraints import Bijective
from pralign.errors import UsageError
from pralign.links.formats import read_alignments
from pralign.runs.checkpoint import Checkpoint
from pralign.store import DirectoryStore
from pralign.training.trainer import Trainer

SMALL = list(zip(SMALL_SOURCE, SMALL_TARGET, strict=True))
QUICK = ("--model", "hmm", "--iterations", "ibm1=2,hmm=2", "--estimator", "collapsed")


class Killed(BaseException):
    """Stands for the end of the program: nobody catches it."""


def killed_after(writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program end when it has changed so many files of a checkpoint, half of the last one being written."""
    left = [writes]
    save, delete, write = DirectoryStore.save, DirectoryStore.delete, Checkpoint._write

    def count(directory: Path) -> None:
        left[0] -= 1
        if left[0] < 0:
            (directory / ".half.tensors.0123abcd.partial").write_bytes(b"half")
            raise Killed

    def counted_save(store, name, arrays):
        count(store.folder.directory)
        save(store, name, arrays)

    def counted_delete(store, name):
        count(store.folder.directory)
        delete(store, name)

    def counted_write(checkpoint, text):
        if checkpoint._directory.names():
            count(checkpoint._directory.directory)
        write(checkpoint, text)

    monkeypatch.setattr(DirectoryStore, "save", counted_save)
    monkeypatch.setattr(DirectoryStore, "delete", counted_delete)
    monkeypatch.setattr(Checkpoint, "_write", counted_write)


@contextmanager
def ended_after(iterations: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the program end when training has made so many iterations."""
    left = [iterations]
    advance = Trainer.advance

    def counted(trainer, state):
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return advance(trainer, state)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Trainer, "advance", counted)
        yield


@pytest.mark.slow
class TestEveryMoment:
    """The program ends after each of the changes that it makes to the checkpoint."""

    @staticmethod
    def result(folder: Path, checkpoint: Path | None) -> tuple[list[str], dict[str, bytes]]:
        aligner = Aligner(
            model="hmm", iterations="ibm1=1,hmm=2", estimator="collapsed", checkpoint=checkpoint, threads=1
        )
        answers = [f"{answer.alignment} {answer.score!r}" for answer in aligner.fit_decode([*SMALL, ("a " * 300, "b")])]
        aligner.save(folder / "m")
        aligner.close()
        return answers, {path.name: path.read_bytes() for path in (folder / "m").iterdir()}

    @pytest.mark.parametrize("part", range(4))
    def test_a_run_that_was_ended_anywhere_goes_on_to_the_same_bits(self, tmp_path, monkeypatch, part):
        expected = self.result(tmp_path, None)
        writes, place = part, tmp_path / "c"
        while True:
            with monkeypatch.context() as patch:
                killed_after(writes, patch)
                try:
                    self.result(tmp_path, place)
                    break
                except Killed:
                    assert place.is_dir()
            assert self.result(tmp_path, place) == expected
            assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]
            writes += 4
        assert writes > 30

    def test_a_run_that_is_ended_over_and_over_again_comes_to_its_end(self, tmp_path, monkeypatch):
        expected = self.result(tmp_path, None)
        kills = 0
        while True:
            with monkeypatch.context() as patch:
                killed_after(8 + kills, patch)
                try:
                    assert self.result(tmp_path, tmp_path / "c") == expected
                    break
                except Killed:
                    kills += 1
        assert kills > 3
        assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


class TestTheDirectory:
    def test_what_was_left_while_the_first_file_was_written_is_no_obstacle(self, small):
        (small.folder / "c").mkdir()
        small.write("c/.checkpoint.json.partial", '{"form')
        small.ok("align", "s", "t", "-q", *QUICK, "--checkpoint", "c")
        assert not (small.folder / "c").exists()

    def test_what_others_have_put_into_it_is_kept(self, small, monkeypatch):
        aligner = Aligner(model="ibm1", checkpoint=small.folder / "c").fit(SMALL)
        small.write("c/notes.txt", "mine")
        aligner.close()
        assert [path.name for path in (small.folder / "c").iterdir()] == ["notes.txt"]


@pytest.fixture
def ended(small, monkeypatch):
    """A folder with six pairs and a checkpoint ``c`` of a run on them that has ended early."""
    with ended_after(3, monkeypatch):
        small.run("align", "s", "t", "-q", *QUICK, "--checkpoint", "c")
    assert json.loads(small.read("c/checkpoint.json"))["text"] is not None
    assert list((small.folder / "c").glob("state+*"))
    return small


GO_ON = ("align", "s", "t", "-q", *QUICK, "--checkpoint", "c")


class TestWhatIsNoCheckpoint:
    @pytest.mark.parametrize("content", [{"notes.txt": "mine"}, {"checkpoint.json": '{"epoch": 3}'}, {".hidden": ""}])
    def test_a_directory_that_holds_something_else_is_refused_and_kept(self, small, content):
        (small.folder / "c").mkdir()
        for name, text in content.items():
            small.write(f"c/{name}", text)
        message = small.fails("align", "s", "t", "-q", "--checkpoint", "c")
        assert message == "c: this directory holds something that is not a checkpoint"

    def test_a_file_is_refused(self, small):
        assert small.fails(*GO_ON[:-1], "s").startswith("s: cannot keep a checkpoint here: ")

    def test_a_directory_in_a_directory_that_is_not_there_is_refused(self, small):
        assert small.fails(*GO_ON[:-1], "x/c") == "x/c: cannot keep a checkpoint here: No such file or directory"

    def test_a_link_that_leads_nowhere_is_refused(self, small):
        (small.folder / "c").symlink_to("nowhere")
        assert small.fails(*GO_ON).startswith("c: cannot keep a checkpoint here: ")


class TestDamage:
    @pytest.mark.parametrize(
        "content",
        [b"", b"{", b"\xff\xfe", b"[]", b"null", b"3", b'{"format": "pralign checkpoint", "format_version": 1}'],
    )
    def test_a_description_that_is_damaged_is_told(self, ended, content):
        ended.write("c/checkpoint.json", content)
        message = ended.fails(*GO_ON)
        assert message == "c: checkpoint.json is damaged; delete the directory to start again"

    @pytest.mark.parametrize("missing", ["run", "text", "pralign_version"])
    def test_a_description_without_something_is_told(self, ended, missing):
        content = json.loads(ended.read("c/checkpoint.json"))
        del content[missing]
        ended.write("c/checkpoint.json", json.dumps(content))
        assert "checkpoint.json is damaged" in ended.fails(*GO_ON)

    @pytest.mark.parametrize("run", ["null", "3", '"x"', "[]"])
    def test_a_description_of_something_strange_is_told(self, ended, run):
        content = json.loads(ended.read("c/checkpoint.json"))
        ended.write("c/checkpoint.json", json.dumps({**content, "run": json.loads(run)}))
        assert "checkpoint.json is damaged" in ended.fails(*GO_ON)

    def test_another_version_is_told(self, ended):
        content = json.loads(ended.read("c/checkpoint.json"))
        ended.write("c/checkpoint.json", json.dumps({**content, "pralign_version": "99.0"}))
        assert "was written by another version of pralign, 99.0;" in ended.fails(*GO_ON, code=2)

    @pytest.mark.parametrize("kind", ["state", "shard", "corpus", "parameters", "own", "slots", "piece"])
    @pytest.mark.parametrize("harm", ["empty", "cut", "short", "garbage", "missing"])
    def test_files_that_are_damaged_are_told(self, ended, kind, harm):
        if (kind, harm) == ("state", "missing"):
            pytest.skip("without a state, training begins again")
        paths = sorted((ended.folder / "c").glob(f"{kind}*.tensors"))
        assert paths
        for path in paths:
            whole = path.read_bytes()
            if harm == "missing":
                path.unlink()
            else:
                damaged = {"empty": b"", "cut": whole[: len(whole) // 2], "short": whole[:-1], "garbage": b"\x07" * 999}
                path.write_bytes(damaged[harm])
        outcome = ended.run(*GO_ON)
        assert outcome.code == 1
        assert re.fullmatch(r"pralign: c/\S+\.tensors: .*; delete the directory and start again\n", outcome.err)
        assert (ended.folder / "c" / "checkpoint.json").is_file()

    def test_files_with_names_of_other_programs_are_no_states(self, ended):
        expected = ended.align("s", "t", *QUICK)
        names = ["c/state+latest.tensors", f"c/state+{'9' * 200}.tensors", "c/counts+x.tensors"]
        for name in names:
            ended.write(name, "something")
        assert ended.ok(*GO_ON).out.splitlines() == expected

    def test_without_a_state_training_begins_again(self, ended):
        expected = ended.align("s", "t", *QUICK)
        for path in (ended.folder / "c").glob("state*"):
            path.unlink()
        assert ended.ok(*GO_ON).out.splitlines() == expected

    @pytest.mark.parametrize("change", [{"shape": [-1, -6]}, {"shape": ["x"]}, {"shape": [0.5, 12]}, {"dtype": "X"}])
    def test_headers_that_make_no_sense_are_told(self, ended, change):
        path = next((ended.folder / "c").glob("state*"))
        whole = path.read_bytes()
        length = int.from_bytes(whole[:8], "little")
        header = json.loads(whole[8 : 8 + length])
        header["description"] |= change
        text = json.dumps(header).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + whole[8 + length :])
        outcome = ended.run(*GO_ON)
        assert outcome.code == 1
        assert outcome.err.endswith("; delete the directory and start again\n")


@dataclass(frozen=True, kw_only=True)
class Worded(Same):
    """A constraint with a value that is no number."""

    words: tuple[str, ...] = ()


class TestAnotherRun:
    @pytest.mark.parametrize(
        "options, named",
        [
            (
                ("--iterations", "ibm1=2,hmm=3"),
                "iterations was [['ibm1', 2], ['hmm', 2]] and is [['ibm1', 2], ['hmm', 3]]",
            ),
            (("--model", "fhmm", "--iterations", "ibm1=2,fhmm=2"), "model was hmm and is fhmm"),
            (("--estimator", "vb"), "estimator was collapsed and is vb"),
            (("--alpha", "0.1"), "alpha was 0.001 and is 0.1"),
            (("--no-lowercase",), "lowercase was True and is False"),
            (("--prefix", "3"), "prefix was None and is 3"),
            (("--suffix", "2"), "suffix was None and is 2"),
            (("--max-length", "7"), "max length was 200 and is 7"),
            (("--lookalikes", "2"), "lookalikes was 0.0 and is 2.0"),
            (("--classes", "7"), "classes was 50 and is 7"),
            (("--constraint", "bijective"), "constraint was none and is bijective"),
            (("--preset", "best"), "constraint was none and is symmetric"),
            (("--prior", "d"), "prior was [] and is ['d "),
        ],
    )
    def test_other_settings_are_refused_and_named(self, ended, options, named):
        ended.write("d", ["house\tmaison"])
        assert named in ended.fails(*GO_ON, *options, code=2)

    def test_another_text_is_refused(self, ended):
        ended.write("t", [*SMALL_TARGET[:-1], "grand chat"])
        message = ended.fails(*GO_ON, code=2)
        assert "c: this is the checkpoint of a run on another text (6 pairs, " in message

    @pytest.mark.parametrize(
        "change", [lambda lines: lines[:-1], lambda lines: lines[::-1], lambda lines: [*lines, "x"]]
    )
    def test_more_less_or_reordered_text_is_refused(self, ended, change):
        ended.write("s", change(SMALL_SOURCE))
        ended.write("t", change(SMALL_TARGET))
        assert "another text" in ended.fails(*GO_ON, code=2)

    def test_words_on_the_other_side_are_another_text(self, ended):
        ended.write("b", [f"{source}\t{target}" for source, target in zip(SMALL_TARGET, SMALL_SOURCE, strict=True)])
        assert "another text" in ended.fails("align", "b", *GO_ON[3:], code=2)

    def test_the_same_text_in_another_file_is_the_same(self, ended):
        expected = ended.align("s", "t", *QUICK)
        ended.write("b", [f"{source}\t{target}" for source, target in SMALL])
        assert ended.ok("align", "b", *GO_ON[3:]).out.splitlines() == expected

    def test_labelled_pairs_where_there_were_none_are_refused(self, ended):
        ended.write("g", ["0-0 1-1"] * 6)
        assert "labelled pairs was None and is 6 pairs" in ended.fails(*GO_ON, "--dev", "s", "t", "g", code=2)

    @pytest.mark.parametrize("lines", [["0-0 1-1"] * 5 + ["0-1"], ["0-0 1?1"] * 6])
    def test_other_labels_are_refused(self, small, monkeypatch, lines):
        small.write("g", ["0-0 1-1"] * 6)
        with ended_after(3, monkeypatch):
            small.run(*GO_ON, "--dev", "s", "t", "g")
        small.write("g", lines)
        message = small.fails(*GO_ON, "--dev", "s", "t", "g", code=2)
        assert "another run: labelled pairs was 6 pairs, " in message
        assert "iterations" not in message

    def test_another_prior_of_the_same_name_is_refused(self, small, monkeypatch):
        small.write("d", ["house\tmaison"])
        with ended_after(3, monkeypatch):
            small.run(*GO_ON, "--prior", "d")
        small.write("d", ["house\tchat"])
        assert "another run: prior was ['d " in small.fails(*GO_ON, "--prior", "d", code=2)

    def test_another_prior_model_of_the_same_name_is_refused(self, model, monkeypatch):
        with ended_after(3, monkeypatch):
            model.run(*GO_ON, "--prior", "m")
        model.ok("train", "t", "s", "-q", "--save", "m")
        assert "another run: prior was ['m " in model.fails(*GO_ON, "--prior", "m", code=2)

    def test_a_constraint_with_other_values_is_refused(self, tmp_path, monkeypatch):
        for number, (first, second) in enumerate(
            [(Same(), Same(share=0.5)), (Bijective(), Bijective(tolerance=0.1)), (Bijective(), Bijective(steps=3))]
        ):
            place = tmp_path / str(number)
            with ended_after(6, monkeypatch):
                Aligner(constraint=first, checkpoint=place).fit(SMALL)
            with pytest.raises(UsageError, match="another run: constraint was "):
                Aligner(constraint=second, checkpoint=place).fit(SMALL)

    def test_a_constraint_with_other_words_is_refused(self, tmp_path, monkeypatch):
        with ended_after(6, monkeypatch):
            Aligner(constraint=Worded(words=("a", "the")), checkpoint=tmp_path).fit(SMALL)
        with pytest.raises(UsageError, match=r"another run: constraint was .*'the'.* and is .*'an'"):
            Aligner(constraint=Worded(words=("a", "an")), checkpoint=tmp_path).fit(SMALL)

    def test_a_constraint_by_its_name_is_the_same_as_itself(self, tmp_path, monkeypatch):
        with ended_after(6, monkeypatch):
            Aligner(constraint="bijective", checkpoint=tmp_path / "c").fit(SMALL)
        Aligner(constraint=Bijective(), checkpoint=tmp_path / "c").fit(SMALL).close()
        assert not (tmp_path / "c").exists()

    def test_what_decides_when_labelled_pairs_stop_training_cannot_change(self, text, monkeypatch):
        go_on = ("align", "s", "t", "-q", "--constraint", "bijective", "--dev", "s", "t", "g", "--checkpoint", "c")
        with ended_after(6, monkeypatch):
            text.run(*go_on)
        assert "project at decode was None and is False" in text.fails(*go_on, "--no-project-at-decode", code=2)


class TestWhatMayChange:
    @pytest.mark.parametrize(
        "options",
        [
            ("--threshold", "0.2"),
            ("--threshold", "auto"),
            ("--decode", "viterbi"),
            ("--decode", "matching"),
            ("--symmetrize", "union"),
            ("--threads", "1"),
            ("--threads", "3"),
            ("--memory", "1G"),
            ("--scratch", "."),
        ],
    )
    def test_how_links_are_chosen_and_what_is_used_may_change(self, ended, options):
        ended.ok("align", "s", "t", "-q", *QUICK, *options, "-o", "expected", "--scores", "es", "--save", "em")
        ended.ok(*GO_ON, *options, "-o", "links", "--scores", "ls", "--save", "lm")
        assert ended.read("links") == ended.read("expected")
        assert ended.read("ls") == ended.read("es")
        for path in (ended.folder / "em").iterdir():
            assert (ended.folder / "lm" / path.name).read_bytes() == path.read_bytes()
        assert not (ended.folder / "c").exists()

    def test_projecting_at_decode_time_may_change_without_labels(self, small, monkeypatch):
        constrained = (*GO_ON, "--constraint", "bijective")
        with ended_after(3, monkeypatch):
            small.run(*constrained)
        expected = small.align("s", "t", *QUICK, "--constraint", "bijective", "--no-project-at-decode")
        assert small.ok(*constrained, "--no-project-at-decode").out.splitlines() == expected

    def test_what_tunes_the_threshold_may_change(self, text, monkeypatch):
        labelled = ("--dev", "s", "t", "g")
        with ended_after(3, monkeypatch):
            text.run(*GO_ON, *labelled)
        expected = text.align("s", "t", *QUICK, *labelled, "--tune", "f1")
        assert text.ok(*GO_ON, *labelled, "--tune", "f1").out.splitlines() == expected

    def test_training_may_be_ended_as_align_and_go_on_as_train(self, ended):
        ended.ok("train", "s", "t", "-q", *QUICK, "--save", "m")
        ended.ok("train", *GO_ON[1:], "--save", "n")
        for path in (ended.folder / "m").iterdir():
            assert (ended.folder / "n" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.slow
class TestEarlyStopping:
    @pytest.mark.parametrize("iterations", [1, 3, 4, 5])
    def test_labelled_pairs_stop_training_at_the_same_iteration(self, text, monkeypatch, iterations):
        run = ("align", "s", "t", "-q", "--model", "hmm", "--iterations", "ibm1=2,hmm=9", "--dev", "s", "t", "g")
        text.ok(*run, "-o", "expected", "--save", "m")
        history = json.loads(text.read("m/manifest.json"))["history"]
        assert not history[-1]["kept"]
        assert len(history) > 4
        with ended_after(min(iterations, len(history) - 1), monkeypatch):
            text.run(*run, "--checkpoint", "c")
        text.ok(*run, "--checkpoint", "c", "-o", "links", "--save", "n")
        assert text.read("links") == text.read("expected")
        assert text.read("m/manifest.json") == text.read("n/manifest.json")

    def test_training_that_has_stopped_stays_so(self, text, monkeypatch):
        run = ("align", "s", "t", "--model", "hmm", "--iterations", "ibm1=2,hmm=9", "--dev", "s", "t", "g")
        text.ok(*run, "-o", "expected")
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "remove", lambda checkpoint: None)
            text.ok(*run, "--checkpoint", "c", "-o", "links")
        again = text.ok(*run, "--checkpoint", "c", "-o", "links")
        assert "log-likelihood" not in again.err
        assert re.search(r"going on after \d+ iterations", again.err)
        assert text.read("links") == text.read("expected")
        assert not (text.folder / "c").exists()

    @pytest.mark.parametrize("labels", [False, True])
    def test_a_constraint_of_ones_own_that_looks_at_words_goes_on(self, tmp_path, monkeypatch, labels):
        source, target = sample_lines(40)
        pairs = list(zip(source, target, strict=True))
        golds = read_alignments(sample.GOLD, "gold")
        labelled = [(*pair, gold) for pair, gold in zip(pairs, golds, strict=False)] if labels else None

        def answers(checkpoint):
            aligner = Aligner(constraint=Same(), iterations="ibm1=2,hmm=4", checkpoint=checkpoint, threads=2)
            found = [(answer.alignment, answer.score) for answer in aligner.fit_decode(pairs, labelled=labelled)]
            aligner.close()
            return found, aligner.signature, aligner.history_

        expected = answers(None)
        for iterations in (2, 4):
            with ended_after(iterations, monkeypatch):
                answers(tmp_path / "c")
            assert answers(tmp_path / "c") == expected
            assert not (tmp_path / "c").exists()


REPEATED = 5
TRAINING = ("--model", "fhmm", "--iterations", "ibm1=4,fhmm=6", "--estimator", "collapsed", "--threads", "2")
RESULTS = ("-o", "links", "--scores", "scores", "--forward", "forward", "--save", "model")


class Program:
    """A command that is run in a process of its own again and again, and ended now and then."""

    def __init__(self, work: Workspace, *arguments: str) -> None:
        self.arguments = arguments
        self.work = work
        (work.folder / "tmp").mkdir(exist_ok=True)

    def start(self) -> subprocess.Popen[str]:
        environment = {**os.environ, "TMPDIR": str(self.work.folder / "tmp"), "PYTHONUNBUFFERED": "1"}
        return subprocess.Popen(
            [*PROGRAM, *self.arguments], cwd=self.work.folder, stderr=subprocess.PIPE, text=True, env=environment
        )

    def end(self, how: signal.Signals, lines: int, seconds: float) -> int:
        """Start the program, and end it so many seconds after it has said so many lines; its exit code."""
        process = self.start()
        for _ in range(lines):
            if not process.stderr.readline():
                break
        time.sleep(seconds)
        process.send_signal(how)
        process.communicate(timeout=PATIENCE)
        return process.returncode

    def finish(self) -> None:
        process = self.start()
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    """A folder with a text that takes a moment to learn from, and labelled pairs."""
    work = Workspace(tmp_path_factory.mktemp("larger"))
    source, target = sample_lines(460)
    work.write("s", source * REPEATED)
    work.write("t", target * REPEATED)
    work.write("ls", source[:60])
    work.write("lt", target[:60])
    work.write("lg", gold_lines(60))
    return work


def copied(work: Workspace, folder: Path) -> Workspace:
    folder.mkdir()
    for path in work.folder.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    return Workspace(folder)


def compare_with_kills(larger: Workspace, tmp_path: Path, arguments: tuple[str, ...], ends, seed: int) -> None:
    """Run a command once as it is, and once ended at random moments; all that is left must be the same."""
    plain, often = copied(larger, tmp_path / "plain"), copied(larger, tmp_path / "often")
    Program(plain, *arguments).finish()
    chance = random.Random(seed)
    program = Program(often, *arguments, "--checkpoint", "c")
    for how, most_lines in ends:
        code = program.end(how, chance.randint(1, most_lines), chance.random() * 0.3)
        if code == 0 or not (often.folder / "c").exists():  # it had done all, or nothing yet
            assert code in (0, 130, -how)
            continue
        assert code == (-signal.SIGKILL if how == signal.SIGKILL else 130)
    program.finish()
    assert often.snapshot() == plain.snapshot()


@pytest.mark.slow
class TestKilledPrograms:
    def test_align_goes_on_after_kills_and_interruptions(self, larger, tmp_path):
        ends = [(signal.SIGKILL, 3), (signal.SIGINT, 5), (signal.SIGKILL, 10)]
        compare_with_kills(larger, tmp_path, ("align", "s", "t", *TRAINING, *RESULTS), ends, seed=1)

    def test_train_with_labelled_pairs_goes_on_after_kills(self, larger, tmp_path):
        arguments = ("train", "s", "t", *TRAINING, "--dev", "ls", "lt", "lg", "--save", "model")
        compare_with_kills(larger, tmp_path, arguments, [(signal.SIGKILL, 4), (signal.SIGKILL, 6)], seed=2)

    def test_match_fit_goes_on_after_kills(self, larger, tmp_path):
        learned = ("--labelled", "ls", "lt", "lg", "--features", "distance,posteriors", "--rounds", "5")
        arguments = ("match", "fit", "s", "t", *learned, "--save", "model")
        compare_with_kills(larger, tmp_path, arguments, [(signal.SIGKILL, 11)], seed=3)

    @pytest.mark.parametrize("seed", range(2))  # benchmarks/scale.py --parts kills does more
    def test_align_goes_on_after_many_kills(self, larger, tmp_path, seed):
        chance = random.Random(seed)
        ends = [(chance.choice([signal.SIGKILL, signal.SIGINT]), 11) for _ in range(10)]
        compare_with_kills(larger, tmp_path, ("align", "s", "t", *TRAINING, *RESULTS), ends, seed)

    def test_an_interrupted_program_says_so_and_keeps_its_checkpoint(self, larger, tmp_path):
        work = copied(larger, tmp_path / "work")
        process = Program(work, "align", "s", "t", *TRAINING, "-o", "links", "--checkpoint", "c").start()
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, said
        assert said.endswith("pralign: interrupted\n")
        assert (work.folder / "c" / "checkpoint.json").is_file()
        assert not list((work.folder / "tmp").iterdir())
