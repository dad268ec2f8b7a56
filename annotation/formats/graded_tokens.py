"""Token labels of graded gold, as SwissGov-RSD releases them: the grade divided by five, -1 on punctuation."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.formats.record import PairRecord
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import covered_indices
from annotation.text.tokens import is_ascii_punctuation

STEPS = 5
"""The highest grade."""
EXCEPTIONS = ("scored", "unscored")
"""Keys of a pair's metadata, by side: indices of punctuation that has a label, and of other tokens that have none."""


def supports_scheme(scheme: Scheme) -> bool:
    """Whether the scheme's labels can be written so: grades from 0 to 5."""
    return scheme.graded and max(map(scheme.value, scheme.keys)) <= STEPS


def words_and_labels(record: PairRecord, side: Side, scheme: Scheme) -> tuple[list[str], list[float]]:
    """The tokens of one side, and their labels from the gold.

    A token under several spans has the last one's label, as in SwissGov-RSD's merged gold.
    """
    text = record.a if side == "a" else record.b
    tokens = text.tokens or []
    words = [text.text[slice(*token)] for token in tokens]
    labels = [0.0] * len(words)
    for span in record.gold or ():
        for token in covered_indices(span.on(side), tokens):
            labels[token] = scheme.value(span.label) / STEPS
    scored, unscored = (_indices(record, kind, side) for kind in EXCEPTIONS)
    for index, word in enumerate(words):
        if index in unscored or (is_ascii_punctuation(word) and index not in scored):
            labels[index] = -1.0
    return words, labels


def _indices(record: PairRecord, kind: str, side: Side) -> set[int]:
    """The indices under `kind`; none if another source's metadata uses that name."""
    stored = record.metadata.get(kind)
    indices = stored.get(side) if isinstance(stored, Mapping) else None
    return {index for index in indices if type(index) is int} if isinstance(indices, list) else set()
