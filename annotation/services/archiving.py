"""Archiving a project, which then can be read and not changed, and taking it out again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict, DomainError
from annotation.hooks import ON_ARCHIVING
from annotation.models import ACTIVE_JOB, Project, User
from annotation.models.imports import Import
from annotation.models.lifecycle import ProjectEventType
from annotation.security_events import security_event
from annotation.services.audit_events import event_record
from annotation.services.import_jobs import import_cancel
from annotation.services.schemes import saves_lock


@transaction.atomic
def project_archive(*, project: Project, by: User | None) -> Project:
    """Archive a project. Raises Conflict if it is archived already.

    Imports, runs, mining and gold that wait for a worker or that one is working on are cancelled: none of them may end
    later. What only reads goes on: publications, pushes, reports. Saves in progress are waited for.
    """
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if locked.archived:
        raise Conflict(_("This project is archived already."), code="archived", where=locked.name)
    saves_lock(locked)
    cancelled = jobs_stop(project=locked)
    _set_archived(locked, timezone.now())
    event_record(project=locked, what=ProjectEventType.ARCHIVED, by=by, cancelled=cancelled)
    security_event("project archived", project=locked.pk, account=by.pk if by else None)
    return locked


@transaction.atomic
def project_unarchive(*, project: Project, by: User | None) -> Project:
    """Take a project out of the archive. Raises Conflict if it isn't in it. Cancelled jobs stay cancelled."""
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if not locked.archived:
        raise Conflict(_("This project is not archived."), code="not-archived", where=locked.name)
    _set_archived(locked, None)
    event_record(project=locked, what=ProjectEventType.UNARCHIVED, by=by)
    security_event("project taken out of the archive", project=locked.pk, account=by.pk if by else None)
    return locked


def _set_archived(project: Project, archived: datetime | None) -> None:
    """Write when the project was archived, without a row in the history of its settings, which did not change."""
    Project.objects.filter(pk=project.pk).update(archived=archived)
    project.archived = archived


def jobs_stop(*, project: Project) -> int:
    """Cancel everything that would still change the project; returns how many jobs there were."""
    stopped = 0
    for row in Import.objects.filter(project=project, status__in=ACTIVE_JOB, foreground=False):
        try:
            import_cancel(row=row)
        except DomainError:  # it has just ended
            continue
        stopped += 1
    return stopped + sum(int(jobs_end(project)) for jobs_end in ON_ARCHIVING)
