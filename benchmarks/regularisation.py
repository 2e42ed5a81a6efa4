"""What constraints on posteriors do: to training, to the links, to their quality, and to the time.

    python benchmarks/regularisation.py DATA/hansards [--sizes 10000,100000,all] [--json OUT]
    python benchmarks/regularisation.py DATA/hansards --models ibm1,ibm2,hmm --reference links.talp

These are the measurements of section 4, and the shares of sections 2.1, 3.3 and 3.4, of Graça, Ganchev and Taskar,
Learning Tractable Word Alignment Models with Complex Constraints (Computational Linguistics 36, 2010), on any corpus
that is laid out as corpora.py says. README.md explains the tables.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import pralign
from corpora import prepare
from options import check, names, positive, sizes
from pralign.aligner import LONGEST
from pralign.constraints import get_constraint
from pralign.errors import InputError, PralignError
from pralign.evaluation import check_bounds
from pralign.links.formats import FORMATS, read_alignments
from regularisation_quality import Judge, Reference
from regularisation_runs import UNION_OF_PATHS, VIEWS, Run, Setting, Text, train, warm_up
from regularisation_tables import size_tables, tolerance_table
from tables import say

BASELINE = Setting("hmm")
# How far bounds may be from satisfied, all together, where the residual itself is judged, whatever the sentence length.
RESIDUAL = 0.01


def main() -> None:
    options = _options()
    try:
        _measure(options)
    except PralignError as error:
        raise SystemExit(f"{Path(sys.argv[0]).name}: {error}") from None


def _measure(options: argparse.Namespace) -> None:
    settings = _settings(options)
    results: dict[str, Any] = {"version": pralign.__version__, "options": _plain_values(options), "sizes": []}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            corpus = prepare(options.corpus, size, Path(folder))
            text = Text.of(corpus)
            given = _given(options, size, text)
            if not results["sizes"]:
                warm_up(settings, text, threads=options.threads)
            result = {"corpus": options.corpus.name, "size": size, "pairs": corpus.pairs, "cells": corpus.cells}
            measured, reference = _measure_size(settings, text, given, options)
            result |= measured
            say(size_tables(result))
            if not results["sizes"] and options.tolerances:
                result["tolerances"] = _measure_tolerances(settings, text, reference, options)
                say(tolerance_table(result))
        results["sizes"].append(result)
        if options.json:
            options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _measure_size(
    settings: list[Setting], text: Text, given: Reference | None, options: argparse.Namespace
) -> tuple[dict[str, Any], Reference]:
    """Train every model with every constraint, then compare them with each other and with the reference.

    Where no reference is given, the Viterbi alignments of the plain HMM take its place.
    """
    by_dev = options.stop == "dev"
    runs = [train(setting, text, by_dev, threads=options.threads, longest=options.longest) for setting in settings]
    reference, judge = given or _viterbi(runs), Judge(text)
    result = {
        "golds": judge.golds(),
        "reference": {"name": reference.name, "scores": judge.of_reference(reference)},
        "runs": [_run(run) for run in runs],
        "variants": [variant for run in runs for variant in _variants(run, reference, judge)],
    }
    return result, reference


def _run(run: Run) -> dict[str, Any]:
    setting, (seconds, cpu_seconds) = run.setting, run.spent()
    chosen = {"name": setting.name, "model": setting.model, "plain": setting.plain, "kept": run.kept}
    times = {"seconds": seconds, "cpu_seconds": cpu_seconds}
    return chosen | times | {"iterations": [iteration._asdict() for iteration in run.iterations]}


def _variants(run: Run, reference: Reference, judge: Judge) -> Iterator[dict[str, Any]]:
    """What a model is worth: a plain one as it is, a constrained one with and without projecting when it decodes."""
    answers = [(run.setting.name, not run.setting.plain, run.answers)]
    if run.unprojected is not None:
        answers.append((f"{run.setting.name}, not projected", False, run.unprojected))
    for name, projected, found in answers:
        yield {"name": name, "plain": run.setting.plain, "projected": projected} | judge(found, reference)


def _measure_tolerances(
    settings: list[Setting], text: Text, reference: Reference, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Train the constrained models with each tolerance, and once with the residual not divided by anything."""
    judge, rows = Judge(text), []
    for setting in (setting for setting in settings if not setting.plain):
        name = str(setting.constraint)
        exact = get_constraint(name)(tolerance=RESIDUAL, normalised=False, slack=0.0)
        tried = [Setting(setting.model, name, tolerance) for tolerance in options.tolerances]
        for trial in [*tried, Setting(setting.model, exact, title=f"{name}, true residual")]:
            run = train(trial, text, False, threads=options.threads, longest=options.longest)
            costs = {
                "calls": fmean(iteration.calls for iteration in run.iterations),
                "unconverged": fmean(iteration.unconverged for iteration in run.iterations),
                "divergence": fmean(iteration.divergence for iteration in run.iterations),
                "seconds": run.spent()[0],
            }
            described = {"name": trial.name, "tolerance": trial.tolerance or exact.tolerance}
            rows.append(described | costs | judge(run.answers, reference))
    return rows


def _viterbi(runs: list[Run]) -> Reference:
    answers = next(run.answers for run in runs if run.setting == BASELINE)
    return Reference(f"the plain HMM's Viterbi alignments (union: {UNION_OF_PATHS})", answers.paths)


def _given(options: argparse.Namespace, size: int | None, text: Text) -> Reference | None:
    """The reference in files, if there is one."""
    paths = _reference_paths(options, size)
    if not paths:
        return None
    read = []
    for path in paths:
        found = list(islice(read_alignments(path, options.format), len(text.shown)))
        if len(found) < len(text.shown):
            wanted = f"the test and development sets, in this order, have {len(text.shown)}"
            raise InputError(f"{path} aligns {len(found)} pairs, but {wanted}")
        for number, (alignment, (source, target)) in enumerate(zip(found, text.shown, strict=True), start=1):
            check_bounds(alignment, (len(source.split()), len(target.split())), f"{path}, line {number}")
        read.append(found)
    files = read if len(read) == len(VIEWS) else read * len(VIEWS)
    return Reference(", ".join(path.name for path in paths), dict(zip(VIEWS, files, strict=True)))


def _reference_paths(options: argparse.Namespace, size: int | None) -> list[Path]:
    return [Path(name.replace("{size}", str(size or "all"))) for name in options.reference]


def _settings(options: argparse.Namespace) -> list[Setting]:
    """The models to train; plain ones, which others are compared with, always among them."""
    constraints = ["none", *(name for name in options.constraints if name != "none")]
    settings = [Setting(model, constraint) for model in options.models for constraint in constraints]
    return settings if BASELINE in settings or options.reference else [BASELINE, *settings]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=Path)
    add("--sizes", type=sizes, default="10000", help="lines of training text, such as 10000,100000,all")
    add("--models", type=names, default="hmm", help="any of ibm1,ibm2,hmm")
    add("--constraints", type=names, default="bijective,symmetric", help="any of bijective,symmetric,agreement")
    add("--reference", nargs="+", default=[], metavar="FILE", help="alignments of the test, then the development set: "
        "one file, or three for forward, reverse and union; {size} stands for the size")  # fmt: skip
    add("--format", default="pharaoh", choices=sorted(FORMATS), help="the format of the reference")
    add("--tolerances", type=_numbers, default="0.1,0.01,0.001", help="tried with the least text; '' for none")
    add("--stop", choices=("dev", "default"), default="dev", help="when the area under the curve of the development "
        "set stops rising, or after the default number of iterations")  # fmt: skip
    add("--longest", type=positive, default=LONGEST, help="do not train on pairs with more words on a side")
    add("--languages", type=names, help="source and target, such as en,fr, for a corpus that corpora.py does not name")
    add("--threads", type=positive, default=2)
    add("--json", type=Path, metavar="OUT", help="write everything there too, curves included")
    options = parser.parse_args()
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    check(parser, options)
    if len(options.reference) not in (0, 1, len(VIEWS)):
        parser.error("give one reference, or three: forward, reverse and union")
    for path in [path for size in options.sizes for path in _reference_paths(options, size)]:
        if not path.is_file():
            parser.error(f"there is no reference {path}")


def _numbers(text: str) -> list[float]:
    return [float(number) for number in names(text)]


def _plain_values(options: argparse.Namespace) -> dict[str, Any]:
    names = {"corpus": options.corpus.name, "json": None, "reference": [Path(name).name for name in options.reference]}
    return vars(options) | names


if __name__ == "__main__":
    main()
