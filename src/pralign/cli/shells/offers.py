"""What may stand where the value of an option or an argument is expected."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from pralign.cli.manual.description import Description
from pralign.cli.manual.parameters import Parameter
from pralign.cli.manual.topics import TOPICS

_NOT_FILES = {"N", "X", "K", "N[-M]", "SIZE", "STAGES", "TEXT", "VALUE", "WORD", "SRC,TGT"}


class Kind(Enum):
    """What is offered besides names."""

    NOTHING = "nothing"
    FILES = "files"
    DIRECTORIES = "directories"


class Offer(NamedTuple):
    """What is offered: names, which may be put together with commas, or files."""

    names: tuple[str, ...] = ()
    kind: Kind = Kind.NOTHING
    is_list: bool = False


def offer(parameter: Parameter, program: Description) -> Offer:
    """What to offer for a value."""
    if parameter.metavar == "TOPIC":
        return Offer((*TOPICS, *(child.path[-1] for child in program.children)))
    if parameter.values:
        return Offer(parameter.values, is_list=parameter.is_list)
    if parameter.metavar in _NOT_FILES:
        return Offer()
    return Offer(kind=Kind.DIRECTORIES if parameter.metavar == "DIR" else Kind.FILES)
