"""What the ITG constraint does to alignments: scores with significance, gaps, sentence lengths, first iterations.

    python benchmarks/itg_analysis.py DATA/kftt [--size 100000] [--models hmm,ibm4] [--constraints none,symmetric,itg]
    python benchmarks/itg_analysis.py DATA/hansards --size 10000 --models hmm --iterations 5 --json OUT

These are the tables on word alignment (2, 4, 5 and 6) of Kamigaito et al., Unsupervised Word Alignment by Agreement
Under ITG Constraint (2017), on any corpus that is laid out as corpora.py says. Constraints are compared with itg, or
with the last one where itg is not among them, and share the threshold that is best for symmetric, or for the last one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pralign
from corpora import prepare
from itg_quality import SIDES, Judge
from itg_runs import DECODINGS, Run, Trainer
from itg_tables import first_iteration_table, length_tables, model_tables
from options import check, names, positive, size
from pralign.aligner import LONGEST
from pralign.errors import PralignError
from pralign.evaluation.gaps import PHRASE_LIMIT
from pralign.evaluation.significance import SAMPLES
from regularisation_runs import Setting, Text, warm_up
from tables import say

BASELINE = "symmetric"
RIVAL = "itg"


def main() -> None:
    options = _options()
    try:
        _measure(options)
    except PralignError as error:
        raise SystemExit(f"{Path(sys.argv[0]).name}: {error}") from None


def _measure(options: argparse.Namespace) -> None:
    described = vars(options) | {"corpus": options.corpus.name, "json": None}
    with tempfile.TemporaryDirectory() as folder:
        corpus = prepare(options.corpus, options.size, Path(folder))
        results: dict[str, Any] = {"version": pralign.__version__, "options": described}
        results |= {"pairs": corpus.pairs, "cells": corpus.cells, "models": []}
        say([f"# {options.corpus.name}, {corpus.pairs:,} pairs, {corpus.cells:,} cells, pralign {pralign.__version__}"])
        text = Text.of(corpus)
        settings = [Setting(model, constraint) for model in options.models for constraint in options.constraints]
        warm_up(settings, text, threads=options.threads)
        chosen = {"threads": options.threads, "longest": options.longest}
        trainer = Trainer(text, options.iterations, options.limit, options.gaps_in, chosen)
        judge = Judge(text, options.samples, options.seed, options.lengths_of)
        for model in options.models:
            results["models"].append(_measure_model(model, options.constraints, trainer, judge))
            say(model_tables(results["models"][-1]))
            if options.json:
                options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    say(length_tables(results["models"][-1], options.lengths_of))
    say(first_iteration_table(results["models"]))


def _measure_model(model: str, constraints: list[str], trainer: Trainer, judge: Judge) -> dict[str, Any]:
    """Train a model with every constraint, the one that sets the shared threshold first, and compare the results."""
    baseline, rival = (name if name in constraints else constraints[-1] for name in (BASELINE, RIVAL))
    runs = {baseline: trainer.train(Setting(model, baseline))}
    shared = runs[baseline].shared
    runs |= {name: trainer.train(Setting(model, name), shared) for name in constraints if name != baseline}
    return {
        "model": model,
        "baseline": runs[baseline].setting.name,
        "rival": runs[rival].setting.name,
        "parts": list(judge.text.parts),
        "runs": [_judged(runs[name], judge, None if name == rival else runs[rival]) for name in constraints],
        "first": _judged(trainer.train_once(Setting(model, rival), shared), judge),
    }


def _judged(run: Run, judge: Judge, rival: Run | None = None) -> dict[str, Any]:
    decodings = {}
    for decoding in DECODINGS:
        answers = run.answers[decoding]
        gaps = {str(threshold): found.as_dict() for threshold, found in answers.gaps.items()}
        parts = judge(answers, None if rival is None else rival.answers[decoding])
        decodings[decoding] = {"gaps": gaps, "parts": parts}
    return run.described() | {"decodings": decodings}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=Path)
    add("--size", type=size, default="100000", help="lines of training text, or all")
    add("--models", type=names, default="hmm,ibm4", help="any models; sentence lengths are looked at for the last")
    add("--constraints", type=names, default="none,symmetric,itg", help="any constraints, none included")
    add("--iterations", type=positive, help="of the last model of each schedule; the article has 5")
    add("--samples", type=positive, default=SAMPLES, help="how many samples a paired bootstrap draws")
    add("--seed", type=int, default=0, help="what they are drawn with")
    add("--limit", type=positive, default=PHRASE_LIMIT, help="how many words a bridge may span")
    add("--gaps-in", type=positive, metavar="PAIRS", help="look for such bridges in the last pairs only, not in all")
    add("--lengths-of", choices=SIDES, default=SIDES[0], help="the side whose sentence length matters")
    add("--longest", type=positive, default=LONGEST, help="do not train on longer sentences; the article has 80")
    add("--languages", type=names, help="source and target, such as en,fr, for a corpus that corpora.py does not name")
    add("--threads", type=positive, default=2)
    add("--json", type=Path, metavar="OUT", help="write everything there too, after each model")
    options = parser.parse_args()
    check(parser, options)
    return options


if __name__ == "__main__":
    main()
