"""Documents as arrays, for tests that need no database: one digit a token, the code of its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from agreement.metrics.arrays import Ints
from agreement.metrics.documents import Collection, Document, DocumentAnnotation
from agreement.metrics.matching import TokenSpan

Sides = tuple[str, str]
"""One annotator's labels of side A and side B, as in ('0044', '0')."""


def work(annotator: int, sides: Sides, *, linked: bool = False, **fields: object) -> DocumentAnnotation:
    """A span for each run of one label on a side; `linked` makes one span of all that have the same label."""
    codes = tuple(np.array([int(digit) for digit in text], dtype=np.int64) for text in sides)
    spans: list[TokenSpan] = []
    if linked:
        for label in sorted({int(code) for side in codes for code in side} - {0}):
            a, b = (frozenset(np.flatnonzero(side == label).tolist()) for side in codes)
            spans.append(TokenSpan(label, a, b))
    else:
        for number, side in enumerate(codes):
            for first, last in _runs(side):
                tokens = frozenset(range(first, last))
                empty: frozenset[int] = frozenset()
                spans.append(TokenSpan(int(side[first]), *((tokens, empty) if number == 0 else (empty, tokens))))
    made = DocumentAnnotation(annotator, annotator + 100, tuple(spans), ((), ()), (codes[0], codes[1]))
    return replace(made, **fields)  # type: ignore[arg-type]


def _runs(codes: Ints) -> list[tuple[int, int]]:
    begins = np.flatnonzero(np.diff(codes, prepend=-1)).tolist()
    ends = [*begins[1:], len(codes)]
    return [(first, last) for first, last in zip(begins, ends, strict=False) if codes[first]]


def document(pair: int, *annotations: DocumentAnnotation, split: str = "") -> Document:
    tokens = (len(annotations[0].codes[0]), len(annotations[0].codes[1]))
    sentences = tuple(np.zeros(count, dtype=np.int64) for count in tokens)
    return Document(
        pair,
        f"d{pair}",
        split,
        ("en", "de"),
        tokens,
        (10 * tokens[0], 10 * tokens[1]),
        (sentences[0], sentences[1]),
        annotations,
    )


def collection(*documents: Document, people: Sequence[str] = ("A1", "A2"), graded: bool = True) -> Collection:
    labels = ("0", "1", "2", "3", "4", "5") if graded else ("same", "new", "inferable")
    return Collection(
        labels=labels,
        values=np.arange(float(len(labels))),
        sides=(0, 1) if graded else (1,),
        graded=graded,
        partition=not graded,
        annotators=tuple(people),
        documents=documents,
    )
