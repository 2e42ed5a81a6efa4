"""Ray clusters on this machine, and tasks that fail in all the ways there are."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli.support import sample_lines
from pralign import Aligner
from pralign.engine.ray import RayEngine
from pralign.errors import OutputError, UsageError


@contextmanager
def cluster(*processors: int, **of_second: Any) -> Iterator[Any]:
    """A cluster with so many machines, each with so many processors; the second may be special."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray import cloudpickle
        from ray.cluster_utils import Cluster

        cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers do not find tests

        small = {"object_store_memory": 80_000_000, "include_dashboard": False}
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": processors[0], **small})
        for number, of_node in enumerate(processors[1:]):
            made.add_node(num_cpus=of_node, object_store_memory=80_000_000, **(of_second if number == 0 else {}))
        try:
            yield made
        finally:
            import ray

            ray.shutdown()
            made.shutdown()


@contextmanager
def engine_on(made: Any, workers: int | None = None) -> Iterator[RayEngine]:
    """An engine that uses a cluster."""
    engine = RayEngine(made.address, workers)
    try:
        yield engine
    finally:
        engine.close()


@dataclass(frozen=True)
class Square:
    """A task that fails so many times before it gives its result: by an error, or by its end."""

    folder: Path
    failures: int = 0
    how: str = "error"

    def describe(self, item: int) -> str:
        return f"the square of {item}"

    def __call__(self, item: int) -> int:
        tried = len(list(self.folder.glob(f"{item}.*")))
        (self.folder / f"{item}.{tried}").touch()
        if item % 3 == 1 and tried < self.failures:
            if self.how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise {"full": OutputError("No space left"), "usage": UsageError("no use")}.get(self.how, ValueError("bad"))
        return item * item


def text(pairs: int = 460) -> list[tuple[str, str]]:
    return [*zip(*sample_lines(pairs), strict=True), ("a " * 300, "b " * 3), ("", "x")]


def learned(folder: Path, engine, pairs, listener=lambda progress: None, **arguments) -> dict[str, bytes]:
    """All that a run leaves behind."""
    aligner = Aligner(engine=engine, **arguments)
    answers = [repr(answer) for answer in aligner.fit_decode(pairs, listener=listener, directions=True)]
    assert len(answers) == len(pairs)
    aligner.save(folder / "m")
    aligner.close()
    return {"answers": "\n".join(answers).encode(), **{p.name: p.read_bytes() for p in (folder / "m").iterdir()}}
