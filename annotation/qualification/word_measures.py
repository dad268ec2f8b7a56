"""Measures of marked words.

For one pair, with M the words marked by the person and R those of the reference (a word with two labels counts twice):

    value = (words of M that agree + words of R that agree) / (|M| + |R|)

which is the F1 of the marked words, 2 |both| / (|M| + |R|). When a word agrees depends on the measure: the other marked
it with the same label, with one at most one grade away, or with any label. By label, only the words with this label are
counted, on either side. Nothing marked by either is full agreement, 1; one of the two marked nothing: 0.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from annotation.qualification.base import MEASURES, ComparedAnnotation, Measure, ReferenceAgreement, Word
from annotation.text.schemes import Scheme

Agrees = Callable[[str, Set[str]], bool]
"""Whether a word's label agrees with the labels that the other gave it."""


def _f1(own: ComparedAnnotation, reference: ComparedAnnotation, agrees: Agrees) -> ReferenceAgreement:
    marks = [
        (label, agrees(label, other.words.get(word, frozenset())))
        for one, other in ((own, reference), (reference, own))
        for word, label in one.marks()
    ]
    if not marks:
        return ReferenceAgreement(1.0)
    return ReferenceAgreement(_share(marks), {key: _share(marks, key) for key in sorted({label for label, _ in marks})})


def _share(marks: list[tuple[str, bool]], label: str = "") -> float:
    chosen = [agreed for key, agreed in marks if not label or key == label]
    return sum(chosen) / len(chosen)


def _same(scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int) -> ReferenceAgreement:
    return _f1(own, reference, lambda label, others: label in others)


def _any(scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int) -> ReferenceAgreement:
    return _f1(own, reference, lambda label, others: bool(others))


def _adjacent_grade(
    scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int
) -> ReferenceAgreement:
    ranks = {key: rank for rank, key in enumerate(sorted(scheme.keys, key=scheme.value))}

    def agrees(label: str, others: Set[str]) -> bool:
        if label not in ranks:  # the scheme no longer has it
            return label in others
        return any(each in ranks and abs(ranks[each] - ranks[label]) <= 1 for each in others)

    return _f1(own, reference, agrees)


def _every_word(
    scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int
) -> ReferenceAgreement:
    """The share of all words with the same labels; by label as in `_same`."""
    touched: set[Word] = {*own.words, *reference.words}
    none: frozenset[str] = frozenset()
    differing = sum(own.words.get(word, none) != reference.words.get(word, none) for word in touched)
    return ReferenceAgreement(1 - differing / words if words else 1.0, _same(scheme, own, reference, words).parts)


def _has_labels(scheme: Scheme) -> bool:
    return bool(scheme.labels)


MEASURES.register(
    Measure(
        "same-label",
        "Marked words with the same label (F1)",
        "1: the same words have the same labels as in the reference; 0: no marked word has the same label. A word "
        "marked with another label counts as missed and as extra.",
        _has_labels,
        _same,
    )
)
MEASURES.register(
    Measure(
        "near-label",
        "Marked words with the same or an adjacent grade (F1)",
        "1: the same words are marked, each at most one grade off; 0: no marked word is.",
        lambda scheme: _has_labels(scheme) and scheme.graded,
        _adjacent_grade,
    )
)
MEASURES.register(
    Measure(
        "marked",
        "Marked words, whatever their label (F1)",
        "1: the same words are marked as in the reference, with any label; 0: no word is marked by both.",
        _has_labels,
        _any,
    )
)
MEASURES.register(
    Measure(
        "every-word",
        "Share of all words with the same label",
        "1: every word has the label of the reference, unmarked ones included. Where little is marked, it is high even "
        "for someone who marks nothing.",
        _has_labels,
        _every_word,
    )
)
