"""Scores of unsaved highlights against the gold, computed by the app that has the gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from annotation.hooks import GOLD_SCORER
from annotation.models import Highlight, Project


class GoldScorer(Protocol):
    """Scores highlights of one project."""

    def __init__(self, project: Project) -> None: ...

    def pairs(self) -> list[int]:
        """The pairs that have gold, in order; empty without gold, or with a scheme without labels."""

    def score(self, highlights: Iterable[Highlight]) -> dict[str, Any]:
        """One object as `evaluate_prelabels --format json` prints them, for highlights that need not be saved."""


def gold_scorer(project: Project) -> GoldScorer:
    """The scorer of a project."""
    scorers: Iterator[type[GoldScorer]] = iter(GOLD_SCORER)
    return next(scorers)(project)
