"""Options that several commands share. What a name may be is checked by the library, which knows what is registered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HEURISTICS = "intersection|union|grow-diag|grow-diag-final|grow-diag-final-and"

SourceFile = Annotated[
    Path, typer.Argument(metavar="SRC", help="Source sentences, or one file with both sides; - is standard input.")
]
TargetFile = Annotated[
    Path | None,
    typer.Argument(metavar="[TGT]", help="Target sentences, line by line translations of SRC.", show_default=False),
]
LayoutOption = Annotated[
    str | None,
    typer.Option(
        metavar="tsv|bars",
        help="How SRC alone holds both sides: with a tab or with ' ||| ' between.",
        show_default="by its look",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        metavar="fast|default|best",
        help="Settings that go well together.",
        show_default="default, unless --model, --iterations, --estimator, --constraint or --smoothing is given",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(metavar="ibm1|ibm2|hmm|fhmm|ibm3|ibm4", help="The model to train.", show_default="by the preset; hmm"),
]
EstimatorOption = Annotated[
    str | None,
    typer.Option(
        metavar="em|vb|collapsed",
        help="How probabilities follow from counts: relative frequencies, variational Bayes, or the counts of all "
        "other pairs.",
        show_default="by the preset; em",
    ),
]
AlphaOption = Annotated[
    float | None, typer.Option(help="Prior count of each word pair, for vb and collapsed.", show_default="0.001")
]
PriorOption = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="PATH",
        help="What is known before: a saved model, a dictionary, or eflomal's priors. May be repeated.",
        show_default=False,
    ),
]
LookalikesOption = Annotated[
    float | None,
    typer.Option(
        min=0.0, help="How often equal words count as seen together before training.", show_default="by the preset; 0"
    ),
]
IterationsOption = Annotated[
    str | None,
    typer.Option(
        metavar="STAGES",
        help="Stages of training, such as ibm1=5,hmm=5.",
        show_default="by the preset; 5 of ibm1 (and of hmm, before ibm3 and ibm4), then 5 of the model, 3 with a "
        "constraint, with --dev at most 10",
    ),
]
DecodeOption = Annotated[
    str | None,
    typer.Option(metavar="posterior|viterbi|itg|matching", help="How links are chosen.", show_default="posterior"),
]
ThresholdOption = Annotated[
    str | None,
    typer.Option(
        metavar="X|auto|balanced",
        help="Posterior a link needs; auto: as many links as Viterbi would give; balanced: less than 0.5 where the "
        "model is unsure.",
        show_default="balanced with a preset; 0.5; none with --decode itg",
    ),
]
DevOption = Annotated[
    tuple[Path, Path, Path] | None,
    typer.Option(
        metavar="SRC TGT GOLD",
        help="Labelled pairs: train until they get no better, and set what is left open on them.",
        show_default=False,
    ),
]
TuneOption = Annotated[str, typer.Option(metavar="aer|f1", help="What --dev optimises.")]
SymmetrizeOption = Annotated[
    str | None,
    typer.Option(
        metavar=f"soft-union|{HEURISTICS}|forward|reverse",
        help="How two directions become one.",
        show_default="soft-union; grow-diag-final-and with viterbi",
    ),
]
LowercaseOption = Annotated[
    bool | None, typer.Option("--lowercase/--no-lowercase", help="Whether case is ignored.", show_default="lowercase")
]
PrefixOption = Annotated[
    int | None, typer.Option(min=1, help="Compare only so many first letters of each word.", show_default=False)
]
SuffixOption = Annotated[
    int | None, typer.Option(min=1, help="Compare only so many last letters of each word.", show_default=False)
]
LongestOption = Annotated[
    int | None, typer.Option(min=1, help="Do not train on pairs with a longer side.", show_default="200")
]
SmoothingOption = Annotated[
    float | None, typer.Option(min=0.0, help="Add this to every expected count, with em.", show_default="0")
]
ClassesOption = Annotated[
    int | None, typer.Option(min=1, help="Word classes of each side, for ibm4.", show_default="50")
]
ConstraintOption = Annotated[
    str | None,
    typer.Option(
        metavar="none|bijective|symmetric|agreement|itg",
        help="What alignments must be like in expectation: one to one, alike in both directions, like a tree.",
        show_default="by the preset; none",
    ),
]
ConstraintFromOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="The model's iteration with which the constraint begins.", show_default="by the preset; 1"
    ),
]
ToleranceOption = Annotated[
    float | None,
    typer.Option(help="How exact the constraint is: gradient norm a feature.", show_default="the constraint's own"),
]
SlackOption = Annotated[
    float | None,
    typer.Option(help="How far off the constraint may be in all.", show_default="the constraint's own"),
]
ProjectOption = Annotated[
    bool | None,
    typer.Option(
        "--project-at-decode/--no-project-at-decode",
        help="Whether the constraint also holds when text is aligned.",
        show_default="with a constraint other than itg; --dev decides",
    ),
]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, help="Threads to use; the result is the same.", show_default="all processors")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only warnings and errors.")]
