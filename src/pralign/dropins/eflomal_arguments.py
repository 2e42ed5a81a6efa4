"""The options of ``eflomal-align`` and ``eflomal-makepriors``, and those of ours beside them."""

from __future__ import annotations

import argparse


def align_parser(name: str) -> argparse.ArgumentParser:
    """The options of ``eflomal-align``."""
    parser = argparse.ArgumentParser(
        prog=name,
        description="Align a text: the options and files of eflomal-align, the links of pralign.",
        epilog=f"also:\n{_own_help()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    _add_text(parser)
    add("-f", "--forward-links", metavar="FILE", help="write forward links here, at most one for each target word")
    add("-r", "--reverse-links", metavar="FILE", help="write reverse links here, at most one for each source word")
    add("-F", "--forward-scores", metavar="FILE", help="write forward scores here; low is good")
    add("-R", "--reverse-scores", metavar="FILE", help="write reverse scores here; low is good")
    add("-p", "--priors", metavar="FILE", help="a priors file, as eflomal-makepriors writes it")
    add("--overwrite", action="store_true", help="write over files of links that are there")
    add("-m", "--model", type=int, default=3, choices=(1, 2, 3), help="1: IBM 1; 2: HMM; 3: HMM with fertilities")
    add("-M", "--score-model", type=int, default=0, choices=(0, 1, 2, 3), help="what scores look at; 0: as the model")
    add("-l", "--length", type=float, default=1.0, metavar="X", help="below 1 the preset fast, from 2 on best")
    for side in ("source", "target"):
        add(f"--{side}-prefix", type=int, default=0, metavar="N", help=f"compare so many first letters of {side} words")
        add(f"--{side}-suffix", type=int, default=0, metavar="N", help=f"compare so many last letters of {side} words")
    add("--null-prior", type=float, metavar="X", help="no effect")
    add("-1", "--ibm1-iters", type=int, metavar="N", help="no effect")
    add("-2", "--hmm-iters", type=int, metavar="N", help="no effect")
    add("-3", "--fert-iters", type=int, metavar="N", help="no effect")
    add("--n-samplers", type=int, metavar="N", help="no effect")
    add("--debug", action="store_true", help="no effect")
    add("-v", "--verbose", action="store_true", help="say what was trained")
    return parser


def own_parser(name: str) -> argparse.ArgumentParser:
    """The options that eflomal does not have.

    They are apart, since any of its options may be shortened to what no other one of them begins with: ``--mod 1``.
    """
    parser = argparse.ArgumentParser(prog=name, add_help=False, allow_abbrev=False)
    add = parser.add_argument
    add("--module-path", action="store_true", help="print the folder to put on PYTHONPATH for import eflomal, and end")
    add("--link-into", metavar="DIR", help="make fast_align, atools, eflomal-align and others in this folder, and end")
    return parser


def _own_help() -> str:
    """What the help says of them."""
    return own_parser("").format_help().partition("options:\n")[2].rstrip()


def prior_parser(name: str) -> argparse.ArgumentParser:
    """The options of ``eflomal-makepriors``."""
    parser = argparse.ArgumentParser(
        prog=name, description="Make priors of a text and its links, as eflomal reads them."
    )
    add = parser.add_argument
    _add_text(parser)
    add("-f", "--forward-alignments", metavar="FILE", required=True, help="forward or symmetrised links")
    add("-r", "--reverse-alignments", metavar="FILE", required=True, help="reverse or symmetrised links")
    add("-p", "--priors", metavar="FILE", default="-", help="where to write; standard output by default")
    add("-v", "--verbose", action="store_true", help="say how much was counted")
    return parser


def _add_text(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-s", "--source", metavar="FILE", help="source sentences, a line each")
    parser.add_argument("-t", "--target", metavar="FILE", help="target sentences, a line each")
    parser.add_argument("-i", "--input", metavar="FILE", help="both, with ||| between them")
