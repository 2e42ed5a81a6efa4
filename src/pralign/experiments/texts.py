"""The texts of an experiment: the pairs to look at, then so many training pairs, written once as two files."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from pralign.errors import InputError
from pralign.experiments.description import CorpusDescription
from pralign.links.alignment import Alignment
from pralign.links.bounds import check_bounds
from pralign.links.formats import read_alignments
from pralign.links.labelled import Labelled
from pralign.outputs import open_outputs
from pralign.text.bitext import Bitext
from pralign.text.conllu import ConlluSentence, read_conllu
from pralign.text.tokens import tokens

#: The parts of a text that tables look at, in their order in the text. Training pairs come after them.
PARTS = ("test", "dev", "trees")

Words = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Part:
    """Some pairs of a text, all of which are looked at.

    Attributes:
        name: ``"test"``, ``"dev"`` or ``"trees"``.
        start: The number of the first of them in the text.
        pairs: Their words.
        golds: Gold alignments of the first of them, perhaps of all.
        trees: Their trees, if they are from treebanks.
    """

    name: str
    start: int
    pairs: Sequence[Words]
    golds: Sequence[Alignment] = ()
    trees: tuple[Sequence[ConlluSentence], Sequence[ConlluSentence]] | None = None

    def cut(self, alignments: Sequence[Alignment]) -> list[Alignment]:
        """Those of the pairs with a gold, of alignments of all pairs that are looked at."""
        return list(alignments[self.start : self.start + len(self.golds)])

    @property
    def judged(self) -> Sequence[Words]:
        """The pairs with a gold."""
        return self.pairs[: len(self.golds)]

    @property
    def judged_numbers(self) -> range:
        """The numbers, in the text, of the pairs with a gold or with trees."""
        return range(self.start, self.start + (len(self.golds) if self.trees is None else len(self.pairs)))

    @property
    def labelled(self) -> list[Labelled]:
        """The pairs with their gold alignments."""
        return [(*pair, gold) for pair, gold in zip(self.judged, self.golds, strict=True) if gold.is_labelled]


@dataclass(frozen=True)
class PreparedText:
    """A text of an experiment.

    Attributes:
        corpus: The name of its corpus.
        description: What is known of the corpus.
        size: How many training pairs were asked for; ``None`` for all.
        source: The file of source sentences.
        target: The file of target sentences.
        pairs: How many pairs it has.
        parts: The parts that are looked at, by name.
        digest: What tells it from all other texts.
        stands_for: The sizes in whose place it stands, if fewer pairs are taken than were asked for.
    """

    corpus: str
    description: CorpusDescription
    size: int | None
    source: Path
    target: Path
    pairs: int
    parts: dict[str, Part]
    digest: str
    stands_for: frozenset[int | None] = frozenset()

    @property
    def name(self) -> str:
        """What files call it."""
        return f"{self.corpus}-{self.size or 'all'}"

    @property
    def title(self) -> str:
        """What tables call it."""
        return self.description.title or self.corpus

    @property
    def bitext(self) -> Bitext:
        """All of it."""
        return Bitext.read(self.source, self.target)

    @cached_property
    def looked_at(self) -> list[Words]:
        """The words of all pairs that are looked at, in their order in the text."""
        return [pair for part in self.parts.values() for pair in part.pairs]

    @cached_property
    def frequencies(self) -> tuple[Counter[str], Counter[str]]:
        """How often each word of each side occurs in all of the text."""
        counters = Counter[str](), Counter[str]()
        for pair in self.bitext:
            for counter, sentence in zip(counters, pair, strict=True):
                counter.update(tokens(str(sentence)))
        return counters


def missing_files(corpus: CorpusDescription, data: Path) -> list[Path]:
    """The files of a corpus that are not there."""
    return [data / file for file in corpus.files if not (data / file).is_file()]


def check_files(name: str, corpus: CorpusDescription, data: Path) -> None:
    """Complain of files that are not there, and say where they are to be had.

    Raises:
        InputError: One is not there.
    """
    if missing := missing_files(corpus, data):
        where = f" The data: {corpus.about.strip()}" if corpus.about else ""
        others = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise InputError(
            f"corpora.{name}: there is no file {missing[0]}{others}; --data DIR names the folder of the data.{where}"
        )


def prepare_text(
    name: str, corpus: CorpusDescription, size: int | None, data: Path, folder: Path, write: bool = True
) -> PreparedText:
    """Write a text into a folder, and read the parts that are looked at.

    Args:
        name: The name of the corpus.
        corpus: What is known of it.
        size: How many training pairs to take; ``None`` for all.
        data: The folder of the data.
        folder: Where to write the text, in a folder of its own.
        write: Whether to write it; otherwise it is only read.

    Raises:
        InputError: A file cannot be read, or sides or golds do not go together.
    """
    parts = dict(_parts(corpus, data))
    looked_at = [(" ".join(source), " ".join(target)) for part in parts.values() for source, target in part.pairs]
    digest, pairs = hashlib.sha256(), 0
    lines = chain(looked_at, _training(corpus, size, data))
    place = folder / _told_apart(corpus, size)
    files = [place / f"{name}-{size or 'all'}.{side}" for side in _sides(corpus)]
    if write:
        place.mkdir(parents=True, exist_ok=True)
    with open_outputs(*(files if write else ())) as outputs:
        for pair in lines:
            pairs += 1
            digest.update(f"{pair[0]}\t{pair[1]}\n".encode())
            for stream, sentence in zip(outputs, pair, strict=False):
                stream.write(f"{sentence}\n")
    if not pairs:
        raise InputError(f"corpora.{name}: has no pairs")
    for part in parts.values():
        digest.update("\n".join(f"{gold} {gold.state}" for gold in part.golds).encode())
    return PreparedText(name, corpus, size, files[0], files[1], pairs, parts, digest.hexdigest())


def _told_apart(corpus: CorpusDescription, size: int | None) -> str:
    """What tells a text from others of the same name, which other experiments may have."""
    said = {key: value for key, value in asdict(corpus).items() if key not in ("title", "about", "pairs")}
    return hashlib.sha256(json.dumps([said, size]).encode()).hexdigest()[:8]


def _sides(corpus: CorpusDescription) -> tuple[str, str]:
    source, target = corpus.languages
    return (source, target) if source and target and source != target else ("source", "target")


def _parts(corpus: CorpusDescription, data: Path) -> Iterator[tuple[str, Part]]:
    start = 0
    for name in PARTS:
        files = [data / file for file in getattr(corpus, name)]
        if not files:
            continue
        part = _treebank(start, files, corpus) if name == "trees" else _labelled(name, start, files, corpus)
        start += len(part.pairs)
        yield name, part


def _labelled(name: str, start: int, files: Sequence[Path], corpus: CorpusDescription) -> Part:
    pairs = [(tokens(source), tokens(target)) for source, target in _read(files, corpus)]
    golds = list(read_alignments(files[2])) if files[2:] else []
    if len(golds) > len(pairs):
        raise InputError(f"{files[2]} has {len(golds)} alignments, but there are only {len(pairs)} pairs")
    for number, (gold, (source, target)) in enumerate(zip(golds, pairs, strict=False), start=1):
        check_bounds(gold, (len(source), len(target)), f"{files[2]}, line {number}")
    if golds and not any(gold.is_labelled for gold in golds):
        raise InputError(f"{files[2]}: none of its pairs is labelled")
    return Part(name, start, pairs, golds)


def _treebank(start: int, files: Sequence[Path], corpus: CorpusDescription) -> Part:
    trees = list(read_conllu(files[0])), list(read_conllu(files[1]))
    if len(trees[0]) != len(trees[1]):
        raise InputError(f"{files[0]} has {len(trees[0])} sentences, but {files[1]} has {len(trees[1])}")
    pairs = [
        (_forms(source, corpus.lowercase), _forms(target, corpus.lowercase))
        for source, target in zip(*trees, strict=True)
    ]
    return Part("trees", start, pairs, (), trees)


def _forms(sentence: ConlluSentence, lowercase: bool) -> list[str]:
    """The words of a sentence; a space in one would make two of it."""
    forms = [form.replace(" ", "_") for form in sentence.forms]
    return [form.lower() for form in forms] if lowercase else forms


def _training(corpus: CorpusDescription, size: int | None, data: Path) -> Iterator[tuple[str, str]]:
    if not corpus.train:
        return
    wanted = islice(_read([data / file for file in corpus.train], corpus), corpus.skip, None)
    for left, right in islice(wanted, size):
        source, target = tokens(left), tokens(right)
        longest = max(len(source), len(target))
        if corpus.max_words is not None and not (source and target and longest <= corpus.max_words):
            continue
        yield " ".join(source), " ".join(target)


def _read(files: Sequence[Path], corpus: CorpusDescription) -> Iterator[tuple[str, str]]:
    for source, target in Bitext.read(files[0], files[1]):
        yield (str(source).lower(), str(target).lower()) if corpus.lowercase else (str(source), str(target))
