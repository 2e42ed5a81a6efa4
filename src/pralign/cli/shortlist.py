"""``pralign shortlist``: which target words a decoder has to think of, for Marian and Bergamot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pralign.cli import options
from pralign.cli.aligned_text import (
    BaseOption,
    CountOption,
    FromOption,
    LinksFile,
    NamedFiles,
    TargetFile,
    checked_count,
)
from pralign.cli.console import note
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError, UsageError
from pralign.outputs import check_writable, open_output

if TYPE_CHECKING:
    from pralign.lexicons.making import Count

OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT", help="Where to write.", show_default="standard output")
]
BestOption = Annotated[int, typer.Option(min=1, help="How many target words each source word has, the likeliest.")]
FirstOption = Annotated[
    int,
    typer.Option(
        min=0, help="How many words of the target vocabulary it has besides, the first, where they were linked to it."
    ),
]
VocabOption = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--vocab",
        metavar="FILE FILE",
        help="The source and the target vocabulary of the decoder: of SentencePiece (.spm, .vocab), of Marian (.yml), "
        "or a word a line. Text that does not fit is refused.",
        show_default=False,
    ),
]
UnknownOption = Annotated[
    bool,
    typer.Option("--allow-unknown", help="With --vocab, leave out words that are not there, and go on."),
]


@with_text_options
def shortlist(
    source: options.SourceFile,
    target: TargetFile = None,
    links: LinksFile = None,
    output: OutputOption = None,
    best: BestOption = 100,
    first: FirstOption = 100,
    vocab: VocabOption = None,
    allow_unknown: UnknownOption = False,
    count: CountOption = "links",
    align_format: FromOption = None,
    base: BaseOption = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Write a lexical shortlist for Marian or Bergamot: lines of target word, source word and probability.

    The text has to be cut into the pieces that the decoder sees, and aligned so. Without --vocab, the first words of
    the target vocabulary are those that are most frequent in the text.
    """
    from pralign.lexicons.shortlists import shortlist_blocks, shortlist_lexicon
    from pralign.lexicons.vocabularies import read_vocabulary

    counts = cast("Count", checked_count(count))
    files = NamedFiles.of(source, target, links)
    if allow_unknown and vocab is None:
        raise UsageError("--allow-unknown is about words that a vocabulary lacks; say --vocab FILE FILE")
    check_paths((*files, *(vocab or ())), (output,))
    check_writable(output)
    words = None if vocab is None else (read_vocabulary(vocab[0]), read_vocabulary(vocab[1]))
    bitext, alignments = files.open(text, align_format, base)
    made = shortlist_lexicon(
        bitext,
        alignments,
        best=best,
        first=first,
        vocabularies=words,
        allow_unknown=allow_unknown,
        count=counts,
    )
    if not len(made):
        raise InputError(f"{bitext.name} and {alignments.name}: no links to make a shortlist of")
    with open_output(output) as stream:
        for block in shortlist_blocks(made):
            stream.write(block)
    note(f"{len(made):,} word pairs")
