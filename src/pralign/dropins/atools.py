"""``pralign-atools``: alignments combined, turned round, drawn and compared, as by ``atools`` of fast_align."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from pralign.characters import quoted
from pralign.dropins.directional import text_of
from pralign.dropins.program import FAILED, Options, parse, start, tell
from pralign.errors import InputError, PralignError, UsageError
from pralign.links.alignment import Alignment
from pralign.outputs import Output, open_output
from pralign.text.files import STANDARD_STREAM, display_name, lines_up_to, read_lines
from pralign.text.pairing import UnequalLinesError, paired

NAME = "pralign-atools"
COMMANDS = (
    *("convert", "display", "fmeasure", "grow-diag", "grow-diag-final", "grow-diag-final-and"),
    *("intersect", "invert", "union"),
)

_OPTIONS: Options = {"i": ("input_1", True), "j": ("input_2", True), "c": ("command", True)}
_SINGLE = ("convert", "display", "invert")
_USAGE = f"""Usage: {NAME} -c COMMAND -i FILE1 [-j FILE2]
Combine two files of links (i-j, a line a pair, source first), line by line, or change one of them.
Commands for two files: grow-diag, grow-diag-final, grow-diag-final-and, intersect, union, fmeasure (the second file is
the reference). Commands for one file: convert, display, invert. A file may be - for standard input; if both are, lines
of the two take turns."""


def main() -> None:
    """Run the program."""
    start(NAME, atools)


def atools(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code is 1 if they cannot be understood."""
    if list(arguments) in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    try:
        given = dict(parse(arguments, _OPTIONS))
        first, second, command = given.get("i", ""), given.get("j", ""), given.get("c", "")
        if not first or not command:
            raise UsageError(f"-i and -c are needed; commands are {' '.join(COMMANDS)}")
        _check(command, second)
    except UsageError as error:
        tell(NAME, f"{error} (--help says more)")
        return FAILED
    with lines_up_to("64M"):
        return _run(command, first, second)


def _check(command: str, second: str) -> None:
    if command not in COMMANDS:
        raise UsageError(f"there is no command {quoted(command)}; there are {' '.join(COMMANDS)}")
    if second and command in _SINGLE:
        raise UsageError(f"the command {command} takes one file only; leave out -j")
    if not second and command not in _SINGLE:
        raise UsageError(f"the command {command} takes two files; say -j FILE2 too")


def _run(command: str, first: str, second: str) -> int:
    prompt = STANDARD_STREAM in (first, second)  # somebody may wait for each answer
    with open_output(None) as stream:
        if command in _SINGLE:
            _write(stream, map(_CHANGES[command], _alignments(first)), prompt)
            return 0
        both = _two_files(first, second)
        if command == "fmeasure":
            return _compare(both, stream)
        combine = _combining(command)
        _write(stream, (text_of(combine(*pair).links) for pair in both), prompt)
    return 0


def _write(stream: Output, lines: Iterable[str], prompt: bool) -> None:
    for line in lines:
        stream.write(f"{line}\n")
        if prompt:
            stream.flush()


def _combining(command: str) -> Callable[[Alignment, Alignment], Alignment]:
    from pralign.links.symmetrization import symmetrize

    return partial(symmetrize, heuristic={"intersect": "intersection"}.get(command, command))


def _two_files(first: str, second: str) -> Iterator[tuple[Alignment, Alignment]]:
    if first == second == STANDARD_STREAM:
        lines = _alignments(STANDARD_STREAM)
        for left in lines:
            right = next(lines, None)
            if right is None:
                raise InputError("Mismatched number of lines! Standard input ends after a first line without a second")
            yield left, right
        return
    names = display_name(first), display_name(second)
    try:
        yield from paired(_alignments(first), _alignments(second), names)
    except UnequalLinesError as error:
        raise InputError(f"Mismatched number of lines! {error}") from error


def _alignments(path: str) -> Iterator[Alignment]:
    """The links of each line; of a line with bars, as forced alignment writes it, what stands after the last ones."""
    for number, line in enumerate(read_lines(path), start=1):
        try:
            yield Alignment.of(line.rpartition(" ||| ")[2])
        except PralignError as error:
            raise InputError(f"{display_name(path)}, line {number}: {error}") from error


def _displayed(alignment: Alignment) -> str:
    """A grid with a row for each source word, and the links below."""
    rows, columns = (1 + max(side, default=0) for side in (list(zip(*alignment.links, strict=True)) or [(), ()]))
    if rows * columns > 100_000_000:
        raise InputError(f"links of {rows} by {columns} words are too many to be drawn")
    head = " " + "".join(str(j % 10) for j in range(columns))
    links = set(alignment.links)
    grid = ("".join("*" if (i, j) in links else "." for j in range(columns)) for i in range(rows))
    body = [f"{i % 10}{row}{i % 10}" for i, row in enumerate(grid)]
    return "\n".join([head, *body, head, "", text_of(alignment.links)])


_CHANGES: dict[str, Callable[[Alignment], str]] = {
    "convert": lambda alignment: text_of(alignment.links),
    "display": _displayed,
    "invert": lambda alignment: text_of(alignment.transposed().links),
}


def _compare(both: Iterable[tuple[Alignment, Alignment]], stream: Output) -> int:
    """Precision, recall and F of the first alignments, with the second as reference."""
    matches = found = wanted = 0
    for hypothesis, reference in both:
        matches += len(set(hypothesis.links) & set(reference.links))
        found, wanted = found + len(hypothesis.links), wanted + len(reference.links)
    if not found or not wanted:
        raise InputError("Insufficient statistics to compute f-measure! One of the files has no links")
    precision, recall = matches / found, matches / wanted
    mean = 2 * precision * recall / (precision + recall) if matches else float("nan")
    for name, value in (("P", precision), ("R", recall), ("F", mean)):
        stream.write(f"{name}: {value:g}\n")
    return 0


if __name__ == "__main__":
    main()
