"""``pralign agreement``: how far two annotators agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.characters import escaped
from pralign.cli import options
from pralign.cli.alignments import open_alignments
from pralign.cli.console import tell
from pralign.cli.path_checks import check_inputs
from pralign.cli.text_options import TokenizeOption
from pralign.errors import UsageError
from pralign.evaluation.iteration import WordsOfPair
from pralign.links.alignment import Alignment, Link
from pralign.links.files import AlignmentFile
from pralign.links.formats import FORMATS, get_format
from pralign.text.bitext import Bitext
from pralign.text.files import display_name
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.evaluation.agreement import Agreement, Difference

_MOST = 10

FirstFile = Annotated[
    Path, typer.Argument(metavar="A", help="Links that one annotator has made: i-j sure, i?j possible.")
]
SecondFile = Annotated[Path, typer.Argument(metavar="B", help="Links of the same pairs by another one.")]
SourceText = Annotated[Path | None, typer.Option(help="Source text, to check links, for kappa, and to show words.")]
TargetText = Annotated[Path | None, typer.Option(help="Target text; goes with --source.")]
Most = Annotated[int, typer.Option(min=0, metavar="N", help="How many of the pairs that differ most to list.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, with numbers from 0 to 1.")]
Format = Annotated[str | None, typer.Option(help=f"Format of A and B: {', '.join(FORMATS)}.", show_default="found out")]
Base = Annotated[
    int | None,
    typer.Option(min=0, max=1, help="Number of the first word in A and B.", show_default="as the format says"),
]


def agreement(
    first: FirstFile,
    second: SecondFile,
    source: SourceText = None,
    target: TargetText = None,
    most: Most = _MOST,
    as_json: Json = False,
    tokenize: TokenizeOption = None,
    format: Format = None,
    base: Base = None,
    quiet: options.QuietOption = False,
) -> None:
    """Say how far two annotators agree, over the pairs that both have labelled.

    That is a bound for what systems can reach when they are judged by such links. With --source and --target, Cohen's
    kappa is told too, which makes allowance for chance, and pairs that differ are shown with their words.
    """
    from pralign.evaluation.agreement import agreement as compared

    if (source is None) != (target is None):
        raise UsageError("--source and --target go together: give both or neither")
    if tokenize is not None and source is None:
        raise UsageError("--tokenize says how --source and --target are cut into words: give these too")
    check_inputs((first, second, source, target))
    if format is not None:
        get_format(format)
    files = [open_alignments(path, format, base, "--base", is_gold=True) for path in (first, second)]
    words = None if source is None or target is None else list(_words(source, target, tokenize))
    pairs = _pairs(files) if words is None else len(words)
    found = compared(
        files[0].read(pairs),
        files[1].read(pairs),
        lengths=None if words is None else [(len(left), len(right)) for left, right in words],
        names=(files[0].name, files[1].name, display_name(source or "the text")),
        bases=(files[0].base, files[1].base),
    )
    if as_json:
        tell(json.dumps({"first": files[0].name, "second": files[1].name} | found.as_dict(most)))
    else:
        tell(_text(found, (escaped(files[0].name), escaped(files[1].name)), words, most))


def _pairs(files: Sequence[AlignmentFile]) -> int | None:
    """How many pairs there are, as far as files tell that may end with the last pair that has links."""
    if all(file.one_line_a_pair for file in files):
        return None
    return max(sum(1 for _ in file.read()) for file in files)


def _words(source: Path, target: Path, tokenize: str | None) -> Iterator[WordsOfPair]:
    for left, right in Bitext.read(source, target, tokenize=tokenize):
        yield words_of(left), words_of(right)


def _text(found: Agreement, names: tuple[str, str], words: Sequence[WordsOfPair] | None, most: int) -> str:
    parts = ["\n".join(_numbers(found, names, words is not None)), *_coverage(found, names)]
    listed = found.differences[:most]
    if listed:
        parts.append(f"{len(listed)} of {len(found.differences)} pairs that differ, those that differ most first:")
        parts += ["\n".join(_pair(each, names, None if words is None else words[each.number - 1])) for each in listed]
    return "\n\n".join([*parts, str(found.signature)])


def _numbers(found: Agreement, names: tuple[str, str], is_sized: bool) -> Iterator[str]:
    counts = found.counts
    (sure, possible), (other_sure, other_possible) = counts.first, counts.second
    within = ""
    if found.interval is not None:
        low, high = found.interval
        within = f"; 95 % interval {100 * low:.2f} to {100 * high:.2f} %"
    total = f"{sure + possible} + {other_sure + other_possible}"
    yield _line("links", counts.links, f"2 |A&B| / (|A| + |B|) = 2 * {counts.both} / ({total}){within}")
    yield _line("sure links", counts.sure, f"2 * {counts.sure_sure} / ({sure} + {other_sure})")
    yield _line("possible", counts.possible, f"2 * {counts.possible_possible} / ({possible} + {other_possible})")
    same = counts.both - counts.other_kind
    yield _line("same kind", counts.same_kind, f"of the links that both have, {same} of {counts.both}")
    yield from _kappas(found, is_sized)
    for name, judge, value in zip(names, names[::-1], counts.aer, strict=True):
        yield _line("AER", value, f"of {name}, judged by {judge}")


def _kappas(found: Agreement, is_sized: bool) -> Iterator[str]:
    counts = found.counts
    if not is_sized:
        yield f"{'kappa':<11}     -     needs the lengths of sentences: give --source and --target"
        return
    about = f"of {counts.cells} cells"
    for value, kinds in ((counts.kappa, "none, sure or possible"), (counts.kappa_linked, "linked or not")):
        shown = "     -  " if value is None else f"{value:8.4f}"
        yield f"{'kappa':<11}{shown}   {kinds}, {about if value is not None else 'which are all the same to both'}"


def _coverage(found: Agreement, names: tuple[str, str]) -> Iterator[str]:
    coverage = found.coverage
    told = f"{coverage.both} pair{'' if coverage.both == 1 else 's'} compared, which both have labelled"
    others = {
        f"labelled in {names[0]} only": coverage.first_only,
        f"labelled in {names[1]} only": coverage.second_only,
        "labelled in neither": coverage.neither,
        f"skipped in {names[0]}": coverage.skipped_by_first,
        f"skipped in {names[1]}": coverage.skipped_by_second,
    }
    yield "; ".join([told, *(f"{count} {kind}" for kind, count in others.items() if count)])


def _pair(pair: Difference, names: tuple[str, str], words: WordsOfPair | None) -> Iterator[str]:
    yield f"pair {pair.number}: agreement {100 * pair.agreement:.2f} %"
    rows = {
        f"only {names[0]}": pair.only_first,
        f"only {names[1]}": pair.only_second,
        f"sure or possible ({names[0]})": pair.other_kind,
    }
    for title, links in rows.items():
        if links:
            yield f"  {title}: {', '.join(_link(link, links, words) for link in links)}"


def _link(link: Link, alignment: Alignment, words: WordsOfPair | None) -> str:
    i, j = link
    shown = f"{i}{'?' if link in alignment.possible else '-'}{j}"
    if words is None:
        return shown
    from pralign.pictures.words import for_terminal

    return f"{shown} {for_terminal(words[0][i])} / {for_terminal(words[1][j])}"


def _line(name: str, value: float | None, ingredients: str) -> str:
    shown = "     -  " if value is None else f"{100 * value:6.2f} %"
    return f"{name:<11}{shown}   {ingredients}"
