"""Highlights that are not stored, scored against the gold as a run's are (`annotation.selectors.gold_scorer`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from agreement.data.highlight_arrays import scored_highlights
from agreement.prelabel_eval.scores import score
from agreement.selectors import gold_annotations, gold_newest
from annotation.models import Highlight, Project
from annotation.selectors.highlights import HighlightRun

RESAMPLES = 300


class UnsavedScorer:
    """Scores against the newest gold of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.gold = gold_newest(project) if project.labels.labels else None

    def pairs(self) -> list[int]:
        """The pairs that have gold, in order."""
        if self.gold is None:
            return []
        return list(gold_annotations(self.project, self.gold).select_related(None).values_list("pair", flat=True))

    def score(self, highlights: Iterable[Highlight]) -> dict[str, Any]:
        """The figures of one object of `evaluate_prelabels --format json`. ValueError without gold."""
        if self.gold is None:
            raise ValueError(f"{self.project.slug} has no gold")
        predicted = list(highlights)
        seconds = sum(each.seconds for each in predicted) / max(1, len(predicted))
        run = HighlightRun("", predicted[0].method if predicted else "", len(predicted), seconds, timezone.now())
        return score(scored_highlights(self.project, predicted, self.gold), run, {}, RESAMPLES).to_json()
