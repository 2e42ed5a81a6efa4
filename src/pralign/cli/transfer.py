"""``pralign transfer``: trees, spans and inline tags carried to a translation along links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.path_checks import check_paths
from pralign.cli.settings import parse_threshold
from pralign.cli.text_options import ColumnsOption, TokenizeOption
from pralign.errors import UsageError
from pralign.outputs import check_writable

if TYPE_CHECKING:
    from pralign.cli.carriers.base import Carrier
    from pralign.cli.link_source import LinkSource
    from pralign.transfer.trees import TreeTransfer

SourceFile = Annotated[
    Path,
    typer.Argument(
        metavar="SRC",
        help="What has the annotation: a treebank in CoNLL-U; with --spans JSON lines, BIO or brat; with --tags XLIFF, "
        "TMX or lines of HTML.",
    ),
]
TargetFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[TGT]",
        help="Its translation, line by line: text, or a treebank, whose words are kept. Not for XLIFF and TMX, which "
        "have it.",
        show_default=False,
    ),
]
LinksFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[ALIGN]",
        help="Alignments of both, in any known format; if left out, those of --model, or of one trained on the text.",
        show_default=False,
    ),
]
SpansOption = Annotated[bool, typer.Option("--spans", help="Carry spans, such as names, instead of trees.")]
TagsOption = Annotated[bool, typer.Option("--tags", help="Carry inline tags, such as formatting, instead of trees.")]
ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="Align with this saved model.", show_default=False),
]
AdaptOption = Annotated[
    bool | None,
    typer.Option(
        "--adapt/--no-adapt",
        help="With --model, whether it first learns from the text, for this time only, or answers at once.",
        show_default="adapt",
    ),
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write.", show_default="standard output")
]
ThresholdOption = Annotated[
    str | None,
    typer.Option(
        "--threshold",
        metavar="X",
        help="How probable links and edges have to be; the more, the fewer and the surer is what is carried.",
        show_default="all of ALIGN; as the model says",
    ),
]
CompleteOption = Annotated[
    bool,
    typer.Option("--complete", help="Give every word a head, so that the result is a tree; otherwise leave holes."),
]
CompatibleOption = Annotated[
    bool,
    typer.Option("--compatible-tags", help="Leave out links between words whose parts of speech do not go together."),
]
CarryOption = Annotated[
    str,
    typer.Option(
        "--carry",
        metavar="upos,lemma,xpos,feats|none",
        help="What words of TGT take over besides the tree, where they have none.",
    ),
]
FromOption = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="Format of ALIGN.", show_default="found out")
]


_CARRIED = "upos"


def transfer(
    source: SourceFile,
    target: TargetFile = None,
    links: LinksFile = None,
    output: OutputOption = None,
    spans: SpansOption = False,
    tags: TagsOption = False,
    model: ModelOption = None,
    adapt: AdaptOption = None,
    threshold: ThresholdOption = None,
    complete: CompleteOption = False,
    compatible_tags: CompatibleOption = False,
    carry: CarryOption = _CARRIED,
    columns: ColumnsOption = None,
    tokenize: TokenizeOption = None,
    align_format: FromOption = None,
    base: options.BaseOption = None,
    threads: options.ThreadsOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Carry annotation to a translation, along links: trees, spans or inline tags, each with how sure it is.

    An edge of a tree is carried if both its words are linked. Of several links, the head of a phrase decides. A
    treebank says how sure each edge is in its last column, as EdgeConfidence.
    """
    if tags and links is None and _holds_both(source):
        target, links = None, target
    _check_kind(spans, tags, target, complete or compatible_tags or carry != _CARRIED)
    check_paths((source, target, links, model), (output,))
    check_writable(output)
    given = _links(links, model, adapt, threads, threshold, tokenize, align_format, base)
    carrier = _carrier(
        source, target, given.tokenize, spans, tags, columns, _trees(complete, compatible_tags, carry, threshold)
    )
    with given.links(carrier.bitext, quiet) as alignments:
        carrier.write(output, given, alignments)


def _check_kind(spans: bool, tags: bool, target: Path | None, of_trees: bool) -> None:
    """Complain of options that do not go together."""
    if spans and tags:
        raise UsageError("--spans and --tags cannot go together: carry one after the other")
    if of_trees and (spans or tags):
        raise UsageError("--complete, --compatible-tags and --carry are about trees; leave them out")
    if target is None and not tags:
        raise UsageError("TGT is missing: name the file with the translations after SRC")


def _links(
    path: Path | None,
    model: Path | None,
    adapt: bool | None,
    threads: int | None,
    threshold: str | None,
    tokenize: str | None,
    align_format: str | None,
    base: int | None,
) -> LinkSource:
    """Where links come from, as the options say."""
    from pralign.cli.link_source import FileLinks, ModelLinks

    if path is None:
        if model is None and adapt is not None:
            raise UsageError("--adapt is about a saved model; say --model DIR")
        if align_format is not None or base is not None:
            raise UsageError("--from and --base are about ALIGN, which is not there")
        return ModelLinks(model, adapt, threads, threshold, tokenize)
    if model is not None:
        raise UsageError("links come from ALIGN or from --model; give one of them")
    least = None if threshold is None else parse_threshold(threshold)
    if isinstance(least, str):
        raise UsageError(f"--threshold {least} is for models; the links of {path} take a number")
    return FileLinks(path, align_format, base, least, tokenize)


def _trees(complete: bool, compatible_tags: bool, carry: str, threshold: str | None) -> TreeTransfer:
    from pralign.transfer.trees import TreeTransfer

    carried = [] if carry == "none" else [name.strip() for name in carry.split(",")]
    least = None if threshold is None else parse_threshold(threshold)
    return TreeTransfer(complete, compatible_tags, carried, least if isinstance(least, float) else 0.0)


def _carrier(
    source: Path,
    target: Path | None,
    tokenize: str,
    spans: bool,
    tags: bool,
    columns: str | None,
    trees: TreeTransfer,
) -> Carrier:
    from pralign.cli.carriers.spans import SpanCarrier
    from pralign.cli.carriers.tags import TagCarrier
    from pralign.cli.carriers.trees import TreeCarrier
    from pralign.text.tokenizers import Tokenization

    tokenization = Tokenization.of(tokenize)
    if tags:
        return TagCarrier(source, target, columns, tokenization)
    if columns is not None:
        raise UsageError("--columns names the two languages of a TMX file with tags; leave it out")
    assert target is not None  # which was checked before
    return SpanCarrier(source, target, tokenization) if spans else TreeCarrier(source, target, tokenization, trees)


def _holds_both(source: Path) -> bool:
    from pralign.cli.carriers.tags import holds_both_sides

    return holds_both_sides(source)
