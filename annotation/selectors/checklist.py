"""What a project still needs before people annotate in it, in a number of queries that does not grow with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Annotator, Assignment, Highlight, Pair, Project, Role
from annotation.models.people import Invitation, ReadingSkill
from annotation.selectors.projects import guideline_current
from annotation.selectors.reopenings import last_submissions
from annotation.vocabulary import FINISHED


class StepName(StrEnum):
    """The steps from an empty project to a running one, in their order."""

    SCHEME = "scheme"
    TEXTS = "texts"
    PEOPLE = "people"
    GUIDELINES = "guidelines"
    ASSIGNMENTS = "assignments"
    PRELABELS = "prelabels"
    SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class ChecklistStep:
    """A step: whether it is done, or is `optional`. `count` is how many there are of what it is about (the version of
    the guidelines), `lacking` how many of them need something: annotators whose languages nobody has entered.
    """

    name: StepName
    finished: bool
    count: int
    lacking: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Checklist:
    """The steps; `running`: someone has submitted a pair, so the list has served its purpose."""

    steps: tuple[ChecklistStep, ...]

    @property
    def running(self) -> bool:
        return self.steps[-1].finished

    @property
    def remaining(self) -> int:
        return sum(not step.finished and not step.optional for step in self.steps)

    @property
    def next(self) -> ChecklistStep | None:
        return next((step for step in self.steps if not step.finished and not step.optional), None)


def project_checklist(project: Project) -> Checklist:
    """Six queries, and one more until something is submitted."""
    pairs = Pair.objects.filter(project=project).count()
    skills = ReadingSkill.objects.filter(annotator=OuterRef("pk"))
    people = Annotator.objects.filter(project=project, role=Role.ANNOTATOR, user__isnull=False)
    joined, unknown = people.aggregate(n=Count("pk"), unknown=Count("pk", filter=~Q(Exists(skills)))).values()
    invited = Invitation.objects.filter(project=project, accepted=None, revoked=None, role=Role.ANNOTATOR).count()
    guideline = guideline_current(project)
    assignments = Assignment.objects.filter(pair__project=project)
    assigned, submitted = assignments.aggregate(
        n=Count("pk"), finished=Count("pk", filter=Q(status__in=FINISHED))
    ).values()
    highlights = Highlight.objects.filter(pair__project=project).exists()
    return Checklist(
        (
            ChecklistStep(StepName.SCHEME, True, len(project.labels.labels) or len(project.labels.questions)),
            ChecklistStep(StepName.TEXTS, pairs > 0, pairs),
            ChecklistStep(StepName.PEOPLE, joined + invited > 0 and not unknown, joined + invited, unknown),
            ChecklistStep(StepName.GUIDELINES, guideline is not None, guideline.version if guideline else 0),
            ChecklistStep(StepName.ASSIGNMENTS, assigned > 0, assigned),
            ChecklistStep(StepName.PRELABELS, highlights, int(highlights), optional=True),
            # What a lead reopened was submitted once.
            ChecklistStep(StepName.SUBMITTED, submitted > 0 or bool(last_submissions(project)), submitted),
        )
    )
