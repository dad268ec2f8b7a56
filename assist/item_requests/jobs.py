"""Generating items from the browser or the API: a lead sends sentences, sees what would be asked, and a worker asks.

The file is checked while it is sent, and kept until the items are made; nothing is asked before the lead has seen what
it costs at most and starts it. What the model makes becomes pairs of a rating project, as with the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.job_notifications import notify
from annotation.models import JobStatus, Project, User
from annotation.services.archive_check import changes_project, check_not_archived
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.jobs import jobs_run
from annotation.text.schemes import PRESETS
from assist.encoder_comparisons.jobs import check_encoder
from assist.item_generation.items import SCHEMES
from assist.item_generation.settings import GenerationSettings
from assist.item_requests.generation import (
    TASKS,
    MadeItems,
    RequestEstimate,
    Sentences,
    items_estimate,
    items_make,
    requests_of,
)
from assist.item_requests.target_project import check_rating_project
from assist.models import ItemMaking
from assist.requested_jobs.jobs import (
    StoredProgress,
    cancel_jobs,
    job_kind,
    newest_jobs,
    requeue,
    stop_jobs,
    web_settings,
)
from assist.requested_jobs.uploaded_tables import uploaded_text

MAX_ROWS = 2_000
"""Rows of a file from the browser; the command takes any number."""
TEXT_KEPT = timedelta(days=30)
"""How long the sentences of one that was not started or failed are kept."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be asked: how much, and the messages about one row, each a role and a text."""

    estimate: RequestEstimate
    messages: list[tuple[str, str]]


@changes_project()
def generation_request(
    *, project: Project, task: str, file: UploadedFile[Any], into: str, settings: dict[str, object], by: User
) -> ItemMaking:
    """Read the sentences of a file, and keep them until a lead starts the job, or not.

    `into` names the rating project of the items, which is created if there is none. Raises Invalid for a file, a
    setting, or a project whose scheme is another.
    """
    if task not in TASKS:
        raise Invalid(_("There is no such kind of item."), code="task", where="task")
    chosen = web_settings(GenerationSettings, settings)
    for name in chosen.filters if task == "compositionality" else ():
        check_encoder(name, "encoders")
    check_rating_project(by, into)
    _check_scheme(task, into)
    sentences = Sentences(str(file.name), uploaded_text(file, "file"))
    try:
        rows = items_estimate(task=task, sentences=sentences, settings=chosen.model_dump(), slug=into).rows
    except Invalid as error:
        error.where = "file" if error.where == sentences.name else error.where
        raise
    if rows > MAX_ROWS:
        text = _("%(file)s has %(n)s rows; at most %(most)s are asked about here.")
        raise Invalid(text % {"file": sentences.name, "n": rows, "most": MAX_ROWS}, code="file", where="file")
    return ItemMaking.objects.create(
        project=project,
        requested_by=by,
        task=task,
        into=into,
        file_names=[sentences.name],
        text=sentences.text,
        settings=chosen.model_dump(),
    )


def _check_scheme(task: str, into: str) -> None:
    """Raises Invalid if there is a project of that name in which items of this kind can't be rated."""
    existing = Project.objects.filter(slug=into).first()
    if existing is None:
        return
    check_not_archived(existing.pk)
    expected = {question.key for question in PRESETS[SCHEMES[task]].questions}
    if {question.key for question in existing.labels.questions} != expected:
        text = _("The project “%(project)s” asks different questions.") % {"project": existing.name}
        raise Invalid(text, code="scheme", where="into", hint=_("Enter the name of a new project."))


def generation_list(project: Project) -> QuerySet[ItemMaking]:
    """The newest jobs of a project, without their sentences."""
    return newest_jobs(ItemMaking.objects.filter(project=project), "text")


def generation_get(project: Project, pk: int) -> ItemMaking:
    """Raises NotFound."""
    row = ItemMaking.objects.filter(project=project, pk=pk).select_related("requested_by", "project").first()
    if row is None:
        raise NotFound(_("There are no such items in this project."), where=project.name)
    return row


def generation_preview(row: ItemMaking) -> Preview | None:
    """What would be asked; None if the sentences are no longer available. Raises Invalid if the server has gone."""
    if not row.text:
        return None
    sentences = Sentences(row.file_names[0], row.text)
    estimate = items_estimate(task=row.task, sentences=sentences, settings=row.settings, slug=row.into)
    (first, *_more) = requests_of(task=row.task, sentences=sentences, settings=row.settings)
    return Preview(estimate, list(first.messages))


@changes_project("row.project_id")
def generation_start(*, row: ItemMaking, by: User) -> None:
    """Have a worker make the items. Raises Conflict if it was started before, or cancelled."""
    check_rating_project(by, row.into)
    waiting = ItemMaking.objects.filter(pk=row.pk, status=JobStatus.QUEUED, started=False)
    with transaction.atomic():
        if not waiting.update(started=True):
            raise Conflict(_("This has been started or cancelled already."), where=str(row))
        transaction.on_commit(lambda: notify(GENERATION_JOBS.name))


def generation_cancel(*, row: ItemMaking) -> None:
    """End one that is not started, waits or runs; what was answered is kept. Raises Conflict if it has ended."""
    if not cancel_jobs(ItemMaking.objects.filter(pk=row.pk)):
        raise Conflict(_("This job has already ended."), where=str(row))


@changes_project("row.project_id")
def generation_retry(*, row: ItemMaking, by: User) -> None:
    """Continue a job that failed or was cancelled; what was answered is not asked again. Raises Conflict for others."""
    check_rating_project(by, row.into)
    rows = ItemMaking.objects.filter(pk=row.pk)
    if not rows.exclude(text="").exists():
        raise Conflict(_("The sentences are no longer available. Enter them again."), where=str(row))
    with transaction.atomic():
        if not requeue(rows):
            raise Conflict(_("Only a job that failed or was cancelled can be tried again."), where=str(row))
        rows.update(started=True)
        transaction.on_commit(lambda: notify(GENERATION_JOBS.name))


def generation_jobs_run(until: Callable[[], bool] = lambda: False) -> int:
    """Run the waiting jobs; returns how many ended. Any worker may call it at any time."""
    generation_jobs_clean()
    return jobs_run(GENERATION_JOBS, until)


def generation_jobs_clean() -> None:
    """Remove sentences that were sent long ago and never became items."""
    old = ItemMaking.objects.filter(requested__lt=Now() - TEXT_KEPT).exclude(text="")
    old.filter(Q(finished__isnull=False) | Q(started=False)).update(text="")


def generation_jobs_stop(project: Project) -> int:
    """Cancel those of a project that is being archived or deleted; returns how many."""
    return stop_jobs(ItemMaking.objects.filter(project=project), lambda row: generation_cancel(row=row))


def _perform(row: ItemMaking, heartbeat: Heartbeat) -> None:
    """Create the items of a claimed row, and import them."""
    if row.requested_by is None:
        raise Invalid(_("The person who requested this no longer has an account."), code="nobody")
    stored_progress = StoredProgress(row, heartbeat)
    # Someone else may have created a project of that name since.
    check_rating_project(row.requested_by, row.into)
    _check_scheme(row.task, row.into)
    items = items_make(
        task=row.task,
        sentences=Sentences(row.file_names[0], row.text),
        slug=row.into,
        settings=row.settings,
        by=row.requested_by,
        on_progress=lambda done, total, _what: stored_progress.report("answers", done, total),
    )
    with transaction.atomic():
        claim_finish(
            row,
            status=JobStatus.DONE,
            finished=Now(),
            result=_result_json(items),
            text="",
            done=row.total,
            total=row.total,
        )


def _result_json(items: MadeItems) -> dict[str, Any]:
    """What is kept of what was made."""
    return {
        "rows": items.rows,
        "repeated": items.repeated,
        "unusable": items.unusable,
        "alike": items.alike,
        "items": len(items.items),
        "jaccard": list(items.jaccards) if items.jaccards else None,
        "operators": items.operators,
    }


GENERATION_JOBS = job_kind(ItemMaking, "makings", _perform, ready=Q(started=True))
