"""Other aligners as systems: programs that are run, and files of links."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from pralign.characters import quoted
from pralign.errors import InputError
from pralign.experiments.answers import UNION, Answers, first_alignments, text_files
from pralign.experiments.description import SystemDescription
from pralign.experiments.texts import PreparedText
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments, write_alignments
from pralign.links.symmetrization import symmetrize
from pralign.outputs import open_output
from pralign.text.pairing import paired

_WORDS_OF_ERROR = 300
_BYTES_OF_ERROR = 10_000


def is_installed(program: Sequence[str]) -> bool:
    """Whether the command is there."""
    return program[0] == "{python}" or shutil.which(program[0]) is not None


def system_files(system: SystemDescription, corpus: str, size: int | None, data: Path) -> dict[str, Path]:
    """The files of links of a system, for the text of a corpus with so many training pairs."""
    named = {"corpus": corpus, "pairs": str(size or "all")}
    return {kind: data / filled(name, named) for kind, name in system.files.items()}


def run_program(system: SystemDescription, text: PreparedText, folder: Path) -> tuple[dict[str, Path], float]:
    """Have a program align a text: the files it has written into a folder, and the seconds it took.

    Raises:
        InputError: It fails, or does not write what it should.
    """
    words = " ".join(system.program)
    kinds = ["links"] if "{links}" in words else ["forward", "reverse"]
    files = {kind: folder / f"{kind}.txt" for kind in kinds}
    places = {"source": text.source, "target": text.target, **files}
    seconds = run(system.program, places, f"systems.{system.name}")
    for kind, file in files.items():
        if not file.is_file():
            raise InputError(
                f"systems.{system.name}: the program has written no {kind}; say {{{kind}}} where it should"
            )
    return files, seconds


def run(program: Sequence[str], places: Mapping[str, object], where: str) -> float:
    """Run a command to its end; how many seconds it took. If this program is ended, so are the other and its own.

    Raises:
        InputError: It cannot be started, or fails; the message ends with what it said last.
    """
    command = [filled(word, {"python": sys.executable, **places}) for word in program]
    began = time.perf_counter()
    try:
        code, said = _run(command)
    except OSError as error:
        raise InputError(f"{where}: cannot run {command[0]}: {error.strerror}") from error
    if code:
        lines = said.decode(errors="replace").strip().splitlines()
        last = quoted(lines[-1][-_WORDS_OF_ERROR:]) if lines else "nothing"
        raise InputError(f"{where}: {command[0]} failed with exit code {code}; it said {last}")
    return time.perf_counter() - began


def _run(command: Sequence[str]) -> tuple[int, bytes]:
    """Run a command: its exit code, and the end of what it said on standard error or, failing that, otherwise."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        try:
            code = process.wait()
        except BaseException:
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError):  # it has just ended
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()
            raise
        return code, _end_of(err) or _end_of(out)


def _end_of(stream: BinaryIO) -> bytes:
    stream.seek(max(stream.seek(0, os.SEEK_END) - _BYTES_OF_ERROR, 0))
    return stream.read().strip()


def filled(text: str, places: Mapping[str, object]) -> str:
    """A text with what its names in braces stand for; other braces stay as they are."""
    for name, place in places.items():
        text = text.replace(f"{{{name}}}", str(place))
    return text


def read_links(
    system: SystemDescription, text: PreparedText, files: Mapping[str, Path], seconds: float | None
) -> Answers:
    """What the files say of the pairs that are looked at.

    Raises:
        InputError: They have too few lines, or links of words that are not there.
    """
    count = len(text.looked_at)
    found = {kind: first_alignments(path, count, system.format) for kind, path in files.items()}
    for kind, alignments in found.items():
        for number, (alignment, pair) in enumerate(zip(alignments, text.looked_at, strict=True), start=1):
            check_bounds(alignment, (len(pair[0]), len(pair[1])), f"{files[kind]}, line {number}")
    record: dict[str, Any] = {"title": system.shown, "signature": None, "seconds": seconds, "iterations": []}
    if "links" in found:
        return Answers(found["links"], record=record)
    both = [symmetrize(*paths, system.symmetrize) for paths in zip(found["forward"], found["reverse"], strict=True)]
    return Answers(both, paths={**found, UNION: both}, record=record)


def write_all_links(system: SystemDescription, files: Mapping[str, Path], folder: Path) -> None:
    """Write the links of all pairs that the files have."""
    read = {kind: read_alignments(path, system.format) for kind, path in files.items()}
    if "links" in read:
        links = (Alignment(each.links) for each in read["links"])
    else:
        names = (str(files["forward"]), str(files["reverse"]))
        both = paired(read["forward"], read["reverse"], names)
        links = (symmetrize(forward, reverse, system.symmetrize) for forward, reverse in both)
    with open_output(text_files(folder)[0]) as stream:
        write_alignments(stream, links)
