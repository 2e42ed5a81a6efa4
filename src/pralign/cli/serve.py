"""``pralign serve``: a saved model that answers requests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note, tell
from pralign.errors import UsageError

ModelDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="A saved model, of train, align or match fit.")]
PortOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=65535, help="The port of 127.0.0.1 to listen at.", show_default="a free one"),
]
MaxBodyOption = Annotated[str, typer.Option(metavar="SIZE", help="How large a request may be.")]
QueueOption = Annotated[
    int, typer.Option(metavar="N", min=1, help="How many pairs may wait; more are told to come again.")
]

# Threads that align let the one that talks to clients have its turn after so many seconds; usual are ten times as many.
_TURN = 0.0005


def serve(
    directory: ModelDirectory,
    port: PortOption = None,
    threads: options.ThreadsOption = None,
    max_body: MaxBodyOption = "4M",
    queue: QueueOption = 10_000,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Keep a saved model in memory, and answer requests of programs on this machine.

    The address is printed when it is ready. POST /align takes {"pairs": [{"source": "the house", "target":
    "la maison"}]}; GET /docs explains. SIGTERM and Ctrl-C end it when what is under way is done.
    """
    import gc
    import sys

    from pralign.memory import parse_size
    from pralign.serving.packages import check_packages
    from pralign.serving.runner import run_app

    check_packages()
    size = parse_size(max_body)
    if size < 1:
        raise UsageError("--max-body must leave room for a request; say such as 4M")
    from pralign.engine import ThreadEngine
    from pralign.serving.alignment_app import alignment_app
    from pralign.serving.bodies import Limits
    from pralign.serving.gathering import Gatherer
    from pralign.serving.resident import Resident

    workers = ThreadEngine(threads).workers
    resident = Resident.load(directory, threads)
    resident.warm_up()
    gatherer = Gatherer(resident.align, 1 if resident.is_matching else workers, queue)
    app = alignment_app(resident, gatherer, Limits(pairs=min(Limits.pairs, queue)), size)
    gc.collect()
    gc.freeze()  # the model stays; to look through it again and again would hold requests up
    sys.setswitchinterval(_TURN)

    def ready(address: str) -> None:
        note(f"{directory} is ready: POST {address}/align; {address}/docs explains; Ctrl-C or SIGTERM ends it")
        tell(address)

    run_app(app, port, ready)
    gatherer.close()
