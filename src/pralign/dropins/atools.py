"""``pralign-atools``: alignments combined, turned round, drawn and compared, as by ``atools`` of fast_align."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from pralign.characters import quoted
from pralign.dropins.directional import text_of
from pralign.dropins.program import FAILED, Options, parse, start, tell, tell_ignored
from pralign.errors import InputError, PralignError, UsageError
from pralign.links.alignment import Alignment
from pralign.outputs import Output, open_output, open_outputs
from pralign.text.files import STANDARD_STREAM, display_name, lines_up_to, read_lines
from pralign.text.pairing import UnequalLinesError, paired

NAME = "pralign-atools"
COMMANDS = (
    *("convert", "display", "fmeasure", "grow-diag", "grow-diag-final", "grow-diag-final-and"),
    *("intersect", "invert", "union"),
)

_OPTIONS: Options = {
    "i": ("input_1", True),
    "j": ("input_2", True),
    "c": ("command", True),
    "o": ("outfile", True),
}
_SINGLE = ("convert", "display", "invert")
_USAGE = f"""Usage: {NAME} -c COMMAND -i FILE1 [-j FILE2] [-o FILE]
Combine two files of links (i-j, a line a pair, source first), line by line, or change one of them.
Commands for two files: grow-diag, grow-diag-final, grow-diag-final-and, intersect, union, fmeasure (the second file is
the reference). Commands for one file: convert, display, invert. A file may be - for standard input; if both are, lines
of the two take turns. Links go to the file of -o, or to standard output, as grids and measures always do."""


def main() -> None:
    """Run the program."""
    start(NAME, atools)


def atools(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code is 1 if they cannot be understood."""
    if list(arguments) in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    try:
        found, rest = parse(arguments, _OPTIONS)
        given = dict(found)
        first, second, command = given.get("i", ""), given.get("j", ""), given.get("c", "")
        if not first or not command:
            raise UsageError(f"-i and -c are needed; commands are {' '.join(COMMANDS)}")
        _check(command, second)
    except UsageError as error:
        tell(NAME, f"{error} (--help says more)")
        return FAILED
    from pralign.cli.path_checks import check_paths

    tell_ignored(NAME, rest)
    place = given.get("o") or None
    check_paths([Path(path) for path in {first, second} if path], [None if place is None else Path(place)])
    with lines_up_to("64M"):
        return _run(command, first, second, place)


def _check(command: str, second: str) -> None:
    if command not in COMMANDS:
        raise UsageError(f"there is no command {quoted(command)}; there are {' '.join(COMMANDS)}")
    if second and command in _SINGLE:
        raise UsageError(f"the command {command} takes one file only; leave out -j")
    if not second and command not in _SINGLE:
        raise UsageError(f"the command {command} takes two files; say -j FILE2 too")


def _run(command: str, first: str, second: str, place: str | None) -> int:
    prompt = STANDARD_STREAM in (first, second)  # somebody may wait for each answer
    with ExitStack() as stack:
        shown = stack.enter_context(open_output(None))
        links = shown if place is None else stack.enter_context(open_outputs(place, in_place=True))[0]
        if command == "fmeasure":
            return _compare(_two_files(first, second), shown)
        grids = shown if command == "display" else None
        _write(_answers(command, first, second), links, grids, prompt)
    return 0


def _answers(command: str, first: str, second: str) -> Iterator[Alignment]:
    if command in _SINGLE:
        turned = command == "invert"
        return (each.transposed() if turned else each for each in _alignments(first))
    combine = _combining(command)
    return (combine(*pair) for pair in _two_files(first, second))


def _write(answers: Iterable[Alignment], links: Output, grids: Output | None, prompt: bool) -> None:
    """Write the links of each answer, and before them its grid if grids are wanted."""
    for answer in answers:
        if grids is not None:
            grids.write(f"{_grid(answer)}\n\n")
        links.write(f"{text_of(answer.links)}\n")
        if prompt:
            links.flush()
            if grids is not None:
                grids.flush()


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


def _grid(alignment: Alignment) -> str:
    """A grid with a row for each source word."""
    rows, columns = (1 + max(side, default=0) for side in (list(zip(*alignment.links, strict=True)) or [(), ()]))
    if rows * columns > 100_000_000:
        raise InputError(f"links of {rows} by {columns} words are too many to be drawn")
    head = " " + "".join(str(j % 10) for j in range(columns))
    links = set(alignment.links)
    grid = ("".join("*" if (i, j) in links else "." for j in range(columns)) for i in range(rows))
    body = [f"{i % 10}{row}{i % 10}" for i, row in enumerate(grid)]
    return "\n".join([head, *body, head])


def _compare(both: Iterable[tuple[Alignment, Alignment]], stream: Output) -> int:
    """Precision, recall and F of the first alignments, with the second as reference."""
    matches = found = wanted = 0
    for hypothesis, reference in both:
        matches += len(set(hypothesis.links) & set(reference.links))
        found, wanted = found + len(hypothesis.links), wanted + len(reference.links)
    if not found or not wanted:
        raise InputError("Insufficient statistics to compute f-measure! One of the files has no links")
    precision, recall = matches / found, matches / wanted
    # Nothing divided by nothing has a sign where the original usually runs.
    mean = f"{2 * precision * recall / (precision + recall):g}" if matches else "-nan"
    stream.write(f"P: {precision:g}\nR: {recall:g}\nF: {mean}\n")
    return 0


if __name__ == "__main__":
    main()
