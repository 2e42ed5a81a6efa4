"""``pralign rules``: rules with nonterminals of aligned text, as hierarchical decoders have them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import note
from pralign.cli.path_checks import check_paths
from pralign.cli.progress import Patience
from pralign.cli.text_options import TokenizeOption

SourceFile = Annotated[Path, typer.Argument(metavar="SRC", help="Source sentences.")]
TargetFile = Annotated[Path, typer.Argument(metavar="TGT", help="Target sentences, line by line translations of SRC.")]
AlignmentsFile = Annotated[Path, typer.Argument(metavar="ALIGN", help="Their alignments, in any format.")]
GrammarOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Where to write the grammar.",
        show_default="standard output, or none with --extract",
    ),
]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="moses|cdec", help="The decoder that the grammar is written for.")
]
ExtractOption = Annotated[
    Path | None,
    typer.Option(
        "--extract",
        metavar="PREFIX",
        help="Also write the rules of each sentence pair to PREFIX.gz, and to PREFIX.inv.gz with the sides exchanged, "
        "as Moses extracts them.",
        show_default=False,
    ),
]
GlueOption = Annotated[
    Path | None,
    typer.Option(
        "--glue", metavar="FILE", help="Also write the glue grammar that Moses needs here.", show_default=False
    ),
]
SpanOption = Annotated[
    int, typer.Option("--max-span", min=1, help="The most words of the phrase pairs that rules are made of.")
]
SymbolsOption = Annotated[
    int, typer.Option("--max-symbols", min=1, help="The most words and nonterminals on the source side.")
]
NonterminalsOption = Annotated[
    int, typer.Option("--max-nonterminals", min=0, max=2, help="The most nonterminals of a rule.")
]
HoleOption = Annotated[
    int, typer.Option("--min-hole", min=1, help="The fewest source words that a nonterminal stands for.")
]
TightOption = Annotated[
    bool, typer.Option("--tight", help="Only phrase pairs that begin and end with linked words, on both sides.")
]
CountOption = Annotated[
    str,
    typer.Option(
        "--count",
        metavar="shared|whole",
        help="Rules of the same phrase pair share a count of one, or count one each.",
    ),
]
MemoryOption = Annotated[
    str, typer.Option("--memory", metavar="SIZE", help="How much memory rules may take; the rest goes to disk.")
]


def rules(
    source: SourceFile,
    target: TargetFile,
    alignments: AlignmentsFile,
    output: GrammarOption = None,
    format: FormatOption = "moses",
    extract: ExtractOption = None,
    glue: GlueOption = None,
    max_span: SpanOption = 10,
    max_symbols: SymbolsOption = 5,
    max_nonterminals: NonterminalsOption = 2,
    min_hole: HoleOption = 2,
    tight: TightOption = False,
    count: CountOption = "shared",
    tokenize: TokenizeOption = None,
    base: options.BaseOption = None,
    memory: MemoryOption = "500M",
    scratch: options.ScratchOption = None,
    threads: options.ThreadsOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Extract rules with nonterminals from aligned text, and score them: a grammar for Moses or cdec.

    Rules are those of Chiang (2007): phrase pairs in which up to two smaller ones have become nonterminals. What they
    may be like is set as in Moses. Words in square brackets are escaped.
    """
    from pralign.links.aligned import alignments_of
    from pralign.phrases import RULE_FORMATS, RuleFiles, RuleSettings, RuleTable
    from pralign.text.bitext import Bitext
    from pralign.text.files import STANDARD_STREAM

    settings = RuleSettings(
        max_span=max_span,
        max_symbols=max_symbols,
        max_nonterminals=max_nonterminals,
        min_hole=min_hole,
        tight=tight,
        count=count,
        memory=memory,
        scratch=scratch,
        threads=threads,
    )
    RULE_FORMATS.get(format)
    grammar = output if output is not None else Path(STANDARD_STREAM) if extract is None else None
    files = RuleFiles(grammar, extract, glue)
    check_paths((source, target, alignments), files.places)
    files.check()
    bitext = Bitext.read(source, target, tokenize=tokenize)
    file = open_alignments(alignments, None, base, "--base")
    links = alignments_of(file, None if file.one_line_a_pair else sum(1 for _ in bitext))
    with RuleTable(bitext, links, settings, Patience()) as table:
        files.write(table, format)
        found = "" if grammar is None else f"{len(table):,} rules of "
        note(f"{found}{table.sentence_pairs:,} sentence pairs")
