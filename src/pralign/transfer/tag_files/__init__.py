"""Files whose segments have inline tags and translations: XLIFF, TMX, and lines of HTML.

Each gives the pairs of text without tags, as corpus readers do, and writes the file again with tags in translations.
"""

from __future__ import annotations

from pralign.transfer.tag_files.base import TagFile
from pralign.transfer.tag_files.html import HtmlTags
from pralign.transfer.tag_files.tmx import TmxTags
from pralign.transfer.tag_files.work import TagCounts
from pralign.transfer.tag_files.xliff import XliffTags

__all__ = ["HtmlTags", "TagCounts", "TagFile", "TmxTags", "XliffTags"]
