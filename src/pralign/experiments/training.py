"""Models of pralign as systems: trained on a text, then asked in all the ways that systems differ in decoding."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pralign.aligner import Aligner
from pralign.constraints import make_constraint
from pralign.constraints.solver import ProjectionCost
from pralign.decoding.stream import Decoded
from pralign.experiments.answers import FLOOR, TEXT_FLOOR, UNION, VIEWS, Answers, text_files
from pralign.experiments.description import SystemDescription
from pralign.experiments.texts import PreparedText
from pralign.links.alignment import Alignment
from pralign.links.formats import write_alignments
from pralign.links.symmetrization import symmetrize
from pralign.outputs import open_outputs
from pralign.runs.trained import TrainedModel
from pralign.settings import decoding_settings
from pralign.training.progress import Listener, Progress
from pralign.training.schedule import format_schedule

# From so many pairs on, training that was ended goes on from its last iteration instead of from the beginning.
_WORTH_KEEPING = 50_000
_UNION_OF_PATHS = "grow-diag-final-and"
_JOURNAL = "iterations.jsonl"


@dataclass(frozen=True)
class Resources:
    """What training may use.

    Example:
        >>> Resources(threads=1, memory="600M").threads
        1
    """

    threads: int | None = None
    memory: str | None = None


def training_settings(system: SystemDescription) -> dict[str, Any]:
    """The settings that training depends on; systems that share them, and what says when to stop, share a model."""
    decoding = decoding_settings() - ({"project_at_decode"} if system.stop == "dev" else set())
    return {name: value for name, value in system.settings.items() if name not in decoding}


def train(
    system: SystemDescription,
    text: PreparedText,
    folder: Path,
    resources: Resources,
    listener: Listener,
    save: Path | None = None,
) -> tuple[TrainedModel, dict[str, Any]]:
    """Train a system on a text; also what is known of its training.

    Args:
        system: The system.
        text: The text.
        folder: Where to keep what is needed to go on, should the program be ended.
        resources: What may be used.
        listener: Is told how it goes.
        save: Where to save the model, if it is needed later.
    """
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / _JOURNAL, system)
    trained = folder / "model"  # until all that is asked of it is kept, which takes long of a large text
    if trained.is_dir():
        aligner = Aligner.load(trained, resources.threads)
    else:
        aligner = _fitted(system, text, folder, resources, listener, journal)
        if text.pairs >= _WORTH_KEEPING:
            aligner.save(trained)
    model = aligner.model_
    if save is not None:
        aligner.save(save)
    aligner.close()
    record = {
        "title": system.shown,
        "signature": str(model.signature),
        "schedule": format_schedule(model.schedule),
        "iterations": journal.iterations(model),
        "seconds": journal.seconds,
    }
    return model, record


def _fitted(
    system: SystemDescription,
    text: PreparedText,
    folder: Path,
    resources: Resources,
    listener: Listener,
    journal: Journal,
) -> Aligner:
    checkpoint = folder / "checkpoint" if text.pairs >= _WORTH_KEEPING else None
    used = training_settings(system) | {"threads": resources.threads, "memory": resources.memory}
    aligner = Aligner(**used, checkpoint=checkpoint)
    labelled = text.parts["dev"].labelled if system.stop == "dev" else None
    journal.begin(goes_on=checkpoint is not None and checkpoint.exists())

    def told(progress: Progress) -> None:
        journal(progress)
        listener(progress)

    return aligner.fit(text.bitext, listener=told, labelled=labelled)


class Journal:
    """Remembers in a file what iterations have cost, since a training that goes on does not know of the first ones."""

    def __init__(self, path: Path, system: SystemDescription) -> None:
        self._path = path
        self._constraint = make_constraint(system.settings.get("constraint", "none"))
        self._since = time.perf_counter()

    def begin(self, goes_on: bool) -> None:
        """Note that training begins, or goes on after it was ended; if it begins, all that was before is forgotten."""
        self._since = time.perf_counter()
        if not goes_on:
            self._path.unlink(missing_ok=True)

    @property
    def seconds(self) -> float:
        """How long the iterations have taken, all in all."""
        return float(sum(each["seconds"] for each in self._entries()))

    def __call__(self, progress: Progress) -> None:
        """Remember an iteration that has ended."""
        if progress.phase != "train" or progress.log_likelihood is None:
            return
        cost = progress.cost or ProjectionCost(pairs=1, half_calls=2)
        now = time.perf_counter()
        entry = {
            "model": progress.model,
            "iteration": progress.iteration,
            "seconds": now - self._since,
            "pairs": progress.pairs,
            "calls": cost.calls / max(cost.pairs, 1),
            "unconverged": cost.unconverged / max(cost.pairs, 1),
        }
        self._since = now
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")

    def iterations(self, model: TrainedModel) -> list[dict[str, Any]]:
        """What each iteration has found and cost; what it cost may be unknown if the program was killed just then."""
        costs = {(each["model"], each["iteration"]): each for each in self._entries()}
        return [self._described(each.as_dict(), costs) for each in model.history]

    def _described(self, found: dict[str, Any], costs: Mapping[tuple[str, int], dict[str, Any]]) -> dict[str, Any]:
        cost = costs.get((found["model"], found["iteration"]), {})
        return found | {key: cost.get(key) for key in ("pairs", "calls", "unconverged")} | {"weight": self._weight}

    @property
    def _weight(self) -> float:
        """How often the divergence is taken from both log-likelihoods, to have the objective that iterations raise."""
        if self._constraint is None:
            return 0.0
        return 2.0 if self._constraint.coupling == "mixture" else 1.0

    def _entries(self) -> Iterator[dict[str, Any]]:
        for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
            with suppress(ValueError):  # a line that was not whole when the power went
                yield json.loads(line)


def ask(model: TrainedModel, system: SystemDescription, text: PreparedText, record: Mapping[str, Any]) -> Answers:
    """What a model says of the pairs that are looked at, decoding as a system does."""
    own = decoding_as(model, system, text)
    pairs = text.looked_at
    decoded = list(own.decode_pairs(pairs, directions=True))
    by_threshold = own.recipe.method.has_threshold
    scored = {view: _posteriors(own, view, text) for view in VIEWS} if by_threshold else {}
    forward, reverse = [_path(each.forward) for each in decoded], [_path(each.reverse) for each in decoded]
    both = [symmetrize(*paths, _UNION_OF_PATHS) for paths in zip(forward, reverse, strict=True)]
    return Answers(
        links=[each.alignment if by_threshold else _path(each.alignment) for each in decoded],
        scored=scored,
        paths={"forward": forward, "reverse": reverse, UNION: both},
        record={**record, "title": system.shown, "signature": str(own.signature)},
    )


def write_text_links(model: TrainedModel, system: SystemDescription, text: PreparedText, folder: Path) -> None:
    """Write the links of all pairs, as the system chooses them; if it has posteriors, also all likely links."""
    own = decoding_as(model, system, text)
    chosen, scored = text_files(folder)
    low = _with_posteriors(own, UNION, TEXT_FLOOR) if own.recipe.method.has_threshold else None
    with open_outputs(*([chosen] if low is None else [chosen, scored])) as outputs:
        write_alignments(outputs[0], _links(own.decode_pairs(text.bitext)))
        if low is not None:
            write_alignments(outputs[1], _links(low.decode_pairs(text.bitext)), "scored")


def decoding_as(model: TrainedModel, system: SystemDescription, text: PreparedText) -> TrainedModel:
    """A model that decodes as a system says; what the system leaves open stays as it was trained."""
    changes = {name: value for name, value in system.settings.items() if name in decoding_settings()}
    changed = model.with_settings(**changes) if changes else model
    return changed.adapted(text.bitext) if "threshold" in changes and changed.recipe.threshold_rule else changed


def _posteriors(model: TrainedModel, view: str, text: PreparedText) -> list[Alignment]:
    """The links of one view, with posteriors, of the pairs that are judged; those of others are not needed."""
    asked = _with_posteriors(model, view, FLOOR)
    wanted = [number for part in text.parts.values() for number in part.judged_numbers]
    answers = asked.decode_pairs([text.looked_at[number] for number in wanted])
    found = {number: _scored(answer.alignment) for number, answer in zip(wanted, answers, strict=True)}
    nothing = Alignment((), ())
    return [found.get(number, nothing) for number in range(len(text.looked_at))]


def _with_posteriors(model: TrainedModel, view: str, floor: float) -> TrainedModel:
    """A model that answers with all links of a view that are likely enough, however it chooses links otherwise."""
    return model.with_settings(decode="posterior", symmetrize=view, threshold=floor)


def _scored(alignment: Alignment) -> Alignment:
    return alignment if alignment.scores is not None else replace(alignment, scores=())


def _path(alignment: Alignment | None) -> Alignment:
    return Alignment() if alignment is None else Alignment(alignment.links)


def _links(answers: Iterator[Decoded]) -> Iterator[Alignment]:
    return (answer.alignment for answer in answers)
