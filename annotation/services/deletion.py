"""Deletion of a project: hidden from everyone in one transaction, then removed by the first process that can.

From the moment at which the first transaction ends, every address of the project gives 404 and its name is free. Its
rows are removed a few pairs at a time; this can be interrupted at any point and is continued by a worker. Last come
files on this machine's disk.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.hooks import COUNTS_FOR_DELETION, ON_DELETION
from annotation.job_notifications import notify
from annotation.models import (
    ACTIVE_JOB,
    Annotation,
    Annotator,
    Assignment,
    Guideline,
    JobStatus,
    Pair,
    Project,
    Source,
    User,
)
from annotation.models.glossary import GlossaryEntry
from annotation.models.lifecycle import ProjectDeletion
from annotation.models.messages import Message
from annotation.security_events import security_event
from annotation.services.archiving import jobs_stop
from annotation.services.claims import WORKER, Heartbeat, claim_finish
from annotation.services.jobs import JobKind, jobs_run
from annotation.services.schemes import saves_lock
from annotation.services.texts import texts_remove_unused

SMALL_PROJECT_PAIRS = 200
"""A project with more pairs than this is removed by a worker."""
REMOVED_AT_ONCE = 50


def deletion_counts(project: Project) -> dict[str, int]:
    """What would be lost, by name."""
    annotations = Annotation.objects.filter(pair__project=project)
    counts = {
        "pairs": Pair.objects.filter(project=project).count(),
        "people": Annotator.objects.filter(project=project).count(),
        "assignments": Assignment.objects.filter(pair__project=project).count(),
        "annotations": annotations.filter(source=Source.HUMAN).count(),
        "gold": annotations.filter(source=Source.GOLD).values("pair").distinct().count(),
        "messages": Message.objects.filter(thread__assignment__pair__project=project).count(),
        "guidelines": Guideline.objects.filter(project=project).count(),
        "glossary": GlossaryEntry.objects.filter(project=project).count(),
    }
    for counted in COUNTS_FOR_DELETION:
        counts |= counted(project)
    return counts


def project_delete(*, project: Project, name: str, by: User | None) -> ProjectDeletion:
    """Delete a project whose name was typed. Raises Invalid, and changes nothing, for another name.

    A small project's rows are gone when it returns; those of a larger one are removed by a worker.
    """
    if name.strip() != project.name.strip():
        raise Invalid(_("This is not the project's name."), code="name", where="name", hint=project.name)
    with transaction.atomic():
        row = _hide(project, by)
    if row.status == JobStatus.QUEUED:
        notify(DELETIONS.name)
    else:
        _remove(row, lambda: None)
        row.refresh_from_db()
    return row


def deletion_resume(*, slug: str) -> ProjectDeletion | None:
    """Do in this process what remains of a deletion that failed or that no worker has done; None if there is none."""
    unfinished = ProjectDeletion.objects.filter(slug=slug).exclude(status=JobStatus.DONE)
    unfinished.filter(status=JobStatus.FAILED).update(status=JobStatus.QUEUED, attempts=0, problem="")
    row = unfinished.order_by("-pk").first()
    if row is not None:
        jobs_run(DELETIONS)
        row.refresh_from_db()
    return row


def _hide(project: Project, by: User | None) -> ProjectDeletion:
    locked = Project.objects.select_for_update().get(pk=project.pk)
    saves_lock(locked)
    jobs_stop(project=locked)
    counts = deletion_counts(locked)
    claim: dict[str, Any] = {"status": JobStatus.QUEUED}
    if counts["pairs"] <= SMALL_PROJECT_PAIRS:
        # Held as a worker would, so that a worker continues if this process ends.
        claim = {"status": JobStatus.RUNNING, "claimed_by": WORKER, "attempts": 1, "heartbeat": Now()}
    row = ProjectDeletion.objects.create(
        slug=locked.slug, name=locked.name, hidden=locked, counts=counts, made_by=by, **claim
    )
    # Nobody is in it any more: even its assignments, whose addresses don't name it, are found by nobody.
    Annotator.objects.filter(project=locked).update(user=None, former_user=None)
    Project.objects.filter(pk=locked.pk).update(slug=f"~deleted-{uuid.uuid4().hex}", staged=True, archived=None)
    security_event("project deleted", project=locked.pk, account=by.pk if by else None, pairs=counts["pairs"])
    return row


def _perform(row: ProjectDeletion, heartbeat: Heartbeat) -> None:
    _remove(row, heartbeat.check)


def _remove(row: ProjectDeletion, check: Callable[[], object]) -> None:
    project = row.hidden
    if project is not None:
        rows = Pair.objects.filter(project=project).order_by("pk")
        while batch := list(rows.values_list("pk", "a_id", "b_id", "statement_id")[:REMOVED_AT_ONCE]):
            check()
            with transaction.atomic():
                Pair.objects.filter(pk__in=[key for key, *_texts in batch]).delete()
                texts_remove_unused(texts={text for _key, *used in batch for text in used if text is not None})
        with transaction.atomic():
            key = project.pk
            project.delete()
            # Also what deleting wrote there: nothing of a deleted project is kept but the record of its deletion.
            for history, column in ((Project.history, "id"), (Annotator.history, "project"), (_GLOSSARY, "project")):
                history.filter(**{column: key}).delete()
    check()
    for files_remove in ON_DELETION:
        files_remove(row.slug)
    claim_finish(row, status=JobStatus.DONE, problem="")


_GLOSSARY: Any = GlossaryEntry.history

DELETIONS: JobKind[ProjectDeletion] = JobKind(
    name="deletions",
    unfinished=lambda: (
        ProjectDeletion.objects.filter(status__in=ACTIVE_JOB).select_related("hidden", "made_by").order_by("pk")
    ),
    perform=_perform,
    failed=lambda row, problem: {"status": JobStatus.FAILED, "problem": problem},
    claimed={"status": JobStatus.RUNNING},
    released={"status": JobStatus.QUEUED},
)
