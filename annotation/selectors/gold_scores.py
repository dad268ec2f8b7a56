"""How good highlights are against the gold: what the app that knows the gold says of highlights that nobody stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, cast

from django.utils.module_loading import import_string

from annotation.models import Highlight, Project


class GoldScorer(Protocol):
    """Of one project."""

    def __init__(self, project: Project) -> None: ...

    def pairs(self) -> list[int]:
        """The pairs that have gold, in order; empty without gold, or with a scheme without labels."""

    def score(self, highlights: Iterable[Highlight]) -> dict[str, Any]:
        """One object as `evaluate_prelabels --format json` prints them, for highlights that need not be saved."""


SCORER: list[str] = []
"""Where the scorer is, as a dotted name: a process that scores nothing loads none of it."""


def gold_scorer(project: Project) -> GoldScorer:
    """The scorer of a project."""
    made: type[GoldScorer] = cast(Any, import_string(SCORER[0]))
    return made(project)
