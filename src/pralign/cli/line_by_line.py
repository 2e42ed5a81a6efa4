"""Answering lines of standard input as they come: a line in, a line out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.cli.progress import progress_shown
from pralign.errors import PralignError
from pralign.text.files import STANDARD_STREAM, Arrival
from pralign.text.layouts import BARS, TSV

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.cli.log import EventLog
    from pralign.cli.outputs import Outputs
    from pralign.cli.text_options import TextOptions
    from pralign.decoding.stream import Decoded
    from pralign.text.bitext import Bitext, Pair

# What is there already is aligned together, up to so many pairs: a pair alone takes four times as long.
_CHUNK = 500


def arriving(source: Path, target: Path | None, text: TextOptions) -> Arrival | None:
    """Tells whether lines are there, if pairs come by standard input, a line each; else nothing does."""
    is_lines = text.layout in (None, TSV, BARS) and text.columns is None and text.header is None
    return Arrival() if is_lines and target is None and str(source) == STANDARD_STREAM else None


def answer_line_by_line(
    aligner: Aligner, bitext: Bitext, arrival: Arrival, outputs: Outputs, quiet: bool, log: EventLog | None
) -> None:
    """Align pairs that arrive on standard input, and write the answers to those that are there before waiting for more.

    Args:
        aligner: The trained model.
        bitext: The pairs, read once.
        arrival: Tells whether the next one is there.
        outputs: Where answers go: standard output.
        quiet: Whether nothing is said of how far it is.
        log: What is told of it, if anything is.
    """
    import numpy as np

    from pralign.training.progress import telling

    model = aligner.model_

    def answers(hand_on: Callable[[], None]) -> Iterator[tuple[Pair, Decoded]]:
        done = 0
        for chunk in _chunks(iter(bitext), arrival):
            numbers = np.arange(done, done + len(chunk))
            yield from zip(chunk, model.decode_pairs(chunk, numbers=numbers), strict=True)
            hand_on()
            done += len(chunk)

    with progress_shown(quiet, log) as listener:
        outputs.write_promptly(lambda hand_on: telling(answers(hand_on), listener, model.forward.name))


def _chunks(pairs: Iterator[Pair], arrival: Arrival) -> Iterator[list[Pair]]:
    """The pairs that are there, again and again; those before a line that cannot be used come before the complaint."""
    for first in pairs:
        chunk, trouble = [first], None
        try:
            while len(chunk) < _CHUNK and not arrival.is_due:
                chunk.append(next(pairs))
        except StopIteration:
            pass
        except PralignError as error:
            trouble = error
        yield chunk
        if trouble is not None:
            raise trouble
