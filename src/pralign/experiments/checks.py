"""What cannot be in an experiment is said before anything is done: names, parts and options that do not go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from pralign.errors import InputError
from pralign.experiments.description import CorpusDescription, Experiment, SystemDescription
from pralign.experiments.tables.base import ResultTable
from pralign.experiments.texts import PARTS
from pralign.links.formats import get_format
from pralign.links.symmetrization import get_symmetrizer
from pralign.matching import MatchingAligner
from pralign.schema.values import shown

_LONGEST_NAME = 100
_NAMES = (
    "names of corpora and systems are made of letters, digits, points, hyphens and underscores, "
    f"at most {_LONGEST_NAME} of them"
)
# What a word is, is the text's business: gold alignments and all systems count the same words.
_OF_THE_TEXT = ("tokenize",)


def check_known(given: Iterable[str], known: Iterable[str], where: str, noun: str = "") -> None:
    """Complain of names that name nothing.

    Raises:
        InputError: There is one.
    """
    names = list(known)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
            raise InputError(f"{where}: there is no {noun + ' ' if noun else ''}{shown(name)}; {hint}")


def check_names(names: Iterable[str], key: str) -> None:
    """Complain of names that cannot be names of files.

    Raises:
        InputError: There is one.
    """
    for name in names:
        is_plain = all(c.isalnum() or c in "._-" for c in name) and len(name) <= _LONGEST_NAME
        if not name or name.startswith(".") or not is_plain:
            raise InputError(f"{key}.{shown(name)}: {_NAMES}")


def check_corpus(name: str, corpus: CorpusDescription) -> None:
    """Complain of a corpus that cannot be.

    Raises:
        InputError: It names too many or too few files, no sizes, or languages that are none.
    """
    where = f"corpora.{name}"
    for part in ("test", "dev"):
        if len(getattr(corpus, part)) not in (0, 2, 3):
            raise InputError(f"{where}.{part}: names source and target, and perhaps gold alignments")
    for part in ("trees", "train"):
        if len(getattr(corpus, part)) not in (0, 2):
            raise InputError(f"{where}.{part}: names source and target")
    if not corpus.files:
        raise InputError(f"{where}: has no files; name some as test, dev, trees or train")
    if not corpus.sizes:
        raise InputError(f'{where}.pairs: is an empty list; name numbers of training pairs, or "all"')
    for code in filter(None, corpus.languages):
        if not code.isascii() or not code.replace("-", "").isalnum():
            raise InputError(f"{where}.languages: {shown(code)} is no code of a language, such as en or pt-BR")


def check_system(system: SystemDescription) -> None:
    """Complain of a system that cannot be.

    Raises:
        InputError: It is several things at once, or has options that cannot be.
    """
    where = f"systems.{system.name}"
    others = [kind for kind in ("files", "program", "labels") if getattr(system, kind)]
    if len(others) > 1 or (others and system.settings):
        raise InputError(
            f"{where}: is one of settings, files, program and labels; it says {', '.join(others)} and more"
        )
    if system.files and not (system.files.keys() == {"links"} or system.files.keys() == {"forward", "reverse"}):
        raise InputError(f"{where}.files: names links, or forward and reverse, not {', '.join(system.files)}")
    if others:
        get_symmetrizer(system.symmetrize)
    if system.format is not None:
        get_format(system.format)
    for name in _OF_THE_TEXT:
        if name in system.settings:
            raise InputError(f"{where}: {name} is no setting of a system here; texts are cut into words by spaces")
    use = system.labels
    if use is not None and use.validation == use.learn:
        raise InputError(f"{where}.labels: the part that is learned from cannot say when to stop")
    if use is not None:
        named = None if use.features is None else list(use.features)
        MatchingAligner(features=named, learner=use.learner)  # refuses what it has not
        if use.model is None and (named is None or "posteriors" in named):
            raise InputError(f"{where}.labels: the feature posteriors needs a model; name one, or other features")


def check_references(experiment: Experiment) -> None:
    """Complain of names that name nothing, and of labels that are not there.

    Raises:
        InputError: There are some.
    """
    corpora, systems = experiment.corpora, experiment.systems
    if not corpora or not systems:
        raise InputError("an experiment has at least one corpus, [corpora.NAME], and one system, [systems.NAME]")
    for name, system in systems.items():
        check_known(system.corpora, corpora, f"systems.{name}.corpora", "corpus")
        if system.labels is not None:
            _check_labels(system, systems, corpora)
        for corpus in _corpora_of(system, corpora):
            needed = [] if system.stop != "dev" else ["dev"]
            if system.labels is not None:
                needed += [part for part in (system.labels.learn, system.labels.validation) if part]
            for part in needed:
                _check_gold(f"systems.{name}", corpora[corpus], part)
    for number, table in enumerate(experiment.tables, start=1):
        _check_table(f"tables, number {number}", table, experiment)


def _check_labels(
    system: SystemDescription, systems: Mapping[str, SystemDescription], corpora: Mapping[str, CorpusDescription]
) -> None:
    where, use = f"systems.{system.name}.labels", system.labels
    assert use is not None
    asked = [*use.predictions, *([use.model] if use.model else [])]
    check_known(asked, systems, where, "system")
    for other in asked:
        if systems[other].labels is not None:
            raise InputError(f"{where}: {other} learns from labels itself; name a system that does not")
        missing = set(_corpora_of(system, corpora)) - set(_corpora_of(systems[other], corpora))
        if missing:
            raise InputError(f"{where}: {other} does not align {', '.join(sorted(missing))}, where it is to be asked")
    if use.model and not systems[use.model].is_model:
        raise InputError(f"{where}.model: {use.model} has no model that could be asked; name it under predictions")


def _check_table(where: str, table: ResultTable, experiment: Experiment) -> None:
    corpora, systems = experiment.corpora, experiment.systems
    check_known(table.corpora, corpora, where, "corpus")
    check_known([*table.systems, *table.mentioned], systems, where, "system")
    check_known(table.parts, PARTS, f"{where}.parts", "part")
    looked_at = table.corpora or list(corpora)
    sizes = {size or "all" for name in looked_at for size in corpora[name].sizes}
    check_known(map(str, table.pairs), map(str, sizes), f"{where}.pairs", "number of training pairs")
    for name in looked_at:
        if table.needs_dev:
            _check_gold(where, corpora[name], "dev")
        for other in table.mentioned:
            if name not in _corpora_of(systems[other], corpora):
                raise InputError(f"{where}: compares with {other}, which does not align {name}; say corpora = […]")
    for name in table.systems or systems:
        if table.needs_text and systems[name].labels is not None:
            raise InputError(
                f"{where}: needs links of all pairs, but {name} learns from labels and aligns those that are looked at "
                "only; leave it out by systems = […]"
            )


def _check_gold(where: str, corpus: CorpusDescription, part: str) -> None:
    if len(getattr(corpus, part)) < 3:
        raise InputError(f"{where}: needs labelled pairs, but {corpus.title or 'a corpus'} has no gold of {part}")


def _corpora_of(system: SystemDescription, corpora: Mapping[str, Any]) -> list[str]:
    return list(system.corpora or corpora)


def check_published(table: ResultTable, where: str) -> None:
    """Complain of published rows that cannot stand in a table, and of a chart of a column that it has not.

    Raises:
        InputError: There are some.
    """
    columns = {column.key for column in table.columns}
    for row in table.published:
        check_known(row, (*table.identities, *columns), f"{where}, published")
        for key in columns & row.keys():
            if not isinstance(row[key], int | float) or isinstance(row[key], bool):
                raise InputError(f"{where}, published: {key} is {shown(row[key])}, which is not a number")
    if table.chart is not None:
        check_known([table.chart], columns, f"{where}.chart", "column")
