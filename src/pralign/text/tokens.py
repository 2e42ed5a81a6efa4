"""Where the words of a line begin and end."""

from __future__ import annotations


def tokens(line: str) -> list[str]:
    r"""Split a line into its words: a tab becomes a space, spaces separate, empty pieces are dropped.

    Only the ASCII space and the tab separate words. Python's own ``str.split()`` would also split at a
    no-break space (U+00A0), which French puts inside ``10 000``: one more word there would shift the index
    of every word after it, and with it every link.

    Example:
        >>> tokens("il  y a\t10\u00a0000 mots ")
        ['il', 'y', 'a', '10\xa0000', 'mots']
    """
    words = line.replace("\t", " ").split(" ")
    return [word for word in words if word] if "" in words else words
