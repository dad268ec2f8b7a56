"""Labels from token to token: what each aligned token gets, what is left over, and several sources as one.

A token that is aligned with several gets the heaviest of their labels. One without a counterpart gets the label of the
nearest aligned tokens of its sentence if both have the same, and otherwise none: nothing is known about it.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from assist.methods.base import Range, TextSide

Edge = tuple[int, int]
"""A token of the source, and one of the text that gets its label."""


@dataclass(slots=True)
class CarriedLabels:
    """Of every token of a text the value in [0, 1] and the label ('' for none), and whether anything is known of it."""

    values: list[float]
    labels: list[str]
    known: list[bool]


def same_language(source: TextSide, text: TextSide) -> list[Edge]:
    """The tokens of two copies of a text that are the same words; of two versions, those that both have in order."""
    if source.text.strip() == text.text.strip():
        shift = _start(text.text) - _start(source.text)
        return _overlapping([(start + shift, end + shift) for start, end in source.tokens], text.tokens)
    one, other = ([word.casefold() for word in side.words()] for side in (source, text))
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return [(i + step, j + step) for i, j, size in blocks for step in range(size)]


def _start(text: str) -> int:
    return len(text) - len(text.lstrip())


def _overlapping(one: Sequence[Range], other: Sequence[Range]) -> list[Edge]:
    """The tokens that share a character; both are ascending and disjoint."""
    edges, position = [], 0
    for i, (start, end) in enumerate(one):
        while position < len(other) and other[position][1] <= start:
            position += 1
        j = position
        while j < len(other) and other[j][0] < end:
            edges.append((i, j))
            j += 1
    return edges


def compose_alignments(first: Iterable[Edge], second: Iterable[Edge]) -> list[Edge]:
    """Two alignments as one: from the first's tokens through those in the middle to the second's."""
    onwards: dict[int, list[int]] = {}
    for middle, j in second:
        onwards.setdefault(middle, []).append(j)
    return sorted({(i, j) for i, middle in first for j in onwards.get(middle, ())})


def carry(
    edges: Iterable[Edge], size: int, gold: Sequence[float], labels: Sequence[str] | None, weights: Mapping[str, float]
) -> CarriedLabels:
    """The values and labels of a source's tokens on the ``size`` tokens that they are aligned with.

    A token without a value (NaN: punctuation) counts as much as its label.
    """
    source_labels = labels if labels is not None else [""] * len(gold)
    worth = [
        weights.get(label, 0.0) if math.isnan(value) else float(value)
        for value, label in zip(gold, source_labels, strict=True)
    ]
    carried = CarriedLabels([0.0] * size, [""] * size, [False] * size)
    for i, j in edges:
        now = (weights.get(source_labels[i], 0.0), worth[i], source_labels[i])
        if not carried.known[j] or now > (weights.get(carried.labels[j], 0.0), carried.values[j], carried.labels[j]):
            carried.values[j], carried.labels[j] = worth[i], source_labels[i]
        carried.known[j] = True
    return carried


def combine_sources(parts: Sequence[CarriedLabels], size: int, weights: Mapping[str, float]) -> CarriedLabels:
    """Several sources as one, as several annotations are: the mean of their values, and the label that most give.

    Of labels given equally often the heaviest. Only sources that know a token count for it.
    """
    whole = CarriedLabels([0.0] * size, [""] * size, [False] * size)
    for index in range(size):
        knowing = [part for part in parts if part.known[index]]
        if knowing:
            votes = Counter(part.labels[index] for part in knowing)
            whole.known[index] = True
            whole.values[index] = sum(part.values[index] for part in knowing) / len(knowing)
            whole.labels[index] = max(votes, key=lambda label: (votes[label], weights.get(label, -1.0), label))
    return whole


def fill_gaps(side: TextSide, carried: CarriedLabels) -> CarriedLabels:
    """Tokens without a counterpart, between two of their sentence with the same label, with that label."""
    values, labels = list(carried.values), list(carried.labels)
    for before, after in _gaps(side, carried.known):
        low, high = carried.values[before], carried.values[after]
        if carried.labels[before] == carried.labels[after] and low > 0 and high > 0:
            for index in range(before + 1, after):
                values[index], labels[index] = (low + high) / 2, carried.labels[before]
    return CarriedLabels(values, labels, carried.known)


def carried_tokens(side: TextSide, edges: Sequence[Edge], ranges: Iterable[Range]) -> set[int]:
    """The tokens that a span's tokens on one side are aligned with, and those without a counterpart between two."""
    within = {index for each in ranges for index in range(*each)}
    has_edge = [False] * len(side.tokens)
    for _, j in edges:
        has_edge[j] = True
    tokens = {j for i, j in edges if i in within}
    between = (range(low, high) for low, high in _gaps(side, has_edge) if low in tokens and high in tokens)
    return tokens.union(*between)


def _gaps(side: TextSide, has_edge: Sequence[bool]) -> list[tuple[int, int]]:
    """Every two neighbouring known tokens of a sentence that have unknown ones between them."""
    starts = sorted(start for start, _ in side.sentences)
    sentence = [bisect_right(starts, start) for start, _ in side.tokens]
    sure = [index for index, each in enumerate(has_edge) if each]
    return [(low, high) for low, high in pairwise(sure) if high - low > 1 and sentence[low] == sentence[high]]
