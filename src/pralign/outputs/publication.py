"""Several results that appear together, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

from pralign import cleanup
from pralign.disk import sync_directory
from pralign.outputs.journal import Step, finish_abandoned, noted
from pralign.outputs.partials import remove_abandoned


class Result(Protocol):
    """A result that is being written."""

    def finish(self) -> None:
        """Write what is left, and wait until all is on the disk."""

    def steps(self) -> list[Step]:
        """What is to get which name; nothing for a stream, which has taken everything already."""

    def publish(self) -> None:
        """Give it its name."""

    def withdraw(self) -> None:
        """Undo that, if it was done."""

    def tidy(self) -> None:
        """Remove what it has replaced."""

    def discard(self) -> None:
        """Remove what was written, unless it has got its name."""


_open: ContextVar[list[Result] | None] = ContextVar("pralign_results", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Let all results that are opened in this block appear when it ends, or none of them if it fails.

    Blocks may be nested; the outermost one counts. So whatever saves or writes anything says this, and whoever calls
    several of them says it once more.

    Example:
        >>> import tempfile
        >>> from pralign.outputs import open_output
        >>> folder = Path(tempfile.mkdtemp())
        >>> with together():
        ...     for name in ("links", "scores"):
        ...         with open_output(folder / name) as stream:
        ...             stream.write("0-0")
        ...     print((folder / "links").exists())
        False
        >>> (folder / "links").exists(), (folder / "scores").exists()
        (True, True)
    """
    if _open.get() is not None:
        yield
        return
    results: list[Result] = []
    before = _open.set(results)
    try:
        yield
        _publish(results)
    finally:
        _open.reset(before)
        for result in results:
            result.discard()


@contextmanager
def writing(*begun: Result) -> Iterator[None]:
    """Write results that appear with all others of the block that is open; if writing fails, they never do."""
    results = _open.get()
    if results is None:
        raise RuntimeError("results are written inside together()")
    results.extend(begun)
    try:
        yield
    except BaseException:
        for result in begun:
            results.remove(result)
            result.discard()
        raise


def open_results() -> list[Result]:
    """The results of the block that is open."""
    return _open.get() or []


def prepare(directory: Path) -> None:
    """Put a directory in order before something is written there: finish or remove what killed programs have left."""
    finish_abandoned(directory)
    remove_abandoned(directory)


def _publish(results: list[Result]) -> None:
    for result in results:
        result.finish()
    steps = [step for result in results for step in result.steps()]
    with cleanup.committing(), noted(steps):
        try:
            for result in results:
                result.publish()
            for directory in {step.target.parent: None for step in steps}:
                sync_directory(directory)
        except BaseException:
            for result in reversed(results):
                result.withdraw()
            raise
    for result in results:
        result.tidy()
