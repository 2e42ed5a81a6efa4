"""The fuzz target for saved models: change one at random, recompute its checksums, load it and use it.

Each changed model must be refused with an error for people, or answer soundly: probabilities that are numbers from 0 to
1, links within their sentences. Anything else is a finding, and its number brings it back::

    python -m tests.fuzz.models --kind fhmm --count 5000 --seed 1
    python -m tests.fuzz.models --kind fhmm --seed 1 --only 4711

Models are used in a process of their own, with bounds checks in all kernels and bounded memory, so that a crash or an
endless loop is noticed, and work goes on with the next model.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import subprocess
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pralign import Aligner, MatchingAligner
from pralign.errors import PralignError
from pralign.report.models import describe_model, describe_word
from pralign.report.weights import describe_weights

from .mutating import change
from .saved import ASKED, KINDS, PAIRS, PREDICTIONS, Saved, untouched

_NEW = [("the small house waits", "la petite maison attend"), ("a king", "un roi"), PAIRS[1]]
# Sums of single-precision numbers may be off by this.
_ROUNDING = 1e-3
_SECONDS = 60
# The first models take as long as it takes to compile all kernels.
_COMPILING = 1800
_MEMORY = 8 << 30
_ROOT = Path(__file__).parent.parent.parent


class UnsoundError(Exception):
    """An answer that cannot be."""


@dataclass(frozen=True)
class Outcome:
    """What became of a changed model: ``refused`` with a message, ``sound``, or anything else, which is a finding."""

    number: int
    changes: list[str]
    verdict: str
    detail: str = ""

    @property
    def is_finding(self) -> bool:
        """Whether this should not have happened."""
        return self.verdict not in ("refused", "sound")


# Using a model


def _check_alignment(alignment: Any, source: str, target: str, probabilities: bool = True) -> None:
    lengths = len(source.split()), len(target.split())
    for i, j in alignment.links:
        if not (0 <= i < lengths[0] and 0 <= j < lengths[1]):
            raise UnsoundError(f"link {i}-{j} in a pair of {lengths}")
    scores = np.array(alignment.scores or (), float)
    _check_range(scores, "scores", probabilities)


def _check_range(values: np.ndarray, what: str, probabilities: bool = True) -> None:
    if not np.isfinite(values).all():
        raise UnsoundError(f"{what} that are not numbers")
    if probabilities and values.size and not (values.min() >= 0 and values.max() <= 1 + _ROUNDING):
        raise UnsoundError(f"{what} from {values.min()} to {values.max()}")


def _check_answers(answers: Any, pairs: list[tuple[str, str]]) -> None:
    for answer, (source, target) in zip(answers, pairs, strict=True):
        for alignment in (answer.alignment, answer.forward, answer.reverse):
            if alignment is not None:
                _check_alignment(alignment, source, target)
        if source and target and not np.isfinite(answer.score):
            raise UnsoundError(f"a score of {answer.score}")


def use_model(place: Path, random: Random, other: Saved) -> None:
    """Ask a saved aligner for everything it can do; dear things only now and then. ``other`` may be merged with it."""
    aligner = Aligner.load(place, threads=1)
    _check_answers(aligner.decode_pairs(ASKED, directions=True), ASKED)
    for matrix in aligner.posteriors(*ASKED[random.randrange(len(ASKED))]):
        _check_range(matrix, "posteriors")
    describe_model(aligner)
    word = aligner.vocabularies_["source"].words[:1]
    for each in word:
        describe_word(aligner, each)
        _check_range(np.array([p for _, p in aligner.translations(each)]), "translations")
    what = random.random()
    if what < 0.1:
        aligner.save(place.with_name("again"), compact=what < 0.05)
        Aligner.load(place.with_name("again"), threads=1)
    if not aligner.model_.forward.additive:
        return
    if 0.1 <= what < 0.2:
        _check_answers(aligner.adapt_decode(_NEW), _NEW)
    elif 0.2 <= what < 0.25:
        aligner.partial_fit(_NEW)
        _check_answers(aligner.decode_pairs(ASKED), ASKED)
    elif 0.25 <= what < 0.3:
        fresh = Aligner(preset="fast", prior=[place], threads=1)
        _check_answers(fresh.fit_decode(PAIRS), PAIRS)
    elif 0.3 <= what < 0.35:
        other.write(place.with_name("other"))
        _check_answers(Aligner.merged([place, place.with_name("other")], threads=1).decode_pairs(ASKED), ASKED)


def use_matching(place: Path, random: Random, other: Saved) -> None:
    """The same of a matching aligner."""
    aligner = MatchingAligner.load(place, threads=1)
    extractor, _ = aligner.trained()
    predictions = [PREDICTIONS] * extractor.context.predictions
    probabilities = aligner.chosen_learner == "boosting"
    for alignment, (source, target) in zip(aligner.align(ASKED, predictions=predictions), ASKED, strict=True):
        _check_alignment(alignment, source, target, probabilities)
    describe_weights(aligner)
    if random.random() < 0.1:
        aligner.save(place.with_name("again"))
        MatchingAligner.load(place.with_name("again"), threads=1)


def try_one(kind: str, seed: int, number: int) -> Outcome:
    """Change a model of a kind and use it; the same numbers give the same again."""
    random = Random(f"{kind} {seed} {number}")
    names = [name for name in KINDS if name == kind or name.startswith(f"{kind}-")]
    original = untouched(random.choice(names))
    saved = original.copy()
    changes = change(saved, random)
    with TemporaryDirectory() as scratch, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        place = Path(scratch) / "model"
        saved.write(place)
        try:
            (use_model if "model" in original.manifest else use_matching)(place, random, original)
        except PralignError as error:
            return Outcome(number, changes, "refused", str(error).replace(scratch, "…"))
        except UnsoundError as error:
            return Outcome(number, changes, "unsound", str(error))
        except Exception as error:  # any other is what this looks for
            told = traceback.extract_tb(error.__traceback__)
            where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in told[:-6:-1])
            return Outcome(number, changes, type(error).__name__, f"{error} ({where})")
    return Outcome(number, changes, "sound")


# In a process of its own


def _work(kind: str, seed: int, numbers: range) -> None:
    """Try one model after the other, telling on standard output before and after each."""
    for name in KINDS:
        if name == kind or name.startswith(f"{kind}-"):
            untouched(name)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for number in numbers:
        print(number, flush=True)
        outcome = try_one(kind, seed, number)
        print(json.dumps([outcome.changes, outcome.verdict, outcome.detail]), flush=True)


def _start(kind: str, seed: int, numbers: range) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.fuzz.models", "--kind", kind, "--seed", str(seed), "--work"]
    command += [str(numbers.start), str(numbers.stop)]
    return subprocess.Popen(command, env=environment, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _lines(process: subprocess.Popen[bytes], patience: float) -> Iterator[bytes | None]:
    """The lines that a process writes; nothing if one does not come in time."""
    assert process.stdout is not None
    descriptor, rest = process.stdout.fileno(), b""
    while True:
        ready, _, _ = select.select([descriptor], [], [], patience)
        if not ready:
            yield None
            return
        data = os.read(descriptor, 1 << 16)
        if not data:
            return
        *whole, rest = (rest + data).split(b"\n")
        yield from whole


def outcomes(
    kind: str, seed: int, numbers: range, patience: float = _SECONDS, first_patience: float = _COMPILING
) -> Iterator[Outcome]:
    """Try models in a process of its own, and in another where that ends or hangs."""
    started = numbers.start
    while started < numbers.stop:
        process = _start(kind, seed, range(started, numbers.stop))
        current: int | None = None
        timed_out = False
        for line in _lines(process, first_patience if started == numbers.start else patience):
            if line is None:
                timed_out = True
                break
            if line.isdigit():
                current = int(line)
            elif current is not None:
                yield Outcome(current, *json.loads(line))
                started, current = current + 1, None
        process.kill()
        process.communicate()
        code = process.returncode
        if started < numbers.stop:
            if current is None:
                raise RuntimeError(f"the process of the fuzz target ended with {code}")
            yield Outcome(current, [], "hang" if timed_out else "crash", f"exit code {code}")
            started = current + 1


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", default="fhmm", help=f"one of {', '.join(KINDS)}, or what several begin with")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number to begin with")
    parser.add_argument("--only", type=int, help="try this number only, in this process, and show what happens")
    parser.add_argument("--show", action="store_true", help="show refusals too")
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        _work(given.kind, given.seed, range(*given.work))
        return 0
    if given.only is not None:
        print(try_one(given.kind, given.seed, given.only))
        return 0
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    for outcome in outcomes(given.kind, given.seed, range(given.first, given.first + given.count)):
        counts["refused" if outcome.verdict == "refused" else "sound" if outcome.verdict == "sound" else "finding"] += 1
        if outcome.is_finding or given.show:
            print(f"{outcome.number}: {outcome.verdict}: {outcome.changes}: {outcome.detail}", flush=True)
    took = time.monotonic() - begun
    print(f"{given.kind}: {dict(counts)} in {took:.0f} s, seed {given.seed}")
    return 1 if counts["finding"] else 0


if __name__ == "__main__":
    sys.exit(main())
