"""Many alignments of each pair: the options of ``align`` that ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.errors import UsageError

if TYPE_CHECKING:
    from pralign.decoding.lists import ListRequest

_MOST = 10_000

NbestOption = Annotated[
    int | None,
    typer.Option(
        "--nbest",
        metavar="N",
        min=1,
        max=_MOST,
        help="Write the N likeliest alignments of each pair instead, with probabilities, as JSON.",
        show_default=False,
    ),
]
SampleOption = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        min=1,
        max=_MOST,
        help="Write N alignments of each pair instead, drawn by their probabilities, as JSON.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="What --sample draws with.", show_default="0"),
]


def requested_lists(
    nbest: int | None, sample: int | None, seed: int | None, others: Mapping[str, object]
) -> ListRequest | None:
    """Which alignments are wanted, if not one a pair.

    Args:
        nbest: What was given as ``--nbest``.
        sample: What was given as ``--sample``.
        seed: What was given as ``--seed``.
        others: Options that are about one alignment a pair, with what was given; ``None`` for nothing.

    Raises:
        UsageError: Options do not go together.
    """
    if nbest is not None and sample is not None:
        raise UsageError("--nbest and --sample are two kinds of lists; choose one, and run again with the other")
    if seed is not None and sample is None:
        raise UsageError("--seed is about what --sample draws; say --sample N")
    count = nbest if sample is None else sample
    if count is None:
        return None
    wanted = "--nbest" if sample is None else "--sample"
    for option, value in others.items():
        if value is not None:
            raise UsageError(f"{option} does not go with {wanted}, {_REASONS[option]}")
    from pralign.decoding.lists import ListRequest

    return ListRequest("nbest", count) if sample is None else ListRequest("samples", count, seed or 0)


_DIRECTIONS = "whose lines have alignments of both directions anyway; leave it out"
_REASONS = {
    "--format": "which writes JSON that is read as jsonl too; leave it out, and convert what was written",
    "--forward": _DIRECTIONS,
    "--reverse": _DIRECTIONS,
    "--moses": "as Moses wants one alignment a pair; run again without",
    "--report": "as a report shows one alignment a pair; make it of what was written, with pralign report",
}
