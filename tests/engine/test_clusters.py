"""What clusters do: machines go away, have not got the package, and drivers are killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from cli.support import PATIENCE, PROGRAM, Workspace, sample_lines
from engine.clusters import cluster, engine_on, learned, text
from pralign import Aligner, __version__
from pralign.engine import ThreadEngine, make_engine
from pralign.errors import UsageError
from pralign.runs.resources import Resources
from pralign.text.cutting import ShardSizes

pytest.importorskip("ray")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="Ray on Windows is not tested"),
    pytest.mark.filterwarnings("ignore"),  # of Ray
]


class TestMachines:
    def test_when_a_machine_is_removed_in_mid_iteration(self, tmp_path, monkeypatch, capfd):
        expected = learned(tmp_path, ThreadEngine(2), text(), preset="default")
        monkeypatch.setattr(Resources, "sizes", lambda *_: ShardSizes(shard=9000, piece=2500))
        monkeypatch.setattr(Resources, "chunk", (2000, 2000))
        with cluster(1, 1) as made, engine_on(made) as engine:
            node, steps = next(iter(made.worker_nodes)), []

            def lose_a_machine(progress):
                steps.append(progress)
                if len(steps) == 30:
                    made.remove_node(node, allow_graceful=False)

            found = learned(tmp_path, engine, text(), lose_a_machine, preset="default", checkpoint=tmp_path / "run")
            assert found == expected
            assert len(steps) > 60
        assert capfd.readouterr().out == ""  # where alignments may go

    @pytest.mark.parametrize(
        "content, message",
        [
            ("raise ImportError(\"No module named 'pralign'\")", "has no pralign .*; install pralign.ray. .* there"),
            ('__version__ = "0.0.1"', f"has pralign 0.0.1, not {__version__}; install the same version everywhere"),
        ],
    )
    def test_a_machine_without_the_package_or_with_another_version(self, tmp_path, content, message):
        (tmp_path / "shadow" / "pralign").mkdir(parents=True)
        (tmp_path / "shadow" / "pralign" / "__init__.py").write_text(content)
        environment = {"PYTHONPATH": str(tmp_path / "shadow")}
        with (
            cluster(1, 1, env_vars=environment) as made,
            engine_on(made) as engine,
            pytest.raises(UsageError, match=message),
        ):
            Aligner(engine=engine, checkpoint=tmp_path / "run").fit(text(20))


class TestWithoutAnyCluster:
    def test_without_ray_one_is_told_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "ray", None)
        monkeypatch.setitem(sys.modules, "ray.util.scheduling_strategies", None)
        with pytest.raises(UsageError, match=r"pip install 'pralign\[ray\]'"):
            make_engine("ray")

    @pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere.invalid:6379", "127.0.0.1:99999999"])
    def test_an_address_where_nobody_is(self, tmp_path, address):
        work = Workspace(tmp_path)
        work.write("s", ["a b"])
        work.write("t", ["x y"])
        found = run(work, "align", "s", "t", "--engine", "ray", "--address", address, "--run", "r")
        assert found.returncode == 2
        assert not (tmp_path / "r").exists()
        assert found.stderr.startswith(f"pralign: {address}: nobody answers there (")

    @pytest.mark.parametrize(
        "options, message",
        [
            (("--engine", "spark"), "there is no engine called 'spark'; there are threads, ray"),
            (("--address", "auto"), "an address is that of a cluster, and threads have none; choose the engine ray"),
            (("--engine", "ray", "--address", "x:y"), "x:y: an address is auto or HOST:PORT, such as 10.0.0.1:6379"),
            (("--engine", "ray", "--address", "x:²"), "x:²: an address is auto or HOST:PORT, such as 10.0.0.1:6379"),
        ],
    )
    def test_what_makes_no_sense(self, tmp_path, options, message):
        work = Workspace(tmp_path)
        work.write("s", ["a b"])
        work.write("t", ["x y"])
        found = run(work, "align", "s", "t", *options)
        assert (found.returncode, found.stderr) == (2, f"pralign: {message}\n")


def run(work: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *arguments]
    return subprocess.run(command, cwd=work.folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


class TestTheProgram:
    """Everything in processes of its own, as users have it."""

    OPTIONS = ("--model", "fhmm", "--iterations", "ibm1=4,fhmm=6", "--estimator", "collapsed", "--threads", "2")

    @pytest.fixture
    def work(self, tmp_path):
        work = Workspace(tmp_path)
        source, target = sample_lines(460)
        work.write("s", source * 3)
        work.write("t", target * 3)
        return work

    def test_a_run_whose_driver_is_killed_goes_on_and_logs(self, work):
        assert run(work, "align", "s", "t", "-q", *self.OPTIONS, "-o", "expected", "--scores", "es").returncode == 0
        arguments = ("align", "s", "t", *self.OPTIONS, "-o", "links", "--scores", "ls")
        on_ray = ("--engine", "ray", "--run", "r", "--log-json", "log")
        process = subprocess.Popen([*PROGRAM, *arguments, *on_ray], cwd=work.folder, stderr=subprocess.PIPE, text=True)
        for _ in range(3):
            process.stderr.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert (work.folder / "r").is_dir()
        found = run(work, *arguments, *on_ray)
        assert found.returncode == 0, found.stderr
        assert "going on after" in found.stderr
        assert work.read("links") == work.read("expected")
        assert work.read("ls") == work.read("es")
        assert not (work.folder / "r").exists()
        check_log(work.read("log"))

    def test_a_pipe_that_nobody_reads_ends_it_cleanly(self, work):
        command = " ".join([*PROGRAM, "align", "s", "t", "-q", *self.OPTIONS, "--engine", "ray"])
        options = {"shell": True, "cwd": work.folder, "capture_output": True, "text": True, "check": True}
        found = subprocess.run(f"{command} | head -1", timeout=PATIENCE, **options)
        assert found.stdout.count("\n") == 1
        assert found.stderr == ""

    @pytest.mark.parametrize(
        ("number", "says"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")], ids=["INT", "TERM"]
    )
    def test_an_interrupted_driver_says_so_and_leaves_no_process(self, work, number, says):
        arguments = ("align", "s", "t", *self.OPTIONS, "-o", "links", "--engine", "ray", "--run", "r")
        process = subprocess.Popen([*PROGRAM, *arguments], cwd=work.folder, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)  # which waits for all processes that could write
        assert process.returncode == 128 + number, said
        assert said.endswith(f"pralign: {says}\n")
        assert (work.folder / "r").is_dir()
        assert not (work.folder / "links").exists()


def check_log(lines: str) -> None:
    records = [json.loads(line) for line in lines.splitlines()]
    events = [record["event"] for record in records]
    assert events.count("start") == 2
    assert events[-1] == "end"
    iterations = [record for record in records if record["event"] == "iteration"]
    assert [record["model"] for record in iterations][-1] == "fhmm"
    assert len({(record["model"], record["iteration"]) for record in iterations}) == 10
    last = [record for record in records if record["event"] == "progress"][-1]
    assert last["phase"] == "align"
    assert last["shards_done"] == last["shards"] >= 1
    assert last["seconds_left"] == 0
    assert last["memory_bytes"] > 50_000_000
    assert last["pairs_per_second"] > 0
