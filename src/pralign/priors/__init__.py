"""What is known before training: what words look like, dictionaries, priors of eflomal, and earlier runs. They add."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pralign.engine import Engine
from pralign.models.prior import Prior
from pralign.priors.earlier import earlier_run
from pralign.priors.files import read_prior
from pralign.priors.lookalikes import lookalikes
from pralign.text.corpus import Corpus
from pralign.text.index import PairIndex
from pralign.text.normalisation import Normalisation

__all__ = ["gather_priors"]


def gather_priors(
    paths: Sequence[str | Path],
    strength: float,
    corpus: Corpus,
    index: PairIndex,
    normalisation: Normalisation,
    engine: Engine,
) -> Prior | None:
    """All that is known of the words of a corpus, as counts to be added; ``None`` if that is nothing.

    Args:
        paths: Directories of saved aligners, and files as :func:`~pralign.priors.files.read_prior` reads them.
        strength: How often equal words count as having been seen together.
        corpus: The text.
        index: The pairs of words that occur together in it.
        normalisation: How the words of the text were made comparable.
        engine: Where the work is done.
    """
    known = []
    if strength > 0:
        known.append(lookalikes(corpus, index, strength, engine))
    for path in map(Path, paths):
        read = earlier_run if path.is_dir() else read_prior
        known.append(read(path, corpus, index, normalisation))
    if not known:
        return None
    total = known[0]
    for prior in known[1:]:
        total = total + prior
    return total
