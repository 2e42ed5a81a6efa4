"""Trees carried along links, slowly and by the book."""

from __future__ import annotations


def ancestors(heads, word):
    """The words above a word, counted from zero, the nearest first."""
    found = []
    while heads[word] > 0:
        word = heads[word] - 1
        found.append(word)
    return found


def counterparts(heads, words, links):
    """Source words by target words: each target word takes the head of its links, each source word its surest claim.

    ``links`` are probabilities by pairs of words.
    """
    wanted = {}
    for j in range(words):
        linked = sorted(i for i, other in links if other == j)
        tops = [i for i in linked if not set(ancestors(heads, i)) & set(linked)]
        if tops:
            wanted[j] = max(tops, key=lambda i: (links[i, j], -i))
    chosen = {}
    for i in set(wanted.values()):
        chosen[max((j for j in wanted if wanted[j] == i), key=lambda j: (links[i, j], -j))] = i
    return chosen


def edges(heads, labels, words, links):
    """The head of each target word, counted from one, 0 for a root and -1 where none is carried; and how sure it is."""
    chosen = counterparts(heads, words, links)
    by_source = {i: j for j, i in chosen.items()}
    found = []
    for j in range(words):
        i = chosen.get(j)
        if i is None or heads[i] < 0 or (heads[i] > 0 and heads[i] - 1 not in by_source):
            found.append((-1, None))
        elif heads[i] == 0:
            found.append((0, links[i, j]))
        else:
            above = by_source[heads[i] - 1]
            kept = 0.6 if labels[i] == "punct" else 1
            found.append((above + 1, min(links[i, j], links[heads[i] - 1, above]) * kept))
    return found


def complaints(sentence):
    """What Universal Dependencies would object to in a sentence: its tree, its columns and its comments."""
    heads, labels = sentence.heads, sentence.column(7)
    found = []
    if sum(head == 0 for head in heads) != 1:
        found.append("not one root")
    for word, (head, label) in enumerate(zip(heads, labels, strict=True)):
        if not 0 <= head <= len(heads):
            found.append("a head outside the sentence")
            continue
        if (head == 0) != (label.partition(":")[0] == "root"):
            found.append("a root that is none, or no root that is one")
        seen, at = set(), word
        while heads[at] > 0 and at not in seen:
            seen.add(at)
            at = heads[at] - 1
        if at in seen:
            found.append("a circle")
        if label.partition(":")[0] in {"conj", "fixed", "flat", "goeswith", "appos"} and head > word + 1:
            found.append(f"{label} to the left")
    if any(tag == "_" for tag in sentence.column(3)):
        found.append("a word without a part of speech")
    if sentence.comment("text") is not None and sentence.comment("text") != sentence.text:
        found.append("another text")
    return found
