"""Where a command gets the links of a text: from a file, from a saved model, or from one trained on the text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pralign.cli.alignments import open_alignments
from pralign.cli.console import note
from pralign.cli.progress import progress_shown
from pralign.cli.settings import Resources, build_aligner, open_aligner, working
from pralign.errors import UsageError
from pralign.links.bounds import Lengths, check_bounds
from pralign.links.files import expect_pairs
from pralign.text.pairing import paired
from pralign.text.tokenizers import SPACES

if TYPE_CHECKING:
    from pralign.links.alignment import Alignment
    from pralign.text.bitext import Bitext


Item = TypeVar("Item")


class LinkSource(ABC):
    """Knows the links of a text.

    Attributes:
        tokenize: How text is cut into the words that links join.
    """

    tokenize: str

    @abstractmethod
    @contextmanager
    def links(self, bitext: Bitext, quiet: bool) -> Iterator[Iterable[Alignment]]:
        """The alignments of the pairs of a text, in order, for as long as the block lasts."""
        yield ()

    def beside(
        self, items: Iterable[Item], alignments: Iterable[Alignment], lengths: Callable[[Item], Lengths], name: str
    ) -> Iterator[tuple[Item, Alignment]]:
        """Pairs, in whatever form, each with its alignment, which is within bounds.

        Args:
            items: The pairs.
            alignments: What :meth:`links` has given for them.
            lengths: How many words the sides of a pair have.
            name: What messages call the text.
        """
        return zip(items, alignments, strict=True)


class FileLinks(LinkSource):
    """Links of a file."""

    def __init__(
        self, path: Path, format: str | None, base: int | None, threshold: float | None, tokenize: str | None
    ) -> None:
        self._file = open_alignments(path, format, base, "--base")
        self._threshold = threshold
        self.tokenize = tokenize or SPACES

    @contextmanager
    def links(self, bitext: Bitext, quiet: bool) -> Iterator[Iterable[Alignment]]:
        """Those that are in the file and reach the threshold."""
        if not self._file.one_line_a_pair:
            expect_pairs([self._file], bitext)
        alignments = self._file.read(self._file.pairs)
        yield (self._sure(alignment, self._where(number)) for number, alignment in enumerate(alignments, start=1))

    def beside(
        self, items: Iterable[Item], alignments: Iterable[Alignment], lengths: Callable[[Item], Lengths], name: str
    ) -> Iterator[tuple[Item, Alignment]]:
        """Pairs, each with its links, if there are as many and links join words that are there."""
        file = self._file
        for number, (item, alignment) in enumerate(paired(items, alignments, (name, file.name)), start=1):
            check_bounds(alignment, lengths(item), self._where(number), file.base)
            yield item, alignment

    def _where(self, number: int) -> str:
        return f"{self._file.name}, {'line' if self._file.one_line_a_pair else 'pair'} {number}"

    def _sure(self, alignment: Alignment, where: str) -> Alignment:
        if self._threshold is None or not alignment.links:
            return alignment
        if alignment.scores is None:
            raise UsageError(f"{where}: these links have no probabilities to compare with --threshold")
        return alignment.at_least(self._threshold)


class ModelLinks(LinkSource):
    """What a model answers: a saved one or, without a directory, one that is trained on the text."""

    def __init__(
        self,
        directory: Path | None,
        adapt: bool | None,
        threads: int | None,
        threshold: str | None,
        tokenize: str | None,
    ) -> None:
        resources, settings = Resources(threads), {"threshold": threshold, "tokenize": tokenize}
        self._new = directory is None
        self._trains = True
        if directory is None:
            self._aligner = build_aligner(resources, settings)
        else:
            self._aligner, self._trains = open_aligner(directory, resources, settings, adapt)
        self.tokenize = self._aligner.settings.tokenize

    @contextmanager
    def links(self, bitext: Bitext, quiet: bool) -> Iterator[Iterable[Alignment]]:
        """Those that the model gives, after it has learned from the text, if it is to."""
        aligner: Any = self._aligner
        with working(aligner), progress_shown(quiet) as listener:
            decode = aligner.decode_pairs
            if self._trains:
                decode = aligner.fit_decode if self._new else aligner.adapt_decode
            yield (answer.alignment for answer in decode(bitext, listener=listener))
            aligner.close()
        note(str(aligner.signature))
