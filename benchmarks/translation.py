"""What links are worth to a translator: the program of tables in experiments, BLEU of phrase-based translation.

    pip install sil-thot sacrebleu
    pralign experiment benchmarks/experiments/000-translation.toml --data DATA

An experiment runs it with a file that says what was aligned, and by whom, and takes back the rows of its table. Every
system has aligned the same text; ``pralign phrases`` makes a phrase table of its links, and Thot translates the same
held-out lines with it. All else is the same for all. A system with posteriors has the threshold that translates the
lines to tune on best. The weights of the decoder are tuned once, on lines of their own, with the baseline's table.
Labels have no part in anything. Results of systems are kept in the work directory as they come.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from held_out import HeldOut, hold_out, sentences
from measure import run
from pralign.links.formats import read_alignments, write_alignments
from presets import PRALIGN
from thot_decoder import LONGEST_PHRASE, Search, Weights, filter_table, translate, write_language_model
from translation_tuning import tune

# The thresholds of Graça, Ganchev and Taskar, section 5.1.
THRESHOLDS = (0.2, 0.4, 0.6)
LM_ORDER = 3
BEST = 100
SAMPLES = 1000
PACKAGES = ("sil-thot", "sacrebleu")
Result = dict[str, Any]


@dataclass(frozen=True)
class Parameters:
    """What an experiment may set.

    Attributes:
        baseline: The system that others are compared with, and by whose table weights are tuned.
        held_out: So many lines at the beginning of the training files are not trained on; lines come from there.
        weights: How many lines the weights are tuned on.
        tune: How many lines thresholds are chosen on.
        test: How many lines are translated.
        words: The most words such a line may have.
        stack: How many hypotheses of a kind Thot keeps.
        options: How many translations of a phrase it tries.
        reordering: How far it may reorder.
        plain: Systems whose links are taken as they are, although they have posteriors.
    """

    baseline: str
    held_out: int = 10_000
    weights: int = 400
    tune: int = 300
    test: int = 1000
    words: int = 30
    stack: int = 5
    options: int = 10
    reordering: int = 5
    plain: list[str] = field(default_factory=list)

    @property
    def search(self) -> Search:
        return Search(self.stack, self.options, self.reordering)


@dataclass(frozen=True)
class Bench:
    """What all systems share: the text, what tells the baseline's links from others, lines that were held out, the
    language model, and where results are kept."""

    text: dict[str, Any]
    baseline: str
    held: HeldOut
    model: Path
    parameters: Parameters
    work: Path
    threads: int

    def weights(self, phrases: Path) -> Weights:
        """The weights of the decoder: as they were tuned, or tuned now with this table."""
        kept = self.work / f"weights-{self.baseline[:12]}.json"
        if not kept.exists():

            def translator(tried: Weights) -> list[Any]:
                lines = self.held.weights.source
                return translate(phrases, self.model, lines, tried, self.parameters.search, self.threads, BEST)

            keep(kept, tune(translator, self.held.weights.target).weights)
        return tuple(json.loads(kept.read_text(encoding="utf-8")))

    def translated(self, phrases: Path, lines: Sequence[str], weights: Weights) -> list[str]:
        found = translate(phrases, self.model, lines, weights, self.parameters.search, self.threads)
        return [hypotheses[0].words for hypotheses in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=Path, help="what an experiment says of a text and of systems")
    parser.add_argument("output", type=Path, help="where to write the rows of the table")
    parser.add_argument("--work", type=Path, required=True, help="where results are kept as they come")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    try:
        versions = {package: version(package) for package in PACKAGES}
    except PackageNotFoundError as error:
        parser.exit(1, f"{error.name} is missing: pip install {' '.join(PACKAGES)}\n")
    given = json.loads(options.input.read_text(encoding="utf-8"))
    bench = prepared(given, options.work, options.threads)
    systems = given["systems"]
    systems.sort(key=lambda system: system["name"] != bench.parameters.baseline)
    results = [result(system, bench, versions) for system in systems]
    options.output.write_text(json.dumps(compared(results, bench), indent=1, ensure_ascii=False), encoding="utf-8")


def prepared(given: dict[str, Any], work: Path, threads: int) -> Bench:
    """Hold lines out and write the language model, or find that it is there."""
    parameters = Parameters(**given["parameters"])
    text = given["text"]
    sizes = {"weights": parameters.weights, "tune": parameters.tune, "test": parameters.test}
    files = [Path(given["data"]) / file for file in text["train"]]
    known = set(zip(sentences(Path(text["source"])), sentences(Path(text["target"])), strict=True))
    held = hold_out(files, parameters.held_out, parameters.words, sizes, known)
    work.mkdir(parents=True, exist_ok=True)
    model, done = work / "lm", work / "lm.done"
    if not done.exists():
        write_language_model(sentences(Path(text["target"])), LM_ORDER, model)
        keep(done, True)
    [baseline] = [each["key"] for each in given["systems"] if each["name"] == parameters.baseline]
    return Bench(text, baseline, held, model, parameters, work, threads)


def result(system: dict[str, Any], bench: Bench, versions: dict[str, str]) -> Result:
    """What a system leads to, as it was kept or measured now."""
    kept = bench.work / f"{system['name']}.json"
    settings = {"with": versions, "parameters": asdict(bench.parameters), "baseline": bench.baseline}
    wanted = json.loads(json.dumps({"system": system, **settings}))
    if kept.exists():
        found: Result = json.loads(kept.read_text(encoding="utf-8"))
        if found["of"] == wanted:
            return found
    with tempfile.TemporaryDirectory(dir=bench.work) as folder:
        found = measured(system, bench, Path(folder)) | {"of": wanted}
    keep(kept, found)
    return found


def measured(system: dict[str, Any], bench: Bench, folder: Path) -> Result:
    """Extract phrases, find the best threshold and translate the lines to test on."""
    trials, tables = [], {}
    for threshold, links in links_by_threshold(system, bench.parameters, folder).items():
        tables[threshold] = folder / f"{threshold}.gz"
        trials.append({"threshold": threshold, "phrases": extract(bench, links, tables[threshold])})
    weights = bench.weights(list(tables.values())[len(tables) // 2])
    for trial in trials:
        found = bench.translated(tables[trial["threshold"]], bench.held.tune.source, weights)
        trial["tune"] = bleu().corpus_score(found, [bench.held.tune.target]).score
    best = max(trials, key=lambda trial: trial["tune"])
    translations = bench.translated(tables[best["threshold"]], bench.held.test.source, weights)
    return {"system": system["name"], "trials": trials, **best, "translations": translations}


def links_by_threshold(system: dict[str, Any], parameters: Parameters, folder: Path) -> dict[float | None, Path]:
    """Files of links, by threshold; one only of systems without posteriors."""
    if system["scored"] is None or system["name"] in parameters.plain:
        return {None: Path(system["links"])}
    return {threshold: cut(Path(system["scored"]), threshold, folder) for threshold in THRESHOLDS}


def cut(scored: Path, threshold: float, folder: Path) -> Path:
    """The links whose score reaches a threshold, in a file of their own."""
    out = folder / f"links-{threshold}"
    with out.open("w", encoding="utf-8", newline="\n") as stream:
        found = (each.at_least(threshold) for each in read_alignments(scored, "scored"))
        write_alignments(stream, found)
    return out


def extract(bench: Bench, links: Path, out: Path) -> int:
    """Make a phrase table of links, keep what helps to translate the lines, and say how many phrase pairs it had."""
    table = out.with_name("all.gz")
    files = [bench.text["source"], bench.text["target"], links, "-o", table]
    flags = ["--max-length", str(LONGEST_PHRASE), "--threads", str(bench.threads), "-q"]
    run([*PRALIGN, "phrases", *files, *flags])
    pairs = filter_table(table, bench.held.all_lines, out)
    table.unlink()
    return pairs


def bleu() -> Any:
    """BLEU of words as they are: the text is cut into words, and lower-cased."""
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize="none", force=True)


def compared(results: Sequence[Result], bench: Bench) -> list[dict[str, Any]]:
    """The rows of the table: scores on the lines to test on, and how they differ from the baseline's."""
    from sacrebleu.significance import PairedTest

    named = [(each["system"], each["translations"]) for each in results]
    rows = [{key: each[key] for key in ("system", "threshold", "phrases", "tune")} for each in results]
    if len(named) == 1:
        return [rows[0] | {"bleu": bleu().corpus_score(named[0][1], [bench.held.test.target]).score}]
    test = PairedTest(named, {"BLEU": bleu()}, [bench.held.test.target], "bs", SAMPLES)
    _, scores = test()
    return [row | {"bleu": score.score, "p": score.p_value} for row, score in zip(rows, scores["BLEU"], strict=True)]


def keep(path: Path, content: Any) -> None:
    """Write a file that is there only when it is whole."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    main()
