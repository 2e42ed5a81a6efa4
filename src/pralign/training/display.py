"""Progress for people who train from Python: a bar on a terminal, a table in a notebook, or lines of text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from typing import Any

from pralign.characters import escaped
from pralign.training.history import History, Iteration
from pralign.training.progress import Listener, Progress


@contextmanager
def showing_progress(verbose: bool, listener: Listener) -> Iterator[Listener]:
    """A listener that tells another one and, if progress is to be seen, shows it until the block ends.

    Nothing is printed unless somebody asks for it. What is shown goes to standard error, or below the cell of a
    notebook.
    """
    if not verbose:
        yield listener
        return
    with _in_notebook() if _is_notebook() else _on_terminal() as show:
        shown = True  # what is aligned afterwards still tells how far it is

        def listen(progress: Progress) -> None:
            listener(progress)
            if shown:
                show(progress)

        try:
            yield listen
        finally:
            shown = False


def title(progress: Progress) -> str:
    """What is being done, such as ``hmm 2/5``."""
    if progress.phase == "compile":
        return "compiling"
    if progress.phase == "align":
        return "aligning"
    return f"{escaped(progress.model)} {progress.iteration}/{progress.iterations}"


def found(progress: Progress) -> str:
    """What an iteration that has ended found, in one line.

    Example:
        >>> found(Progress("hmm", 2, 5, 1.0, log_likelihood=(-1204.5, -1310.25)))
        'hmm 2/5: log-likelihood -1204.5 forward, -1310.2 reverse'
    """
    return f"{title(progress)}: {', '.join(_figures(progress))}"


def _figures(progress: Progress) -> Iterator[str]:
    assert progress.log_likelihood is not None
    forward, reverse = progress.log_likelihood
    kind = f" ({', '.join(progress.kind)})" if progress.kind else ""
    yield f"log-likelihood{kind} {forward:.1f} forward, {reverse:.1f} reverse"
    if (cost := progress.cost) is not None:
        pairs = max(cost.pairs, 1)
        yield f"mean KL {cost.divergence / pairs:.4f}"
        yield f"projections per pair {cost.calls / pairs:.2f}"
        yield f"not converged {cost.unconverged / pairs:.3%}"
    if (quality := progress.quality) is not None:
        yield f"dev area {quality.area:.4f}"
        yield f"dev AER {100 * quality.aer:.2f} %"
    if progress.kept is not None:
        yield f"no better than iteration {progress.kept}, which is kept"


@contextmanager
def _on_terminal() -> Iterator[Listener]:
    """A bar, and above it a line for each iteration; the lines alone where there is no terminal."""
    from rich import progress as bars
    from rich.console import Console
    from rich.markup import escape as escape_markup

    console = Console(stderr=True)
    with bars.Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting", total=None)

        def show(progress: Progress) -> None:
            bar.update(task, description=escape_markup(title(progress)), completed=progress.done, total=1.0)
            if progress.log_likelihood is not None:
                console.print(found(progress), highlight=False, markup=False, soft_wrap=True)

        yield show


def _is_notebook() -> bool:
    """Whether this runs in a notebook, which shows more than text."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell" or "google.colab" in type(shell).__module__


@contextmanager
def _in_notebook(display: Callable[..., Any] | None = None) -> Iterator[Listener]:
    """The history so far and a bar, shown anew whenever something happens."""
    show_anew = display or import_module("IPython.display").display
    panel = _Panel()
    handle = show_anew(panel, display_id=True)

    def show(progress: Progress) -> None:
        panel.add(progress)
        handle.update(panel)

    try:
        yield show
    finally:
        panel.progress = None
        handle.update(panel)


class _Panel:
    """What a notebook shows while training goes on; the table stays when it has ended."""

    def __init__(self) -> None:
        self.iterations: list[Iteration] = []
        self.progress: Progress | None = None

    def add(self, progress: Progress) -> None:
        """Take note of how far training is."""
        self.progress = progress
        if progress.log_likelihood is not None:
            self.iterations.append(Iteration.of(progress))

    def _repr_html_(self) -> str:
        table = History(self.iterations)._repr_html_() if self.iterations else ""
        if self.progress is None:
            return table or "<p>starting</p>"
        bar = f'<progress max="1" value="{self.progress.done:.3f}"></progress>'
        return f"<p>{bar} {escape(title(self.progress))}</p>{table}"

    def __repr__(self) -> str:
        return str(History(self.iterations)) if self.iterations else "starting"
