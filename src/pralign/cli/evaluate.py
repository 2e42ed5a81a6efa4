"""``pralign evaluate``: score alignments against a gold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, repeat
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pralign import evaluation
from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import tell
from pralign.cli.path_checks import check_inputs
from pralign.errors import InputError, UsageError
from pralign.evaluation import Curve, Lengths, Measure, Names, Scores, UnequalLinesError
from pralign.evaluation.corpus import score
from pralign.evaluation.intervals import SAMPLES
from pralign.evaluation.scores import BALANCED
from pralign.links.alignment import Alignment
from pralign.links.files import AlignmentFile
from pralign.links.formats import FORMATS, get_format
from pralign.links.labelling import Labelling
from pralign.report.comparison import DECISIVE, Resampled, SystemComparison
from pralign.text.files import display_name, read_lines
from pralign.text.tokens import tokens

Part = Curve | SystemComparison | Resampled
"""What can follow the scores."""

_AS_FORMAT = "as the format says"
_FOUND_OUT = "found out"

HypothesisFile = Annotated[
    Path, typer.Argument(metavar="HYP", help="Alignments to score, one line a pair; - is stdin.")
]
GoldFile = Annotated[
    Path, typer.Argument(metavar="GOLD", help="Alignments to score by: i-j is sure, i?j only possible.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, with scores from 0 to 1.")]
Alpha = Annotated[float, typer.Option(min=0.0, max=1.0, help="Weight of precision in the F over the sure links.")]
HypFormat = Annotated[str | None, typer.Option(help=f"Format of HYP: {', '.join(FORMATS)}.", show_default=_FOUND_OUT)]
GoldFormat = Annotated[str | None, typer.Option(help="Format of GOLD.", show_default=_FOUND_OUT)]
HypBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in HYP.", show_default=_AS_FORMAT)
]
GoldBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in GOLD.", show_default=_AS_FORMAT)
]
SourceText = Annotated[Path | None, typer.Option(help="Source text, to check links and count unaligned words.")]
TargetText = Annotated[Path | None, typer.Option(help="Target text; goes with --source.")]
First = Annotated[
    bool, typer.Option("--first", help="Score only the first lines of HYP, OTHER and texts, as many as GOLD has.")
]
WithCurve = Annotated[
    bool, typer.Option("--curve", help="Add the area under the precision-recall curve and best thresholds.")
]
Compare = Annotated[
    Path | None,
    typer.Option(metavar="OTHER", help="Another system's alignments, to compare with HYP's.", show_default=False),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(DECISIVE),
        help="What decides which system is better: AER, or wrong and missed links a pair.",
        show_default="aer",
    ),
]
CompareFormat = Annotated[str | None, typer.Option(help="Format of OTHER.", show_default=_FOUND_OUT)]
CompareBase = Annotated[
    int | None, typer.Option(min=0, max=1, help="Number of the first word in OTHER.", show_default=_AS_FORMAT)
]
Bootstrap = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Draw so many samples of the pairs, to say within which intervals scores lie.",
        show_default=f"{SAMPLES} with --compare",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="What samples are drawn with.")]


def evaluate(
    hypothesis: HypothesisFile,
    gold: GoldFile,
    as_json: Json = False,
    alpha: Alpha = BALANCED,
    hyp_format: HypFormat = None,
    gold_format: GoldFormat = None,
    hyp_base: HypBase = None,
    gold_base: GoldBase = None,
    source: SourceText = None,
    target: TargetText = None,
    first: First = False,
    curve: WithCurve = False,
    compare: Compare = None,
    by: By = None,
    compare_format: CompareFormat = None,
    compare_base: CompareBase = None,
    bootstrap: Bootstrap = None,
    seed: Seed = 0,
    quiet: options.QuietOption = False,
) -> None:
    """Score alignments against a gold: precision, recall, alignment error rate and F.

    With --source and --target, every link is checked against the length of its sentences, and words rightly
    left without a link are counted too. --curve needs links with scores, such as 0-0:0.93. --compare says whether
    another system is better, and whether that could be chance.
    """
    _check_usage((hypothesis, gold, source, target, compare), (source, target))
    if compare is None and (compare_format, compare_base) != (None, None):
        raise UsageError("--compare-format and --compare-base say how to read OTHER; give it with --compare")
    decisive = _decisive(by, compare)
    for name in (hyp_format, gold_format, compare_format):
        if name is not None:
            get_format(name)
    golden = open_alignments(gold, gold_format, gold_base, "--gold-base", is_gold=True)
    ours = open_alignments(hypothesis, hyp_format, hyp_base, "--hyp-base")
    other = None if compare is None else open_alignments(compare, compare_format, compare_base, "--compare-base")
    test = _Test.read(golden, source, target, first, alpha)
    scores = test.scores(ours)
    parts: dict[str, Part] = {"curve": test.curve(ours)} if curve else {}
    if other is not None or bootstrap is not None:
        mine = test.resampled(ours, scores, bootstrap or SAMPLES, seed)
        parts |= {} if bootstrap is None else {"intervals": mine}
    if other is not None:
        theirs = test.resampled(other, test.scores(other), mine.samples, seed)
        parts["compare"] = SystemComparison.of(mine, theirs, decisive)
    tell(_as_json(scores, parts) if as_json else _as_text(scores, parts))


def _check_usage(files: Iterable[Path | None], texts: tuple[Path | None, Path | None]) -> None:
    if texts.count(None) == 1:
        raise UsageError("--source and --target go together: give both or neither")
    check_inputs(files)


def _decisive(by: str | None, compare: Path | None) -> Measure:
    if by is not None and compare is None:
        raise UsageError("--by says what decides between HYP and OTHER; give OTHER with --compare")
    for measure in DECISIVE:
        if by in (None, measure):
            return measure
    raise UsageError(f"--by is {' or '.join(DECISIVE)}, not {by}")


class _Test(NamedTuple):
    """What systems are judged by: gold alignments and, if texts were given, the lengths of sentences."""

    gold: AlignmentFile
    golds: list[Alignment]
    lengths: list[Lengths] | None
    text: str
    first: bool
    alpha: float

    @classmethod
    def read(cls, gold: AlignmentFile, source: Path | None, target: Path | None, first: bool, alpha: float) -> _Test:
        golds = list(gold.read(None if first or gold.one_line_a_pair else _pairs(source)))
        if not golds:
            raise InputError(f"{gold.name}: has no lines to score by")
        lengths = None
        if source is not None and target is not None:
            with _hinting(len(golds)):
                lengths = list(islice(_lengths(source, target), len(golds) if first else None))
        sizes: Iterable[Lengths] = repeat((1, 1)) if lengths is None else lengths
        judgeable = (found for found, size in zip(golds, sizes, strict=False) if all(size))
        Labelling.of(judgeable).report(f"pairs of {gold.name}")
        return cls(gold, golds, lengths, display_name(source or "the text"), first, alpha)

    def names(self, system: AlignmentFile) -> Names:
        return Names(system.name, self.gold.name, self.text, system.base, self.gold.base)

    def alignments(self, system: AlignmentFile) -> Iterator[Alignment]:
        """Those of its alignments that are judged; how many there must be is left to the judge, who compares files."""
        if self.first:
            return islice(system.read(), len(self.golds))
        return system.read(len(self.golds))

    def scores(self, system: AlignmentFile) -> Scores:
        names, found = self.names(system), self.alignments(system)
        with _hinting(len(self.golds)):
            return score(found, self.golds, alpha=self.alpha, lengths=self.lengths, names=names)[0]

    def curve(self, system: AlignmentFile) -> Curve:
        return evaluation.precision_recall_curve(self.alignments(system), self.golds, names=self.names(system))

    def resampled(self, system: AlignmentFile, scores: Scores, samples: int, seed: int) -> Resampled:
        judged = zip(self.alignments(system), self.golds, strict=True)
        counts = [evaluation.count_links(found, gold) for found, gold in judged if gold.is_labelled]
        return Resampled.of(system.name, scores, counts, samples, seed)


@contextmanager
def _hinting(labelled: int) -> Iterator[None]:
    """Add to a complaint of too many lines how to score fewer."""
    try:
        yield
    except UnequalLinesError as error:
        longer = error.left > error.right == labelled
        hint = f"; to score only the first {labelled}, add --first" if longer else ""
        raise InputError(f"{error}{hint}") from error


def _pairs(text: Path | None) -> int | None:
    """The number of lines of a text, if it can be read once more afterwards."""
    if text is None or not text.is_file():
        return None
    return sum(1 for _ in read_lines(text))


def _lengths(source: Path, target: Path) -> Iterator[Lengths]:
    names = (display_name(source), display_name(target))
    for left, right in evaluation.paired(read_lines(source), read_lines(target), names):
        yield len(tokens(left)), len(tokens(right))


def _as_json(scores: Scores, parts: Mapping[str, Part]) -> str:
    return json.dumps(scores.as_dict() | {name: part.as_dict() for name, part in parts.items()})


def _as_text(scores: Scores, parts: Mapping[str, Part]) -> str:
    # Whoever compares sees the intervals of both systems.
    shown = [part for name, part in parts.items() if name != "intervals" or "compare" not in parts]
    return "\n\n".join(map(str, (scores, *shown)))
