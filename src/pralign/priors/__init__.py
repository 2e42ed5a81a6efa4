"""What is known before training: what words look like, dictionaries, priors of eflomal, and earlier runs. They add."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pralign.engine import Engine
from pralign.models.prior import Prior
from pralign.priors.earlier import earlier_run
from pralign.priors.entries import KnownText
from pralign.priors.files import read_prior
from pralign.priors.pieces import PiecePrior, PieceTotals, save_looks
from pralign.text.lookalikes import spelling
from pralign.text.normalisation import Normalisation
from pralign.text.sharding import ShardedCorpus

__all__ = ["gather_priors"]

logger = logging.getLogger("pralign")


def gather_priors(
    paths: Sequence[str | Path],
    strength: float,
    corpus: ShardedCorpus,
    normalisation: Normalisation,
    engine: Engine,
    some_known: bool = False,
) -> Prior | None:
    """All that is known of the words of a corpus, as counts to be added; ``None`` if that is nothing.

    The counts of word pairs are put into the corpus's store, piece by piece of the lexicon.

    Args:
        paths: Directories of saved aligners, and files as :func:`~pralign.priors.files.read_prior` reads them.
        strength: How often equal words count as having been seen together.
        corpus: The text.
        normalisation: How the words of the text were made comparable.
        engine: Where the work is done.
        some_known: Whether some word pairs, which the store names piece by piece, are known already, looks and all.
    """
    if not paths and strength <= 0:
        return None
    text = KnownText(corpus.source, corpus.target, normalisation)
    known = [(earlier_run if path.is_dir() else read_prior)(path, text) for path in map(Path, paths)]
    if strength > 0:
        save_looks(corpus.store, (spelling(corpus.source, corpus.target), spelling(corpus.target, corpus.source)))
    listed = [entries.pairs for entries in known]
    task = PiecePrior(corpus.store, corpus.piece_words, len(corpus.source), listed, strength > 0, strength, some_known)
    totals = np.zeros(len(corpus.source), np.int64), np.zeros(len(corpus.target), np.int64)
    together = np.zeros(len(known), np.int64)
    for piece in engine.run(task, range(corpus.pieces)):
        part = PieceTotals.load(corpus.store, piece)
        corpus.store.delete(f"prior totals/{piece}")
        totals[0][:] += part.source
        totals[1][:] += part.target
        together += part.together
    for path, entries, found in zip(paths, known, together.tolist(), strict=True):
        entries.pairs.add_totals(*totals)
        logger.info("%s: %d word pairs, %d of them occur together in the text", path, len(entries.pairs), found)
    return Prior(totals, tuple(each.forward for each in known), tuple(each.reverse for each in known))
