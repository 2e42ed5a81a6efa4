"""``pralign sample``: the pairs whose labels should teach most, with links to correct."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note
from pralign.cli.generative import generative_model
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError
from pralign.outputs import check_writable, open_outputs
from pralign.text.tokenizers import SPACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pralign.aligner import Aligner
    from pralign.labelling.answers import Words
    from pralign.labelling.ranking import Choice

ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="A saved model.", show_default="train one on SRC TGT"),
]
CountOption = Annotated[int, typer.Option("-n", "--pairs", min=1, metavar="N", help="How many pairs to choose.")]
PrefixOption = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="PREFIX", help="Write PREFIX.src, PREFIX.tgt, PREFIX.gold and PREFIX.tsv."),
]
RandomOption = Annotated[
    bool, typer.Option("--random", help="Draw them at random instead, as a test set has to be; links are left out.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="What pairs are drawn with.")]

_FILES = ("src", "tgt", "gold", "tsv")
# So many are looked at for each pair that is wanted.
_CHOICE = 6


@with_text_options
def sample(
    source: options.SourceFile,
    output: PrefixOption,
    target: options.TargetFile = None,
    model: ModelOption = None,
    pairs: CountOption = 100,
    random: RandomOption = False,
    seed: SeedOption = 0,
    threads: options.ThreadsOption = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Choose the pairs whose labels should teach most, and write them with links for a person to correct.

    PREFIX.src and PREFIX.tgt have the words, PREFIX.gold the links that the model would make, PREFIX.tsv the line of
    each pair in SRC and why it was chosen.
    """
    places = [output.with_name(f"{output.name}.{ending}") for ending in _FILES]
    check_paths((source, target, model), places)
    for place in places:
        check_writable(place)
    bitext = text.open(source, target)
    if model is None:
        aligner = generative_model(None, bitext, {"tokenize": text.tokenize or SPACES, "threads": threads}, quiet)
    else:
        aligner = generative_model(model, bitext, {"threads": threads}, quiet)
    words = [_words(pair) for pair in bitext.tokenized(text.tokenize or aligner.settings.tokenize)]
    choices = _drawn(words, pairs, seed) if random else _chosen(words, aligner, pairs, seed)
    if not choices:
        raise InputError(f"{bitext.name}: there is no pair to choose; pairs have 3 to 60 words on each side")
    _write(places, choices, words, None if random else aligner)
    note(f"{len(choices)} pairs of {len(words)} are in {places[0]} and beside it")
    if len(choices) < pairs:
        note("there are no more that are worth it: pairs have 3 to 60 words on each side, and none comes twice")


def _words(pair: tuple[object, object]) -> Words:
    from pralign.text.tokens import words_of

    return words_of(pair[0]), words_of(pair[1])  # type: ignore[arg-type]


def _drawn(words: Sequence[Words], count: int, seed: int) -> list[Choice]:
    from pralign.labelling.candidates import drawn
    from pralign.labelling.ranking import Choice

    return [Choice(number, 0.0, "drawn at random") for number in drawn(words.__getitem__, len(words), seed, count)]


def _chosen(words: Sequence[Words], aligner: Aligner, count: int, seed: int) -> list[Choice]:
    from pralign.labelling.candidates import MOST_CANDIDATES, CandidatePool
    from pralign.labelling.proposing import Proposer

    pool = CandidatePool(words.__getitem__, len(words), seed, max(MOST_CANDIDATES, _CHOICE * count))
    if not pool.numbers:
        return []
    return pool.best(Proposer.of(aligner, map(words.__getitem__, pool.numbers)), (), frozenset(), count)


def _write(places: Sequence[Path], choices: Sequence[Choice], words: Sequence[Words], aligner: Aligner | None) -> None:
    from pralign.links.alignment import Alignment
    from pralign.links.formats.base import Record
    from pralign.links.formats.gold import GoldFormat

    chosen = [words[choice.number] for choice in choices]
    if aligner is None:
        links = [Alignment(state="unlabelled") for _ in chosen]
    else:
        links = [Alignment(found.links) for found in aligner.align(chosen)]
    columns = (
        [" ".join(source) for source, _ in chosen],
        [" ".join(target) for _, target in chosen],
        list(GoldFormat().write(map(Record, links), 0)),
        ["line\tgain\treason", *(f"{c.number + 1}\t{c.gain:.4f}\t{c.reason}" for c in choices)],
    )
    with open_outputs(*places) as outputs:
        for stream, lines in zip(outputs, columns, strict=True):
            stream.writelines(f"{line}\n" for line in lines)
