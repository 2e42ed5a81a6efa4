"""``pralign evaluate``: score alignments against a gold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pralign import evaluation
from pralign.cli.bases import state_base
from pralign.errors import InputError, UsageError
from pralign.evaluation import Curve, Lengths, Names, Scores, UnequalLinesError
from pralign.evaluation.scores import BALANCED
from pralign.links.alignment import Alignment
from pralign.links.formats import FORMATS, AlignmentFormat, get_format, read_alignments, resolve_base
from pralign.text.files import STANDARD_STREAM, display_name, read_lines
from pralign.text.tokens import tokens

_AS_FORMAT = "as the format says"

HypothesisFile = Annotated[
    Path, typer.Argument(metavar="HYP", help="Alignments to score, one line a pair; - is stdin.")
]
GoldFile = Annotated[
    Path, typer.Argument(metavar="GOLD", help="Alignments to score by: i-j is sure, i?j only possible.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, with scores from 0 to 1.")]
Alpha = Annotated[float, typer.Option(min=0.0, max=1.0, help="Weight of precision in the F over the sure links.")]
HypFormat = Annotated[str, typer.Option(help=f"Format of HYP: {', '.join(FORMATS)}.")]
GoldFormat = Annotated[str, typer.Option(help="Format of GOLD.")]
HypBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in HYP.", show_default=_AS_FORMAT)
]
GoldBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in GOLD.", show_default=_AS_FORMAT)
]
SourceText = Annotated[Path | None, typer.Option(help="Source text, to check links and count unaligned words.")]
TargetText = Annotated[Path | None, typer.Option(help="Target text; goes with --source.")]
First = Annotated[
    bool, typer.Option("--first", help="Score only the first lines of HYP and texts, as many as GOLD has.")
]
WithCurve = Annotated[
    bool, typer.Option("--curve", help="Add the area under the precision-recall curve and best thresholds.")
]


def evaluate(
    hypothesis: HypothesisFile,
    gold: GoldFile,
    as_json: Json = False,
    alpha: Alpha = BALANCED,
    hyp_format: HypFormat = "pharaoh",
    gold_format: GoldFormat = "gold",
    hyp_base: HypBase = None,
    gold_base: GoldBase = None,
    source: SourceText = None,
    target: TargetText = None,
    first: First = False,
    curve: WithCurve = False,
) -> None:
    """Score alignments against a gold: precision, recall, alignment error rate and F.

    With --source and --target, every link is checked against the length of its sentences, and words rightly
    left without a link are counted too. --curve needs links with scores, such as 0-0:0.93.
    """
    _check_usage(hypothesis, gold, source, target)
    ours = _LinksFile(hypothesis, get_format(hyp_format), hyp_base)
    theirs = _LinksFile(gold, get_format(gold_format), gold_base)
    state_base(ours.name, "read", ours.format, hyp_base, "--hyp-base")
    state_base(theirs.name, "read", theirs.format, gold_base, "--gold-base")
    text = display_name(source or "the text")
    names = Names(ours.name, theirs.name, text, ours.first_word, theirs.first_word)
    golds = list(theirs.read(_pairs(source) if theirs.format.may_skip_pairs and not first else None))
    if not golds:
        raise InputError(f"{names.gold}: has no lines to score by")
    stop = len(golds) if first else None
    hypotheses: Iterable[Alignment] = islice(ours.read(None if first else len(golds)), stop)
    if curve:  # which reads them a second time
        hypotheses = list(hypotheses)
    lengths = islice(_lengths(source, target), stop) if source and target else None
    try:
        scores = evaluation.evaluate(hypotheses, golds, alpha=alpha, lengths=lengths, names=names)
    except UnequalLinesError as error:
        longer = error.left > error.right == len(golds)
        hint = f"; to score only the first {len(golds)}, add --first" if longer else ""
        raise InputError(f"{error}{hint}") from error
    points = evaluation.precision_recall_curve(hypotheses, golds, names=names) if curve else None
    typer.echo(_as_json(scores, points) if as_json else _as_text(scores, points))


class _LinksFile(NamedTuple):
    """A file of alignments, with how to read it."""

    path: Path
    format: AlignmentFormat
    base: int | None

    @property
    def name(self) -> str:
        return display_name(self.path)

    @property
    def first_word(self) -> int:
        return resolve_base(self.format, self.base)

    def read(self, pairs: int | None) -> Iterator[Alignment]:
        # Formats with a line for every pair are counted later, where the message can compare two files.
        lines = pairs if self.format.may_skip_pairs else None
        return read_alignments(self.path, self.format.name, base=self.base, lines=lines)


def _pairs(text: Path | None) -> int | None:
    """The number of lines of a text, if it can be read once more afterwards."""
    if text is None or not text.is_file():
        return None
    return sum(1 for _ in read_lines(text))


def _check_usage(hypothesis: Path, gold: Path, source: Path | None, target: Path | None) -> None:
    if (source is None) != (target is None):
        raise UsageError("--source and --target go together: give both or neither")
    if [str(path) for path in (hypothesis, gold, source, target)].count(STANDARD_STREAM) > 1:
        raise UsageError("only one of the files can be read from standard input")


def _lengths(source: Path, target: Path) -> Iterator[Lengths]:
    names = (display_name(source), display_name(target))
    for left, right in evaluation.paired(read_lines(source), read_lines(target), names):
        yield len(tokens(left)), len(tokens(right))


def _as_json(scores: Scores, curve: Curve | None) -> str:
    return json.dumps(scores.as_dict() | ({} if curve is None else {"curve": curve.as_dict()}))


def _as_text(scores: Scores, curve: Curve | None) -> str:
    return str(scores) if curve is None else f"{scores}\n\n{curve}"
