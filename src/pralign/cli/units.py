"""``--units`` and ``--pieces``: what links join in the files that are written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.errors import UsageError
from pralign.links.units import PIECES, UNITS, Units

UnitsOption = Annotated[
    str,
    typer.Option(
        "--units",
        metavar="|".join(UNITS),
        help="What links join: what --tokenize makes, words between spaces, characters, or the pieces of a tokeniser.",
    ),
]
PiecesOption = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--pieces",
        metavar="MODEL MODEL",
        help="The models that cut SRC and TGT into pieces, for --units pieces: of SentencePiece, or tokenizer.json.",
        show_default=False,
    ),
]


def chosen_units(name: str, models: tuple[Path, Path] | None) -> Units:
    """What the options mean.

    Raises:
        UsageError: Models are missing, or given where nothing needs them.
        InputError: They cannot be read.
    """
    if models is None:
        if name == PIECES:
            raise UsageError("--units pieces needs the models that cut text into pieces: --pieces MODEL MODEL")
        return Units(name)
    if name != PIECES:
        raise UsageError(f"--pieces is for --units pieces, not for {name}")
    from pralign.text.pieces import read_piece_model

    source, target = models
    return Units(name, (read_piece_model(source), read_piece_model(target)))
