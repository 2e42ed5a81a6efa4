"""The engine of many machines: the same answers, whatever happens to processes and machines."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.clusters import Square, cluster, engine_on, learned, text
from pralign import Aligner
from pralign.engine import ThreadEngine
from pralign.engine.ray import RayEngine
from pralign.errors import UsageError, WorkError
from pralign.runs.resources import Resources
from pralign.store import DirectoryStore, MemoryStore
from pralign.text.cutting import ShardSizes

pytest.importorskip("ray")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="Ray on Windows is not tested"),
    pytest.mark.filterwarnings("ignore"),  # of Ray
]


@pytest.fixture(scope="module")
def two_machines():
    with cluster(1, 2) as made:
        yield made


@pytest.fixture(scope="module")
def engine(two_machines):
    with engine_on(two_machines) as made:
        yield made


@pytest.fixture
def small_shards(monkeypatch):
    """Many shards and pieces, even of a small text."""
    monkeypatch.setattr(Resources, "sizes", lambda self, cells, words, workers: ShardSizes(shard=9000, piece=2500))
    monkeypatch.setattr(Resources, "chunk", (2000, 2000))


class TestTasks:
    def test_results_come_in_order_or_in_any(self, engine, tmp_path):
        task = Square(tmp_path)
        assert list(engine.map(task, range(20))) == [item * item for item in range(20)]
        assert sorted(engine.run(task, range(20))) == [item * item for item in range(20)]
        assert list(engine.map(task, [])) == list(engine.run(task, [])) == []

    def test_the_workers_are_the_processors_of_all_machines(self, engine):
        assert engine.workers == 3

    @pytest.mark.parametrize("how", ["error", "killed", "full"])
    @pytest.mark.parametrize("failures", [1, 2])
    def test_what_fails_is_done_again(self, engine, tmp_path, how, failures, caplog):
        with caplog.at_level(logging.WARNING, "pralign"):
            assert list(engine.map(Square(tmp_path, failures, how), range(4))) == [0, 1, 4, 9]
        assert len(list(tmp_path.glob("1.*"))) == failures + 1
        assert len(list(tmp_path.glob("2.*"))) == 1
        messages = [record.getMessage() for record in caplog.records]
        assert len(messages) == failures
        assert all(message.startswith("the square of 1: failed, and is done again: ") for message in messages)

    @pytest.mark.parametrize(
        "how, why",
        [
            ("error", "ValueError: bad"),
            ("killed", "the process that worked on it has died"),
            ("full", "No space left"),
        ],
    )
    def test_what_fails_three_times_is_named(self, engine, tmp_path, how, why):
        with pytest.raises(WorkError, match=f"^the square of 1: failed 3 times, at last because {why}$"):
            list(engine.run(Square(tmp_path, 3, how), range(4)))
        assert len(list(tmp_path.glob("1.*"))) == 3

    def test_what_no_machine_can_do_is_told_at_once(self, engine, tmp_path):
        with pytest.raises(UsageError, match=r"^no use$"):
            list(engine.run(Square(tmp_path, 3, "usage"), range(4)))
        assert len(list(tmp_path.glob("1.*"))) == 1

    def test_items_are_asked_for_only_as_far_as_they_are_worked_on(self, engine, tmp_path):
        asked = []

        def items():
            for item in range(1000):
                asked.append(item)
                yield item

        results = engine.map(Square(tmp_path), items())
        assert next(results) == 0
        assert len(asked) < 40
        results.close()

    def test_a_limit_is_kept(self, two_machines, engine, tmp_path):
        assert RayEngine(two_machines.address, 2).workers == 2
        assert RayEngine(two_machines.address, 9).workers == 3

    def test_memory_is_that_of_the_fullest_worker(self, engine, tmp_path):
        list(engine.run(Square(tmp_path), range(3)))
        assert 20_000_000 < engine.memory < 2_000_000_000


class TestTheSameBits:
    @pytest.fixture(scope="class")
    def expected(self, tmp_path_factory):
        return {
            preset: learned(tmp_path_factory.mktemp("threads"), ThreadEngine(2), text(), preset=preset)
            for preset in ("default", "best")
        }

    @pytest.mark.parametrize(
        ("preset", "workers"), [("default", 1), ("default", 2), ("default", 3), ("best", 1), ("best", 3)]
    )
    def test_for_any_number_of_workers(self, two_machines, engine, small_shards, tmp_path, expected, preset, workers):
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        limited = RayEngine(two_machines.address, workers)
        assert learned(tmp_path, limited, text(), preset=preset, scratch=scratch) == expected[preset]
        assert list(scratch.iterdir()) == []

    def test_when_workers_are_killed_in_mid_iteration(self, engine, small_shards, tmp_path, expected, caplog):
        kills = Killer(tmp_path / "run", every=15)
        found = learned(tmp_path, engine, text(), kills, preset="default", checkpoint=tmp_path / "run")
        assert found == expected["default"]
        assert kills.killed >= 3
        assert not (tmp_path / "run").exists()

    def test_with_labelled_pairs(self, engine, small_shards, tmp_path):
        from pralign import sample
        from pralign.links.formats import read_alignments

        golds = read_alignments(sample.GOLD, "gold")
        labelled = [(*pair, gold) for pair, gold in zip(text(60), golds, strict=False)]
        found = []
        for each in (engine, None):
            aligner = Aligner(engine=each, iterations="ibm1=2,hmm=5", estimator="collapsed")
            answers = list(aligner.fit_decode(text(100), labelled=labelled))
            found.append((list(map(repr, answers)), aligner.history_, aligner.signature))
            aligner.close()
        assert found[0] == found[1]

    def test_with_models_that_search(self, engine, small_shards, tmp_path):
        arguments = {"iterations": "ibm1=1,hmm=1,ibm4=1"}
        expected = learned(tmp_path, None, text(60), **arguments)
        assert learned(tmp_path, engine, text(60), **arguments) == expected

    def test_in_a_directory_at_an_address(self, engine, small_shards, tmp_path, expected):
        pytest.importorskip("fsspec")
        place = f"file://{tmp_path}/run"
        assert learned(tmp_path, engine, text(), preset="default", checkpoint=place) == expected["default"]
        assert not (tmp_path / "run").exists()


class Killer:
    """A listener that kills a process at work now and then."""

    def __init__(self, folder: Path, every: int) -> None:
        self._every = every
        self._heard = 0
        self.killed = 0

    def __call__(self, progress) -> None:
        self._heard += 1
        if self._heard % self._every:
            return
        for process in workers():
            os.kill(process, signal.SIGKILL)
            self.killed += 1
            return


def workers() -> list[int]:
    """Processes that are at work on our tasks: children of the Ray that this process has started."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    parents = {int(process): int(parent) for process, parent, *_ in rows}
    at_work = [int(process) for process, _, *command in rows if command and command[0].startswith("ray::_do")]
    return [process for process in at_work if parents.get(parents[process]) == os.getpid()]


class TestWhatCannotWork:
    def test_a_store_in_memory_is_of_no_use(self, engine):
        with pytest.raises(UsageError, match="workers of a cluster share files"):
            engine.share(MemoryStore())

    def test_nothing_is_left_of_a_look_at_the_machines(self, engine, tmp_path):
        engine.share(DirectoryStore(tmp_path))
        assert list(tmp_path.iterdir()) == []

    def test_a_machine_that_does_not_see_the_directory(self, engine, tmp_path, monkeypatch):
        monkeypatch.setattr(Path, "touch", lambda path: None)  # as if it lay on another disk
        with pytest.raises(UsageError, match=r"does not see \S+; name a directory that all machines see by --run"):
            Aligner(engine=engine).fit(text(20))
