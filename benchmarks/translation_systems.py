"""What translation.py compares: ways to align its training text, and the phrase tables that they lead to."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora import Prepared
from measure import run
from pralign.links.formats import read_alignments, write_alignments
from presets import PEERS, PRALIGN
from thot_decoder import LONGEST_PHRASE, filter_table
from translation_text import Texts

EXTRACT = [*PRALIGN, "phrases"]
# The thresholds of Graça, Ganchev and Taskar, section 5.1.
THRESHOLDS = (0.2, 0.4, 0.6)
PEERS_SYMMETRIZED = "grow-diag-final-and"
BASELINE = "hmm"


@dataclass(frozen=True)
class System:
    """A way to align: options of ``pralign align``, or the program of others.

    Attributes:
        name: What it is called on the command line.
        title: What it is called in tables.
        flags: Options of ``pralign align``.
        thresholds: Of which posteriors are links, each tried on the text to tune on; none: as the command has it.
        program: The program of others, instead.
    """

    name: str
    title: str
    flags: tuple[str, ...] = ()
    thresholds: tuple[float, ...] = THRESHOLDS
    program: str = ""

    @property
    def available(self) -> bool:
        return not self.program or shutil.which(self.program) is not None


def _constrained(model: str, constraint: str) -> tuple[str, ...]:
    # As in the papers, phrases are of posteriors as training has them, projected, with the tree constraint too.
    return ("--model", model, "--constraint", constraint, "--project-at-decode")


_SYSTEMS = (
    System("hmm", "HMM", ("--model", "hmm")),
    System("b-hmm", "B-HMM", _constrained("hmm", "bijective")),
    System("s-hmm", "S-HMM", _constrained("hmm", "symmetric")),
    System("hmm-itg", "HMM, itg", _constrained("hmm", "itg")),
    System(
        "ibm4-gdf",
        "IBM 4, grow-diag-final",
        ("--model", "ibm4", "--decode", "viterbi", "--symmetrize", "grow-diag-final"),
        thresholds=(),
    ),
    System("ibm4", "IBM 4", ("--model", "ibm4")),
    System("ibm4-bijective", "IBM 4, bijective", _constrained("ibm4", "bijective")),
    System("ibm4-symmetric", "IBM 4, symmetric", _constrained("ibm4", "symmetric")),
    System("ibm4-itg", "IBM 4, itg", _constrained("ibm4", "itg")),
    *(System(name, f"--preset {name}", ("--preset", name), ()) for name in ("fast", "default", "best")),
    System("eflomal", f"eflomal, {PEERS_SYMMETRIZED}", thresholds=(), program="eflomal-align"),
    System("fast_align", f"fast_align, {PEERS_SYMMETRIZED}", thresholds=(), program="fast_align"),
)
SYSTEMS = {system.name: system for system in _SYSTEMS}


@dataclass(frozen=True)
class Links:
    """Alignments of the training text in files, by threshold, and what they took."""

    files: dict[float | None, Path]
    seconds: float
    gigabytes: float


def align(system: System, texts: Texts, folder: Path, threads: int) -> Links:
    """Train a system on the training text and align that, once for all thresholds."""
    if system.program:
        return _align_by_others(system, texts, folder)
    out = folder / "links"
    flags = [*system.flags, "--threads", str(threads), "-q", "-o", out]
    if system.thresholds:
        flags += ["--format", "scored", "--threshold", str(min(system.thresholds))]
    measured = run([*PRALIGN, "align", texts.train.source, texts.train.target, *flags])
    files: dict[float | None, Path] = {None: out}
    if system.thresholds:
        files = {threshold: _cut(out, threshold) for threshold in system.thresholds}
    return Links(files, measured.seconds, measured.gigabytes)


def _cut(scored: Path, threshold: float) -> Path:
    """The links whose score reaches a threshold, in a file of their own."""
    out = scored.with_name(f"links-{threshold}")
    with out.open("w", encoding="utf-8", newline="\n") as stream:
        write_alignments(stream, (found.at_least(threshold) for found in read_alignments(scored, "scored")))
    return out


def _align_by_others(system: System, texts: Texts, folder: Path) -> Links:
    forward, reverse, out = folder / "forward", folder / "reverse", folder / "links"
    corpus = Prepared(texts.train.source, texts.train.target, 0, 0, {})
    measured = PEERS[system.program](corpus, forward, reverse)
    run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", PEERS_SYMMETRIZED, "-o", out])
    return Links({None: out}, measured.seconds, measured.gigabytes)


def extract(texts: Texts, links: Path, lines: Sequence[str], out: Path, threads: int) -> tuple[int, float]:
    """Make a phrase table of links, keep what helps to translate the lines, and say how many phrase pairs it had.

    Also how many seconds it took to make.
    """
    table = out.with_name("all.gz")
    files = [texts.train.source, texts.train.target, links, "-o", table]
    measured = run([*EXTRACT, *files, "--max-length", str(LONGEST_PHRASE), "--threads", str(threads), "-q"])
    pairs = filter_table(table, lines, out)
    table.unlink()
    return pairs, measured.seconds


def check(names: Sequence[str]) -> list[System]:
    """The systems of these names, without those whose program is not installed, of which it says so."""
    systems = [SYSTEMS[name] for name in names]
    for system in systems:
        if not system.available:
            print(f"{system.program} is not installed, so {system.name} is left out", file=sys.stderr)
    return [system for system in systems if system.available]
