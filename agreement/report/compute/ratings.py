"""Agreement of answers, for schemes with questions instead of labels: each item is a unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from agreement.metrics import alpha, classification
from agreement.metrics.arrays import MISSING, Ints, quotient
from agreement.metrics.bootstrap import RESAMPLES, Estimate, draws, estimate
from agreement.metrics.documents import Collection, Rated

NO_ANSWERS = gettext_noop("no item was answered by two people")


@dataclass(frozen=True, slots=True)
class Rating:
    """One question: how many items two people answered, alpha, Fleiss' kappa, and the share of pairs that agree.

    `answers` counts every answer, over all items and people; `people` counts each person's.
    """

    question: Rated
    items: int
    alpha: dict[alpha.Distance, Estimate]
    fleiss: Estimate
    same: Estimate
    answers: dict[str, int]
    people: dict[str, dict[str, int]]


def ratings(collection: Collection, resamples: int = RESAMPLES) -> list[Rating]:
    """Every question of the scheme; empty for a scheme without questions."""
    return [_rating(collection, question, resamples) for question in collection.questions]


def answers_of(collection: Collection, question: Rated) -> Ints:
    """The answers as codes (annotators, items): an index into the question's choices, or MISSING."""
    codes = np.full((len(collection.annotators), len(collection.documents)), MISSING, dtype=np.int64)
    for item, document in enumerate(collection.documents):
        for work in document.works:
            answer = work.answers.get(question.key)
            if answer in question.choices:
                codes[work.annotator, item] = question.choices.index(answer)
    return codes


def _rating(collection: Collection, question: Rated, resamples: int) -> Rating:
    codes = answers_of(collection, question)
    items, count = np.arange(codes.shape[1]), len(question.choices)
    weights = draws(codes.shape[1], resamples)
    values = np.array(question.values if question.values is not None else range(count), dtype=np.float64)
    matrices = alpha.coincidences(codes, items, count, codes.shape[1])
    return Rating(
        question=question,
        items=int(((codes != MISSING).sum(axis=0) > 1).sum()),
        alpha={
            distance: estimate(
                matrices,
                lambda sums, distance=distance: alpha.alpha_of(sums, values, distance),  # type: ignore[misc]
                weights,
                value=alpha.alpha(codes, values, distance),
                why=alpha.UNDEFINED,
            )
            for distance in (alpha.DISTANCES if question.values is not None else alpha.DISTANCES[:1])
        },
        fleiss=estimate(
            classification.fleiss_counts(codes, items, count, codes.shape[1]),
            classification.fleiss_of,
            weights,
            why=alpha.UNDEFINED,
        ),
        same=estimate(
            matrices,
            lambda sums: quotient(np.trace(sums, axis1=-2, axis2=-1), sums.sum(axis=(-2, -1))),
            weights,
            why=NO_ANSWERS,
        ),
        answers=_counted(codes, question),
        people={
            name: _counted(given, question)
            for name, given in zip(collection.annotators, codes, strict=True)
            if (given != MISSING).any()
        },
    )


def _counted(codes: Ints, question: Rated) -> dict[str, int]:
    return {choice: int((codes == code).sum()) for code, choice in enumerate(question.choices)}


@dataclass(frozen=True, slots=True)
class Item:
    """One item's answers to a question: (person, answer), in the order of the people."""

    pair: int
    name: str
    given: tuple[tuple[str, str], ...]

    @property
    def differs(self) -> bool:
        return len({answer for _, answer in self.given}) > 1


def items_of(collection: Collection, question: Rated) -> list[Item]:
    """Every answered item, those with different answers first."""
    found = [
        Item(
            document.pair,
            document.name,
            tuple(
                (collection.annotators[work.annotator], work.answers[question.key])
                for work in document.works
                if work.answers.get(question.key) in question.choices
            ),
        )
        for document in collection.documents
    ]
    return sorted((item for item in found if item.given), key=lambda item: not item.differs)
