"""Links for text in pieces: aligned as words, whose links are then followed to pieces, or aligned as pieces at once.

    python benchmarks/pieces.py DATA [--sets hu,ru,czenali,sv:10000,hansards:10000] [--vocabulary 8000] [--threads 2]

DATA holds corpora as corpora.py says; a number behind a name is how many lines of its training text are taken.
Pieces are those of SentencePiece, trained on each side. Gold links are of words, so links of pieces are judged by
the words that they belong to: two words are linked if any of their pieces are. Only development pairs are scored.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import sentencepiece

from corpora import Prepared, prepare
from measure import run
from options import names, positive, size
from pralign.evaluation import evaluate
from pralign.links.alignment import Alignment
from pralign.links.formats import read_alignments
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SETS = "hu,ru,czenali,sv:10000,hansards:10000"

Owners = list[list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default=SETS)
    parser.add_argument("--vocabulary", type=positive, default="8000")
    parser.add_argument("--threads", default="2")
    options = parser.parse_args()
    rows = []
    for name in options.sets:
        corpus, _, lines = name.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            prepared = prepare(options.data / corpus, size(lines or "all"), Path(folder))
            rows.append([corpus, *measured(prepared, Path(folder), options)])
    say(table(["", "as words", "as pieces", "pieces a word"], rows))


def measured(corpus: Prepared, folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """AER of both ways, and how many pieces there are for a word."""
    links, flags = folder / "links", ["--threads", options.threads, "-q"]
    run([*PRALIGN, "align", corpus.source, corpus.target, "-o", links, *flags])
    yield f"{100 * corpus.scores(links)['dev'].aer:.2f}"
    sides = [cut(path, options.vocabulary) for path in (corpus.source, corpus.target)]
    run([*PRALIGN, "align", *(f"{path}.pieces" for path in (corpus.source, corpus.target)), "-o", links, *flags])
    start, golds = corpus.golds["dev"]
    found = list(read_alignments(links))[start : start + len(golds)]
    chosen = (side[start : start + len(golds)] for side in sides)
    joined = [Alignment.of({(s[i], t[j]) for i, j in each}) for each, s, t in zip(found, *chosen, strict=True)]
    yield f"{100 * evaluate(joined, golds).aer:.2f}"
    owners = [line for side in sides for line in side if line]
    yield f"{sum(map(len, owners)) / sum(line[-1] + 1 for line in owners):.2f}"


def cut(path: Path, vocabulary: int) -> Owners:
    """Write the text in pieces beside it, and say of each piece which word it belongs to."""
    sentencepiece.SentencePieceTrainer.train(
        input=str(path),
        model_prefix=str(path),
        vocab_size=vocabulary,
        hard_vocab_limit=False,
        character_coverage=1.0,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    model = sentencepiece.SentencePieceProcessor(model_file=f"{path}.model")
    owners: Owners = []
    with Path(f"{path}.pieces").open("w", encoding="utf-8") as output:
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            pieces = [model.encode(word, out_type=str) for word in line.split()]
            owners.append([number for number, word in enumerate(pieces) for _ in word])
            output.write(" ".join(piece for word in pieces for piece in word) + "\n")
    return owners


if __name__ == "__main__":
    main()
