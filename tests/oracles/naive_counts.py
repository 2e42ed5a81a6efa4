"""What sentence pairs have added to the counts of a model, by dictionaries of words; and counts as products."""

from __future__ import annotations

from collections import defaultdict

from pralign.runs.trained import TrainedModel

Counts = dict[tuple[str, str], list[float]]

OWN_UNIT = 2.0**-14


def kept_counts(model: TrainedModel) -> Counts:
    """The counts of word pairs, forward and reverse, added up from the training pairs that a model has kept."""
    assert model.training_pairs is not None
    texts, own = model.training_pairs.texts, model.training_pairs.own
    counts: Counts = defaultdict(lambda: [0.0, 0.0])
    for pair in range(texts.source_start.size - 1):
        source = texts.source[texts.source_start[pair] : texts.source_start[pair + 1]].tolist()
        target = texts.target[texts.target_start[pair] : texts.target_start[pair + 1]].tolist()
        for entry in range(own.start[pair], own.start[pair + 1]):
            j, i = divmod(int(own.cell[entry]), len(source))
            words = model.source.words[source[i]], model.target.words[target[j]]
            counts[words][0] += int(own.forward[entry]) * OWN_UNIT
            counts[words][1] += int(own.reverse[entry]) * OWN_UNIT
    return {pair: both for pair, both in counts.items() if any(both)}


def kept_nulls(model: TrainedModel) -> tuple[dict[str, float], dict[str, float]]:
    """How much of each target word and of each source word null has explained, from the training pairs."""
    assert model.training_pairs is not None
    texts, own = model.training_pairs.texts, model.training_pairs.own
    sides = (
        (model.target.words, texts.target, own.null_target),
        (model.source.words, texts.source, own.null_source),
    )
    found = []
    for words, tokens, counts in sides:
        nulls: dict[str, float] = defaultdict(float)
        for token, count in zip(tokens.tolist(), counts.tolist(), strict=True):
            nulls[words[token]] += count * OWN_UNIT
        found.append({word: count for word, count in nulls.items() if count})
    return found[0], found[1]


def products(model: TrainedModel) -> Counts:
    """Probabilities of word pairs times what they were divided by."""
    table, normalizers = model.lexicon.table, model.lexicon.words.normalizers
    counts: Counts = {}
    for t, target in enumerate(model.target.words):
        for slot in range(table.row_start[t], table.row_start[t + 1]):
            s = int(table.source[slot])
            forward, reverse = (float(value) for value in model.lexicon.probability[slot])
            counts[model.source.words[s], target] = [
                forward * float(normalizers.source[s]),
                reverse * float(normalizers.target[t]),
            ]
    return counts


def added(*several: Counts) -> Counts:
    """The sums of several counts."""
    total: Counts = defaultdict(lambda: [0.0, 0.0])
    for counts in several:
        for pair, both in counts.items():
            for direction, count in enumerate(both):
                total[pair][direction] += count
    return dict(total)
