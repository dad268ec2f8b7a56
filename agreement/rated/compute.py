"""Ratings of items: averages per item, their quartiles, alpha per group, and which items are validated.

An item is a pair whose metadata has an `item` (`assist.item_generation.items` says what is in it); others are ignored.
Its groups are the operators of set-theoretic compositionality, or the questions about distractors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db.models import QuerySet

from agreement.data.annotation_arrays import collection_of
from agreement.metrics.bootstrap import RESAMPLES, Estimate
from agreement.metrics.documents import Collection, Document, RatingQuestion
from agreement.report.compute.ratings import ratings
from annotation.models import Pair, Project, Source

RATERS = 2
"""How many people must have rated an item, unless said otherwise."""
OPERATORS = ("overlap", "difference", "union")
_TEXTS = {"clsd": ("row", "source"), "compositionality": ("row", "operator", "target")}
"""Metadata fields that must be text, by task."""
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class RatedItem:
    """An item, its two texts, its metadata and its ratings by question."""

    pair: int
    name: str
    metadata: Mapping[str, Any]
    a: str
    b: str
    ratings: Mapping[str, tuple[float, ...]]

    @property
    def raters(self) -> int:
        """How many people answered every question."""
        return min((len(values) for values in self.ratings.values()), default=0)

    def average(self, question: str) -> float | None:
        """The mean answer to a question; None if nobody answered it."""
        values = self.ratings.get(question, ())
        return sum(values) / len(values) if values else None

    def is_validated(self, bounds: Mapping[str, float], raters: int) -> bool:
        """Whether enough people rated it, and the mean of each question is over its bound."""
        means = [(self.average(question), bound) for question, bound in bounds.items()]
        return self.raters >= raters and all(mean is not None and mean > bound for mean, bound in means)


@dataclass(frozen=True, slots=True)
class RatingGroup:
    """The ratings of a group of items: how many, and the mean and quartiles of the items' averages.

    `quartiles` are minimum, lower, median, upper and maximum; `alpha` is ordinal, over items that two people rated.
    """

    name: str
    question: str
    items: int
    ratings: int
    mean: float
    quartiles: tuple[float, float, float, float, float]
    alpha: Estimate

    def to_json(self) -> dict[str, Any]:
        return {
            "group": self.name,
            "question": self.question,
            "items": self.items,
            "ratings": self.ratings,
            "mean": self.mean,
            "quartiles": list(self.quartiles),
            "alpha_ordinal": self.alpha.value,
            "alpha_ordinal_ci": self.alpha.interval,
        }


@dataclass(frozen=True, slots=True)
class RatedItems:
    """All items of a project, the ratings by group, and the task they were made for ('' without items)."""

    task: str
    items: tuple[RatedItem, ...]
    groups: tuple[RatingGroup, ...]
    questions: tuple[RatingQuestion, ...]

    @property
    def bounds(self) -> dict[str, float]:
        """What the mean of each question must exceed: the middle of its scale, 2.5 of 0 to 4 as in the paper."""
        return {question.key: _bound(question) for question in self.questions}

    def validated(self, least: float | None = None, raters: int = RATERS) -> list[RatedItem]:
        """The validated items; `least` in place of the usual bounds."""
        bounds = {key: usual if least is None else least for key, usual in self.bounds.items()}
        return [item for item in self.items if item.is_validated(bounds, raters)]


def _bound(question: RatingQuestion) -> float:
    values = question.values or ()
    return 2.5 if tuple(values) == (0.0, 1.0, 2.0, 3.0, 4.0) else (min(values) + max(values)) / 2


def project_items(project: Project) -> RatedItems:
    """The items of a project with the ratings that people submitted in all phases, without groups."""
    return _read(project, None)[0]


def rated_items(project: Project, *, phase: str | None = None, resamples: int = RESAMPLES) -> RatedItems:
    """As `project_items`, in one phase or (None) in all, with the figures of each group."""
    items, collection = _read(project, phase)
    documents = {document.pair: document for document in collection.documents}
    groups: list[RatingGroup] = []
    for question in items.questions:
        for name, own in _items_by_operator(items.items).items():
            if averages := [mean for item in own if (mean := item.average(question.key)) is not None]:
                chosen = collection.of([documents[item.pair] for item in own if item.pair in documents])
                (about,) = [each for each in ratings(chosen, resamples) if each.question.key == question.key]
                groups.append(
                    RatingGroup(
                        name=name or question.key,
                        question=question.text,
                        items=len(averages),
                        ratings=sum(len(item.ratings[question.key]) for item in own),
                        mean=float(np.mean(averages)),
                        quartiles=_quartiles(averages),
                        alpha=about.alpha["ordinal"],
                    )
                )
    return replace(items, groups=tuple(groups))


def _read(project: Project, phase: str | None) -> tuple[RatedItems, Collection]:
    """The items, all of the task of the first, and the annotations of the project's pairs."""
    pairs = project.pairs.filter(metadata__has_key="item")
    collection = collection_of(project, source=Source.HUMAN, phase=phase, pairs=pairs)
    questions = tuple(question for question in collection.questions if question.values is not None)
    documents = {document.pair: document for document in collection.documents}
    items = [_item(pair, documents.get(pair.pk), questions) for pair in _item_pairs(pairs)]
    task = items[0].metadata["task"] if items else ""
    return RatedItems(task, tuple(item for item in items if item.metadata["task"] == task), (), questions), collection


def _item_pairs(pairs: QuerySet[Pair]) -> list[Pair]:
    """The pairs that are items, in order."""
    candidates = pairs.select_related("a", "b").order_by("position", "pk").iterator(_BATCH)
    return [pair for pair in candidates if _is_item(pair.metadata.get("item"))]


def _is_item(item: object) -> bool:
    """Whether it has the shape that generated items have: an import may bring any JSON."""
    if not isinstance(item, dict) or not isinstance(task := item.get("task"), str) or task not in _TEXTS:
        return False
    if not all(isinstance(item.get(name), str) for name in _TEXTS[task]):
        return False
    number = item.get("number")
    if task == "clsd":
        return isinstance(number, int) and not isinstance(number, bool)
    return item["operator"] in OPERATORS


def _item(pair: Pair, document: Document | None, questions: Sequence[RatingQuestion]) -> RatedItem:
    by_question: dict[str, tuple[float, ...]] = {}
    for question in questions:
        values = dict(zip(question.choices, question.values or (), strict=True))
        annotations = document.annotations if document else ()
        answers = [annotation.answers.get(question.key) for annotation in annotations]
        by_question[question.key] = tuple(values[answer] for answer in answers if answer in values)
    return RatedItem(pair.pk, pair.external_id, pair.metadata["item"], pair.a.content, pair.b.content, by_question)


def _items_by_operator(items: Sequence[RatedItem]) -> dict[str, list[RatedItem]]:
    """Items by operator; under '' those of a task without operators."""
    groups: dict[str, list[RatedItem]] = {}
    for item in items:
        group = item.metadata["operator"] if item.metadata["task"] == "compositionality" else ""
        groups.setdefault(group, []).append(item)
    return groups


def _quartiles(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Minimum, quartiles and maximum, with linear interpolation, numpy's default."""
    low, lower, median, upper, high = np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return low, lower, median, upper, high
