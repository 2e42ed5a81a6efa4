"""A prior over word forms: what a word becomes, its relatives are likely to become too.

To a lexicon, *house* and *houses* are strangers. Here each count of a pair of words is raised by what their relatives
have become: by ``strength`` times the share of the target word's class among the counts of the source word's class,
without the counts of the pair itself. The share among narrow classes (six letters in common) is drawn towards that
among wider ones (five, four, three), the more so the less often the narrow classes were seen. So it is a hierarchical
Dirichlet prior: each level is the base measure of the next, and much text leaves little to the widest. Both directions
have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pralign.kernels.arrays import Double, Expected, Int, Long
from pralign.kernels.relatives import (
    ClassCounts,
    ClassTotals,
    class_mass,
    find_entries,
    refine_pairs,
    without_shares,
)
from pralign.kernels.similarity import alike_pairs
from pralign.kernels.units import UNIT, UNITS
from pralign.schema import SchemaError
from pralign.schema.arrays import Array, Schema, adding_up_to, ascending, check_arrays, check_names, indices, starts
from pralign.schema.limits import MOST_COUNTS
from pralign.text.forms import Forms
from pralign.text.lookalikes import spelling
from pralign.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Relatives:
    """How much words lean on their relatives, and who these are.

    Attributes:
        strength: How many counts relatives are worth.
        source: The forms of the source words.
        target: The forms of the target words.
    """

    strength: float
    source: Forms
    target: Forms

    @property
    def levels(self) -> int:
        """On how many levels words have relatives."""
        return self.source.levels

    def tensors(self) -> dict[str, NDArray[Any]]:
        """The lemmas that users have given, to be saved."""
        tensors = {}
        if self.source.listed is not None:
            for side, forms in (("source", self.source), ("target", self.target)):
                lines = "\n".join(f"{word}\t{lemma}" for word, lemma in (forms.listed or {}).items())
                tensors[f"listed.{side}"] = np.frombuffer(lines.encode("utf-8", "surrogatepass"), np.uint8)
        return tensors


class Level(NamedTuple):
    """What is known of the classes of a level: their pairs, and how often each was seen in all."""

    counts: ClassCounts
    totals: ClassTotals


@dataclass(frozen=True)
class BaseMeasure:
    """What to expect of any two words, whether they were ever seen together, or at all, or not.

    Attributes:
        lookalikes: How often equal words count as seen together.
        relatives: How much words lean on their relatives, if they do.
        levels: What their relatives have become.
    """

    lookalikes: float = 0.0
    relatives: Relatives | None = None
    levels: Sequence[Level] = ()

    def expected(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        pairs: tuple[Long, Long],
        classes: tuple[Int, Int] | None = None,
    ) -> Expected:
        """What to expect of pairs of these words, given by their places; ``classes`` are those of their forms."""
        expected = Expected(np.zeros((pairs[0].size, 2), np.float32), np.zeros(len(sources)), np.zeros(len(targets)))
        if self.lookalikes > 0:
            vocabularies = Vocabulary(sources), Vocabulary(targets)
            looks = spelling(*vocabularies), spelling(*vocabularies[::-1])
            expected.counts[:] += self.lookalikes * alike_pairs(pairs, *looks)[:, None]
        if self.relatives is not None:
            if classes is None:
                classes = self.relatives.source.classes(sources), self.relatives.target.classes(targets)
            for mass, added in zip((expected.source_mass, expected.target_mass), self._masses(classes), strict=True):
                mass[:] = added
            expected.counts[:] += self._added(pairs, classes)
        return expected

    @property
    def masses(self) -> tuple[Double, Double]:
        """What relatives have added to the normalizers of all known words, source and target."""
        if self.relatives is None:
            return np.zeros(1), np.zeros(1)
        return self._masses((self.relatives.source.known, self.relatives.target.known))

    def _masses(self, classes: tuple[Int, Int]) -> tuple[Double, Double]:
        assert self.relatives is not None
        masses = np.zeros(classes[0].shape[1]), np.zeros(classes[1].shape[1])
        for (_, totals), *of_level in zip(self.levels, *classes, strict=True):
            for mass, of_words, of_classes in zip(masses, of_level, totals, strict=True):
                mass[:] = class_mass(of_words, of_classes, mass)
        return self.relatives.strength * masses[0], self.relatives.strength * masses[1]

    def without_relatives(self, raised: Double, pairs: tuple[Long, Long]) -> Double:
        """The counts of pairs of known words, given by their numbers, without what their relatives had added."""
        if self.relatives is None or not self.levels:
            return np.maximum(raised, 0.0)
        classes = self.relatives.source.known, self.relatives.target.known
        shape = (len(self.levels), pairs[0].size, 2)
        together, of_classes = np.empty(shape), np.empty(shape)
        for number, ((counts, totals), *of_level) in enumerate(zip(self.levels, *classes, strict=True)):
            find_entries(pairs, tuple(of_level), counts, totals, together[number], of_classes[number])
        units = np.maximum(raised, 0.0) * UNITS
        without_shares(units, together, of_classes, self.relatives.strength)
        return units * UNIT

    def _added(self, pairs: tuple[Long, Long], classes: tuple[Int, Int]) -> Double:
        assert self.relatives is not None
        share = np.zeros((pairs[0].size, 2))
        for (counts, totals), *of_level in zip(self.levels, *classes, strict=True):
            refine_pairs(pairs, tuple(of_level), counts, totals, share)
        return self.relatives.strength * share

    def tensors(self) -> dict[str, NDArray[Any]]:
        """What is not in the settings and the vocabularies, to be saved."""
        tensors: dict[str, NDArray[Any]] = {}
        for number, (counts, totals) in enumerate(self.levels):
            arrays = {**counts._asdict(), **{f"of_{side}": array for side, array in totals._asdict().items()}}
            tensors |= {f"{number}.{name}": array for name, array in arrays.items() if name != "first"}
        return tensors if self.relatives is None else tensors | self.relatives.tensors()

    @classmethod
    def schema(cls, level: int) -> Schema:
        """What the arrays of a level must be like."""
        units = (adding_up_to(MOST_COUNTS * UNITS),)
        arrays = {
            "row_start": Array("int64", ("target classes + 1",), (starts("class pairs"),)),
            "source": Array("int32", ("class pairs",), (indices("source classes"), ascending(f"{level}.row_start"))),
            "units": Array("float32", ("class pairs", 2), units),
            "of_source": Array("int64", ("source classes",), units),
            "of_target": Array("int64", ("target classes",), units),
        }
        return {f"{level}.{name}": array for name, array in arrays.items()}

    @classmethod
    def from_tensors(
        cls,
        tensors: Mapping[str, NDArray[Any]],
        lookalikes: float,
        strength: float,
        vocabularies: tuple[Vocabulary, Vocabulary],
    ) -> BaseMeasure:
        """What was saved.

        Raises:
            SchemaError: The arrays are not what they must be. How many levels and classes there are depends on words.
        """
        if not strength:
            check_arrays(tensors, {}, {})
            return cls(lookalikes)
        texts = [f"listed.{side}" for side in ("source", "target")]
        given = [name for name in texts if name in tensors]
        check_arrays({name: tensors[name] for name in given}, dict.fromkeys(texts if given else (), _TEXT), {})
        forms = [
            Forms(vocabulary.words, _listed(tensors.get(name)))
            for name, vocabulary in zip(texts, vocabularies, strict=True)
        ]
        relatives = Relatives(strength, *forms)
        rest = {name: array for name, array in tensors.items() if name not in texts}
        return cls(lookalikes, relatives, tuple(_levels(rest, relatives)))


# Words and their lemmas, as bytes.
_TEXT = Array("uint8", ("bytes",))


def _levels(tensors: Mapping[str, NDArray[Any]], relatives: Relatives) -> Iterator[Level]:
    """The levels that were saved; nothing else may be there."""
    sizes = list(zip(relatives.source.sizes, relatives.target.sizes, strict=True))
    schemas = [BaseMeasure.schema(number) for number in range(len(sizes))]
    check_names(tensors, {name: array for schema in schemas for name, array in schema.items()})
    for number, (schema, (sources, targets)) in enumerate(zip(schemas, sizes, strict=True)):
        arrays = {name: tensors[name] for name in schema}
        check_arrays(arrays, schema, {"source classes": sources, "target classes": targets})
        row_start, source, units = (tensors[f"{number}.{name}"] for name in ("row_start", "source", "units"))
        totals = ClassTotals(*(tensors[f"{number}.of_{side}"] for side in ClassTotals._fields))
        yield Level(ClassCounts(row_start, source, units, 0), totals)


def _listed(text: NDArray[Any] | None) -> dict[str, str] | None:
    if text is None:
        return None
    try:
        lines = text.tobytes().decode("utf-8", "surrogatepass")
        return dict(line.split("\t") for line in lines.split("\n")) if lines else {}
    except ValueError as error:  # no text, or lines that do not have two parts
        raise SchemaError("the lemmas are not text with a word, a tab and a lemma a line") from error
