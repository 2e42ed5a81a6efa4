"""Rules with nonterminals, as calls from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pralign.links.aligned import GivenAlignments
from pralign.links.alignment import Alignment
from pralign.phrases.rule_formats import RULE_FORMATS
from pralign.phrases.rule_settings import RuleSettings
from pralign.phrases.rule_table import RuleTable, ScoredRule
from pralign.phrases.rule_writing import RuleFiles
from pralign.text.pairs import Pairs, as_pairs


def rules(pairs: Pairs, alignments: Iterable[Alignment | str], **settings: Any) -> Iterator[ScoredRule]:
    """The distinct rules of sentence pairs with their scores, sorted as Moses sorts them.

    Args:
        pairs: The sentence pairs, see :func:`~pralign.text.pairs.as_pairs`.
        alignments: The alignment of each.
        settings: See :class:`RuleSettings`.

    Raises:
        InputError: There are not as many alignments as pairs, or a link joins a word that is not there.
        UsageError: A setting makes no sense.

    Example:
        >>> pairs, alignments = [("ne veut pas", "does not want")], ["0-1 1-2 2-1"]
        >>> for rule in rules(pairs, alignments, min_hole=1):
        ...     print(*rule.source, "|||", *rule.target, "|||", rule.alignment, "|||", rule.count)
        ne [X,1] pas ||| does not [X,1] ||| 0-1 1-2 2-1 ||| 0.5
        ne [X,1] pas ||| not [X,1] ||| 0-0 1-1 2-0 ||| 0.5
        ne veut pas ||| does not want ||| 0-1 1-2 2-1 ||| 0.5
        ne veut pas ||| not want ||| 0-0 1-1 2-0 ||| 0.5
        veut ||| want ||| 0-0 ||| 1.0
    """
    with _table(pairs, alignments, settings) as table:
        yield from table


def write_rules(
    pairs: Pairs,
    alignments: Iterable[Alignment | str],
    grammar: str | Path | None = None,
    *,
    format: str = "moses",
    extract: str | Path | None = None,
    glue: str | Path | None = None,
    **settings: Any,
) -> None:
    """Write files of rules, as ``pralign rules`` does.

    Args:
        pairs: The sentence pairs.
        alignments: Their alignments, see :func:`rules`.
        grammar: Where rules with their scores go.
        format: For which decoder: ``"moses"`` or ``"cdec"``, see :data:`RULE_FORMATS`.
        extract: What the names of files with the rules of single sentence pairs begin with.
        glue: Where the glue grammar of Moses goes.
        settings: See :class:`RuleSettings`.
    """
    RULE_FORMATS.get(format)
    files = RuleFiles(*(None if place is None else Path(place) for place in (grammar, extract, glue)))
    files.check()
    with _table(pairs, alignments, settings) as table:
        files.write(table, format)


def _table(pairs: Pairs, alignments: Iterable[Alignment | str], settings: dict[str, Any]) -> RuleTable:
    links = GivenAlignments(Alignment.of(each) for each in alignments)
    return RuleTable(as_pairs(pairs), links, RuleSettings(**settings))
