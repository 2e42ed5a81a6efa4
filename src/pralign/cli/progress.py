"""How far a run has come: a bar on a terminal, or lines, and comments on figures that need one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from pralign.cli.console import is_silent, note, say, stamped

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from pralign.cli.log import EventLog
    from pralign.training.progress import Listener, Progress


# What the parts of a kind of log-likelihood mean.
_KINDS = {
    "with fertilities": "how many words each word explains has a probability too",
    "near the best alignments": "it is a sum over the alignments that were found, not over all",
    "each pair by the others": "a pair is judged without what it has itself taught",
}
_BY_DESIGN = (
    "not converged: each projection takes {steps} steps, by design, after which most are less exact than --tolerance "
    "says; nothing has to be done"
)
_UNCONVERGED = (
    "not converged: in these pairs the constraint holds less exactly than --tolerance asks, as close as 200 tries "
    "came; if they are many, set a larger --tolerance"
)
# Where there is no bar, a line says every so many seconds how far things are.
_PATIENCE = 30.0


@contextmanager
def progress_shown(quiet: bool, log: EventLog | None = None) -> Iterator[Listener]:
    """A listener for a run, which shows how far it is unless that is not wanted, and tells a log if there is one."""
    pace = Pace()
    shows = not quiet and not is_silent()
    with _bar(pace) if shows and sys.stderr.isatty() else nullcontext(_Lines(pace) if shows else None) as show:

        def listen(progress: Progress) -> None:
            pace(progress)
            if log is not None:
                log.progress(progress, pace)
            if show is not None:
                show(progress)

        yield listen


class Patience:
    """Says how far a long command is, whenever nothing was said for a while."""

    def __init__(self, seconds: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin when something is done for the first time: what is compiled before that is told elsewhere."""
        self._seconds, self._clock = seconds, clock
        self._said: float | None = None

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """So much of something is done."""
        now = self._clock()
        if self._said is None:
            self._said = now
        elif now - self._said >= self._seconds:
            self._said = now
            note(f"{what}: {done:,}" if total is None else f"{what}: {done:,} of {total:,}")


class Pace:
    """How fast a run is, and how long it will still take if it goes on like this.

    Attributes:
        pairs_per_second: Sentence pairs a second, in the present iteration.
        seconds_left: To the end of all iterations, if known.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """Begin now."""
        self.pairs_per_second = 0.0
        self.seconds_left: float | None = None
        self._clock = clock
        self._began = clock()
        self._took: dict[tuple[str, str], float] = {}  # the last iteration of each model

    def __call__(self, progress: Progress) -> None:
        """Look at the clock."""
        if progress.phase == "compile":  # which says nothing of pairs
            return
        if progress.done == 0 and not progress.aligned:
            self._began = self._clock()
        spent = self._clock() - self._began
        if progress.aligned and spent > 0:
            self.pairs_per_second, self.seconds_left = progress.aligned / spent, None
            return
        if progress.done > 0 and spent > 0:
            self.pairs_per_second = progress.pairs * progress.done / spent
            whole = self._took.get((progress.phase, progress.model), spent / progress.done)
            self.seconds_left = max(whole * (1 - progress.done), 0) + whole * progress.iterations_left
        if progress.ends:
            self._took[progress.phase, progress.model] = spent
            self._began = self._clock()


@contextmanager
def _bar(pace: Pace) -> Iterator[Listener]:
    from rich import progress as bars
    from rich.console import Console

    from pralign.training.display import title

    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TextColumn("{task.fields[figures]}"))
    with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0, figures="")
        lines = _Lines(pace, lambda line: _print_above(bar, line), patience=None)

        def listen(progress: Progress) -> None:
            lines(progress)
            total = None if progress.aligned and not progress.pairs else 1.0
            figures = _figures(progress, pace)
            bar.update(task, description=title(progress), total=total, completed=progress.done, figures=figures)

        yield listen


def _print_above(bar: RichProgress, line: str) -> None:
    bar.console.print(stamped(line), highlight=False, markup=False, soft_wrap=True)


def _figures(progress: Progress, pace: Pace) -> str:
    """How far, how fast, how long and how much, for a bar."""
    if progress.phase == "compile":
        return f"{progress.shards_done} of {progress.shards}"
    figures = [f"shard {progress.shards_done}/{progress.shards}"]
    if progress.aligned:
        figures = [f"{progress.aligned:,} pairs"]
    if progress.pieces_done:
        figures = [f"lexicon {progress.pieces_done}/{progress.pieces}"]
    if pace.pairs_per_second:
        figures.append(f"{pace.pairs_per_second:,.0f} pairs/s")
    if pace.seconds_left is not None:
        minutes, seconds = divmod(round(pace.seconds_left), 60)
        figures.append(f"{minutes}:{seconds:02} left")
    if progress.memory:
        figures.append(f"{progress.memory / 1e9:.2f} GB")
    return ", ".join(figures)


class _Lines:
    """Prints a line when an iteration ends or takes long, and one more below where a figure needs a comment."""

    def __init__(self, pace: Pace, write: Callable[[str], None] = say, patience: float | None = _PATIENCE) -> None:
        self._pace = pace
        self._write = write
        self._patience = patience
        self._began = self._printed = time.perf_counter()
        self._before: Progress | None = None
        self._commented: set[str] = set()

    def __call__(self, progress: Progress) -> None:
        from pralign.training.display import found, title

        now = time.perf_counter()
        if progress.phase == "compile":  # which is logged where it is done
            self._began = self._printed = now
        elif progress.log_likelihood is not None:
            self._write(f"{found(progress)} ({now - self._began:.1f} s)")
            self._began = self._printed = now
            for comment in _comments(progress, self._before):
                if comment not in self._commented:
                    self._commented.add(comment)
                    self._write(f"  {comment}")
            self._before = progress
        elif self._patience is not None and now - self._printed >= self._patience:
            share = "" if progress.aligned else f"{progress.done:.0%}, "
            self._write(f"{title(progress)}: {share}{_figures(progress, self._pace)}")
            self._printed = now


def _comments(progress: Progress, before: Progress | None) -> Iterator[str]:
    """What is to be said, once, of figures that look as if something was wrong."""
    added = [] if before is None else [part for part in progress.kind if part not in before.kind]
    if added:
        meaning = ", and ".join(_KINDS.get(part, part) for part in added)
        yield f"this is another number than the one before, so a fall says nothing of the links: {meaning}"
    if progress.cost is not None and progress.cost.unconverged:
        yield _BY_DESIGN.format(steps=progress.steps) if progress.steps else _UNCONVERGED
