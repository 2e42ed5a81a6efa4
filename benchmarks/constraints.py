"""What constraints on posteriors do: to training, to the links, to their quality, and to the time.

    python benchmarks/constraints.py DATA/hansards [--sizes 10000,100000,all] [--json OUT]
    python benchmarks/constraints.py DATA/kftt --tables itg --stop default --constraints symmetric,itg --models hmm,ibm4

Every model is trained once with every constraint, on any corpus that is laid out as corpora.py says. The tables called
``regularisation`` are the measurements of section 4, and the shares of sections 2.1, 3.3 and 3.4, of Graça, Ganchev and
Taskar, Learning Tractable Word Alignment Models with Complex Constraints (Computational Linguistics 36, 2010). Those
called ``itg`` are the ones on word alignment (2, 4, 5 and 6) of Kamigaito et al., Unsupervised Word Alignment by
Agreement Under ITG Constraint (2017): constraints are compared with itg, or with the last one where itg is not among
them, and share the threshold that is best for symmetric, or for the last one. README.md explains the tables.
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
from constraint_runs import NOT_PROJECTED, PROJECTED, UNION_OF_PATHS, VIEWS, Run, Setting, Text, Trainer
from constraint_scores import SIDES, Contest, Judge, Reference
from constraint_tables import (
    contest_tables,
    first_iteration_table,
    length_tables,
    regularisation_tables,
    run_tables,
    tolerance_table,
)
from corpora import prepare
from options import check, names, positive, sizes
from pralign.constraints import get_constraint
from pralign.errors import InputError, PralignError
from pralign.evaluation import check_bounds
from pralign.evaluation.gaps import PHRASE_LIMIT
from pralign.evaluation.significance import SAMPLES
from pralign.links.formats import FORMATS, read_alignments
from tables import say

TABLES = REGULARISATION, ITG = ("regularisation", "itg")
# Whose Viterbi alignments stand in for a reference; what sets the shared threshold; what others are compared with.
STAND_IN, BASELINE, RIVAL = Setting("hmm"), "symmetric", "itg"
# How far bounds may be from satisfied, all together, where the residual itself is judged, whatever the sentence length.
RESIDUAL = 0.01


def main() -> None:
    options = _options()
    results: dict[str, Any] = {"version": pralign.__version__, "options": _plain_values(options), "sizes": []}
    try:
        for size in options.sizes:
            with tempfile.TemporaryDirectory() as folder:
                results["sizes"].append(_measure(options, size, Path(folder)))
            if options.json:
                options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    except PralignError as error:
        raise SystemExit(f"{Path(sys.argv[0]).name}: {error}") from None


def _measure(options: argparse.Namespace, size: int | None, folder: Path) -> dict[str, Any]:
    """Train every model with every constraint on so much text, then make the tables that are wanted."""
    corpus = prepare(options.corpus, size, folder)
    text = Text.of(corpus)
    given = _given(options, size, text)
    result = {"corpus": options.corpus.name, "size": size, "pairs": corpus.pairs, "cells": corpus.cells}
    limit = options.limit if ITG in options.tables else None
    chosen = {"threads": options.threads, "max_length": options.max_length}
    trainer = Trainer(text, options.stop == "dev", options.iterations, limit, options.gaps_in, chosen)
    settings = _settings(options)
    if size == options.sizes[0]:
        trainer.warm_up(settings)
    runs = [trainer.train(setting) for setting in settings]
    once = [trainer.plainly(1).train(_once(model, options)) for model in options.models if ITG in options.tables]
    result["runs"] = [run.described() for run in (*runs, *once)]
    say([f"\n## {result['corpus']}, {corpus.pairs:,} pairs, {corpus.cells:,} cells, pralign {pralign.__version__}"])
    say(run_tables(result["runs"]))
    if REGULARISATION in options.tables:
        judge = Judge(text, given or _stand_in(runs))
        result["golds"] = judge.golds()
        result["reference"] = {"name": judge.reference.name, "scores": judge.of_reference()}
        result["variants"] = [variant for run in runs for variant in _variants(run, judge)]
        say(regularisation_tables(result))
        if size == options.sizes[0] and options.tolerances:
            tried = (_tolerances(setting, trainer, judge, options) for setting in settings if not setting.plain)
            result["tolerances"] = [row for rows in tried for row in rows]
            say(tolerance_table(result))
    if ITG in options.tables:
        contest = Contest(text, options.samples, options.seed, options.lengths_of)
        result["models"] = [_compare(contest, runs, first, options) for first in once]
        for model in result["models"]:
            say(contest_tables(model, min(options.gaps_in or corpus.pairs, corpus.pairs), options.limit))
        say(length_tables(result["models"][-1], options.lengths_of))
        say(first_iteration_table(result["models"]))
    return result


def _variants(run: Run, judge: Judge) -> Iterator[dict[str, Any]]:
    """What a model is worth: a plain one as it is, a constrained one with and without projecting when it decodes."""
    described = {"name": run.setting.name, "plain": run.setting.plain, "projected": not run.setting.plain}
    yield described | judge(run.answers[PROJECTED])
    if not run.setting.plain:
        changed = {"name": f"{run.setting.name}, {NOT_PROJECTED}", "projected": False}
        yield described | changed | judge(run.answers[NOT_PROJECTED])


def _tolerances(
    setting: Setting, trainer: Trainer, judge: Judge, options: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    """Train a constrained model with each tolerance, and once with the residual not divided by anything."""
    name = str(setting.constraint)
    exact = get_constraint(name)(tolerance=RESIDUAL, normalised=False, slack=0.0)
    trials = [Setting(setting.model, name, tolerance) for tolerance in options.tolerances]
    for trial in [*trials, Setting(setting.model, exact, title=f"{name}, true residual")]:
        run = trainer.plainly().train(trial)
        kinds = ("calls", "unconverged", "divergence")
        costs = {kind: fmean(iteration[kind] for iteration in run.iterations) for kind in kinds}
        described = {"name": trial.name, "tolerance": trial.tolerance or RESIDUAL, "seconds": run.described()["e_step"]}
        yield described | costs | judge(run.answers[PROJECTED])


def _compare(contest: Contest, runs: list[Run], first: Run, options: argparse.Namespace) -> dict[str, Any]:
    """Compare the constraints of a model, which has also been trained for one iteration."""
    model = first.setting.model
    baseline, rival = (Setting(model, _among(options, name)).name for name in (BASELINE, RIVAL))
    return contest([run for run in runs if run.setting.model == model], baseline, rival, first)


def _stand_in(runs: list[Run]) -> Reference:
    answers = next(run.answers[PROJECTED] for run in runs if run.setting == STAND_IN)
    return Reference(f"the plain HMM's Viterbi alignments (union: {UNION_OF_PATHS})", answers.paths)


def _given(options: argparse.Namespace, size: int | None, text: Text) -> Reference | None:
    """The reference in files, if there is one."""
    paths = _reference_paths(options, size)
    read = []
    for path in paths:
        found = list(islice(read_alignments(path, options.format), len(text.shown)))
        if len(found) < len(text.shown):
            wanted = f"the test and development sets, in this order, have {len(text.shown)}"
            raise InputError(f"{path} aligns {len(found)} pairs, but {wanted}")
        for number, (alignment, (source, target)) in enumerate(zip(found, text.shown, strict=True), start=1):
            check_bounds(alignment, (len(source), len(target)), f"{path}, line {number}")
        read.append(found)
    files = read if len(read) == len(VIEWS) else read * len(VIEWS)
    return Reference(", ".join(path.name for path in paths), dict(zip(VIEWS, files, strict=True))) if paths else None


def _reference_paths(options: argparse.Namespace, size: int | None) -> list[Path]:
    return [Path(name.replace("{size}", str(size or "all"))) for name in options.reference]


def _settings(options: argparse.Namespace) -> list[Setting]:
    """The models to train; plain ones, which others are compared with, always among them."""
    settings = [Setting(model, constraint) for model in options.models for constraint in options.constraints]
    needed = REGULARISATION in options.tables and not options.reference and STAND_IN not in settings
    return [STAND_IN, *settings] if needed else settings


def _once(model: str, options: argparse.Namespace) -> Setting:
    rival = _among(options, RIVAL)
    return Setting(model, rival, title=f"{rival}, one iteration")


def _among(options: argparse.Namespace, constraint: str) -> str:
    """A constraint, if it is tried, otherwise the last that is."""
    return constraint if constraint in options.constraints else options.constraints[-1]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=Path)
    add("--tables", type=names, help="regularisation, itg or both; by default the first, and the second too if itg is "
        "among the constraints")  # fmt: skip
    add("--sizes", type=sizes, default="10000", help="lines of training text, such as 10000,100000,all")
    add("--models", type=names, default="hmm", help="any models; table 5 is of the last one")
    add("--constraints", type=names, default="bijective,symmetric", help="any constraints; none is always there too")
    add("--stop", choices=("dev", "default"), default="dev", help="when the area under the curve of the development "
        "set stops rising, or after the default number of iterations")  # fmt: skip
    add("--iterations", type=positive, help="of the last model of each schedule, at most; Kamigaito et al. have 5")
    add("--max-length", type=positive, help="do not train on pairs with more words on a side; by default 200")
    add("--languages", type=names, help="source and target, such as en,fr, for a corpus that corpora.py does not name")
    add("--threads", type=positive, default=2)
    add("--json", type=Path, metavar="OUT", help="write everything there too, curves included, after each size")
    add = parser.add_argument_group("tables of regularisation").add_argument
    add("--reference", nargs="+", default=[], metavar="FILE", help="alignments of the test, then the development set: "
        "one file, or three for forward, reverse and union; {size} stands for the size")  # fmt: skip
    add("--format", default="pharaoh", choices=sorted(FORMATS), help="the format of the reference")
    add("--tolerances", type=_numbers, default="0.1,0.01,0.001", help="tried with the least text; '' for none")
    add = parser.add_argument_group("tables of itg").add_argument
    add("--samples", type=positive, default=SAMPLES, help="how many samples a paired bootstrap draws")
    add("--seed", type=int, default=0, help="what they are drawn with")
    add("--limit", type=positive, default=PHRASE_LIMIT, help="how many words a bridge may span")
    add("--gaps-in", type=positive, metavar="PAIRS", help="look for such bridges in the last pairs only, not in all")
    add("--lengths-of", choices=SIDES, default=SIDES[0], help="the side whose sentence length matters")
    options = parser.parse_args()
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    check(parser, options)
    options.constraints = ["none", *(name for name in options.constraints if name != "none")]
    options.tables = options.tables or [REGULARISATION, *([ITG] if ITG in options.constraints else [])]
    if set(options.tables) - set(TABLES):
        parser.error(f"there are the tables {' and '.join(TABLES)}, not {', '.join(options.tables)}")
    if len(options.reference) not in (0, 1, len(VIEWS)):
        parser.error("give one reference, or three: forward, reverse and union")
    for path in [path for size in options.sizes for path in _reference_paths(options, size)]:
        if not path.is_file():
            parser.error(f"there is no reference {path}")


def _numbers(text: str) -> list[float]:
    return [float(number) for number in names(text)]


def _plain_values(options: argparse.Namespace) -> dict[str, Any]:
    changed = {"corpus": options.corpus.name, "json": None, "reference": [Path(p).name for p in options.reference]}
    return vars(options) | changed


if __name__ == "__main__":
    main()
