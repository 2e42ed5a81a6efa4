"""Where a command gets the links of a text: from a file, from a saved model, or from one trained on the text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pralign.cli.alignments import open_alignments
from pralign.cli.console import note
from pralign.cli.progress import progress_shown
from pralign.cli.settings import Resources, build_aligner, open_aligner, working
from pralign.errors import UsageError
from pralign.links.bounds import check_bounds
from pralign.links.files import expect_pairs
from pralign.text.pairing import paired
from pralign.text.tokenizers import SPACES
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.links.alignment import Alignment
    from pralign.text.bitext import Bitext


class LinkSource(ABC):
    """Knows the links of a text.

    Attributes:
        tokenize: How text is cut into the words that links join.
    """

    tokenize: str

    @abstractmethod
    @contextmanager
    def links(self, bitext: Bitext, quiet: bool) -> Iterator[Iterable[Alignment]]:
        """The alignments of the pairs of a text, in order, within their bounds, for as long as the block lasts."""
        yield ()


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
        yield self._checked(bitext)

    def _checked(self, bitext: Bitext) -> Iterator[Alignment]:
        file = self._file
        names, what = (bitext.name, file.name), "line" if file.one_line_a_pair else "pair"
        for number, (pair, alignment) in enumerate(paired(bitext, file.read(file.pairs), names), start=1):
            where = f"{file.name}, {what} {number}"
            check_bounds(alignment, (len(words_of(pair[0])), len(words_of(pair[1]))), where, file.base)
            if self._threshold is None:
                yield alignment
            elif alignment.scores is None and alignment.links:
                raise UsageError(f"{where}: these links have no probabilities to compare with --threshold")
            else:
                yield alignment.at_least(self._threshold) if alignment.links else alignment


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
