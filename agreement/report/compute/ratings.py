"""Agreement of answers, for schemes with questions instead of labels: each item is a unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from agreement.metrics import alpha, classification
from agreement.metrics.arrays import MISSING, Ints, quotient
from agreement.metrics.bootstrap import (
    RESAMPLES,
    CountStatistic,
    Dense,
    Estimate,
    estimates,
)
from agreement.metrics.documents import Collection, RatingQuestion
from annotation.progress import OnAdvance, ignore_progress

NO_ANSWERS = gettext_noop("no item was answered by two people")


@dataclass(frozen=True, slots=True)
class Rating:
    """One question: how many items two people answered, alpha, Fleiss' kappa, and the share of pairs that agree.

    `answers` counts every answer, over all items and people; `people` counts each person's.
    """

    question: RatingQuestion
    items: int
    alpha: dict[alpha.Distance, Estimate]
    fleiss: Estimate
    same: Estimate
    answers: dict[str, int]
    people: dict[str, dict[str, int]]


class RatingAnswers:
    """The answers to the questions of a scheme, collected block by block."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection.of([])
        self.items = 0
        self._rows: dict[str, list[NDArray[np.int32]]] = {question.key: [] for question in collection.questions}

    def add(self, block: Collection) -> None:
        """The answers of a block whose documents come after all others."""
        for question in block.questions:
            codes = {choice: code for code, choice in enumerate(question.choices)}
            rows = [
                (self.items + item, annotation.annotator, codes[answer])
                for item, document in enumerate(block.documents)
                for annotation in document.annotations
                if isinstance(answer := annotation.answers.get(question.key), str) and answer in codes
            ]
            self._rows[question.key].append(np.array(rows, dtype=np.int32).reshape(-1, 3))
        self.items += len(block.documents)

    def of(self, question: RatingQuestion) -> tuple[Ints, Ints, Ints]:
        """Item, annotator and code (an index into the choices) of each answer, item by item."""
        rows = np.concatenate([np.zeros((0, 3), np.int32), *self._rows[question.key]]).astype(np.int64)
        return rows[:, 0], rows[:, 1], rows[:, 2]


def ratings(collection: Collection, resamples: int = RESAMPLES) -> list[Rating]:
    """Every question of the scheme; empty for a scheme without questions."""
    answers = RatingAnswers(collection)
    answers.add(collection)
    return ratings_of(answers, resamples)


def ratings_of(
    answers: RatingAnswers, resamples: int = RESAMPLES, on_progress: OnAdvance = ignore_progress
) -> list[Rating]:
    """As `ratings`, from the answers."""
    return [_rating(answers, question, resamples, on_progress) for question in answers.collection.questions]


def _rating(answers: RatingAnswers, question: RatingQuestion, resamples: int, on_progress: OnAdvance) -> Rating:
    item, person, code = answers.of(question)
    items, count = np.arange(answers.items), len(question.choices)
    # The answers to each item are numbered: who gave them makes no difference, and most people did not see most items.
    number = np.arange(len(item)) - np.searchsorted(item, item)
    codes = np.full((int(number.max(initial=1)) + 1, answers.items), MISSING, dtype=np.int64)
    codes[number, item] = code
    values = np.array(question.values if question.values is not None else range(count), dtype=np.float64)
    pairs = alpha.coincidences(codes, items, count, answers.items)
    terms = classification.fleiss_counts(codes, items, count, answers.items)
    matrices = Dense.of(pairs)
    statistics: dict[str, CountStatistic] = {
        distance: CountStatistic(
            matrices,
            lambda sums, distance=distance: alpha.alpha_of(sums, values, distance),  # type: ignore[misc]
            alpha.alpha(codes, values, distance),
            alpha.UNDEFINED,
        )
        for distance in (alpha.DISTANCES if question.values is not None else alpha.DISTANCES[:1])
    }
    statistics["fleiss"] = CountStatistic(Dense.of(terms), classification.fleiss_of, why=alpha.UNDEFINED)
    statistics["same"] = CountStatistic(
        matrices,
        lambda sums: quotient(np.trace(sums, axis1=-2, axis2=-1), sums.sum(axis=(-2, -1))),
        why=NO_ANSWERS,
    )
    estimated = estimates(statistics, answers.items, resamples, on_progress)
    return Rating(
        question=question,
        items=int(((codes != MISSING).sum(axis=0) > 1).sum()),
        alpha={distance: estimated[distance] for distance in alpha.DISTANCES if distance in estimated},
        fleiss=estimated["fleiss"],
        same=estimated["same"],
        answers=_answer_counts(code, question),
        people={
            name: _answer_counts(own, question)
            for index, name in enumerate(answers.collection.annotators)
            if len(own := code[person == index])
        },
    )


def _answer_counts(codes: Ints, question: RatingQuestion) -> dict[str, int]:
    return {choice: int((codes == code).sum()) for code, choice in enumerate(question.choices)}


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """One item's answers to a question: (person, answer), in the order of the people."""

    pair: int
    name: str
    answers: tuple[tuple[str, str], ...]

    @property
    def differs(self) -> bool:
        return len({answer for _, answer in self.answers}) > 1


def items_of(collection: Collection, question: RatingQuestion) -> list[ItemAnswers]:
    """Every answered item, those with different answers first."""
    items = [
        ItemAnswers(
            document.pair,
            document.name,
            tuple(
                (collection.annotators[annotation.annotator], annotation.answers[question.key])
                for annotation in document.annotations
                if annotation.answers.get(question.key) in question.choices
            ),
        )
        for document in collection.documents
    ]
    return sorted((item for item in items if item.answers), key=lambda item: not item.differs)
