"""A project with two annotators who agree on one thing and differ on another, and a draft of its gold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agreement.gold.services.drafts import draft_open
from agreement.gold.status import PairStatus, pair_status
from agreement.models import GoldVersion
from annotation.models import Annotation, Annotator, Pair, Project, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.text.spans import Span, spans_document
from tests.agreement.work import Marks, pair, project, spans_of, submit
from tests.factories import UserFactory


@dataclass
class Home:
    """`first` is A1's work on the pair, `second` A2's; `by` adjudicates."""

    project: Project
    people: list[Annotator]
    pair: Pair
    first: Annotation
    second: Annotation
    by: User = field(default_factory=lambda: UserFactory(username="mia"))

    def open(self, rule: str = "agreed") -> GoldVersion:
        return draft_open(project=self.project, rule=rule, phase="main", by=self.by)

    def status(self, draft: GoldVersion) -> PairStatus:
        found = pair_status(draft, Pair.objects.get(pk=self.pair.pk))
        assert found is not None
        return found

    def work(self, marks: Marks, **more: Any) -> AnnotationInput:
        return AnnotationInput(spans=spans_document(spans_of(self.pair, marks)), **more)


def home(scheme: str = "graded") -> Home:
    """Both marked [3] of A alike; A1 marked [0, 1] as 4, A2 as 2. Under xparade the same on side B."""
    made, people = project(scheme)
    on = pair(made)
    if scheme == "graded":
        marks: tuple[Marks, Marks] = (
            [("4", [0, 1], [0]), ("1", [3], [])],
            [("2", [0, 1], [0]), ("1", [3], [])],
        )
    else:
        marks = [("new", [], [0, 1]), ("new", [], [3])], [("inferable", [], [0, 1]), ("new", [], [3])]
    return Home(made, people, on, submit(on, people[0], marks[0]), submit(on, people[1], marks[1]))


def labels(spans: list[Span]) -> list[str]:
    return [span.label for span in spans]
