"""What alignments are worth to a translator: BLEU of phrase-based translation, a row an alignment system.

    pip install sil-thot sacrebleu
    python benchmarks/translation.py DATA/hansards [--quick] [--into en] [--systems hmm,s-hmm,...] [--work DIR]
    python benchmarks/translation.py DATA/kftt

The measurements of table 2 of Graça, Ganchev and Taskar, Learning Tractable Word Alignment Models with Complex
Constraints (Computational Linguistics 36, 2010), and of table 3 of Kamigaito et al., Unsupervised Word Alignment by
Agreement Under ITG Constraint (2017), smaller. Every system aligns the same training text, ``pralign phrases`` makes a
phrase table of its links, and Thot translates the same held-out lines with it; all else is the same for all. A system
with posteriors has the threshold that translates the lines to tune on best. The weights of the decoder are tuned once,
on lines of their own, with the baseline's table. Labels have no part in anything.

Results of systems are kept in the work directory as they come, so that a run which was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from corpora import LANGUAGES
from measure import run
from options import names, positive
from pralign import sample
from presets import PRALIGN
from tables import say, table
from thot_decoder import FEATURES, Search, Weights, translate, write_language_model
from translation_systems import BASELINE, SYSTEMS, System, align, check, extract
from translation_text import Sizes, Texts, write_texts
from translation_tuning import tune

FULL = {"size": 30_000, "weights": 400, "tune": 300, "test": 1000, "words": 30, "systems": ",".join(SYSTEMS)}
QUICK = {"size": 2000, "weights": 50, "tune": 50, "test": 100, "words": 20, "systems": f"{BASELINE},s-hmm,default"}
# Japanese has its verbs last: it takes more reordering to become English.
REORDERING = {"kftt": 8}
LM_ORDER = 3
BEST = 100
PACKAGES = ("pralign", "sil-thot", "sacrebleu")
SAMPLES = 1000


@dataclass(frozen=True)
class Bench:
    """What all systems share: texts, language model, decoder and how many processors there are."""

    texts: Texts
    model: Path
    search: Search
    threads: int
    work: Path

    @property
    def lines(self) -> list[str]:
        """All lines that will be translated."""
        return [line for sides in self.texts[1:] for line in sides.lines()[0]]

    def weights(self, phrases: Path) -> Weights:
        """The weights of the decoder: as they were tuned, or tuned now with this table."""
        kept = self.work / "weights.json"
        if not kept.exists():
            lines, references = self.texts.weights.lines()
            _note("tuning the weights of the decoder")

            def translator(tried: Weights) -> list[Any]:
                return translate(phrases, self.model, lines, tried, self.search, self.threads, BEST)

            tuned = tune(translator, references)
            _keep(kept, {"weights": tuned.weights, "rounds": tuned.rounds, "features": FEATURES})
        return tuple(json.loads(kept.read_text(encoding="utf-8"))["weights"])

    def translated(self, phrases: Path, lines: Sequence[str], weights: Weights) -> list[str]:
        found = translate(phrases, self.model, lines, weights, self.search, self.threads)
        return [hypotheses[0].words for hypotheses in found]


def main() -> None:
    options = _options()
    bench = _bench(options)
    run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "--model", "ibm4", "-q"])  # compile, if need be
    results = [_result(system, bench) for system in options.systems]
    signature = _compare(results, bench)
    settings = json.loads((bench.work / "settings.json").read_text(encoding="utf-8"))
    tuned = json.loads((bench.work / "weights.json").read_text(encoding="utf-8"))
    say(_tables(results, settings, tuned, signature))
    if options.json:
        shown = {"settings": settings, "signature": signature, "tuned": tuned, "systems": results}
        _keep(options.json, shown)


def _bench(options: argparse.Namespace) -> Bench:
    """Write texts and language model into the work directory, or find that they are there."""
    search = Search(options.stack, options.options, options.reordering)
    sizes = Sizes(options.size, options.weights, options.tune, options.test, options.words)
    settings = {
        "corpus": options.corpus.name,
        "languages": options.languages,
        "sizes": asdict(sizes),
        "search": asdict(search),
        "order": LM_ORDER,
        "baseline": options.systems[0].name,
        "versions": {name: version(name) for name in PACKAGES},
    }
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "settings.json"
    if kept.exists() and json.loads(kept.read_text(encoding="utf-8")) != json.loads(json.dumps(settings)):
        raise SystemExit(f"{options.work} is of a run with other settings; name another directory by --work")
    texts = write_texts(options.corpus, options.languages, sizes, options.work)
    model = options.work / "lm"
    if not kept.exists():
        write_language_model(texts.train.target.read_text(encoding="utf-8").split("\n")[:-1], LM_ORDER, model)
        _keep(kept, settings)
    return Bench(texts, model, search, options.threads, options.work)


def _result(system: System, bench: Bench) -> dict[str, Any]:
    """What a system leads to, as it was kept or measured now."""
    kept = bench.work / f"{system.name}.json"
    if not kept.exists():
        _note(system.title)
        with tempfile.TemporaryDirectory(dir=bench.work) as folder:
            _keep(kept, _measure(system, bench, Path(folder)))
    result = json.loads(kept.read_text(encoding="utf-8"))
    score = _bleu().corpus_score(result["translations"], [bench.texts.test.lines()[1]]).score
    _note(f"{system.title}: BLEU {score:.2f}")
    return result


def _measure(system: System, bench: Bench, folder: Path) -> dict[str, Any]:
    """Align, extract, find the best threshold and translate the lines to test on."""
    links = align(system, bench.texts, folder, bench.threads)
    trials, tables = [], {}
    for threshold, file in links.files.items():
        tables[threshold] = folder / f"{threshold}.gz"
        pairs, seconds = extract(bench.texts, file, bench.lines, tables[threshold], bench.threads)
        trials.append({"threshold": threshold, "pairs": pairs, "extracting": seconds})
    weights = bench.weights(list(tables.values())[len(tables) // 2])
    lines, references = bench.texts.tune.lines()
    began = time.perf_counter()
    for trial in trials:
        found = bench.translated(tables[trial["threshold"]], lines, weights)
        trial["tune"] = _bleu().corpus_score(found, [references]).score
    best = max(trials, key=lambda trial: trial["tune"])
    translations = bench.translated(tables[best["threshold"]], bench.texts.test.lines()[0], weights)
    return {
        "name": system.name,
        "title": system.title,
        "aligning": links.seconds,
        "gigabytes": links.gigabytes,
        "translating": time.perf_counter() - began,
        "trials": trials,
        "threshold": best["threshold"],
        "pairs": best["pairs"],
        "translations": translations,
    }


def _bleu() -> Any:
    """BLEU of words as they are: the text is cut into words, and lower-cased."""
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize="none", force=True)


def _compare(results: list[dict[str, Any]], bench: Bench) -> str:
    """Score all systems on the lines to test on, compare them with the first, and return the signature."""
    from sacrebleu.significance import PairedTest

    named = [(result["title"], result["translations"]) for result in results]
    test = PairedTest(named, {"BLEU": _bleu()}, [bench.texts.test.lines()[1]], "bs", SAMPLES)
    signatures, scores = test()
    for result, score in zip(results, scores["BLEU"], strict=True):
        result |= {"bleu": score.score, "mean": score.mean, "interval": score.ci, "p": score.p_value}
    return str(signatures["BLEU"])


def _tables(
    results: list[dict[str, Any]], settings: dict[str, Any], tuned: dict[str, Any], signature: str
) -> Iterator[str]:
    source, target = settings["languages"]
    sizes, baseline = settings["sizes"], results[0]["title"]
    numbers = f"trained on {sizes['train']:,} lines, tested on {sizes['test']:,}"
    yield f"\n## {settings['corpus']}, {source} to {target}, {numbers}\n"
    header = ["", "threshold", "phrase pairs", "BLEU, tuned on", "BLEU", "± 95 %", f"p, against {baseline}"]
    yield from table([*header, "seconds to align", "GB", "to translate"], map(_row, results))
    yield "\nBLEU on the lines to tune on, and phrase pairs, by threshold:\n"
    tried = [result for result in results if len(result["trials"]) > 1]
    thresholds = sorted({trial["threshold"] for result in tried for trial in result["trials"]})
    rows = [[result["title"], *_by_threshold(result, thresholds)] for result in tried]
    yield from table(["", *map(str, thresholds)], rows)
    shown = ", ".join(f"{name} {weight:.3g}" for name, weight in zip(FEATURES, tuned["weights"], strict=True))
    yield f"\nWeights, tuned with {baseline} (BLEU {', '.join(f'{b:.2f}' for b in tuned['rounds'])}): {shown}"
    yield f"sacrebleu {signature}"
    yield "; ".join(f"{name} {number}" for name, number in settings["versions"].items())


def _row(result: dict[str, Any]) -> list[str]:
    tuned = max(trial["tune"] for trial in result["trials"])
    p = "" if result["p"] is None else f"{result['p']:.3f}"
    return [
        result["title"],
        "" if result["threshold"] is None else str(result["threshold"]),
        f"{result['pairs']:,}",
        f"{tuned:.2f}",
        f"{result['bleu']:.2f}",
        f"{result['interval']:.2f}",
        f"{p}{'*' if p and result['p'] < 0.05 else ''}",
        f"{result['aligning']:.0f}",
        f"{result['gigabytes']:.1f}",
        f"{result['translating']:.0f}",
    ]


def _by_threshold(result: dict[str, Any], thresholds: Sequence[float]) -> list[str]:
    trials = {trial["threshold"]: trial for trial in result["trials"]}
    return [f"{trials[t]['tune']:.2f} ({trials[t]['pairs']:,})" if t in trials else "" for t in thresholds]


def _keep(path: Path, content: dict[str, Any]) -> None:
    """Write a file that is there only when it is whole."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def _note(message: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("corpus", type=Path)
    add("--quick", action="store_true", help="so little of everything that figures mean nothing, to try it out")
    add("--into", default="en", help="the language to translate into")
    add("--systems", type=names, help=f"of {', '.join(SYSTEMS)}; {BASELINE} is always there too")
    add("--baseline", choices=SYSTEMS, default=BASELINE, help="what others are compared with")
    add("--size", type=positive, help=f"lines to train on; {FULL['size']:,}, quick {QUICK['size']:,}")
    add("--weights", type=positive, help=f"lines to tune weights on; {FULL['weights']}, quick {QUICK['weights']}")
    add("--tune", type=positive, help=f"lines to tune thresholds on; {FULL['tune']}, quick {QUICK['tune']}")
    add("--test", type=positive, help=f"lines to test on; {FULL['test']}, quick {QUICK['test']}")
    add("--words", type=positive, help=f"the most a held-out line may have; {FULL['words']}, quick {QUICK['words']}")
    add("--stack", type=positive, default=Search.stack, help="how many hypotheses of a kind Thot keeps")
    add("--options", type=positive, default=Search.options, help="how many translations of a phrase it tries")
    add("--reordering", type=positive, help="how far it may reorder; 5, Japanese 8")
    add("--threads", type=positive, default=2)
    add("--work", type=Path, metavar="DIR", help="where results are kept as they come; by default a temporary one")
    add("--json", type=Path, metavar="OUT", help="write everything there too, translations included")
    options = parser.parse_args()
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name) is None:
            setattr(options, name, names(str(value)) if name == "systems" else value)
    options.corpus = options.corpus.resolve()
    languages = LANGUAGES.get(options.corpus.name, ())
    if options.into not in languages:
        parser.error(f"{options.corpus} has no text in {options.into!r}; corpora.py says how a corpus is laid out")
    try:
        for package in PACKAGES:
            version(package)
    except PackageNotFoundError as error:
        parser.error(f"{error.name} is missing: pip install sil-thot sacrebleu")
    unknown = set(options.systems) - set(SYSTEMS)
    if unknown:
        parser.error(f"there are the systems {', '.join(SYSTEMS)}, not {', '.join(sorted(unknown))}")
    options.systems = check(list(dict.fromkeys([options.baseline, *options.systems])))
    if options.systems[0].name != options.baseline:
        parser.error(f"{options.baseline} is not installed, and all others would be compared with it")
    options.languages = (*(language for language in languages if language != options.into), options.into)
    options.reordering = options.reordering or REORDERING.get(options.corpus.name, Search.reordering)
    run_name = f"pralign-translation-{options.corpus.name}-{options.into}-{options.size}"
    options.work = (options.work or Path(tempfile.gettempdir()) / run_name).resolve()
    if options.json and not options.json.resolve().parent.is_dir():
        parser.error(f"there is no directory {options.json.resolve().parent} to write {options.json.name} into")


if __name__ == "__main__":
    main()
