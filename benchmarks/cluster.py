"""A cluster against one process: the same bytes, whatever dies, and at what cost.

    python benchmarks/cluster.py DATA/hansards [--parts bytes,faults,cost] [--scratch DIR]
    python benchmarks/cluster.py DATA/hansards --parts memory --text SRC TGT [--iterations ibm1=1,fhmm=1]

DATA/hansards is laid out as corpora.py says. Parts:

bytes   100,000 lines, presets default and best: threads, and Ray with 1, 2 and 3 workers, on one machine and on two
faults  10,000 lines: a worker killed, a machine removed, the driver killed and started again, each in mid-iteration and
        --times times; the bytes that are left, and the lines
cost    all lines: Ray with two workers against two threads; and the E-steps of 100,000 lines with one worker and two
memory  the driver and the fullest worker for a text of its own, such as the one that scale.py --parts growth makes, in
        100 shards

Machines are those of ray.cluster_utils.Cluster: processes of this one. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpora import Prepared, prepare
from measure import run
from options import names
from pralign import sample
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
RAY = ["--engine", "ray"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--parts", type=names, default="bytes,faults,cost")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--text", nargs=2, type=Path)
    parser.add_argument("--iterations", help="stages of training, for the part memory")
    parser.add_argument("--scratch", type=Path, help="where large files go")
    options = parser.parse_args()
    parts: dict[str, Callable[[argparse.Namespace, Path], Iterator[str]]] = {
        "bytes": same_bytes,
        "faults": faults,
        "cost": cost,
        "memory": memory,
    }
    run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "-q"])
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        for part in options.parts:
            say(parts[part](options, Path(folder)))


@contextmanager
def cluster(*processors: int) -> Iterator[Any]:
    """Machines with so many processors each, on this one."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": processors[0], "include_dashboard": False})
    for of_node in processors[1:]:
        made.add_node(num_cpus=of_node)
    try:
        yield made
    finally:
        made.shutdown()


def command(corpus: Prepared, folder: Path, name: str, *flags: str) -> list[str | Path]:
    """To align a corpus; results are named by ``name``."""
    results = [
        "-o",
        folder / f"{name}.links",
        "--scores",
        folder / f"{name}.scores",
        "--save",
        folder / f"{name}.model",
    ]
    return [*PRALIGN, "align", corpus.source, corpus.target, *results, *flags]


def digest(folder: Path, name: str) -> str:
    """What all results of a run are known by."""
    found = hashlib.sha256()
    model = folder / f"{name}.model"
    for path in (folder / f"{name}.links", folder / f"{name}.scores", *sorted(model.iterdir())):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


# Bytes


def same_bytes(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    corpus = prepare(options.corpus, 100_000, folder)
    for preset in ("default", "best"):
        found = {}
        run(command(corpus, folder, "run", "--preset", preset, "--threads", "2", "-q"))
        found["threads"] = digest(folder, "run")
        for workers in ("1", "2", "3"):
            run(command(corpus, folder, "run", "--preset", preset, "--threads", workers, "-q", *RAY))
            found[f"ray, {workers} workers"] = digest(folder, "run")
        with cluster(1, 2) as made:
            run(command(corpus, folder, "run", "--preset", preset, "-q", *RAY, "--address", made.address))
            found["ray, two machines"] = digest(folder, "run")
        same = len(set(found.values())) == 1
        yield f"{preset}: {', '.join(found)}: {'the same bytes' if same else f'DIFFERENT: {found}'}"


# Faults


def faults(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    corpus = prepare(options.corpus, 10_000, folder)
    run(command(corpus, folder, "run", "--threads", "2", "-q"))
    expected, chance = digest(folder, "run"), random.Random(options.seed)
    for fault in (kill_workers, remove_machines, kill_drivers):
        differing = lost = happened = 0
        for _ in range(options.times):
            happened += fault(corpus, folder, chance)
            differing += digest(folder, "run") != expected
            lines = sum(1 for _ in (folder / "run.links").open(encoding="utf-8"))
            lost += corpus.pairs - lines
        what = fault.__name__.replace("_", " ")
        yield f"{what}: {options.times} runs, {happened} times; {differing} with other bytes, {lost} lines lost"


def started(arguments: list[str | Path], log: Path) -> subprocess.Popen[bytes]:
    """Start a run, and wait until it is in an iteration."""
    log.unlink(missing_ok=True)
    process = subprocess.Popen([str(part) for part in (*arguments, "--log-json", log)], stderr=subprocess.DEVNULL)
    while process.poll() is None and not (log.exists() and '"progress"' in log.read_text(encoding="utf-8")):
        time.sleep(0.05)
    return process


def kill_workers(corpus: Prepared, folder: Path, chance: random.Random) -> int:
    """Kill a process at work after some time, and again."""
    arguments = command(corpus, folder, "run", "--threads", "2", "-q", *RAY, "--run", str(folder / "kept"))
    process, killed = started(arguments, folder / "log"), 0
    while process.poll() is None:
        time.sleep(chance.uniform(0.5, 4))
        at_work = workers_of(process.pid)
        if at_work and killed < 3:
            os.kill(chance.choice(at_work), signal.SIGKILL)
            killed += 1
    _check(process)
    return killed


def workers_of(driver: int) -> list[int]:
    """The processes at work for a driver: children of the Ray that it has started."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    parents = {int(process): int(parent) for process, parent, *_ in rows}
    at_work = [int(process) for process, _, *command in rows if command and command[0].startswith("ray::_do")]
    return [process for process in at_work if parents.get(parents[process]) == driver]


def remove_machines(corpus: Prepared, folder: Path, chance: random.Random) -> int:
    """Take one of two machines away in mid-iteration."""
    with cluster(1, 1) as made:
        run_on = ["--address", made.address, "--run", str(folder / "kept")]
        process = started(command(corpus, folder, "run", "-q", *RAY, *run_on), folder / "log")
        time.sleep(chance.uniform(0, 6))
        at_work = process.poll() is None
        made.remove_node(next(iter(made.worker_nodes)), allow_graceful=False)
        process.wait()
        _check(process)
    return int(at_work)


def kill_drivers(corpus: Prepared, folder: Path, chance: random.Random) -> int:
    """Kill the driver in mid-iteration, and start it again."""
    arguments = command(corpus, folder, "run", "--threads", "2", "-q", *RAY, "--run", str(folder / "kept"))
    process = started(arguments, folder / "log")
    time.sleep(chance.uniform(0, 6))
    at_work = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    run(arguments)
    return int(at_work)


def _check(process: subprocess.Popen[bytes]) -> None:
    if process.returncode:
        raise SystemExit(f"failed with exit code {process.returncode}")


# Cost


def cost(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    whole, part = (prepare(options.corpus, size, folder) for size in (None, 100_000))
    links = ["-o", folder / "links", "-q", "--threads"]
    threads = run([*PRALIGN, "align", whole.source, whole.target, *links, "2"])
    ray = run([*PRALIGN, "align", whole.source, whole.target, *links, "2", *RAY, "--log-json", folder / "whole.log"])
    rows = [["2 threads", f"{threads.seconds:.1f}", f"{threads.gigabytes:.2f}", ""]]
    worker = f"{_fullest(folder / 'whole.log') / 1e9:.2f}"
    rows.append(["Ray, 2 workers", f"{ray.seconds:.1f}", f"{ray.gigabytes:.2f}", worker])
    yield from table([f"{whole.pairs:,} pairs", "seconds", "GB, program or driver", "GB, fullest worker"], rows)
    yield f"Ray ÷ threads: {ray.seconds / threads.seconds:.2f}"
    seconds = []
    for workers in ("1", "2"):
        log = folder / f"{workers}.log"
        run([*PRALIGN, "align", part.source, part.target, *links, workers, *RAY, "--log-json", log])
        seconds.append(_e_steps(log))
    yield f"E-steps of {part.pairs:,} pairs: {seconds[0]:.1f} s with one worker, {seconds[1]:.1f} s with two: "
    yield f"{seconds[0] / seconds[1]:.2f} times as fast"


def _records(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def _fullest(log: Path) -> int:
    return max(record.get("memory_bytes", 0) for record in _records(log))


def _e_steps(log: Path) -> float:
    """The seconds of all E-steps but the first, in which workers load what was compiled."""
    total, began, first = 0.0, 0.0, True
    for record in _records(log):
        if record["event"] != "progress" or record["phase"] != "train" or record["pieces_done"]:
            continue
        at = time.mktime(time.strptime(record["time"][:19], "%Y-%m-%dT%H:%M:%S")) + float(record["time"][19:23])
        if record["shards_done"] == 0:
            began = at
        elif record["shards_done"] == record["shards"]:
            total += 0.0 if first else at - began
            first = False
    return total


# Memory


def memory(options: argparse.Namespace, folder: Path) -> Iterator[str]:
    flags = ["--preset", "default", "--iterations", options.iterations] if options.iterations else []
    log = folder / "memory.log"
    kept = ["-o", folder / "links", "-q", "--scratch", folder, "--log-json", log]
    measured = run([*PRALIGN, "align", *options.text, *kept, *RAY, *flags])
    shards = max(record.get("shards", 0) for record in _records(log))
    yield f"{measured.seconds:.0f} s, {shards} shards: the driver took {measured.gigabytes:.2f} GB,"
    yield f"the fullest worker {_fullest(log) / 1e9:.2f} GB"


if __name__ == "__main__":
    main()
