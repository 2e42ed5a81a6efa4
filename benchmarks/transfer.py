"""What alignments are worth to somebody who carries annotation across: edges of trees, and names.

    python benchmarks/transfer.py DATA [--languages fr,cs] [--size 30000] [--systems hmm,s-hmm,...]
        [--links fr:NAME=FILE ...] [--work DIR] [--json OUT] [--svg DIR]

Figure 10 of Graça, Ganchev and Taskar, Learning Tractable Word Alignment Models with Complex Constraints (Computational
Linguistics 36, 2010): how many of the edges that are carried are right, against how many are carried a sentence, as
the threshold of links falls. DATA/pud has treebanks of the same sentences, ``en.conllu.xz`` and so on, with trees by
hand on both sides; English trees are carried to each language. Systems are trained on these sentences and on so many
lines of the corpus of that language, where there is one.

Names are runs of proper nouns: those of the English side are carried, and compared with those of the other side.

Results of systems are kept in the work directory as they come, so that a run which was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import lzma
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from corpora import Prepared
from measure import run
from options import names, positive
from pralign import sample
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from pralign.report.charts import Chart, Mark, Series
from pralign.text.conllu import ConlluSentence, read_conllu
from presets import PEERS, PRALIGN
from tables import say, table
from transfer_scores import Point, best_names, curve_of, share_at

CORPORA = {"fr": "hansards", "cs": "czenali"}
LEAST = 0.02  # less probable links are not written
EDGES = 8.0
REFERENCE = "default"
SYSTEMS: dict[str, list[str]] = {
    "hmm": ["--model", "hmm"],
    "b-hmm": ["--model", "hmm", "--constraint", "bijective"],
    "s-hmm": ["--model", "hmm", "--constraint", "symmetric"],
    **{name: ["--preset", name] for name in ("fast", "default", "best")},
}
PEERS_SYMMETRIZED = ("intersection", "grow-diag-final-and")


class Treebanks:
    """The sentences of two treebanks, and the text that systems are trained on, with these sentences first."""

    def __init__(self, data: Path, language: str, size: int, folder: Path) -> None:
        self.source, self.target = (read_treebank(data / "pud", each) for each in ("en", language))
        self.text = folder / f"{language}-text.en", folder / f"{language}-text.{language}"
        corpus = data / CORPORA.get(language, "none")
        for path, sentences, side in zip(self.text, (self.source, self.target), ("en", language), strict=True):
            lines = (" ".join(word.replace(" ", "_") for word in sentence.forms) for sentence in sentences)
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(f"{line}\n".lower() for line in lines)
                stream.writelines(line.lower() for line in islice(training_lines(corpus, side), size))


def read_treebank(folder: Path, language: str) -> list[ConlluSentence]:
    return list(read_conllu(folder / f"{language}.conllu.xz"))


def training_lines(corpus: Path, language: str) -> Iterator[str]:
    plain, packed = corpus / f"train.{language}", corpus / f"train.{language}.xz"
    if plain.exists():
        with plain.open(encoding="utf-8", newline="\n") as stream:
            yield from stream
    elif packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8", newline="\n") as stream:
            yield from stream


def main() -> None:
    options = _options()
    run([*PRALIGN, "align", sample.SOURCE, sample.TARGET, "--preset", "best", "-q"])  # compile, if need be
    results: dict[str, Any] = {}
    for language in options.languages:
        banks = Treebanks(options.data, language, options.size, options.work)
        found = links_of_systems(banks, language, options)
        results[language] = {name: measured(banks, links) for name, links in found}
        say(tables(language, results[language]))
        if options.svg:
            (options.svg / f"edges-{language}.svg").write_text(chart(language, results[language]).svg(alone=True))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def links_of_systems(
    banks: Treebanks, language: str, options: argparse.Namespace
) -> Iterator[tuple[str, list[Alignment]]]:
    """The links of the sentences with trees, system by system."""
    count = len(banks.source)
    for name in options.systems:
        out = options.work / f"{language}-{options.size}-{name}.links"
        if not out.exists():
            flags = ["--format", "scored", "--threshold", str(LEAST), "-q", "-o", out]
            run([*PRALIGN, "align", *banks.text, *SYSTEMS[name], *flags])
        yield name, list(islice(read_alignments(out, "scored"), count))
    for program, align in PEERS.items():
        if shutil.which(program):
            yield from links_of_peer(program, align, banks, language, options)
    for name, path in options.links.get(language, ()):
        yield name, list(islice(read_alignments(path), count))


def links_of_peer(
    program: str, align: Any, banks: Treebanks, language: str, options: argparse.Namespace
) -> Iterator[tuple[str, list[Alignment]]]:
    forward, reverse = (options.work / f"{language}-{options.size}-{program}.{way}" for way in ("forward", "reverse"))
    if not reverse.exists():
        align(Prepared(*banks.text, 0, 0, {}), forward, reverse)
    for heuristic in PEERS_SYMMETRIZED:
        out = options.work / f"{language}-{program}-{heuristic}"
        run([*PRALIGN, "symmetrize", forward, reverse, "--heuristic", heuristic, "-o", out])
        yield f"{program.removesuffix('-align')}, {heuristic}", list(islice(read_alignments(out), len(banks.source)))


def measured(banks: Treebanks, links: Sequence[Alignment]) -> dict[str, Any]:
    """What the links of a system carry."""
    return {
        "edges": [asdict(point) for point in curve_of(banks.source, banks.target, links, compatible_tags=False)],
        "compatible": [asdict(point) for point in curve_of(banks.source, banks.target, links, compatible_tags=True)],
        "names": best_names(banks.source, banks.target, links),
    }


def tables(language: str, results: dict[str, Any]) -> Iterator[str]:
    yield f"\n## English to {language}\n"
    header = ["", f"right, of {EDGES:g} edges a sentence", "with compatible tags", "most edges", "right of these"]
    header += [f"right, of as many by {REFERENCE}", "names: F", "precision", "recall"]
    reference = [Point(**point) for point in results.get(REFERENCE, {}).get("edges", ())]
    yield from table(header, (_row(name, each, reference) for name, each in results.items()))


def _row(name: str, result: dict[str, Any], reference: Sequence[Point]) -> list[str]:
    curves = [[Point(**point) for point in result[kind]] for kind in ("edges", "compatible")]
    shares = [share_at(points, EDGES) for points in curves]
    most = max(curves[0], key=lambda point: point.carried)
    names = result["names"]
    return [
        name,
        *map(_percent, shares),
        f"{most.carried:.1f}",
        f"{100 * most.right:.1f} %",
        _percent(share_at(reference, most.carried)),
        *(f"{100 * names[key]:.1f}" for key in ("f", "precision", "recall")),
    ]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def chart(language: str, results: dict[str, Any]) -> Chart:
    series = [_series(name, [Point(**point) for point in each["edges"]]) for name, each in results.items()]
    title, note = f"Edges carried from English to {language}", "How many are right, as more are carried."
    return Chart(f"edges-{language}", title, note, "edges carried a sentence", "right", series, percent=True)


def _series(name: str, points: Sequence[Point]) -> Series:
    places = [(point.carried, point.right) for point in points]
    return Series(name, places, [Mark(*places[0], "all links")] if len(places) == 1 else [])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("data", type=Path)
    add("--languages", type=names, default="fr,cs")
    add("--size", type=positive, default=30_000, help="lines of the corpus to train on too")
    add("--systems", type=names, default=",".join(SYSTEMS), help=f"of {', '.join(SYSTEMS)}")
    add("--links", action="append", default=[], metavar="LANGUAGE:NAME=FILE", help="links of another system")
    add("--work", type=Path, metavar="DIR", help="where results are kept as they come; by default a temporary one")
    add("--json", type=Path, metavar="OUT")
    add("--svg", type=Path, metavar="DIR")
    options = parser.parse_args()
    unknown = set(options.systems) - set(SYSTEMS)
    if unknown:
        parser.error(f"there are the systems {', '.join(SYSTEMS)}, not {', '.join(sorted(unknown))}")
    options.links = _named_links(parser, options.links)
    options.work = options.work or Path(tempfile.gettempdir()) / f"pralign-transfer-{options.size}"
    for folder in (options.work, options.svg):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    return options


def _named_links(parser: argparse.ArgumentParser, given: Iterable[str]) -> dict[str, list[tuple[str, Path]]]:
    found: dict[str, list[tuple[str, Path]]] = {}
    for text in given:
        language, _, rest = text.partition(":")
        name, _, path = rest.partition("=")
        if not path:
            parser.error(f"--links is like fr:theirs=FILE, not {text}")
        found.setdefault(language, []).append((name, Path(path)))
    return found


if __name__ == "__main__":
    main()
