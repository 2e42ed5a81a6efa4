"""From options to an aligner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pralign.errors import UsageError
from pralign.settings import decoding_settings, setting_fields
from pralign.text.files import STANDARD_STREAM

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.evaluation import Criterion
    from pralign.text.bitext import Layout


def build_aligner(resources: Mapping[str, Any], settings: Mapping[str, Any]) -> Aligner:
    """An untrained aligner with the options that were given; ``None`` means not given."""
    from pralign.aligner import Aligner

    return Aligner(**resources, **given_settings(settings))


def load_aligner(directory: Path, resources: Mapping[str, Any], settings: Mapping[str, Any]) -> Aligner:
    """A saved aligner, decoding as the options say. Options of training may be repeated, not changed."""
    from pralign.aligner import Aligner
    from pralign.training.schedule import format_schedule, parse_schedule

    for name in ("memory", "scratch", "checkpoint"):
        if resources[name] is not None:
            raise UsageError(f"--{name} is for training; with --load nothing is trained")
    given = given_settings(settings)
    decoding = decoding_settings()
    aligner = Aligner.load(directory, resources["threads"], **{name: given[name] for name in given.keys() & decoding})
    model = aligner.model_
    saved = model.recipe.as_saved(model.schedule, model.thresholds)
    if "iterations" in given:
        given["iterations"] = format_schedule(parse_schedule(given["iterations"]))
    for name in (each.name for each in setting_fields() if each.name not in decoding):
        if name in given and given[name] != saved[name]:
            option = f"--{name.replace('_', '-')}"
            before = f"without {option}" if saved[name] in (None, []) else f"with {option} {saved[name]}"
            raise UsageError(f"with --load nothing is trained; {directory} was trained {before}, not {given[name]}")
    return aligner


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were given, as the library takes them."""
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
        raise UsageError(f"--threshold takes a number between 0 and 1, auto or balanced, not {text!r}") from None


def checked_layout(layout: str | None) -> Layout | None:
    """The layout of a file with both sides, if it is one of those there are."""
    if layout in {None, "tsv", "bars"}:
        return cast("Layout | None", layout)
    raise UsageError(f"--layout is tsv or bars, not {layout}")


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


def check_tuning(aligner: Aligner, dev: object, threshold: str | None) -> None:
    """Complain about labelled pairs that contradict another option or would have no effect."""
    if dev is None:
        return
    if threshold is not None:
        raise UsageError("--dev sets the threshold, so --threshold cannot be given too")
    if aligner.is_trained and not aligner.model_.recipe.method.has_threshold:
        name = aligner.model_.recipe.method.name
        raise UsageError(f"with --load, --dev sets the threshold, which --decode {name} does not use")
