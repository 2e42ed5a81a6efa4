"""How well scores find pairs that do not belong together.

    python benchmarks/filtering.py DATA [--sets hu,ru,czenali,sv:10000,hansards:10000,kftt:10000] [--share 0.1]

DATA holds corpora as corpora.py says; a number behind a name is how many lines of its training text are taken.
Every second pair is left as it is: the clean half. Of the other half, a share of the target sentences change
places with each other: the noise. Four models align that half: one trained on it, noise and all; one trained on
the clean half, as it is and after adapting; and one trained on both. Each says the log-probability of a word
(``--scores``), and which words have a link.

A figure is the chance that a noisy pair is ranked below a good one, in percent; behind it, how much of what is
thrown away is noise if as many pairs are thrown away as there are noisy ones.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora import prepare
from measure import run
from options import names, size
from pralign.links.formats import read_alignments
from tables import say, table

PRALIGN = [sys.executable, "-m", "pralign"]
SETS = "hu,ru,czenali,sv:10000,hansards:10000,kftt:10000"

Text = list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default=SETS)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--threads", default="2")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for name in options.sets:
        corpus, _, lines = name.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            prepared = prepare(options.data / corpus, size(lines or "all"), Path(folder))
            sides = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (prepared.source, prepared.target)]
            pairs = [(s, t) for s, t in zip(*sides, strict=True) if s.strip() and t.strip()]
            for way, figures in judged(pairs, options.share, Path(folder), ["--threads", options.threads, "-q"]):
                rows.append([corpus, way, *figures])
    say(table(["", "model", "scores", "linked words", "both"], rows))


def judged(pairs: Text, share: float, folder: Path, flags: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The figures of each model."""
    clean, half = pairs[::2], pairs[1::2]
    chosen = sorted(random.Random(0).sample(range(len(half)), round(share * len(half))))
    noisy = np.isin(np.arange(len(half)), chosen)
    texts = {"clean": clean, "noisy": exchanged(half, chosen)}
    texts["both"] = texts["noisy"] + clean
    for name, text in texts.items():
        for side in (0, 1):
            (folder / f"{name}.{side}").write_text("".join(f"{pair[side]}\n" for pair in text), encoding="utf-8")
    model = folder / "model"
    run([*PRALIGN, "train", folder / "clean.0", folder / "clean.1", "--save", model, *flags])
    for way, text, how in (
        ("trained on the noisy text", "noisy", []),
        ("trained on clean text", "noisy", ["--load", model, "--no-adapt"]),
        ("trained on clean text, adapted", "noisy", ["--load", model]),
        ("trained on both", "both", []),
    ):
        files = ["-o", folder / "links", "--scores", folder / "scores"]
        run([*PRALIGN, "align", folder / f"{text}.0", folder / f"{text}.1", *how, *files, *flags])
        scores = np.loadtxt(folder / "scores")[: len(half)]
        linked = np.array(list(shares(folder / "links", texts["noisy"])))
        both = ranks(scores) + ranks(linked)
        yield way, [figure(signal, noisy) for signal in (scores, linked, both)]


def exchanged(pairs: Text, chosen: Sequence[int]) -> Text:
    """The pairs, the chosen of which have the target side of the next chosen one."""
    following = dict(zip(chosen, [*chosen[1:], *chosen[:1]], strict=True))
    return [(source, pairs[following.get(k, k)][1]) for k, (source, _) in enumerate(pairs)]


def shares(links: Path, pairs: Text) -> Iterator[float]:
    """The share of words that have a link, of each pair."""
    for (source, target), alignment in zip(pairs, read_alignments(links), strict=False):
        linked = len({i for i, _ in alignment}) + len({j for _, j in alignment})
        yield linked / (len(source.split()) + len(target.split()))


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of each value, equal ones alike."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return ends[place]


def figure(signal: NDArray[np.float64], noisy: NDArray[np.bool_]) -> str:
    """The area under the curve, and precision where as much is thrown away as is noise."""
    place = ranks(signal)
    bad, good = int(noisy.sum()), int((~noisy).sum())
    area = 1 - (place[noisy].sum() - bad * (bad + 1) / 2) / (bad * good)
    thrown = np.argsort(place, kind="stable")[:bad]
    return f"{100 * area:.1f} ({100 * noisy[thrown].mean():.0f} %)"


if __name__ == "__main__":
    main()
