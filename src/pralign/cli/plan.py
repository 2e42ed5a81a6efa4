"""``pralign plan``: what aligning a text will take, before it is started."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pralign.cli import options
from pralign.cli.console import tell
from pralign.cli.settings import check_streams, given_settings
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import UsageError
from pralign.settings import PRESETS, Settings, option_of
from pralign.text.files import LONGEST_LINE, STANDARD_STREAM, line_limit

if TYPE_CHECKING:
    from pralign.runs.planning import Choice

EngineOption = Annotated[
    str | None,
    typer.Option(metavar="threads|ray", help="Where a run is to work.", show_default="both are looked at"),
]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, help="Threads, or processes of ray.", show_default="all processors")
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="A bound on memory, such as 2G; with ray, on that of each process.",
        show_default="with and without",
    ),
]
PairsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Plan for so many pairs of this kind of text.", show_default="as many as there are"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")]


@with_text_options
@options.with_settings
def plan(
    source: options.SourceFile,
    target: options.TargetFile = None,
    engine: EngineOption = None,
    threads: ThreadsOption = None,
    memory: MemoryOption = None,
    scratch: options.ScratchOption = None,
    pairs: PairsOption = None,
    as_json: JsonOption = False,
    *,
    text: TextOptions,
    **settings: Any,
) -> None:
    """Say how large a text is, what memory, disk and time aligning it will take, and which command to run.

    All of it is read once; a sample is looked at, and a small part of that is trained on for some seconds.
    """
    from pralign.cli.plan_text import plan_lines
    from pralign.runs.planning import plan as make_plan
    from pralign.runs.resources import Resources

    if STANDARD_STREAM in (str(source), str(target)):
        raise UsageError("standard input comes only once, and is gone when it is planned for; give files")
    check_streams(source, target, None)
    given = given_settings(settings)
    resources = Resources.of(memory, scratch)
    bitext = text.open(source, target)
    made = make_plan(bitext, choices_of(given), resources, threads, engine, pairs)
    files = [str(path) for path in (source, target) if path is not None]
    flags = text.flags()
    flags += [] if scratch is None else ["--scratch", str(scratch)]
    flags += [] if line_limit() == LONGEST_LINE else ["--max-line", str(line_limit())]
    command = shlex.join(["pralign", "align", *files, *flags, *command_options(made.chosen, given), "-o", "links"])
    if as_json:
        tell(json.dumps({**asdict(made), "command": command}, indent=1))
    else:
        tell("\n".join(plan_lines(made, bitext.name, command)))


def choices_of(given: dict[str, Any]) -> dict[str, Settings]:
    """The settings to look at: those that were given, or those of every preset, changed by what was given."""
    settings = Settings.resolve(**given)
    if settings.preset is None or "preset" in given:
        return {settings.preset or "as given": settings}
    return {name: Settings.resolve(**given, preset=name) for name in PRESETS}


def command_options(chosen: Choice, given: dict[str, Any]) -> list[str]:
    """The options of the command that runs what was chosen."""
    found = ["--preset", chosen.name] if chosen.name in PRESETS and "preset" not in given else []
    for name, value in given.items():
        option = option_of(name)
        flag = name.replace("_", "-")
        if option is not None and option.kind is bool:
            found.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            for each in value if isinstance(value, list) else [value]:
                found += [f"--{flag}", str(each)]
    if chosen.engine != "threads":
        found += ["--engine", chosen.engine]
    found += ["--threads", str(chosen.workers)]
    if chosen.bound is not None:
        found += ["--memory", str(chosen.bound) if chosen.bound % 10**6 else f"{chosen.bound // 10**6}M"]
    return found
