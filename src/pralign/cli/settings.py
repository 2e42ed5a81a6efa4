"""From options to an aligner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pralign.characters import quoted
from pralign.cli.console import note
from pralign.errors import UsageError
from pralign.settings import decoding_settings, setting_fields
from pralign.text.files import STANDARD_STREAM

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.evaluation import Criterion


@dataclass(frozen=True)
class Resources:
    """What the options say of where the work is done and what it may take; ``None`` means not given."""

    threads: int | None = None
    memory: str | None = None
    scratch: Path | None = None
    checkpoint: str | None = None
    engine: str = "threads"
    address: str | None = None

    def arguments(self) -> dict[str, Any]:
        """The same as arguments of an aligner."""
        from pralign.engine import make_engine

        engine = make_engine(self.engine, self.threads, self.address)
        kept = {"memory": self.memory, "scratch": self.scratch, "checkpoint": self.checkpoint}
        return {"threads": self.threads, "engine": engine if engine.elsewhere else None, **kept}


def local_path(place: str | None) -> Path | None:
    """A path of this machine that must not be overwritten; an address is none."""
    return None if place is None or "://" in place else Path(place)


@contextmanager
def working(aligner: Aligner) -> Iterator[None]:
    """Let an aligner work, and then give back what its engine has taken."""
    try:
        yield
    finally:
        if aligner.engine is not None:
            aligner.engine.close()


def build_aligner(resources: Resources, settings: Mapping[str, Any]) -> Aligner:
    """An untrained aligner with the options that were given; ``None`` means not given."""
    from pralign.aligner import Aligner

    return Aligner(**resources.arguments(), **given_settings(settings))


def open_aligner(
    directory: Path, resources: Resources, settings: Mapping[str, Any], adapt: bool | None
) -> tuple[Aligner, bool]:
    """A saved aligner, and whether it adapts to a text: as the user says, or else if it can."""
    from pralign.runs.adapting import why_not

    aligner = _load_aligner(directory, resources, settings, adapt is not False)
    trouble = why_not(aligner.model_) if adapt is not False else None
    if trouble and adapt:
        raise UsageError(trouble)
    if trouble:
        note(f"not adapting: {trouble}")
    return aligner, adapt is not False and trouble is None


def _load_aligner(directory: Path, resources: Resources, settings: Mapping[str, Any], adapts: bool) -> Aligner:
    """A saved aligner, decoding as the options say. Options of training may be repeated, not changed."""
    from pralign.aligner import Aligner
    from pralign.training.schedule import format_schedule, parse_schedule

    trained = ("memory", "scratch", "checkpoint", "address")
    for name in () if adapts else trained:
        if getattr(resources, name) is not None:
            raise UsageError(f"--{name} is for training; with --load and --no-adapt nothing is trained")
    if resources.engine != "threads" and not adapts:
        raise UsageError("--engine is for training; with --load and --no-adapt nothing is trained")
    given = given_settings(settings)
    decoding = decoding_settings()
    aligner = Aligner.load(directory, resources.threads, **{name: given[name] for name in given.keys() & decoding})
    if adapts:
        aligner.set_params(**{name: value for name, value in resources.arguments().items() if value is not None})
    model = aligner.model_
    saved = model.recipe.as_saved(model.schedule, model.thresholds)
    if "iterations" in given:
        given["iterations"] = format_schedule(parse_schedule(given["iterations"]))
    for name in (each.name for each in setting_fields() if each.name not in decoding):
        if name in given and given[name] != saved[name]:
            option = f"--{name.replace('_', '-')}"
            before = f"without {option}" if saved[name] in (None, []) else f"with {option} {saved[name]}"
            raise UsageError(f"a loaded model keeps its settings; {directory} was trained {before}, not {given[name]}")
    return aligner


def reopen_aligner(directory: Path, resources: Resources) -> Aligner:
    """A saved aligner that is to go on learning."""
    from pralign.aligner import Aligner

    others = {name: value for name, value in resources.arguments().items() if value is not None}
    return Aligner.load(directory, resources.threads).set_params(**others)


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The options of settings that were given, as an aligner takes them."""
    given = {name: value for name, value in settings.items() if value is not None and value != []}
    if "threshold" in given:
        given["threshold"] = parse_threshold(given["threshold"])
    for name in given.keys() & {"prior", "forms"}:
        given[name] = [str(path) for path in given[name]]
    return given


def parse_threshold(text: str) -> float | str:
    """A threshold as the command line takes it: a number, ``auto`` or ``balanced``."""
    if text in ("auto", "balanced"):
        return text
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--threshold takes a number between 0 and 1, auto or balanced, not {quoted(text)}") from None


def checked_criterion(tune: str) -> Criterion:
    """What a threshold is tuned for, if it is one of those there are."""
    if tune in {"aer", "f1"}:
        return cast("Criterion", tune)
    raise UsageError(f"--tune is aer or f1, not {tune}")


def check_streams(
    source: Path, target: Path | None, dev: Sequence[Path] | None, prior: Sequence[Path] | None = None
) -> None:
    """Complain if standard input, which comes only once, is to be read twice."""
    if [str(path) for path in (source, target, *(dev or ()), *(prior or ()))].count(STANDARD_STREAM) > 1:
        raise UsageError("standard input cannot be both sides or several files; give the others as files")


def check_tuning(aligner: Aligner, dev: object, threshold: str | None, trains: bool = True) -> None:
    """Complain about labelled pairs that contradict another option or would have no effect."""
    if dev is None:
        return
    if threshold is not None:
        raise UsageError("--dev sets the threshold, so --threshold cannot be given too")
    if not trains and not aligner.model_.recipe.method.has_threshold:
        name = aligner.model_.recipe.method.name
        raise UsageError(f"with --load, --dev sets the threshold, which --decode {name} does not use")
