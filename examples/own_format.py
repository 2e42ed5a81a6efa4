"""A file format of one's own: the linked words themselves, as tab-separated columns.

Run it: python examples/own_format.py
"""

import sys
from collections.abc import Iterable, Iterator

from pralign import Aligner, Alignment, Bitext, sample
from pralign.links.formats import AlignmentFormat, ReadContext, Record, register_format, write_alignments
from pralign.text.tokens import tokens


class WordsFormat(AlignmentFormat):
    """One line a link: pair, source position, target position, source word, target word."""

    name = "words"
    description = "one line a link, with its words"
    needs_text = True
    may_skip_pairs = True

    def write(self, records: Iterable[Record], base: int) -> Iterator[str]:
        for number, record in enumerate(records, start=base):
            for i, j in record.alignment.links:
                yield f"{number}\t{i + base}\t{j + base}\t{record.source[i]}\t{record.target[j]}"

    def read(self, lines: Iterable[str], context: ReadContext) -> Iterator[Alignment]:
        pairs: dict[int, list[tuple[int, int]]] = {}
        for line in lines:
            number, i, j = (int(column) - context.base for column in line.split("\t")[:3])
            pairs.setdefault(number, []).append((i, j))
        count = context.lines if context.lines is not None else max(pairs, default=-1) + 1
        return (Alignment.of(pairs.get(number, [])) for number in range(count))


register_format(WordsFormat())


def main() -> None:
    bitext = Bitext.read(sample.SOURCE, sample.TARGET)
    alignments = Aligner().fit_align(bitext)
    records = (Record(a, tokens(s), tokens(t)) for a, (s, t) in zip(alignments, bitext, strict=True))
    write_alignments(sys.stdout, records, "words")


if __name__ == "__main__":
    main()
