"""``pralign demo``: the whole thing on a bundled sample."""

from __future__ import annotations

import typer

from pralign.cli.console import training_progress

_SHOWN = 6


def demo() -> None:
    """Align the bundled English-French sample, show some of it, and score it against hand-made alignments."""
    from pralign import sample
    from pralign.aligner import Aligner
    from pralign.evaluation import evaluate
    from pralign.links.formats import read_alignments
    from pralign.report.interlinear import interlinear
    from pralign.text.bitext import Bitext
    from pralign.text.tokens import tokens

    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    words = [(tokens(str(source)), tokens(str(target))) for source, target in bitext]
    golds = list(read_alignments(sample.GOLD, "gold"))
    aligner = Aligner()
    with training_progress(aligner, quiet=False) as listener:
        alignments = list(aligner.fit_align(bitext, listener))
    typer.echo(f"\n{len(alignments)} sentence pairs aligned. The first {_SHOWN}, each word above its translation:\n")
    for (source, target), alignment in zip(words[:_SHOWN], alignments[:_SHOWN], strict=True):
        typer.echo(interlinear(source, target, alignment) + "\n")
    lengths = [(len(source), len(target)) for source, target in words[: len(golds)]]
    scores = evaluate(alignments[: len(golds)], golds, lengths=lengths)
    typer.echo(
        f"The first {len(golds)} pairs are also aligned by hand. Compared with that (AER: the lower, the better):"
    )
    typer.echo(f"\n{scores}")
    typer.echo(str(aligner.signature))
    typer.echo("\nYour own text: pralign align source.txt target.txt -o links.txt")
