"""Annotation carried from one language to another along links: trees, spans and inline tags."""

from __future__ import annotations

from pralign.transfer.spans import AnnotatedSpan, CarriedSpan, SpanAnswer, SpanTransfer
from pralign.transfer.streams import carry_spans, carry_trees
from pralign.transfer.tag_files import HtmlTags, TmxTags, XliffTags
from pralign.transfer.tags import TaggedText, TagTransfer
from pralign.transfer.trees import TreeTransfer

__all__ = [
    "AnnotatedSpan",
    "CarriedSpan",
    "HtmlTags",
    "SpanAnswer",
    "SpanTransfer",
    "TagTransfer",
    "TaggedText",
    "TmxTags",
    "TreeTransfer",
    "XliffTags",
    "carry_spans",
    "carry_trees",
]
