"""Models that were trained before, taken apart into what they have counted, so that a run can go on from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pralign.engine import Engine
from pralign.errors import UsageError
from pralign.kernels.arrays import Long
from pralign.kernels.relatives import WIDER
from pralign.models.base import CorpusSummary, DirectionalModel
from pralign.models.relatives import Relatives
from pralign.priors.recovering import RecoveredCounts, recover_counts
from pralign.runs.trained import TrainedModel
from pralign.store import Store
from pralign.text.earlier import EarlierWords, numbers_among
from pralign.text.forms import Forms
from pralign.text.sharding import ShardedCorpus
from pralign.training.earlier import EarlierCounts, put_aside
from pralign.training.history import Iteration

_NO_PAIRS = np.empty((0, 2), np.int64)
# A count that is one higher gets less from relatives: on each level, at most their worth by what draws classes to wider
# ones. If that came to one in all, a count and what was added to it could not be told apart.
_MOST_RELATIVES = 0.8 * WIDER


@dataclass(frozen=True)
class EarlierModel:
    """What is left of an earlier model; its word pairs and the pairs that it was trained on lie in the store.

    Attributes:
        words: Its words.
        counts: What it has counted of single words and of null.
        forward: Its forward model.
        reverse: Its reverse model.
        listed: The lemmas of source words and of target words that users have given, if they have.
        history: How it was trained.
    """

    words: EarlierWords
    counts: RecoveredCounts
    forward: DirectionalModel
    reverse: DirectionalModel
    listed: tuple[Mapping[str, str] | None, Mapping[str, str] | None]
    history: tuple[Iteration, ...]

    @classmethod
    def of(cls, model: TrainedModel, name: str, store: Store, engine: Engine) -> EarlierModel:
        """Take a model apart, calling it ``name`` in the store.

        Raises:
            UsageError: What it has counted cannot be told.
        """
        check_additive(model)
        vocabularies = model.source, model.target
        counts = recover_counts(model.lexicon, model.base, model.recipe.estimator, vocabularies, engine)
        store.save(f"earlier/{name}", {**model.lexicon.table._asdict(), "units": counts.pairs})
        if model.training_pairs is not None:
            store.save(f"trained/{name}", model.training_pairs.tensors())
        seen = _rounded(counts.source + counts.null_to_source), _rounded(counts.target + counts.null_to_target)
        relatives = model.base.relatives
        return cls(
            EarlierWords(name, vocabularies, seen),
            counts._replace(pairs=_NO_PAIRS),
            model.forward,
            model.reverse,
            (None, None) if relatives is None else (relatives.source.listed, relatives.target.listed),
            model.history,
        )


def check_additive(model: TrainedModel) -> None:
    """Complain of models of which it cannot be told what they have counted.

    Raises:
        UsageError: It is one of those.
    """
    if not model.forward.additive:
        raise UsageError(
            f"a model of the kind {model.forward.name} does not keep what it has counted, so it can neither be merged "
            "nor go on with other text; train on all of the text together, or train fhmm"
        )
    relatives = model.base.relatives
    if relatives is not None and relatives.strength * relatives.levels > _MOST_RELATIVES:
        raise UsageError(
            f"words lean so much on their relatives ({relatives.strength:g} counts) that what each has counted itself "
            f"cannot be told; train with relatives of at most {_MOST_RELATIVES / relatives.levels:g}"
        )


def _rounded(units: Long) -> Long:
    return np.asarray((units >> 24) + 1)


def digest(model: TrainedModel) -> str:
    """What a model is known by."""
    arrays = (model.lexicon.probability, model.lexicon.words.normalizers.source, model.lexicon.words.normalizers.target)
    found = hashlib.blake2b(digest_size=16)
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def add_up(models: Sequence[EarlierModel], corpus: ShardedCorpus, smoothing: float) -> EarlierCounts:
    """What several models have counted, in numbers of the words of a corpus, which has to have them all.

    Counts of word pairs are put into the store by the pieces of the lexicon; sentences that were trained on are put
    there with their words numbered anew.
    """
    sides = corpus.source, corpus.target
    sizes = len(corpus.source), len(corpus.target)
    totals = [np.zeros(size, np.int64) for size in (*sizes, sizes[1], sizes[0])]
    numbers = [
        (numbers_among(model.words.words[0], sides[0]), numbers_among(model.words.words[1], sides[1]))
        for model in models
    ]
    for model, (source, target) in zip(models, numbers, strict=True):
        for total, counts, words in zip(totals, model.counts[1:], (source, target, target, source), strict=True):
            total[words] += counts
        name = model.words.name
        put_aside(corpus.store, name, corpus.store.load(f"earlier/{name}", ["units"])["units"], corpus.piece_words)
        corpus.store.delete(f"earlier/{name}")
        _renumber_sentences(corpus.store, name, source, target)
    forward = _pooled(
        CorpusSummary(corpus.longest_target, *sizes),
        [model.forward for model in models],
        [source for source, _ in numbers],
        smoothing,
    )
    reverse = _pooled(
        CorpusSummary(corpus.longest_source, *sizes[::-1]),
        [model.reverse for model in models],
        [target for _, target in numbers],
        smoothing,
    )
    history = models[0].history if len(models) == 1 else ()
    names = tuple(model.words.name for model in models)
    source, target, to_target, to_source = totals
    return EarlierCounts(names, source, target, to_target, to_source, forward, reverse, history)


def _pooled(
    summary: CorpusSummary, models: Sequence[DirectionalModel], words: Sequence[Long], smoothing: float
) -> DirectionalModel:
    return type(models[0]).pooled(summary, models, words, smoothing)


def _renumber_sentences(store: Store, name: str, source: Long, target: Long) -> None:
    if store.has(f"trained/{name}"):
        pairs = store.load(f"trained/{name}")
        sides = {"source": source.astype(np.int32), "target": target.astype(np.int32)}
        store.save(f"sentences/{name}", pairs | {side: words[pairs[side]] for side, words in sides.items()})
        store.delete(f"trained/{name}")


def earlier_relatives(strength: float, models: Sequence[EarlierModel], corpus: ShardedCorpus) -> Relatives | None:
    """How much words lean on their relatives, with the lemmas that came with the models.

    Raises:
        UsageError: A word has several lemmas.
    """
    if not strength:
        return None
    sides = zip(*(model.listed for model in models), strict=True)
    source, target = (_united(list(listed)) for listed in sides)
    return Relatives(strength, Forms(corpus.source.words, source), Forms(corpus.target.words, target))


def _united(listed: Sequence[Mapping[str, str] | None]) -> Mapping[str, str] | None:
    found = [lemmas for lemmas in listed if lemmas is not None]
    if not found:
        return None
    if len(found) < len(listed):
        raise UsageError("some of the models were trained with --forms and others without; train them alike")
    united: dict[str, str] = {}
    for lemmas in found:
        for word, lemma in lemmas.items():
            if united.setdefault(word, lemma) != lemma:
                raise UsageError(
                    f"the models were trained with different --forms: {word!r} is a form of {united[word]!r} to one "
                    f"and of {lemma!r} to another; train them with the same file"
                )
    return united
