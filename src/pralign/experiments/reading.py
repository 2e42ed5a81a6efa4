"""Experiments are read from files in TOML, and checked before anything is done."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from pralign.characters import quoted
from pralign.errors import InputError, PralignError
from pralign.experiments.description import CorpusDescription, Experiment, LabelUse, SystemDescription
from pralign.experiments.tables import TABLE_KINDS
from pralign.experiments.tables.base import ResultTable
from pralign.schema.errors import SchemaError
from pralign.schema.values import check_value, kinds_of, shown
from pralign.settings import setting_fields
from pralign.text.files import read_lines

Record = TypeVar("Record")

_TOP = ("title", "about", "alignments", "corpora", "systems", "tables")
_OF_SYSTEM = ("title", "stop", "files", "format", "program", "optional", "symmetrize", "labels", "corpora")
_ALIGNMENTS = ("labelled", "all", "none")
_LONGEST = 200
_SETTINGS = tuple(each.name for each in setting_fields())
_NAMES = "names of corpora and systems are made of letters, digits, points, hyphens and underscores"


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment.

    Raises:
        InputError: The file cannot be read, or says what cannot be; the message names the place and the cure.
    """
    path = Path(path)
    try:
        content = tomllib.loads("\n".join(read_lines(path)))
    except ValueError as error:  # also of numbers with thousands of digits
        raise InputError(f"{path}: is no TOML: {quoted(str(error), _LONGEST)}") from error
    except RecursionError:
        raise InputError(f"{path}: has lists in lists without end") from None
    try:
        return _experiment(path, content)
    except (PralignError, SchemaError) as error:
        raise InputError(f"{path}: {error}") from error


def _experiment(path: Path, content: dict[str, Any]) -> Experiment:
    _check_known(content, _TOP, "an experiment")
    corpora = {
        name: read_part(each, CorpusDescription, f"corpora.{name}") for name, each in _named(content, "corpora").items()
    }
    for name, corpus in corpora.items():
        _check_corpus(name, corpus)
    systems = {name: _system(name, each) for name, each in _named(content, "systems").items()}
    tables = [_table(number, each) for number, each in enumerate(_list_of(content, "tables"), start=1)]
    experiment = Experiment(
        name=path.name.removesuffix(".toml"),
        path=path,
        title=check_value(content.get("title", path.stem), str, "title"),
        about=check_value(content.get("about", ""), str, "about"),
        corpora=corpora,
        systems=systems,
        tables=tables,
        alignments=_one_of(content.get("alignments", "labelled"), _ALIGNMENTS, "alignments"),
    )
    _check_references(experiment)
    return experiment


def read_part(content: Any, kind: type[Record], where: str, **known: Any) -> Record:
    """The dataclass whose fields a table of the file sets; those that have a default may be left out.

    Args:
        content: The table.
        kind: The dataclass.
        where: What messages call the table.
        known: Fields that are known already.

    Raises:
        InputError: It is no table, a field is unknown or missing.
        SchemaError: A value is of another kind.
    """
    if not isinstance(content, dict):
        raise InputError(f"{where} is {shown(content)}, which is not a table")
    declared = {each.name: each for each in fields(kind) if each.init and each.name not in known}  # type: ignore[arg-type]
    _check_known(content, declared, where)
    missing = [n for n, f in declared.items() if n not in content and f.default is MISSING is f.default_factory]
    if missing:
        raise InputError(f"{where}: says nothing of {', '.join(missing)}, which is needed")
    kinds = kinds_of(kind, content)
    return kind(
        **known, **{name: check_value(value, kinds[name], f"{where}.{name}") for name, value in content.items()}
    )


def _system(name: str, content: Any) -> SystemDescription:
    where = f"systems.{name}"
    if not isinstance(content, dict):
        raise InputError(f"{where} is {shown(content)}, which is not a table")
    _check_known(content, (*_OF_SYSTEM, *_SETTINGS), where)
    settings = {key: value for key, value in content.items() if key in _SETTINGS and key != "symmetrize"}
    given = {key: value for key, value in content.items() if key in _OF_SYSTEM}
    labels = given.pop("labels", None)
    files = given.pop("files", {})
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        raise InputError(f"{where}.files is {shown(files)}; it names files, such as {{links = 'links.txt'}}")
    system = read_part(given, SystemDescription, where, name=name, settings=settings, files=files, labels=None)
    if labels is not None:
        system = replace(system, labels=read_part(labels, LabelUse, f"{where}.labels"))
    others = [kind for kind in ("files", "program", "labels") if getattr(system, kind)]
    if len(others) > 1 or (others and settings):
        raise InputError(
            f"{where}: is one of settings, files, program and labels; it says {', '.join(others)} and more"
        )
    if files and not (files.keys() == {"links"} or files.keys() == {"forward", "reverse"}):
        raise InputError(f"{where}.files: names links, or forward and reverse, not {', '.join(files)}")
    if not others and "symmetrize" in content:
        return replace(system, settings={**settings, "symmetrize": system.symmetrize})
    return system


def _table(number: int, content: Any) -> ResultTable:
    where = f"tables, number {number}"
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise InputError(f"{where}: says nothing of its kind; kinds are {', '.join(TABLE_KINDS)}")
    rest = {key: value for key, value in content.items() if key != "kind"}
    published = rest.pop("published", [])
    if not isinstance(published, list) or not all(isinstance(each, dict) for each in published):
        raise InputError(f"{where}: published is a list of tables, [[tables.published]], one for each row")
    table = read_part(rest, TABLE_KINDS[content["kind"]], where, published=tuple(published))
    for row in published:
        _check_known(row, (*table.identities, *(column.key for column in table.columns)), f"{where}, published")
    return table


def _check_corpus(name: str, corpus: CorpusDescription) -> None:
    where = f"corpora.{name}"
    for part in ("test", "dev"):
        if len(getattr(corpus, part)) not in (0, 2, 3):
            raise InputError(f"{where}.{part}: names source and target, and perhaps gold alignments")
    for part in ("trees", "train"):
        if len(getattr(corpus, part)) not in (0, 2):
            raise InputError(f"{where}.{part}: names source and target")
    if not corpus.files:
        raise InputError(f"{where}: has no files; name some as test, dev, trees or train")


def _check_references(experiment: Experiment) -> None:
    """Complain of names that name nothing, and of labels that are not there."""
    corpora, systems = experiment.corpora, experiment.systems
    if not corpora or not systems:
        raise InputError("an experiment has at least one corpus, [corpora.NAME], and one system, [systems.NAME]")
    for name, system in systems.items():
        where = f"systems.{name}"
        _check_known(system.corpora, corpora, f"{where}.corpora", "corpus")
        if system.labels is not None:
            asked = [*system.labels.predictions, *([system.labels.model] if system.labels.model else [])]
            _check_known(asked, systems, f"{where}.labels", "system")
            for other in asked:
                if systems[other].labels is not None:
                    raise InputError(f"{where}.labels: {other} learns from labels itself; name a system that does not")
        for corpus in (corpora[each] for each in system.corpora or corpora):
            needed = [] if system.stop != "dev" else ["dev"]
            if system.labels is not None:
                needed += [part for part in (system.labels.learn, system.labels.validation) if part]
            for part in needed:
                if len(getattr(corpus, part)) < 3:
                    raise InputError(
                        f"{where}: needs labelled pairs, but {corpus.title or 'a corpus'} has no gold of {part}"
                    )
    for number, table in enumerate(experiment.tables, start=1):
        where = f"tables, number {number}"
        _check_known(table.corpora, corpora, where, "corpus")
        _check_known([*table.systems, *table.mentioned], systems, where, "system")


def _check_known(given: Iterable[str], known: Iterable[str], where: str, noun: str = "") -> None:
    names = list(known)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
            raise InputError(f"{where}: there is no {noun + ' ' if noun else ''}{shown(name)}; {hint}")


def _named(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{key} is {shown(found)}; write tables, such as [{key}.NAME]")
    for name in found:
        if not name or name.startswith(".") or not all(c.isalnum() or c in "._-" for c in name):
            raise InputError(f"{key}.{shown(name)}: {_NAMES}")
    return found


def _list_of(content: Mapping[str, Any], key: str) -> list[Any]:
    found = content.get(key, [])
    if not isinstance(found, list):
        raise InputError(f"{key} is {shown(found)}; write a list of tables, [[{key}]]")
    return found


def _one_of(value: Any, names: tuple[str, ...], where: str) -> Any:
    if value not in names:
        raise InputError(f"{where} is {shown(value)}; it is one of {', '.join(names)}")
    return value
