"""Checking a text before it is worked on: what it is, and what is probably not meant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pralign.errors import InputError
from pralign.settings import Settings
from pralign.text.bitext import Bitext
from pralign.text.facts import TextFacts, count_text, why_untrainable
from pralign.text.looks import Finding, KnownWords, TextSample, look_at, watched

if TYPE_CHECKING:
    from pralign.aligner import Aligner


@dataclass(frozen=True)
class CheckedText:
    """What is known of a text that was read to its end.

    Attributes:
        facts: How much it is.
        findings: What is probably not meant, each thing once a file, where it is first seen.

    Example:
        >>> from pralign import Bitext, sample
        >>> checked = check_text(Bitext.read(sample.SOURCE, sample.TARGET))
        >>> isinstance(checked, CheckedText), checked.facts.pairs, checked.findings
        (True, 460, ())
    """

    facts: TextFacts
    findings: tuple[Finding, ...]


def check(
    source: str | Path,
    target: str | Path | None = None,
    layout: str | None = None,
    model: Aligner | str | Path | None = None,
) -> list[Finding]:
    """Look at a text before it is aligned: what is probably not meant, each thing with its cure in one sentence.

    All of it is read, and not kept.

    Args:
        source: The file of source sentences, or one file with both sides.
        target: The file of target sentences.
        layout: How one file holds both sides, as for :meth:`Bitext.read`.
        model: The aligner that is to align it, or the directory where it was saved; else one is trained on the text.

    Raises:
        InputError: It cannot be aligned at all.

    Example:
        >>> from pralign import sample
        >>> [finding.name for finding in check(sample.SOURCE, sample.SOURCE)]
        ['same-file']
        >>> check(sample.SOURCE, sample.TARGET)
        []
    """
    return list(check_text(Bitext.read(source, target, layout), model).findings)


def check_text(bitext: Bitext, model: Aligner | str | Path | None = None) -> CheckedText:
    """Read a text, count its words, and look at all of it.

    Raises:
        InputError: It cannot be aligned at all.
    """
    found: dict[tuple[str, str | None], Finding] = {}

    def see(sample: TextSample) -> None:
        for finding in look_at(sample):
            found.setdefault((finding.name, finding.file), finding)

    known = None if model is None else known_words(model)
    facts = count_text(watched(bitext, see, known, whole=True), Settings.resolve().max_length)
    why = why_untrainable(facts.pairs, facts.empty, facts.trained, facts.longest)
    if why and known is None:
        raise InputError(f"{bitext.name}: {why}")
    return CheckedText(facts, tuple(found.values()))


def known_words(model: Aligner | str | Path) -> KnownWords:
    """The words that a trained aligner knows, or one that was saved."""
    from pralign.aligner import Aligner

    trained = (model if isinstance(model, Aligner) else Aligner.load(model, threads=1)).model_
    return KnownWords(trained.source, trained.target, trained.recipe.normalisation)
