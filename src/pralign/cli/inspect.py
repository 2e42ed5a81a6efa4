"""``pralign inspect``: look into a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli.console import tell

ModelDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="A saved model.")]
Word = Annotated[str | None, typer.Argument(metavar="[WORD]", help="A word of either side.", show_default=False)]
Most = Annotated[int, typer.Option("-n", "--most", min=1, help="How many translations to show.")]


def inspect(directory: ModelDirectory, word: Word = None, most: Most = 10) -> None:
    """Show a model's settings and sizes, or the likeliest translations of a word, both ways."""
    from pralign.aligner import Aligner
    from pralign.report.models import describe_model, describe_word

    aligner = Aligner.load(directory, threads=1)
    tell(describe_model(aligner) if word is None else describe_word(aligner, word, most))
