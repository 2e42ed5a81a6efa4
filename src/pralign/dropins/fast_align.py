"""``pralign-fast-align``: a text aligned in one direction as by ``fast_align``, or by a table written before."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.dropins.diagonal import DiagonalModel, LinkShape, log_length
from pralign.dropins.directional import Directed, Request, Words, align, text_of
from pralign.dropins.joint import BARS
from pralign.dropins.program import FAILED, Options, number, parse, start, tell, tell_ignored, tell_unused
from pralign.dropins.tables import read_table, table_of
from pralign.errors import UsageError
from pralign.links.alignment import Link
from pralign.outputs import Output, open_output, open_outputs
from pralign.text.files import STANDARD_STREAM, read_lines
from pralign.text.tokens import tokens

if TYPE_CHECKING:
    from pralign.training.progress import Progress

NAME = "pralign-fast-align"

_OPTIONS: Options = {
    "i": ("input", True),
    "r": ("reverse", False),
    "I": ("iterations", True),
    "d": ("favor_diagonal", False),
    "f": ("force_align", True),
    "m": ("mean_srclen_multiplier", True),
    "t": ("beam_threshold", True),
    "q": ("p0", True),
    "T": ("diagonal_tension", True),
    "o": ("optimize_tension", False),
    "v": ("variational_bayes", False),
    "a": ("alpha", True),
    "N": ("no_null_word", False),
    "p": ("conditional_probabilities", True),
    "b": ("thread_buffer_size", True),
    "s": ("", False),
}
# What is about the model of fast_align, which is not trained.
_OF_ITS_MODEL = "dovTaqN"
# What is less probable never goes into a table: most words of a text are so to each other.
_LEAST = 1e-7
_USAGE = f"""Usage: {NAME} -i FILE [options] > links
Align a text with source ||| target a line: the options of fast_align, the links of pralign.
  -i FILE  the text; - is standard input
  -r       the reverse direction: at most one link for each source word; links are written source first all the same
  -s       add ||| and the log-probability of each pair
  -p FILE  also write a table of translation probabilities
  -t X     of translations whose logarithm is at least -X times that of the best one of the word (default -4)
  -I N     below 5 the preset fast, from 10 on best
  -f FILE  do not train: align by a table of -p, with -T tension, -m length ratio, -q prior of null, -d, -N
  -d -o -v -a -T -q -N -b  no effect when training (-d -o: the tension that fits the links is said)"""


@dataclass(frozen=True)
class Order:
    """What was asked for, by the letters of options."""

    given: dict[str, str]

    @property
    def reverse(self) -> bool:
        """Whether source words are made of target words."""
        return "r" in self.given

    @property
    def diagonal(self) -> bool:
        """Whether places near the diagonal are preferred, as a tension means too."""
        return "d" in self.given or "T" in self.given

    @property
    def table(self) -> str | None:
        """Where the table of probabilities goes, if it is wanted."""
        return self.given.get("p") or None

    def value(self, letter: str, default: float) -> float:
        """The number that an option was given; nothing is zero, as for C."""
        return number(self.given[letter] or "0", f"-{letter}") if letter in self.given else default


def main() -> None:
    """Run the program."""
    start(NAME, fast_align)


def fast_align(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code is 1 if they cannot be understood."""
    if list(arguments) in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    try:
        given, rest = parse(arguments, _OPTIONS)
        order = Order(dict(given))
        _check(order)
    except UsageError as error:
        tell(NAME, f"{error} (--help says more)")
        return FAILED
    for letter, _ in given:
        print(f"ARG={letter}", file=sys.stderr)
    tell_ignored(NAME, rest)
    if "f" in order.given:
        return _force(order)
    _tell_unused(order)
    _train(order)
    return 0


def _check(order: Order) -> None:
    if not order.given.get("i"):
        raise UsageError("-i FILE is needed")
    if order.value("a", 0.01) <= 0 and "v" in order.given:
        raise UsageError("--alpha must be > 0")
    values = {letter: order.value(letter, 0.0) for letter in "ImtqTa"}
    if "f" in order.given:
        if not order.given["f"]:
            raise UsageError("-f needs the name of a table")
        if not 0 <= values["q"] <= 1:
            raise UsageError(f"-q is a probability, 0 to 1, not {values['q']:g}")
        if not 0 <= values["m"] < math.inf:
            raise UsageError(f"-m is a ratio of lengths, 0 or more, not {values['m']:g}")
        if not math.isfinite(values["T"]):
            raise UsageError(f"-T is a number, not {values['T']:g}")


def _tell_unused(order: Order) -> None:
    unused = [f"-{letter}" for letter in _OF_ITS_MODEL if letter in order.given]
    tell_unused(NAME, unused, "it is pralign's model that is trained, not that of fast_align")
    tell_unused(NAME, ["-m"] if "m" in order.given else [], "it is for -f")
    tell_unused(NAME, ["-t"] if "t" in order.given and not order.table else [], "it is about the table of -p")
    tell_unused(NAME, ["-b"] if "b" in order.given else [], "text is not worked on by lines in a buffer")
    if (iterations := order.value("I", 5)) != 5:
        tell(NAME, f"-I {iterations:g} is approximated: preset {Request(effort=iterations / 5).preset}")
    if "s" in order.given:
        tell(NAME, "-s is approximated: the log-probability a word is a mean of both directions")


# Training


def _train(order: Order) -> None:
    from pralign.cli.path_checks import check_paths

    path, table = order.given["i"], order.table
    check_paths([Path(path)], [None if table is None else Path(table)])
    aligner = Request(effort=order.value("I", 5) / 5).aligner()
    shape = LinkShape()
    said = _Said(shape, order.reverse)
    pairs = _Pairs(path, order.reverse, shape)
    try:
        with open_outputs(None, *([table] if table else []), in_place=True) as outputs:
            for answer, sizes in pairs.answered(align(aligner, pairs, said.listen)):
                outputs[0].write(f"{_line(answer, sizes, order, shape)}\n")
            said.shape_is_known()
            if table and aligner.is_trained:
                from pralign.lexicons import Lexicon

                known = table_of(Lexicon.from_model(aligner, _LEAST), order.reverse, order.value("t", -4.0))
                print(f"conditional probabilities: {table}", file=sys.stderr)
                outputs[1].writelines(f"{line}\n" for line in known.lines())
    finally:
        aligner.close()
    if pairs.count and not shape.sizes:
        tell(NAME, f"nothing was trained: no line of {path} has words on both sides of {BARS} or of a tab")
    said.end(order.diagonal and "o" in order.given)


class _Pairs:
    """The pairs of a file, read once, whose lengths are kept till their answers come."""

    def __init__(self, path: str, reverse: bool, shape: LinkShape) -> None:
        from array import array

        self._path, self._reverse, self._shape = path, reverse, shape
        self._lengths = array("i"), array("i")

    def __iter__(self) -> Iterator[tuple[Words, Words]]:
        print("INITIAL PASS", file=sys.stderr)
        for count, line in enumerate(read_lines(self._path), start=1):
            source, target = sides(line)
            if not source or not target:
                print(f"Error in line {count}\n{line}", file=sys.stderr)
            for length, side in zip(self._lengths, (source, target), strict=True):
                length.append(len(side))
            given, made = (target, source) if self._reverse else (source, target)
            self._shape.add_pair(len(given), len(made))
            yield source, target

    @property
    def count(self) -> int:
        """How many lines were read."""
        return len(self._lengths[0])

    def answered(self, answers: Iterable[Directed]) -> Iterator[tuple[Directed, tuple[int, int]]]:
        """The answers with the lengths of their pairs, given words first."""
        for count, answer in enumerate(answers):
            sizes = self._lengths[0][count], self._lengths[1][count]
            yield answer, (sizes[1], sizes[0]) if self._reverse else sizes


def _line(answer: Directed, sizes: tuple[int, int], order: Order, shape: LinkShape) -> str:
    """The line of one pair: its links, and its score if that is wanted."""
    links = answer.reverse if order.reverse else answer.forward
    given, made = sizes
    shape.add_links([(j, i) for i, j in links] if order.reverse else links, given, made)
    if "s" not in order.given:
        return text_of(links)
    score = log_length(made, given, shape.ratio)
    if not math.isnan(answer.score):
        score += answer.score * made
    return f"{text_of(links)} ||| {score:g}"


class _Said:
    """What fast_align says on standard error while it works, which scripts look through."""

    def __init__(self, shape: LinkShape, reverse: bool) -> None:
        self._shape, self._reverse = shape, reverse
        self._iterations = 0
        self._told = False

    def shape_is_known(self) -> None:
        """Say how long sentences are, once."""
        if not self._told:
            self._told = True
            print(f"expected target length = source length * {self._shape.ratio:g}", file=sys.stderr)

    def listen(self, progress: Progress) -> None:
        """Say what an iteration has found."""
        if progress.phase != "train" or progress.log_likelihood is None:
            return
        self.shape_is_known()
        self._iterations += 1
        likelihood = progress.log_likelihood[self._reverse]
        entropy = -likelihood / math.log(2) / max(self._shape.words, 1)
        final = "" if progress.iterations_left else " (FINAL)"
        print(
            f"ITERATION {self._iterations}{final}\n"
            f"  log_e likelihood: {likelihood:g}\n"
            f"  log_2 likelihood: {likelihood / math.log(2):g}\n"
            f"     cross entropy: {entropy:g}\n"
            f"        perplexity: {2**entropy:g}",
            file=sys.stderr,
        )

    def end(self, tension: bool) -> None:
        """Say what links are like."""
        words, linked = max(self._shape.words, 1), self._shape.linked
        print(
            f"      posterior p0: {1 - linked / words:g}\n"
            f" posterior al-feat: {self._shape.feature:g}\n"
            f"       size counts: {len(self._shape.sizes)}",
            file=sys.stderr,
        )
        if tension:
            print(f"     final tension: {self._shape.tension():g}", file=sys.stderr)


# Forced alignment


def _force(order: Order) -> int:
    unused = [f"-{letter}" for letter in "ovaIptbs" if letter in order.given]
    tell_unused(NAME, unused, "-f trains nothing")
    if "q" in order.given and not order.diagonal:
        tell_unused(NAME, ["-q"], "without -d, null is a place like all others")
    model = DiagonalModel(
        read_table(order.given["f"]),
        order.value("T", 4.0) if order.diagonal else None,
        order.value("q", 0.08),
        order.value("m", 1.0),
        "N" not in order.given,
    )
    total = 0.0
    path = order.given["i"]
    with open_output(None) as stream:
        for count, line in enumerate(read_lines(path), start=1):
            source, target = sides(line)
            if not source or not target:
                print(f"Error in line {count}", file=sys.stderr)
                return FAILED
            total += _forced(model, source, target, order.reverse, stream)
            if path == STANDARD_STREAM:
                stream.flush()
    print(f"TOTAL LOG PROB {total:g}", file=sys.stderr)
    return 0


def _forced(model: DiagonalModel, source: Sequence[str], target: Sequence[str], reverse: bool, stream: Output) -> float:
    """Write the answer to one pair, with its words, its links and its log-probability; the last of these."""
    found, score = model.align(target, source) if reverse else model.align(source, target)
    links: list[Link] = [(j, i) for i, j in found] if reverse else found
    parts = [*source, BARS, *target, BARS, *(f"{i}-{j}" for i, j in links), BARS, f"{score:g}"]
    stream.write(" ".join(parts) + "\n")
    return score


def sides(line: str) -> tuple[list[str], list[str]]:
    r"""The words of both sides of a line; all after the first bars is the target side. A tab is as good as bars.

    Example:
        >>> sides("the house ||| la maison"), sides("the house\tla maison")
        ((['the', 'house'], ['la', 'maison']), (['the', 'house'], ['la', 'maison']))
    """
    words = tokens(line.replace("\t", f" {BARS} "))
    if BARS not in words:
        return words, []
    place = words.index(BARS)
    return words[:place], words[place + 1 :]


if __name__ == "__main__":
    main()
