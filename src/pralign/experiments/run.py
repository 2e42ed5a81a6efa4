"""Running an experiment: each text and each system is a step, which is kept when it is done."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pralign import __version__
from pralign.errors import InputError, PralignError
from pralign.experiments.answers import Answers, is_done, load_answers, save_answers
from pralign.experiments.description import Experiment, SystemDescription
from pralign.experiments.files import fingerprint, located, settings_files, settings_key
from pralign.experiments.labels import Counts, learn_and_align
from pralign.experiments.others import is_installed, read_links, run_program, system_files, write_all_links
from pralign.experiments.texts import PreparedText, check_files, prepare_text
from pralign.experiments.training import Resources, ask, train, training_settings, write_text_links
from pralign.outputs.partials import PartialDirectory, remove_abandoned
from pralign.runs.recipe import Recipe
from pralign.settings import Settings
from pralign.training.progress import Listener, ignore

logger = logging.getLogger("pralign")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Step:
    """A system on a text: what is done, or has been done.

    Attributes:
        text: The text.
        system: The system.
        key: What its answers depend on, as one number.
        folder: Where they are kept.
        whole: Whether the links of all pairs are wanted.
    """

    text: PreparedText
    system: SystemDescription
    key: str
    folder: Path
    whole: bool

    @property
    def done(self) -> bool:
        """Whether its answers are there."""
        return is_done(self.folder, self.key, self.whole)


@dataclass
class ExperimentRun:
    """An experiment on its data, and what it has come to.

    Answers are kept in a folder as they come, under names that depend on the text, the settings and the version of
    pralign. So a run that was ended goes on, and experiments that share the folder share what they have in common.

    Attributes:
        experiment: The experiment.
        data: The folder that names of files in it are relative to.
        folder: Where everything is kept.
        most_pairs: At most so many training pairs, to try an experiment out.
        resources: What may be used.
        listener: Is told how training goes.
        dry: Whether nothing is to be written: what is done can be asked for, and nothing can be run.
    """

    experiment: Experiment
    data: Path
    folder: Path
    most_pairs: int | None = None
    resources: Resources = field(default_factory=Resources)
    listener: Listener = ignore
    dry: bool = False
    _loaded: dict[str, dict[str, Answers]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        systems = {name: located(each, self.data) for name, each in self.experiment.systems.items()}
        self.experiment = replace(self.experiment, systems=systems)

    # What is to be done

    def check(self) -> None:
        """Complain of what would fail after hours: files and programs that are missing, settings that cannot be.

        Raises:
            InputError: Something is not there.
            UsageError: Settings cannot be.
        """
        for name, corpus in self.experiment.corpora.items():
            check_files(name, corpus, self.data)
        for system in self.experiment.systems.values():
            self._check_program(system)
            for path in [*settings_files(system), *self._files(system)]:
                if not path.exists():
                    raise InputError(f"systems.{system.name}: there is no file {path}")
            if system.is_model:
                try:
                    Recipe.of(Settings.resolve(**system.settings))
                except PralignError as error:
                    raise type(error)(f"{self.experiment.path}: systems.{system.name}: {error}") from error

    def _check_program(self, system: SystemDescription) -> None:
        if not system.program or is_installed(system.program):
            return
        program = system.program[0]
        if not system.optional:
            raise InputError(
                f"systems.{system.name}: there is no program {program}; install it, or say optional = true"
            )
        logger.info("%s is not installed, so %s is left out", program, system.shown)
        for other in self.experiment.systems.values():
            if system.name in _asked(other):
                raise InputError(f"systems.{other.name}: learns with {system.name}, and {program} is not installed")

    def _files(self, system: SystemDescription) -> Iterator[Path]:
        """The files of links that are read, for all texts."""
        for name in system.corpora or self.experiment.corpora:
            for size in self._sizes(self.experiment.corpora[name].sizes):
                yield from system_files(system, name, size, self.data).values()

    @cached_property
    def texts(self) -> Sequence[PreparedText]:
        """All texts, written into the folder."""
        return [
            replace(
                prepare_text(name, corpus, size, self.data, self.folder / "texts", not self.dry),
                stands_for=frozenset(asked),
            )
            for name, corpus in self.experiment.corpora.items()
            for size, asked in self._sizes(corpus.sizes).items()
        ]

    def _sizes(self, sizes: Sequence[int | None]) -> dict[int | None, list[int | None]]:
        """The numbers of training pairs that are taken, each with those that were asked for."""
        taken: dict[int | None, list[int | None]] = {}
        for size in sizes:
            most = size if self.most_pairs is None else min(size or self.most_pairs, self.most_pairs)
            taken.setdefault(most, []).append(size)
        return taken

    def steps(self, text: PreparedText) -> list[Step]:
        """The steps of a text, in the order in which they are done; programs that are not installed are left out."""
        systems = [each for each in self.experiment.systems.values() if not each.corpora or text.corpus in each.corpora]
        wanted = self._wanted(text)
        can_run = [each for each in systems if not each.program or is_installed(each.program)]
        steps = [self._step(text, each) for each in can_run if each.name in wanted]
        return sorted(steps, key=lambda step: step.system.labels is not None)

    def _wanted(self, text: PreparedText) -> set[str]:
        """The systems that tables of a text list or mention, and those that these learn from."""
        everything, wanted = set(self.experiment.systems), set[str]()
        tables = [table for table in self.experiment.tables if table.is_of(text)]
        for table in tables:
            wanted |= set(table.systems or everything) | set(table.mentioned)
        for name in list(wanted if self.experiment.tables else everything):
            wanted |= {name, *_asked(self.experiment.systems[name])}
        return wanted

    def _step(self, text: PreparedText, system: SystemDescription) -> Step:
        key = self._key(text, system)
        needed = any(table.needs_text and table.is_of(text) for table in self.experiment.tables)
        whole = (needed or self.experiment.alignments == "all") and system.labels is None
        return Step(text, system, key, self.folder / "answers" / f"{text.name}-{system.name}-{key[:12]}", whole)

    def _key(self, text: PreparedText, system: SystemDescription) -> str:
        described: dict[str, Any] = {"text": text.digest, "version": __version__}
        if system.labels is not None:
            asked = {name: self._key(text, self.experiment.systems[name]) for name in _asked(system)}
            described |= {"labels": asdict(system.labels), "asked": asked}
        elif system.files:
            files = system_files(system, text.corpus, text.size, self.data).values()
            described |= {"files": [fingerprint(path) for path in files], "format": system.format}
            described |= {"symmetrize": system.symmetrize}
        elif system.program:
            described |= {"program": list(system.program), "symmetrize": system.symmetrize, "format": system.format}
        else:
            described |= {"settings": settings_key(system, dict(system.settings)), "stop": system.stop}
        return _digest(described)

    # Doing it

    def run(self, say: Say = logger.info) -> None:
        """Do what is not done yet.

        Args:
            say: Is told what is done.
        """
        for text in self.texts:
            steps = self.steps(text)
            models = {use.model for step in steps if (use := step.system.labels) and use.model}
            counts = Counts(self.resources.threads)
            for group in _groups([step for step in steps if not step.done]):
                say(f"{text.name}: {', '.join(step.system.shown for step in group)}")
                if group[0].system.labels is not None:
                    self._learn(group[0], counts)
                elif group[0].system.files or group[0].system.program:
                    self._ask_others(group)
                else:
                    self._train(group, {step.system.name for step in group} & models)

    def _train(self, group: Sequence[Step], saved: set[str]) -> None:
        """Train once for all systems that differ in decoding only, and ask them all."""
        first = group[0]
        work = self.folder / "training" / self._training_key(first)
        save = self._model(first) if saved else None
        if save is not None:
            save.parent.mkdir(parents=True, exist_ok=True)
        model, record = train(first.system, first.text, work, self.resources, self.listener, save)
        for step in group:
            step.folder.mkdir(parents=True, exist_ok=True)
            if step.whole:
                write_text_links(model, step.system, step.text, step.folder)
            save_answers(ask(model, step.system, step.text, record), step.folder, step.key)
        shutil.rmtree(work, ignore_errors=True)

    def _training_key(self, step: Step) -> str:
        described = {"text": step.text.digest, "version": __version__, "stop": step.system.stop}
        return _digest({**described, "settings": settings_key(step.system, training_settings(step.system))})

    def _model(self, step: Step) -> Path:
        return self.folder / "models" / self._training_key(step)

    def _ask_others(self, group: Sequence[Step]) -> None:
        """Run another program, once for all systems that differ in how directions become one, or read its files."""
        first = group[0]
        if not first.system.program:
            files = system_files(first.system, first.text.corpus, first.text.size, self.data)
            self._take_over(group, files, None)
            return
        first.folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(first.folder)
        # In a place of its own each time: a program may live on for a while after this one was killed.
        with PartialDirectory(first.folder) as place:
            self._take_over(group, *run_program(first.system, first.text, place.path))

    @staticmethod
    def _take_over(group: Sequence[Step], files: Mapping[str, Path], seconds: float | None) -> None:
        """Keep what files of links say, for each system of a group."""
        for step in group:
            step.folder.mkdir(parents=True, exist_ok=True)
            if step.whole:
                write_all_links(step.system, files, step.folder)
            save_answers(read_links(step.system, step.text, files, seconds), step.folder, step.key)

    def _learn(self, step: Step, counts: Counts) -> None:
        """Learn from labels, with what other systems say as features."""
        use = step.system.labels
        assert use is not None
        model = None
        if use.model is not None:
            asked = self._step(step.text, self.experiment.systems[use.model])
            model = self._model(asked)
            if not model.is_dir():  # what it answers is there, but not the model itself
                self._train([asked], {use.model})
        others = [self.answers(step.text)[name] for name in use.predictions]
        save_answers(learn_and_align(step.system, step.text, counts, model, others), step.folder, step.key)

    # What it has come to

    def answers(self, text: PreparedText) -> Mapping[str, Answers]:
        """The answers to a text, by system, as far as they are there."""
        loaded = self._loaded.setdefault(text.name, {})
        for step in self.steps(text):
            if step.system.name not in loaded and step.done:
                loaded[step.system.name] = load_answers(step.folder)
        return loaded

    def forget(self) -> None:
        """Forget the answers, which are read again if they are asked for."""
        self._loaded.clear()

    def systems(self, text: PreparedText) -> Sequence[SystemDescription]:
        """The systems that have answered, in the order of the experiment."""
        answers = self.answers(text)
        return [system for system in self.experiment.systems.values() if system.name in answers]

    @property
    def places(self) -> Mapping[str, Path]:
        """The folders of the data, of the experiment's file, and for what programs keep."""
        here = self.experiment.path.absolute().parent
        return {"data": self.data.absolute(), "here": here, "work": self.folder.absolute() / "programs"}


def _groups(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps that share a model, or a run of another program, together; all others alone."""
    groups: dict[str, list[Step]] = {}
    for step in steps:
        groups.setdefault(_digest(_shared(step.system)), []).append(step)
    yield from groups.values()


def _shared(system: SystemDescription) -> Any:
    """What systems that are worked out together have in common."""
    if system.program:
        return ["program", list(system.program), system.format]
    if system.labels or system.files:
        return ["alone", system.name]
    return ["model", training_settings(system), system.stop]


def _asked(system: SystemDescription) -> list[str]:
    """The systems that another one learns with."""
    use = system.labels
    return [] if use is None else [*use.predictions, *([use.model] if use.model else [])]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
