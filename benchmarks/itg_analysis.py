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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pralign
from corpora import LANGUAGES, prepare
from itg_quality import SIDES, Judge
from itg_runs import DECODINGS, Run, Trainer
from itg_tables import first_iteration_table, length_tables, model_tables
from pralign.aligner import LONGEST
from pralign.constraints import get_constraint
from pralign.errors import PralignError
from pralign.evaluation.gaps import PHRASE_LIMIT
from pralign.evaluation.significance import SAMPLES
from pralign.models import get_model
from regularisation_runs import Setting, Text, warm_up

BASELINE = "symmetric"
RIVAL = "itg"


def main() -> None:
    options = _options()
    try:
        _measure(options)
    except PralignError as error:
        raise SystemExit(f"{Path(sys.argv[0]).name}: {error}") from None


def _measure(options: argparse.Namespace) -> None:
    chosen = vars(options) | {"corpus": options.corpus.name, "json": None}
    with tempfile.TemporaryDirectory() as folder:
        corpus = prepare(options.corpus, options.size, Path(folder))
        results: dict[str, Any] = {"version": pralign.__version__, "options": chosen}
        results |= {"pairs": corpus.pairs, "cells": corpus.cells, "models": []}
        _say(
            [f"# {options.corpus.name}, {corpus.pairs:,} pairs, {corpus.cells:,} cells, pralign {pralign.__version__}"]
        )
        text = Text.of(corpus)
        settings = [Setting(model, constraint) for model in options.models for constraint in options.constraints]
        warm_up(settings, text, threads=options.threads)
        trainer = Trainer(
            text, options.iterations, options.limit, {"threads": options.threads, "longest": options.longest}
        )
        judge = Judge(text, options.samples, options.seed, options.lengths_of)
        for model in options.models:
            results["models"].append(_measure_model(model, options.constraints, trainer, judge))
            _say(model_tables(results["models"][-1]))
            if options.json:
                options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    _say(length_tables(results["models"][-1], options.lengths_of))
    _say(first_iteration_table(results["models"]))


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
        gaps = answers.gaps and answers.gaps.as_dict()
        parts = judge(answers, None if rival is None else rival.answers[decoding])
        decodings[decoding] = {"gaps": gaps, "parts": parts}
    return run.described() | {"decodings": decodings}


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=Path)
    add("--size", type=_size, default="100000", help="lines of training text, or all")
    add("--models", type=_names, default="hmm,ibm4", help="any models; sentence lengths are looked at for the last")
    add("--constraints", type=_names, default="none,symmetric,itg", help="any constraints, none included")
    add("--iterations", type=_positive, help="of the last model of each schedule; the article has 5")
    add("--samples", type=_positive, default=SAMPLES, help="how many samples a paired bootstrap draws")
    add("--seed", type=int, default=0, help="what they are drawn with")
    add("--limit", type=_positive, default=PHRASE_LIMIT, help="how many words a bridge may span")
    add("--lengths-of", choices=SIDES, default=SIDES[0], help="the side whose sentence length matters")
    add("--longest", type=_positive, default=LONGEST, help="do not train on longer sentences; the article has 80")
    add("--languages", type=_names, help="source and target, such as en,fr, for a corpus that corpora.py does not name")
    add("--threads", type=_positive, default=2)
    add("--json", type=Path, metavar="OUT", help="write everything there too, after each model")
    options = parser.parse_args()
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complain now rather than after an hour."""
    options.corpus = options.corpus.resolve()
    if not (options.corpus / "dev.gold").is_file():
        parser.error(f"there is no file {options.corpus / 'dev.gold'}; corpora.py says how a corpus is laid out")
    if options.languages:
        LANGUAGES[options.corpus.name] = tuple(options.languages)
    if len(LANGUAGES.get(options.corpus.name, ())) != 2:
        parser.error(f"which two languages does {options.corpus} have? Say --languages en,fr or the like")
    if options.json and not options.json.resolve().parent.is_dir():
        parser.error(f"there is no directory {options.json.resolve().parent} to write {options.json.name} into")
    if not options.models or not options.constraints:
        parser.error("there is nothing to train without models and constraints")
    try:
        for model in options.models:
            get_model(model)
        for constraint in set(options.constraints) - {"none"}:
            get_constraint(constraint)
    except PralignError as error:
        parser.error(str(error))


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def _size(text: str) -> int | None:
    return None if text == "all" else _positive(text)


if __name__ == "__main__":
    main()
