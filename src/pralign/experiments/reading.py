"""Experiments are read from files in TOML, and checked before anything is done."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from pralign.characters import quoted
from pralign.errors import InputError, PralignError
from pralign.experiments.checks import (
    check_corpus,
    check_known,
    check_names,
    check_published,
    check_references,
    check_system,
)
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
    check_known(content, _TOP, "an experiment")
    corpora = {
        name: read_part(each, CorpusDescription, f"corpora.{name}") for name, each in _named(content, "corpora").items()
    }
    for name, corpus in corpora.items():
        check_corpus(name, corpus)
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
    check_references(experiment)
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
    check_known(content, declared, where)
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
    check_known(content, (*_OF_SYSTEM, *_SETTINGS), where)
    settings = {key: value for key, value in content.items() if key in _SETTINGS and key != "symmetrize"}
    given = {key: value for key, value in content.items() if key in _OF_SYSTEM}
    labels = given.pop("labels", None)
    files = given.pop("files", {})
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        raise InputError(f"{where}.files is {shown(files)}; it names files, such as {{links = 'links.txt'}}")
    system = read_part(given, SystemDescription, where, name=name, settings=settings, files=files, labels=None)
    if labels is not None:
        system = replace(system, labels=read_part(labels, LabelUse, f"{where}.labels"))
    check_system(system)
    if system.is_model and "symmetrize" in content:
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
    check_published(table, where)
    return table


def _named(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{key} is {shown(found)}; write tables, such as [{key}.NAME]")
    check_names(found, key)
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
