"""``pralign-eflomal-makepriors``: priors of a text and its links, as ``eflomal-makepriors`` makes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.dropins.eflomal import text_of_options, text_trouble
from pralign.dropins.eflomal_arguments import prior_parser
from pralign.dropins.program import FAILED, start, tell
from pralign.errors import InputError

if TYPE_CHECKING:
    from pralign.links.alignment import Link
    from pralign.links.files import AlignmentFile

NAME = "pralign-eflomal-makepriors"


def main() -> None:
    """Run the program."""
    start(NAME, makepriors)


def makepriors(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code."""
    given = prior_parser(NAME).parse_args(arguments)
    if (trouble := text_trouble(given)) is not None:
        tell(NAME, trouble)
        return FAILED
    from pralign.cli.path_checks import check_paths
    from pralign.links.files import AlignmentFile
    from pralign.outputs import open_outputs
    from pralign.priors.counting import CountedPriors, write_priors

    files = given.forward_alignments, given.reverse_alignments
    texts = (given.input,) if given.input else (given.source, given.target)
    check_paths([Path(path) for path in (*texts, *files)], [Path(given.priors)])
    forward, reverse = (_links(AlignmentFile(path, "pharaoh")) for path in files)
    made = CountedPriors()
    try:
        for number, (pair, left, right) in enumerate(zip(text_of_options(given), forward, reverse, strict=True), 1):
            try:
                made.add(pair[0], pair[1], left, right)
            except InputError as error:
                raise InputError(f"{files[0]} and {files[1]}, line {number}: {error}") from error
    except ValueError as error:  # of zip; those of ours are named
        raise InputError(f"the text, {files[0]} and {files[1]} have different numbers of lines") from error
    with open_outputs(given.priors, in_place=True) as (stream,):
        write_priors(stream, made)
    if given.verbose:
        tell(NAME, f"{len(made.pairs)} word pairs")
    return 0


def _links(file: AlignmentFile) -> Iterator[list[Link]]:
    from pralign.priors.counting import links_in_order

    for number, line in enumerate(file.lines(), start=1):
        try:
            yield links_in_order(line)
        except InputError as error:
            raise InputError(f"{file.name}, line {number}: {error}") from error


if __name__ == "__main__":
    main()
