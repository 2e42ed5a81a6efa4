"""Trees, for ``pralign transfer``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pralign.cli.carriers.base import Carrier
from pralign.cli.console import note
from pralign.cli.link_source import LinkSource
from pralign.links.alignment import Alignment
from pralign.links.bounds import Lengths
from pralign.outputs import open_output
from pralign.text.bitext import Bitext, Pair
from pralign.text.conllu import MISC, ConlluSentence, check_tree, read_conllu
from pralign.text.files import display_name, read_lines
from pralign.text.pairing import paired
from pralign.text.sides import is_treebank, repeatable
from pralign.text.tokenizers import Tokenization, Tokenizer
from pralign.text.tokens import Tokens
from pralign.transfer.streams import as_conllu
from pralign.transfer.trees import EDGE_CONFIDENCE, TreeTransfer


class TreeCarrier(Carrier):
    """A treebank, and its translation, which is text or a treebank itself."""

    def __init__(self, source: Path, target: Path, tokenization: Tokenization, transfer: TreeTransfer) -> None:
        self._sources = repeatable(lambda limit: _trees(source), source)
        self._targets = _target_sentences(target, tokenization.target)
        self._names = (display_name(source), display_name(target))
        self._transfer = transfer
        self.bitext = Bitext.opened_by(self._pairs, " and ".join(self._names))

    def _sentences(self) -> Iterator[tuple[ConlluSentence, ConlluSentence]]:
        return paired(self._sources(), self._targets(), self._names)

    def _pairs(self) -> Iterator[Pair]:
        return ((source.forms, target.forms) for source, target in self._sentences())

    def write(self, output: Path | None, links: LinkSource, alignments: Iterable[Alignment]) -> None:
        """Write a treebank; a translation without words has no sentence in it."""
        sentences = words = carried = blank = 0
        pairs = links.beside(self._sentences(), alignments, _lengths, self.bitext.name)
        with open_output(output) as stream:
            for number, ((source, target), alignment) in enumerate(pairs, start=1):
                if not target.rows:
                    blank += 1
                    continue
                found = self._transfer(source, target, alignment)
                stream.write("\n".join([*_named(found, source, number).lines(), ""]))
                sentences += 1
                words += len(found.words)
                carried += _carried(found)
        share = f" ({carried / sentences:.1f} a sentence)" if sentences else ""
        note(f"{carried:,} edges{share} were carried to {words:,} words of {sentences:,} sentences")
        if blank:
            note(f"{blank:,} sentences of {self._names[1]} have no words, and are not in the result")


def _lengths(pair: tuple[ConlluSentence, ConlluSentence]) -> Lengths:
    return len(pair[0].words), len(pair[1].words)


def _trees(path: Path) -> Iterator[ConlluSentence]:
    """The sentences of a treebank, none of which goes in circles."""
    for sentence in read_conllu(path):
        check_tree(sentence, display_name(path))
        yield sentence


def _target_sentences(path: Path, way: str) -> Callable[[], Iterator[ConlluSentence]]:
    """The sentences of a translation, each time anew: of a treebank as they are, of text without a tree."""
    if is_treebank(path):
        return repeatable(lambda limit: read_conllu(path), path)
    return repeatable(lambda limit: map(as_conllu, _cut(read_lines(path, limit), way)), path)


def _cut(lines: Iterable[str], way: str) -> Iterator[Tokens]:
    return map(Tokenizer(way), lines)


def _named(target: ConlluSentence, source: ConlluSentence, number: int) -> ConlluSentence:
    """The sentence with comments that say which one it is; those of a treebank stay."""
    if target.comments:
        return target
    return target.with_comments(sent_id=source.comment("sent_id") or str(number), text=target.text)


def _carried(sentence: ConlluSentence) -> int:
    return sum(EDGE_CONFIDENCE in cell for cell in sentence.column(MISC))
