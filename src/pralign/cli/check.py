"""``pralign check``: look at a text before it is aligned."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.characters import escaped
from pralign.cli import options
from pralign.cli.console import tell
from pralign.cli.settings import check_streams
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError

if TYPE_CHECKING:
    from pralign.checking import CheckedText
    from pralign.text.facts import SideFacts

ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="The saved model that is to align the text.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Fail if there is anything to say.")]

# Of the titles and of each column of the table.
_TITLE, _CELL = 24, 22


@with_text_options
def check(
    source: options.SourceFile,
    target: options.TargetFile = None,
    model: ModelOption = None,
    strict: StrictOption = False,
    as_json: JsonOption = False,
    *,
    text: TextOptions,
) -> None:
    """Say how much a text is, and what about it is probably not meant, each with its cure.

    All of it is read, while align, train and match fit look at the beginning only. What they could not use at all is
    the same error as theirs.
    """
    from pralign.checking import check_text

    check_streams(source, target, None)
    bitext = text.open(source, target)
    checked = check_text(bitext, model)
    if as_json:
        findings = [finding.as_dict() for finding in checked.findings]
        tell(json.dumps({"facts": asdict(checked.facts), "findings": findings}, indent=1, ensure_ascii=False))
    else:
        tell("\n".join(map(escaped, _lines(checked))))
    if strict and checked.findings:
        count = f"{len(checked.findings)} thing{'s' if len(checked.findings) > 1 else ''}"
        raise InputError(f"{bitext.name}: refused by --strict, since there is {count} to put right")


def _lines(checked: CheckedText) -> list[str]:
    """The facts as a table, and the findings."""
    facts = checked.facts
    sides = facts.source, facts.target
    pairs = max(facts.pairs, 1)
    return [
        _row("pairs", f"{facts.pairs:,}"),
        _row("", "source", "target"),
        _row("words", *(f"{side.words:,}" for side in sides)),
        _row("words a line", *(f"{side.words / pairs:.1f}" for side in sides)),
        _row("blank lines", *(f"{side.blank:,}" for side in sides)),
        _row("longest sentence, words", *map(_longest, sides)),
        _row("pairs with a blank side", f"{facts.empty:,}"),
        _row(f"pairs over {facts.longest} words", f"{facts.too_long:,} ({facts.too_long / pairs:.1%})"),
        "",
        *(f"- {finding}" for finding in checked.findings),
        *([] if checked.findings else ["nothing to put right"]),
    ]


def _row(title: str, *cells: str) -> str:
    return f"{title:{_TITLE}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)


def _longest(side: SideFacts) -> str:
    return f"{side.longest:,} (line {side.longest_line:,})" if side.longest else "0"
