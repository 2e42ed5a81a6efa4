"""A saved model in words."""

from __future__ import annotations

from pralign.aligner import Aligner
from pralign.characters import escaped
from pralign.errors import InputError
from pralign.models.lexicon import Side
from pralign.pictures.words import for_terminal


def describe_model(aligner: Aligner) -> str:
    """The settings and sizes of a trained aligner."""
    model = aligner.model_
    settings = model.recipe.as_saved(model.schedule, model.thresholds)
    apart = ("thresholds", "own_constraint", "given")  # shown apart; of no use to people
    rows = {name: value for name, value in settings.items() if value is not None and name not in apart}
    rows |= {f"{name} threshold": f"{value:.4f}" for name, value in aligner.thresholds_._asdict().items()}
    rows |= {f"{side} words": f"{len(words):,}" for side, words in aligner.vocabularies_.items()}
    rows["word pairs"] = f"{model.lexicon.table.source.size:,}"
    if model.training_pairs is not None:
        rows["training pairs"] = f"{model.training_pairs.places.size:,}"
    for name, direction in (("forward", model.forward), ("reverse", model.reverse)):
        for part, values in direction.tensors().items():
            shown = " ".join(f"{value:.4g}" for value in values.ravel()[:12].tolist())
            rows[f"{name} {part}"] = shown + (f" … ({values.size:,} numbers)" if values.size > 12 else "")
    width = max(map(len, rows))
    lines = [f"{name:<{width}}  {value}" for name, value in rows.items()]
    return "\n".join(map(escaped, [*lines, "", str(aligner.signature)]))


def describe_word(aligner: Aligner, word: str, most: int = 10) -> str:
    """The likeliest translations of a word as a source word and as a target word.

    Raises:
        InputError: Neither side knows the word.
    """
    parts = []
    sides: tuple[tuple[Side, Side], ...] = (("source", "target"), ("target", "source"))
    for side, other in sides:
        found = aligner.translations(word, side, most)
        if found:
            parts.append(f"{for_terminal(word)} as a {side} word; likeliest {other} words:")
            parts += [f"  {probability:8.4f}  {for_terminal(translation)}" for translation, probability in found]
    if not parts:
        raise InputError(f"the model knows no word {word!r}")
    return "\n".join(parts)
