"""``pralign-eflomal``: texts aligned as by ``eflomal-align``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pralign.dropins.directional import Request, Words
from pralign.dropins.eflomal_arguments import align_parser, own_parser
from pralign.dropins.joint import joint_file, missing, two_files
from pralign.dropins.program import FAILED, start, tell, tell_unused

NAME = "pralign-eflomal"

_SAMPLER = ("null_prior", "ibm1_iters", "hmm_iters", "fert_iters", "n_samplers")


def main() -> None:
    """Run the program."""
    start(NAME, eflomal)


def eflomal(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code."""
    ours, theirs = own_parser(NAME).parse_known_args(arguments)
    given = align_parser(NAME).parse_args(theirs)
    if ours.module_path:
        from pralign.dropins.linking import module_path

        print(module_path())
        return 0
    if ours.link_into:
        from pralign.dropins.linking import link_into

        link_into(Path(ours.link_into), given.overwrite)
        return 0
    if (trouble := text_trouble(given) or _overwritten(given)) is not None:
        tell(NAME, trouble)
        return FAILED
    _tell_unused(given)
    _align(given)
    return 0


def text_trouble(given: argparse.Namespace) -> str | None:
    """What is wrong with the text that was given, if anything."""
    if not given.input and not (given.source and given.target):
        return "need to specify either -s and -t, or -i"
    absent = missing(*((given.input,) if given.input else (given.source, given.target)))
    return None if absent is None else f"input file {absent} does not exist!"


def text_of_options(given: argparse.Namespace) -> Iterable[tuple[Words, Words]]:
    """The pairs of the text that was given."""
    return joint_file(given.input) if given.input else two_files(given.source, given.target)


def _overwritten(given: argparse.Namespace) -> str | None:
    for path in (given.forward_links, given.reverse_links):
        if path and not given.overwrite and Path(path).is_file():
            return f"output file {path} exists, will not overwrite! (--overwrite does)"
    return None


def _tell_unused(given: argparse.Namespace) -> None:
    unused = [f"--{name.replace('_', '-')}" for name in _SAMPLER if getattr(given, name) is not None]
    tell_unused(NAME, unused, "these are about a sampler, and pralign does not sample")
    tell_unused(NAME, ["--debug"] if given.debug else [], "there is no program to debug")
    if given.length != 1:
        tell(NAME, f"--length {given.length:g} is approximated: preset {Request(effort=given.length).preset}")


def _align(given: argparse.Namespace) -> None:
    from pralign.cli.path_checks import check_paths
    from pralign.dropins.eflomal_run import Cut, Job
    from pralign.text.files import read_lines

    places = [
        Path(path) if path else None
        for path in (given.forward_links, given.reverse_links, given.forward_scores, given.reverse_scores)
    ]
    if not any(places):
        tell(NAME, "nothing is written: give -f, -r, -F or -R a file")
        return
    inputs = [Path(path) for path in (given.source, given.target, given.input, given.priors) if path]
    check_paths(inputs, places)
    cuts = (Cut(given.source_prefix, given.source_suffix), Cut(given.target_prefix, given.target_suffix))
    job = Job(
        Request(given.model, given.length),
        given.score_model,
        cuts,
        (places[0], places[1]),
        (places[2], places[3]),
    )
    made = job.run(text_of_options(given), read_lines(given.priors) if given.priors else None)
    if given.verbose:
        print(f"{NAME}: {made}", file=sys.stderr)


if __name__ == "__main__":
    main()
