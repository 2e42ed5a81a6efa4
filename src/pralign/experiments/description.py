"""What an experiment is: texts, systems that align them, and tables of what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pralign.schema.values import Bounds

if TYPE_CHECKING:
    from pralign.experiments.tables.base import ResultTable

ALL = "all"
"""As many training pairs as there are."""

#: A number of training pairs.
Size = Annotated[int, Bounds(1)] | Literal["all"]


@dataclass(frozen=True, kw_only=True)
class CorpusDescription:
    """A parallel corpus: where its files are, and how much of it is used.

    The pairs to test on, those to develop on and those of treebanks come first in the text that is aligned, and the
    training pairs after them, as it is usual for aligners, which learn without labels.

    Attributes:
        title: What tables call it.
        languages: The codes of its languages, source first.
        about: Where the data is to be had, for those who have not got it.
        test: Source, target and perhaps gold alignments of the pairs to test on. A gold may be for the first pairs
            only.
        dev: The same of the pairs on which thresholds are tuned and training is stopped.
        trees: Treebanks (CoNLL-U) of source and target, sentence by sentence.
        train: Source and target of the training pairs.
        pairs: How many training pairs to use: a number, ``"all"``, or a list, where all is measured for each.
        skip: So many training pairs at the beginning are left out, for another use.
        max_words: Training pairs with a side of more words are left out, and so are those with an empty side.
        lowercase: Whether the text is written in lower case.

    Example:
        >>> files = ["test.en", "test.fr", "test.gold"]
        >>> corpus = CorpusDescription(languages=("en", "fr"), test=files, pairs=[1000, "all"])
        >>> corpus.sizes, corpus.files
        ([1000, None], ['test.en', 'test.fr', 'test.gold'])
    """

    title: str = ""
    languages: tuple[str, str] = ("", "")
    about: str = ""
    test: Sequence[str] = ()
    dev: Sequence[str] = ()
    trees: Sequence[str] = ()
    train: Sequence[str] = ()
    pairs: Size | Sequence[Size] = "all"
    skip: Annotated[int, Bounds(0)] = 0
    max_words: Annotated[int, Bounds(1)] | None = None
    lowercase: bool = True

    @property
    def sizes(self) -> list[int | None]:
        """The numbers of training pairs, ``None`` for all."""
        given: Sequence[Any] = [self.pairs] if isinstance(self.pairs, int | str) else self.pairs
        return list(dict.fromkeys(None if size == ALL else int(size) for size in given))

    @property
    def files(self) -> list[str]:
        """The files that it is made of."""
        return [*self.test, *self.dev, *self.trees, *self.train]


@dataclass(frozen=True, kw_only=True)
class LabelUse:
    """How a system learns from labelled pairs, see :class:`~pralign.matching.MatchingAligner`.

    The pairs that are learned from are aligned by what others of them teach: each fold by all other folds. All other
    pairs are aligned by what all of them teach.

    Attributes:
        learn: The part with the labels.
        folds: Into how many parts its pairs are dealt.
        validation: The other part, which says when to stop, for the pairs that are learned from; those of the other
            part are not told by it.
        features: The groups of features; all that the learner takes if none is named.
        learner: ``"boosting"``, ``"extragradient"`` or ``"perceptron"``.
        model: The system whose posteriors are features.
        predictions: Systems whose links are features.

    Example:
        >>> LabelUse(learn="dev", folds=3).folds
        3
    """

    learn: Literal["test", "dev"] = "test"
    folds: Annotated[int, Bounds(2)] = 5
    validation: Literal["test", "dev"] | None = None
    features: Sequence[str] | None = None
    learner: Literal["boosting", "extragradient", "perceptron"] | None = None
    model: str | None = None
    predictions: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class SystemDescription:
    """Something that aligns: a model of pralign with its settings, another program, or files of links.

    Attributes:
        name: What the experiment calls it.
        title: What tables call it.
        settings: The settings of :class:`~pralign.aligner.Aligner`, if it is one.
        stop: With ``"dev"``, training stops when the area under the curve of the development pairs stops rising.
        files: Files of links, by ``links`` or by ``forward`` and ``reverse``, made by another aligner for the text as
            it is put together here, or for its first pairs. ``{corpus}`` and ``{pairs}`` in a name stand for these.
        format: The format of these files, if it is not to be found out.
        program: The words of a command that aligns ``{source}`` and ``{target}``, and writes ``{links}``, or
            ``{forward}`` and ``{reverse}``.
        optional: Whether the experiment goes on without it where the program is not installed.
        symmetrize: How ``forward`` and ``reverse`` become one.
        labels: How it learns from labelled pairs, if it does.
        corpora: The corpora it aligns; all of them if none is named.

    Example:
        >>> system = SystemDescription(name="hmm", title="HMM", settings={"model": "hmm"})
        >>> system.shown, system.symmetrize
        ('HMM', 'grow-diag-final-and')
    """

    name: str
    title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    stop: Literal["dev", "iterations"] = "iterations"
    files: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    program: Sequence[str] = ()
    optional: bool = False
    symmetrize: str = "grow-diag-final-and"
    labels: LabelUse | None = None
    corpora: Sequence[str] = ()

    @property
    def shown(self) -> str:
        """What tables call it."""
        return self.title or self.name

    @property
    def is_model(self) -> bool:
        """Whether it is a model of pralign, which is trained."""
        return not (self.files or self.program or self.labels)


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What a file describes.

    Attributes:
        name: The name of the file, without its ending.
        path: Where it was read from.
        title: What it is called.
        about: What it is about, in some sentences of Markdown.
        corpora: Its corpora by name.
        systems: Its systems by name, in the order of the tables.
        tables: What is made of them.
        alignments: Which alignments are written: of the pairs to look at, of all pairs, or none.

    Example:
        >>> import tempfile
        >>> from pralign.experiments import read_experiment
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "study.toml")
        ...     lines = 'corpora.sample.dev = ["a.en", "a.fr", "a.gold"]', 'systems.one.model = "ibm1"'
        ...     _ = path.write_text(chr(10).join(lines))
        ...     experiment = read_experiment(path)
        >>> isinstance(experiment, Experiment), experiment.name, list(experiment.systems)
        (True, 'study', ['one'])
    """

    name: str
    path: Path
    title: str
    about: str
    corpora: Mapping[str, CorpusDescription]
    systems: Mapping[str, SystemDescription]
    tables: Sequence[ResultTable]
    alignments: Literal["labelled", "all", "none"] = "labelled"
