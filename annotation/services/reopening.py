"""Reopening, for many pairs at once, what was submitted under older guidelines."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.errors import Conflict, Forbidden
from annotation.models import Project, User
from annotation.models.lifecycle import ProjectEventType
from annotation.selectors.guidelines import outdated_assignments
from annotation.selectors.projects import guideline_current
from annotation.services.annotations import annotation_reopen
from annotation.services.archive_check import changes_project
from annotation.services.audit_events import event_record

BATCH_SIZE = 300
"""Pairs reopened by one request, which takes a few seconds then."""


@dataclass(frozen=True, slots=True)
class ReopenResult:
    """How many pairs were reopened, how many can't be (their first submission counts), and whether others remain."""

    reopened: int
    final: int
    more: bool


@changes_project()
def outdated_reopen(*, project: Project, by: User, version: int) -> ReopenResult:
    """Reopen what was submitted under guidelines older than `version`, the current one that the lead saw.

    Each pair is reopened as its annotator would: the work stays, and has to be submitted again. Pairs in closed phases,
    and those whose first submission counts, stay submitted. Raises Conflict if there are newer guidelines.
    """
    current = guideline_current(project)
    if current is None or current.version != version:
        raise Conflict(
            _("The guidelines have changed since you opened this page."),
            where=project.name,
            hint=_("Reload the page and look at the numbers again."),
        )
    result = _reopen(project, by)
    if result.reopened:
        event_record(project=project, what=ProjectEventType.REOPENED, by=by, assignments=result.reopened)
    return result


def _reopen(project: Project, by: User) -> ReopenResult:
    reopened = final = 0
    for assignment in list(outdated_assignments(project).select_related("annotator__project", "pair")):
        if reopened == BATCH_SIZE:
            return ReopenResult(reopened, final, True)
        try:
            annotation_reopen(assignment=assignment, by=by)
        except Forbidden:
            final += 1
        except Conflict:  # its annotator has reopened it in the meantime
            continue
        else:
            reopened += 1
    return ReopenResult(reopened, final, False)
