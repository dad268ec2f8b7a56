"""Whether someone may begin trial and main pairs: in a project with a pass rule, annotators have to be advanced first.

Apart from the other reads of the qualification, because opening and saving any pair asks this; a project without a rule
needs no query for it.
"""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.cached_statements import PreparedQuery
from annotation.models import Annotator, Assignment, Project, Role, Status
from annotation.models.qualification import QualificationStep, StepKind
from annotation.qualification.rule import KEY, rule_of
from annotation.vocabulary import Phase

HELD_PHASES = (Phase.TRIAL.value, Phase.MAIN.value)


def held_phases(annotator: Annotator) -> tuple[str, ...]:
    """The phases in which this person may not begin a pair yet: those after the qualification, or none.

    Leads and adjudicators are never held back. `annotator.project` must be loaded.
    """
    project: Project = annotator.project
    if annotator.role != Role.ANNOTATOR or KEY not in project.settings:
        return ()
    if rule_of(project.settings, project.labels) is None:
        return ()
    return () if _ADVANCED.first(annotator=annotator.pk) is not None else HELD_PHASES


def held_back(assignment: Assignment, annotator: Annotator) -> bool:
    """Whether an assignment waits until its annotator is advanced. Pairs that they began before stay open to them."""
    if assignment.status != Status.OPEN or assignment.phase not in HELD_PHASES:
        return False
    return assignment.phase in held_phases(annotator)


def _advanced(annotator: int) -> QuerySet[QualificationStep]:
    steps = QualificationStep.objects.filter(annotator=annotator, step=StepKind.ADVANCE, undone=None)
    return steps.order_by("-pk")[:1]


_ADVANCED: PreparedQuery[QualificationStep] = PreparedQuery(_advanced, annotator=int)
