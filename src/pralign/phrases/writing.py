"""Files of phrases, as Moses has them; all appear when they are whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pralign.outputs import Output, check_writable, open_outputs, together
from pralign.phrases.table import PhraseTable


@dataclass(frozen=True)
class PhraseFiles:
    """Where phrases go; what is ``None`` is not wanted.

    Attributes:
        table: The phrase table; ``-`` is standard output.
        extract: What the names of files with single phrase pairs begin with.
        reordering: The table for lexicalised reordering.

    Example:
        >>> [path.name for path in PhraseFiles(table=Path("table.gz"), extract=Path("extract")).extracted]
        ['extract.gz', 'extract.inv.gz']
    """

    table: Path | None = None
    extract: Path | None = None
    reordering: Path | None = None

    @property
    def extracted(self) -> list[Path]:
        """The files with single phrase pairs: source first, target first and, with ``reordering``, orientations."""
        if self.extract is None:
            return []
        endings = [".gz", ".inv.gz", *([".o.gz"] if self.reordering is not None else [])]
        return [self.extract.with_name(f"{self.extract.name}{ending}") for ending in endings]

    @property
    def places(self) -> tuple[Path | None, ...]:
        """All files that are written."""
        return (self.table, self.reordering, *self.extracted)

    def check(self) -> None:
        """Complain of places that cannot be written to, before anything is done."""
        for place in self.places:
            check_writable(place)

    def write(self, table: PhraseTable) -> None:
        """Write all of them, or none."""
        with together():
            if self.extracted:
                with open_outputs(*self.extracted) as outputs:
                    for parts in table.extracted_lines():
                        for output, lines in zip(outputs, parts, strict=True):
                            output.write(lines.decode("utf-8", "surrogatepass"))
            wanted = [place for place in (self.table, self.reordering) if place is not None]
            if wanted:
                with open_outputs(*wanted) as outputs:
                    self._write_tables(table, outputs)

    def _write_tables(self, table: PhraseTable, outputs: tuple[Output, ...]) -> None:
        is_wanted = (self.table is not None, self.reordering is not None)
        for parts in table.lines():
            kept = [lines for lines, wanted in zip(parts, is_wanted, strict=True) if wanted]
            for output, lines in zip(outputs, kept, strict=True):
                output.write(lines.decode("utf-8", "surrogatepass"))
