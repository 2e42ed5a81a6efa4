"""A plan as people read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pralign.characters import escaped
from pralign.runs.planning import Choice, Plan, TextFigures

# How many times a sample may be extrapolated before figures are rough guesses; word pairs are within a tenth up to 30.
_FAR = 300
_HEADER = ("", "engine", "workers", "bound", "memory", "disk", "time")


def plan_lines(plan: Plan, name: str, command: str) -> Iterator[str]:
    """The lines of a plan for the text called ``name``."""
    yield from _text_lines(plan.text, escaped(name))
    yield ""
    yield from _table([_HEADER, *map(_row, plan.choices)])
    yield ""
    yield from _cut_lines(plan.chosen)
    yield from _warnings(plan)
    yield "to be run:"
    yield f"  {escaped(command)}"


def _text_lines(text: TextFigures, name: str) -> Iterator[str]:
    looked = "all of them" if text.sampled >= text.pairs else f"{number(text.sampled)} of them"
    yield name
    yield f"  sentence pairs    {number(text.pairs)}; {looked} looked at"
    yield f"  words             {number(text.source_tokens)} source, {number(text.target_tokens)} target"
    yield f"  different words   {number(text.source_words)} source, {number(text.target_words)} target"
    yield f"  cells             {number(text.cells)}, {text.cells / max(text.pairs, 1):.0f} a pair"
    yield f"  word pairs        {number(text.word_pairs)}"


def _row(choice: Choice) -> tuple[str, ...]:
    memory = size(choice.memory)
    if choice.worker_memory is not None:
        memory = f"{memory} + {choice.workers} x {size(choice.worker_memory)}"
    bound = "" if choice.bound is None else size(choice.bound)
    return choice.name, choice.engine, str(choice.workers), bound, memory, size(choice.disk), span(choice.seconds)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = (
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *rest]).rstrip()


def _cut_lines(chosen: Choice) -> Iterator[str]:
    traffic, listed = chosen.traffic, number(chosen.listed)
    shards = "one shard, which lists" if chosen.shards == 1 else f"{number(chosen.shards)} shards, which list"
    yield f"{chosen.name} on {chosen.engine}: {shards} {listed} word pairs;"
    yield f"an iteration reads {size(traffic.read)} and writes {size(traffic.written)} in {number(traffic.files)} files"


def _warnings(plan: Plan) -> Iterator[str]:
    chosen, machine, text = plan.chosen, plan.machine, plan.text
    if text.pairs > _FAR * text.sampled:
        yield f"this is {number(text.pairs // text.sampled)} times what was looked at: figures are rough guesses"
    if chosen.bound is not None and max(chosen.memory, chosen.worker_memory or 0) > 1.1 * chosen.bound:
        yield "the bound on memory cannot be kept: there are too many words or workers"
    if machine.memory is not None and chosen.memory > machine.memory:
        yield f"too little memory here: {size(machine.memory)} are free"
    if machine.disk is not None and chosen.disk > machine.disk:
        yield f"too little disk: {size(machine.disk)} are free; name another place by --scratch"


def number(value: int) -> str:
    """A number as people say it.

    Example:
        >>> number(950), number(10_484), number(32_637_042), number(657_924_782_000)
        ('950', '10,484', '32.6 million', '657.9 billion')
    """
    for unit, name in ((10**9, "billion"), (10**6, "million")):
        if value >= unit:
            return f"{value / unit:,.1f} {name}"
    return f"{value:,}"


def size(value: int) -> str:
    """A number of bytes, roughly.

    Example:
        >>> size(294_334_000), size(4_700_000_000), size(61_000_000_000), size(3_200_000_000_000)
        ('294 MB', '4.7 GB', '61 GB', '3.2 TB')
    """
    if value < 999_500_000:
        return f"{value / 1e6:.0f} MB"
    unit, name = (1e9, "GB") if value < 999.5e9 else (1e12, "TB")
    return f"{value / unit:.1f} {name}" if value < 10 * unit else f"{value / unit:,.0f} {name}"


def span(seconds: float) -> str:
    """A time, roughly.

    Example:
        >>> span(7.2), span(228), span(9_000), span(400_000)
        ('7 s', '3.8 min', '2.5 h', '4.6 days')
    """
    for unit, name in ((86_400.0, "days"), (3_600.0, "h"), (60.0, "min")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:.1f} {name}" if seconds < 100 * unit else f"{seconds / unit:,.0f} {name}"
    return f"{seconds:.0f} s"
