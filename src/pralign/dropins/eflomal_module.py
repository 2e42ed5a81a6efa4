"""The Python module ``eflomal`` as scripts import it, with pralign behind it.

A folder that is on no path by itself, ``modules`` beside this file, holds a package of that name that offers what is
defined here; ``pralign-eflomal --module-path`` says where it is.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pralign.dropins.directional import Request
from pralign.dropins.eflomal_run import Cut, Job
from pralign.errors import InputError, OutputError
from pralign.text.pairing import UnequalLinesError, paired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger("eflomal")

Place = str | PathLike[str] | None
_NAMES = ("source sentences", "target sentences")


class Writable(Protocol):
    """Anything text can be written to."""

    def write(self, text: str, /) -> object:
        """Write some text."""


class Aligner:
    """Aligns texts; the arguments are those of eflomal, and those that mean nothing here are named in a warning.

    Args:
        model: 1 for IBM 1, 2 for an HMM, 3 for an HMM with fertilities.
        score_model: What scores look at, numbered likewise; 0 is as ``model``.
        n_iterations: Has no effect: iterations of a sampler are no iterations of EM.
        n_samplers: Has no effect: nothing is sampled.
        rel_iterations: Below 1 the preset ``fast`` is used, from 2 on ``best``.
        null_prior: Has no effect: how many words have no link is learned.
        source_prefix_len: Compare only so many first characters of source words.
        source_suffix_len: Or so many last ones.
        target_prefix_len: The same for target words.
        target_suffix_len: The same for target words.
    """

    def __init__(
        self,
        model: int = 3,
        score_model: int = 0,
        n_iterations: tuple[int, ...] | None = None,
        n_samplers: int = 3,
        rel_iterations: float = 1.0,
        null_prior: float = 0.2,
        source_prefix_len: int = 0,
        source_suffix_len: int = 0,
        target_prefix_len: int = 0,
        target_suffix_len: int = 0,
    ) -> None:
        self.model = model
        self.score_model = score_model
        self.n_iterations = n_iterations
        self.n_samplers = n_samplers
        self.rel_iterations = rel_iterations
        self.null_prior = null_prior
        self.source_prefix_len = source_prefix_len
        self.source_suffix_len = source_suffix_len
        self.target_prefix_len = target_prefix_len
        self.target_suffix_len = target_suffix_len
        given = {
            "n_iterations": n_iterations is not None,
            "n_samplers": n_samplers != 3,
            "null_prior": null_prior != 0.2,
        }
        if unused := [name for name, is_given in given.items() if is_given]:
            logger.warning("pralign stands in for eflomal and samples nothing: no effect of %s", ", ".join(unused))
        if rel_iterations != 1:
            preset = Request(effort=rel_iterations).preset
            logger.warning("pralign stands in for eflomal: rel_iterations=%g is the preset %s", rel_iterations, preset)

    def align(
        self,
        src_input: Iterable[str],
        trg_input: Iterable[str],
        links_filename_fwd: Place = None,
        links_filename_rev: Place = None,
        scores_filename_fwd: Place = None,
        scores_filename_rev: Place = None,
        priors_input: Iterable[str] | None = None,
        quiet: bool = True,
        use_gdb: bool = False,
    ) -> None:
        """Align two texts and write links and scores, a line a pair.

        Args:
            src_input: Source sentences: an open file or anything else that yields lines.
            trg_input: Target sentences, as many.
            links_filename_fwd: Where forward links go, at most one for each target word.
            links_filename_rev: Where reverse links go, at most one for each source word; also written source first.
            scores_filename_fwd: Where forward scores go.
            scores_filename_rev: Where reverse scores go.
            priors_input: The lines of a priors file.
            quiet: Whether nothing is said on standard error.
            use_gdb: Has no effect: there is no program to debug.

        Raises:
            ValueError: There are not as many source as target sentences, or the priors are none.
            OSError: A file cannot be written.
        """
        if use_gdb:
            logger.warning("pralign stands in for eflomal and has no program to debug: no effect of use_gdb")
        for name, number, least in (("model", self.model, 1), ("score_model", self.score_model, 0)):
            if number not in range(least, 4):
                raise ValueError(f"{name} must be {least} to 3, not {number}")
        job = Job(
            Request(self.model, self.rel_iterations),
            self.score_model,
            (
                Cut(self.source_prefix_len, self.source_suffix_len),
                Cut(self.target_prefix_len, self.target_suffix_len),
            ),
            (_path(links_filename_fwd), _path(links_filename_rev)),
            (_path(scores_filename_fwd), _path(scores_filename_rev)),
        )
        with _as_eflomal_fails():
            made = job.run(
                ((source.split(), target.split()) for source, target in paired(src_input, trg_input, _NAMES)),
                priors_input,
            )
        if not quiet:
            print(f"pralign in place of eflomal: {made}", file=sys.stderr, flush=True)

    def prepare_files(self, *_: object, **__: object) -> None:
        """Says that there are no files of eflomal's own program here."""
        raise NotImplementedError(_explained("Aligner.prepare_files"))


def sentences_from_joint_file(joint_file: Iterable[str], index: int | None = None) -> Iterator[Any]:
    """Yield the two sides of lines with three bars between them, or one side if ``index`` is 0 or 1.

    Raises:
        ValueError: A line has not exactly two sides.
    """
    for number, line in enumerate(joint_file, start=1):
        sides = line.strip().split(" ||| ")
        if len(sides) != 2:
            raise ValueError(f"line {number} has not one ||| between two sentences: {line.strip()}")
        yield (sides[0], sides[1]) if index is None else sides[index]


PriorCounters = tuple[
    Counter[tuple[str, str]], Counter[int], Counter[int], Counter[tuple[str, int]], Counter[tuple[str, int]]
]


def calculate_priors(
    src_sentences: Iterable[str],
    trg_sentences: Iterable[str],
    fwd_alignments: Iterable[str],
    rev_alignments: Iterable[str],
    *_: object,
) -> PriorCounters:
    """Count priors in a text and its links: of word pairs, jumps forward and reverse, fertilities forward and reverse.

    Raises:
        ValueError: A link joins a word that is not there, or there are not as many lines everywhere.
    """
    from pralign.priors.counting import CountedPriors, links_in_order

    made = CountedPriors()
    lines = zip(src_sentences, trg_sentences, fwd_alignments, rev_alignments, strict=True)
    for number, (source, target, forward, reverse) in enumerate(lines, start=1):
        try:
            made.add(source.split(), target.split(), links_in_order(forward), links_in_order(reverse))
        except InputError as error:
            raise ValueError(f"line {number}: {error}") from error
    return (
        made.pairs,
        made.forward_jumps,
        made.reverse_jumps,
        made.forward_fertilities,
        made.reverse_fertilities,
    )


def write_priors(
    priorsf: Writable,
    priors_list: Mapping[tuple[str, str], float],
    hmmf_priors: Mapping[int, float],
    hmmr_priors: Mapping[int, float],
    ferf_priors: Mapping[tuple[str, int], float],
    ferr_priors: Mapping[tuple[str, int], float],
) -> None:
    """Write what :func:`calculate_priors` has counted to an open file, as ``--priors`` reads it."""
    from pralign.priors import counting

    counts: Any = (priors_list, hmmf_priors, hmmr_priors, ferf_priors, ferr_priors)
    counting.write_priors(priorsf, counting.CountedPriors(*map(Counter, counts)))


def read_priors(
    priors_file: Iterable[str],
) -> tuple[
    list[tuple[str, str, float]],
    dict[int, float],
    dict[int, float],
    list[tuple[str, int, float]],
    list[tuple[str, int, float]],
]:
    """The lines of a priors file, by kind: word pairs, jumps and fertilities, forward and reverse.

    Raises:
        ValueError: A line is none of a priors file.
    """
    from pralign.priors.files import sorted_lines

    with _as_eflomal_fails():
        found = sorted_lines((line.rstrip("\r\n") for line in priors_file), "the priors", of_eflomal=True)
    fertilities = [
        [(word, fertility, count) for (word, fertility), count in found.fertilities[kind].items()]
        for kind in ("FERF", "FERR")
    ]
    return found.pairs, found.jumps["HMMF"], found.jumps["HMMR"], *fertilities  # type: ignore[return-value]


def read_text(
    pyfile: Iterable[str], lowercase: bool, prefix_len: int, suffix_len: int
) -> tuple[list[NDArray[np.uint32]], dict[str, int]]:
    """The sentences of a text as numbers of words, and the number of each word."""
    import numpy as np

    from pralign.text.vocabulary import VocabularyBuilder

    numbers, cut = VocabularyBuilder(), Cut(prefix_len, suffix_len)
    words = (cut.words((line.lower() if lowercase else line).split()) for line in pyfile)
    sentences = [np.array([numbers[word] for word in sentence], np.uint32) for sentence in words]
    return sentences, dict(numbers)


def _explained(name: str) -> str:
    return (
        f"pralign stands in for eflomal here and has no {name}, which is for files of eflomal's own program; "
        "use eflomal.Aligner().align"
    )


def _absent(name: str) -> Callable[..., Any]:
    """A function that says why it is not what it is in eflomal; who imports it may never call it."""

    def absent(*_: object, **__: object) -> Any:
        raise NotImplementedError(_explained(name))

    return absent


align = _absent("align")
write_text = _absent("write_text")
TextIndex = _absent("TextIndex")
to_eflomal_text_file = _absent("to_eflomal_text_file")
to_eflomal_priors_file = _absent("to_eflomal_priors_file")


def _path(place: Place) -> Path | None:
    return Path(place) if place else None


@contextmanager
def _as_eflomal_fails() -> Iterator[None]:
    """Make failures those that callers of eflomal expect."""
    try:
        yield
    except UnequalLinesError as error:
        raise ValueError(f"Mismatched file sizes: {error}") from error
    except InputError as error:
        raise ValueError(str(error)) from error
    except OutputError as error:
        raise OSError(str(error)) from error
