"""Spans, for ``pralign transfer --spans``."""

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
from pralign.text.conllu import read_conllu
from pralign.text.files import display_name, read_lines
from pralign.text.pairing import paired
from pralign.text.sides import is_treebank, repeatable
from pralign.text.tokenizers import Tokenization, Tokenizer
from pralign.text.tokens import Tokens
from pralign.transfer.span_files import CarriedDocument, Document, span_format_of
from pralign.transfer.spans import SpanAnswer, SpanTransfer


class SpanCarrier(Carrier):
    """Texts with spans, and their translations, which are text or a treebank."""

    def __init__(self, source: Path, target: Path, tokenization: Tokenization) -> None:
        self._format = span_format_of(source)
        self._not_carried = 0
        cut = Tokenizer(tokenization.source)
        self._documents = repeatable(lambda limit: map(_cut_by(cut), self._read(source)), source)
        self._targets = _target_words(target, Tokenizer(tokenization.target))
        self._names = (display_name(source), display_name(target))
        self._transfer = SpanTransfer()
        self.bitext = Bitext.opened_by(self._words, " and ".join(self._names))

    def _words(self) -> Iterator[Pair]:
        return ((words, target) for (words, _), target in self._pairs())

    def _read(self, path: Path) -> Iterator[Document]:
        documents = self._format.read(path)
        self._not_carried = documents.not_carried
        return documents

    def _pairs(self) -> Iterator[tuple[tuple[Tokens, Document], Tokens]]:
        return paired(self._documents(), self._targets(), self._names)

    def write(self, output: Path | None, links: LinkSource, alignments: Iterable[Alignment]) -> None:
        """Write texts with spans in the format that they came in."""
        counted = _Counted()
        with open_output(output) as stream:
            self._format.write(stream, (counted.passed(each) for each in self._carried(links, alignments)))
        note(str(counted))
        if self._not_carried:
            note(f"{self._not_carried:,} annotations that are no spans, such as relations and notes, were not carried")

    def _carried(self, links: LinkSource, alignments: Iterable[Alignment]) -> Iterator[CarriedDocument]:
        pairs = links.beside(self._pairs(), alignments, _lengths, self.bitext.name)
        for ((words, document), target), alignment in pairs:
            yield CarriedDocument(document, target, self._transfer(words, document.spans, target, alignment))


def _lengths(pair: tuple[tuple[Tokens, Document], Tokens]) -> Lengths:
    return len(pair[0][0]), len(pair[1])


class _Counted:
    """What became of all spans."""

    def __init__(self) -> None:
        self._carried = self._unsure = self._missing = 0

    def passed(self, carried: CarriedDocument) -> CarriedDocument:
        """Count those of one text, and hand it on."""
        answer: SpanAnswer = carried.answer
        self._carried += len(answer.carried)
        self._unsure += sum(span.unsure for span in answer.carried)
        self._missing += len(answer.missing)
        return carried

    def __str__(self) -> str:
        return (
            f"{self._carried:,} spans were carried, {self._unsure:,} of them unsure; {self._missing:,} have no linked "
            "words and are missing"
        )


def _cut_by(cut: Tokenizer) -> Callable[[Document], tuple[Tokens, Document]]:
    """What finds the words of a document, if it does not say them."""
    return lambda document: (document.text if isinstance(document.text, Tokens) else cut(document.text), document)


def _target_words(path: Path, cut: Tokenizer) -> Callable[[], Iterator[Tokens]]:
    """The words of each translation, each time anew."""
    if is_treebank(path):
        return repeatable(lambda limit: (Tokens.joined(sentence.forms) for sentence in read_conllu(path)), path)
    return repeatable(lambda limit: map(cut, read_lines(path, limit)), path)
