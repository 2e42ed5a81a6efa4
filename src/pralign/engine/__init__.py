"""Where work is done: an engine runs a function over shards, and hands back results."""

from __future__ import annotations

from pralign.engine.base import Engine
from pralign.engine.threads import ThreadEngine
from pralign.errors import UsageError

__all__ = ["ENGINES", "Engine", "ThreadEngine", "make_engine"]

#: The names of the engines.
ENGINES = ("threads", "ray")


def make_engine(name: str = "threads", workers: int | None = None, address: str | None = None) -> Engine:
    """The engine called ``name``, with so many workers at most.

    Args:
        name: ``"threads"`` for the threads of this process, ``"ray"`` for a Ray cluster.
        workers: By default one for each processor there is.
        address: Where the cluster is, ``auto`` or HOST:PORT; by default one is started on this machine.

    Raises:
        UsageError: There is no such engine, it is not installed, or it has no use for an address.
    """
    if name == "ray":
        from pralign.engine.ray import RayEngine

        return RayEngine(address, workers)
    if name != "threads":
        raise UsageError(f"there is no engine called {name!r}; there are {', '.join(ENGINES)}")
    if address is not None:
        raise UsageError("an address is that of a cluster, and threads have none; choose the engine ray")
    return ThreadEngine(workers)
