"""Writes of guidelines. A version that may have been read is never changed: an edit creates the next version."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Guideline, Project
from annotation.selectors.projects import guideline_current
from annotation.services.archive_check import changes_project
from annotation.services.audit_events import current_user
from annotation.strict_json import control_character_problem


@changes_project()
@transaction.atomic
def guideline_write(*, project: Project, text: str, base: int) -> Guideline:
    """Save `text` as the version after `base`, the one its author started from (0: none).

    Unchanged text creates no version. Raises Conflict if someone else wrote one in the meantime.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Invalid(_("The guidelines can't be empty."), where="text")
    if problem := control_character_problem(text):
        raise Invalid(problem.text(_), where="text")
    current = guideline_current(project)
    version = current.version if current else 0
    if current is not None and current.text == text:
        return current
    if base != version:
        raise Conflict(
            _("Version %(version)s has been saved in the meantime.") % {"version": version},
            where=project.name,
            hint=_("Compare it with your text, and save again."),
        )
    return Guideline.objects.create(project=project, version=version + 1, text=text, made_by=current_user())
