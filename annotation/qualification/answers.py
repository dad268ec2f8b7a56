"""Measures of answers to questions with choices: the share of questions that are answered as in the reference.

A question that the reference leaves open is not compared; one that only the reference answers counts 0. If the
reference answers none, that is full agreement, 1. Answers in people's own words are never compared.
"""

from __future__ import annotations

from collections.abc import Callable

from annotation.qualification.base import MEASURES, ComparedAnnotation, Measure, ReferenceAgreement
from annotation.text.schemes import Question, Scheme


def _compare_answers(
    scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, agrees: Callable[[Question, str, str], bool]
) -> ReferenceAgreement:
    parts = {
        question.key: float(agrees(question, own.answers.get(question.key, ""), reference.answers[question.key]))
        for question in scheme.rated
        if question.name_of(reference.answers.get(question.key, ""))
    }
    return ReferenceAgreement(sum(parts.values()) / len(parts) if parts else 1.0, parts)


def _exact(scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int) -> ReferenceAgreement:
    return _compare_answers(scheme, own, reference, lambda question, mine, theirs: mine == theirs)


def _within_one(
    scheme: Scheme, own: ComparedAnnotation, reference: ComparedAnnotation, words: int
) -> ReferenceAgreement:
    def agrees(question: Question, mine: str, theirs: str) -> bool:
        order = sorted((choice.key for choice in question.choices), key=question.rank)
        return mine in order and abs(order.index(mine) - order.index(theirs)) <= 1

    return _compare_answers(scheme, own, reference, agrees)


def _scaled(scheme: Scheme) -> bool:
    """Whether some question has an order of more than two answers, so that one beside another means something."""
    return bool(scheme.rated) and any(
        len(question.choices) > 2 and all(choice.value is not None for choice in question.choices)
        for question in scheme.rated
    )


MEASURES.register(
    Measure(
        "same-answer",
        "Same answers",
        "1: every question is answered as in the reference; 0: none is.",
        lambda scheme: bool(scheme.rated),
        _exact,
        questions=True,
    )
)
MEASURES.register(
    Measure(
        "near-answer",
        "Same or adjacent answer",
        "1: every answer is that of the reference or next to it on the scale; 0: none is.",
        _scaled,
        _within_one,
        questions=True,
    )
)
