"""From options to an aligner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pralign.errors import UsageError
from pralign.text.files import STANDARD_STREAM

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.evaluation import Criterion
    from pralign.text.bitext import Layout

_DECODING = {"decode", "threshold", "symmetrize", "project_at_decode"}


def build_aligner(threads: int | None, **options: Any) -> Aligner:
    """An untrained aligner with the options that were given; ``None`` means not given."""
    from pralign.aligner import Aligner

    return Aligner(threads=threads, **_given(options))


def load_aligner(directory: Path, threads: int | None, **options: Any) -> Aligner:
    """A saved aligner, decoding as the options say. Options of training may be repeated, not changed."""
    from pralign.aligner import Aligner
    from pralign.training.schedule import format_schedule, parse_schedule

    given = _given(options)
    aligner = Aligner.load(directory, threads, **{name: given[name] for name in given.keys() & _DECODING})
    saved = aligner.settings()
    if "iterations" in given:
        given["iterations"] = format_schedule(parse_schedule(given["iterations"]))
    for name in given.keys() - _DECODING:
        if given[name] != saved[name]:
            before = f"without {name}" if saved[name] is None else f"with {name} {saved[name]}"
            raise UsageError(f"with --load nothing is trained; {directory} was trained {before}, not {given[name]}")
    return aligner


def _given(options: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in options.items() if value is not None}
    if "threshold" in given:
        given["threshold"] = parse_threshold(given["threshold"])
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
    if aligner.decode == "viterbi" and aligner.model_ is not None:
        raise UsageError("with --load, --dev sets the threshold, which --decode viterbi does not use")
