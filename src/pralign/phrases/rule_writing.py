"""Files of rules; all appear when they are whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pralign.outputs import check_writable, open_outputs, together
from pralign.phrases.rule_table import RuleTable

# How the chart decoder of Moses begins and ends a sentence, and puts parts of it side by side.
_GLUE = """\
<s> [X] ||| <s> [S] ||| 1 ||| 0-0 ||| 0 ||| |||
[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1 ||| 0 ||| |||
[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1 ||| 0 ||| |||
"""


@dataclass(frozen=True)
class RuleFiles:
    """Where rules go; what is ``None`` is not wanted.

    Attributes:
        grammar: All rules with their scores; ``-`` is standard output.
        extract: What the names of files with the rules of single sentence pairs begin with.
        glue: The few rules that the chart decoder of Moses needs besides.

    Example:
        >>> [str(path) for path in RuleFiles(grammar=Path("grammar.gz"), glue=Path("glue.txt")).places if path]
        ['grammar.gz', 'glue.txt']
    """

    grammar: Path | None = None
    extract: Path | None = None
    glue: Path | None = None

    @property
    def extracted(self) -> list[Path]:
        """The files with the rules of single sentence pairs: source first, and target first."""
        if self.extract is None:
            return []
        return [self.extract.with_name(f"{self.extract.name}{ending}") for ending in (".gz", ".inv.gz")]

    @property
    def places(self) -> tuple[Path | None, ...]:
        """All files that are written."""
        return (self.grammar, self.glue, *self.extracted)

    def check(self) -> None:
        """Complain of places that cannot be written to, before anything is done."""
        for place in self.places:
            check_writable(place)

    def write(self, table: RuleTable, format: str) -> None:
        """Write all of them, or none."""
        with together():
            if self.extracted:
                with open_outputs(*self.extracted) as outputs:
                    for parts in table.extracted_lines():
                        for output, lines in zip(outputs, parts, strict=True):
                            output.write(lines.decode("utf-8", "surrogatepass"))
            if self.glue is not None:
                with open_outputs(self.glue) as (output,):
                    output.write(_GLUE)
            if self.grammar is not None:
                with open_outputs(self.grammar) as (output,):
                    for lines in table.lines(format):
                        output.write(lines.decode("utf-8", "surrogatepass"))
