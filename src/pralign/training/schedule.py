"""Which models are trained, in which order, for how many iterations."""

from __future__ import annotations

import re

from pralign.characters import quoted
from pralign.errors import UsageError
from pralign.models import get_model

Schedule = tuple[tuple[str, int], ...]

_STAGES = {
    "ibm1": ("ibm1",),
    "ibm2": ("ibm1", "ibm2"),
    "hmm": ("ibm1", "hmm"),
    "ibm3": ("ibm1", "hmm", "ibm3"),
    "ibm4": ("ibm1", "hmm", "ibm3", "ibm4"),
}
_ITERATIONS = 5
# Fertility models search instead of summing: an iteration is dearer, and most is learned in the first.
_FEWER = {"ibm3": 3, "ibm4": 3}
_CONSTRAINED = 3
_MOST = 10
_NUMBER = re.compile("[0-9]{1,9}")


def default_schedule(model: str, constrained: bool = False, judged: bool = False) -> Schedule:
    """Five iterations of IBM 1, to give a lexicon to start from, then five of ``model``, or three of IBM 3 and IBM 4.

    A constraint makes the model learn, and then overfit, faster: three iterations are enough. Where labelled pairs
    say when to stop, there may be up to ten.
    """
    get_model(model)
    *before, last = _STAGES.get(model, ("ibm1", model))
    own = _CONSTRAINED if constrained and before else _FEWER.get(last, _ITERATIONS)
    return (*((stage, _FEWER.get(stage, _ITERATIONS)) for stage in before), (last, _MOST if judged else own))


def parse_schedule(text: str, model: str | None = None) -> Schedule:
    """Read a schedule such as ``ibm1=5,hmm=5``; its last stage must be ``model`` if one is given.

    Example:
        >>> parse_schedule("ibm1=5,hmm=3")
        (('ibm1', 5), ('hmm', 3))
    """
    stages = []
    for part in text.split(","):
        name, equals, number = part.strip().partition("=")
        if not equals or not _NUMBER.fullmatch(number.strip()):
            raise UsageError(f"{quoted(part)} is not a stage of training; write for example ibm1=5,hmm=5")
        get_model(name)
        stages.append((name, int(number)))
    if model is not None and stages[-1][0] != model:
        raise UsageError(f"the iterations end with {stages[-1][0]} but the model is {model}")
    if stages[-1][1] == 0:
        raise UsageError(f"the last stage, {stages[-1][0]}, needs at least one iteration")
    return tuple((name, number) for name, number in stages if number > 0)


def format_schedule(schedule: Schedule) -> str:
    """The text that :func:`parse_schedule` reads."""
    return ",".join(f"{name}={number}" for name, number in schedule)
