"""Looks at a text while a command reads it: what is probably not meant is said, or refused."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pralign.errors import InputError

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.text.bitext import Bitext
    from pralign.text.looks import TextSample

logger = logging.getLogger("pralign")


def looked_at(bitext: Bitext, strict: bool, model: Aligner | None = None) -> Bitext:
    """The same text, whose beginning is looked at when it is first read; nothing is read twice or held up.

    Args:
        bitext: The text.
        strict: Refuse a text of which there is something to say, before anything is done with it.
        model: The trained model that it is for.
    """
    from pralign.checking import known_words
    from pralign.text.looks import look_at, watched
    from pralign.text.unequal import differ_in_lines

    def see(sample: TextSample) -> None:
        findings = look_at(sample)
        if any(finding.name == "shifted" for finding in findings) and differ_in_lines(bitext.files):
            # The error that will follow says the same, and more.
            findings = [finding for finding in findings if finding.name != "shifted"]
        if strict and len(findings) == 1:
            raise InputError(f"{findings[0]} (refused by --strict)")
        for finding in findings:
            logger.warning("pralign: %s", finding)
        if strict and findings:
            raise InputError(f"{bitext.name}: refused by --strict, because of what is said above")

    return watched(bitext, see, None if model is None else known_words(model), ahead=strict)
