"""The program and its commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from pralign import __version__
from pralign.cli.agreement import agreement
from pralign.cli.align import align
from pralign.cli.check import check
from pralign.cli.classes import classes
from pralign.cli.completion import completion
from pralign.cli.console import Commands, reporting_errors
from pralign.cli.convert import convert
from pralign.cli.demo import demo
from pralign.cli.evaluate import evaluate
from pralign.cli.experiment import experiment
from pralign.cli.help import help
from pralign.cli.inspect import inspect
from pralign.cli.label import label
from pralign.cli.lexicon import lexicon
from pralign.cli.line_limit import with_line_limit
from pralign.cli.manual.classes import HelpedCommand
from pralign.cli.match import match
from pralign.cli.merge import merge
from pralign.cli.phrases import phrases
from pralign.cli.plan import plan
from pralign.cli.report import report
from pralign.cli.rules import rules
from pralign.cli.sample import sample
from pralign.cli.serve import serve
from pralign.cli.shortlist import shortlist
from pralign.cli.show import show
from pralign.cli.symmetrize import symmetrize
from pralign.cli.train import train
from pralign.cli.transfer import transfer
from pralign.cli.warm_up import warm_up

app = typer.Typer(
    name="pralign",
    cls=Commands,
    help="Which word translates which, learned from parallel sentences.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts in half the time
    context_settings={"help_option_names": ["--help", "-h"]},
)

_COMMANDS: tuple[Callable[..., Any], ...] = (
    with_line_limit(align),
    with_line_limit(train),
    merge,
    with_line_limit(check),
    with_line_limit(label),
    with_line_limit(sample),
    with_line_limit(plan),
    with_line_limit(evaluate),
    with_line_limit(agreement),
    with_line_limit(symmetrize),
    with_line_limit(phrases),
    with_line_limit(rules),
    with_line_limit(transfer),
    with_line_limit(convert),
    with_line_limit(show),
    with_line_limit(report),
    experiment,
    with_line_limit(lexicon),
    with_line_limit(shortlist),
    with_line_limit(classes),
    inspect,
    serve,
    demo,
    warm_up,
    help,
    completion,
)

for _command in _COMMANDS:
    app.command(cls=HelpedCommand)(reporting_errors(_command))
app.add_typer(match)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pralign {__version__}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Which word translates which, learned from parallel sentences."""
