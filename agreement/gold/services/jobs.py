"""Gold made by a worker, if there is much work: versions by a rule, drafts opened and closed.

Up to the size at which a page can wait (`is_small`) it is made at once, by the same services. A worker decides outside
any transaction, and writes in the one that ends its job: what a killed worker leaves is a job for the next one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from agreement.gold.services.drafts import check_can_close, draft_close, draft_open, per_pair_rule
from agreement.gold.services.versions import gold_create, rule_with_settings
from agreement.models import GoldJob, GoldVersion
from agreement.report.services.reports import is_small
from annotation.errors import Conflict
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, JobStatus, Project, User
from annotation.services.archive_check import changes_project
from annotation.services.claims import Heartbeat, claim_finish, claim_renew
from annotation.services.jobs import JobKind

JOBS_KEPT = 20
"""Ended jobs that a project keeps, so that their pages say what became of them."""
PROGRESS_SECONDS = 0.5
"""How often a worker reports how far it is."""

VersionOrJob = GoldVersion | GoldJob
"""Gold that was created at once, or the job by which a worker does."""


@changes_project()
def gold_request(
    *, project: Project, rule: str, phase: str, settings: Mapping[str, object] | None = None, by: User | None
) -> VersionOrJob:
    """Create gold by a rule, or if there is much work have a worker do it. Raises as `gold_create`, and Conflict."""
    if is_small(project, phase):
        version = gold_create(project=project, rule=rule, phase=phase, settings=settings, by=by).version
        assert version is not None, "only a dry run makes no version"
        return version
    chosen, complete = rule_with_settings(rule, settings or {})
    parts = {"rule": chosen.name, "parameters": complete.model_dump(), "phase": phase}
    return _request(project, GoldJob.CREATE, parts, by)


@changes_project()
def draft_open_request(
    *, project: Project, rule: str, phase: str, settings: Mapping[str, object] | None = None, by: User | None
) -> VersionOrJob:
    """Open a draft, or if there is much work have a worker do it. Raises as `draft_open`, and Conflict."""
    if is_small(project, phase):
        return draft_open(project=project, rule=rule, phase=phase, settings=settings, by=by)
    chosen = per_pair_rule(rule, settings or {})
    complete = chosen.settings.read(settings or {})
    parts = {"rule": chosen.name, "parameters": complete.model_dump(), "phase": phase}
    return _request(project, GoldJob.OPEN, parts, by)


@changes_project("draft.project_id")
def draft_close_request(*, draft: GoldVersion, by: User | None) -> VersionOrJob:
    """Close a draft, or if there is much work have a worker do it. Raises as `draft_close`, and Conflict."""
    if is_small(draft.project, draft.phase):
        version = draft_close(draft=draft, by=by).version
        assert version is not None, "only a dry run makes no version"
        return version
    check_can_close(draft)
    parts = {"rule": draft.rule, "parameters": draft.parameters, "phase": draft.phase, "draft": draft}
    return _request(draft.project, GoldJob.CLOSE, parts, by)


@changes_project("job.project_id")
def gold_job_retry(*, job: GoldJob, by: User | None) -> GoldJob:
    """Request again what failed. Raises Conflict if it did not, another job is unfinished, or its draft is closed."""
    if job.status != JobStatus.FAILED:
        raise Conflict(_("Only a failed job can be tried again."), where=str(job))
    parts: dict[str, Any] = {"rule": job.rule, "parameters": job.parameters, "phase": job.phase}
    if job.action == GoldJob.CLOSE:
        parts["draft"] = _draft_of(job)
    return _request(job.project, job.action, parts, by)


def _draft_of(job: GoldJob) -> GoldVersion:
    """The draft that a job is to close, and no other. Raises Conflict if it is closed."""
    if job.draft is None or not job.draft.open:
        raise Conflict(
            _("The draft is already closed."),
            code="closed",
            where=job.project.name,
            hint=_("If another draft is open, close it on the Manual adjudication page."),
        )
    return job.draft


def gold_job_cancel(*, job: GoldJob) -> None:
    """Stop a job and delete it; nothing of it is written. Raises Conflict if it has ended."""
    # What PostgreSQL finds locked by the worker it checks again: a job is done or deleted, never both.
    if not GoldJob.objects.filter(pk=job.pk, status__in=ACTIVE_JOB).delete()[0]:
        raise Conflict(_("This job has already ended."), where=str(job), hint=_("Reload the page to see its status."))


def _request(project: Project, action: str, parts: Mapping[str, Any], by: User | None) -> GoldJob:
    """A job; if the same is unfinished, as after a double click, that one. Raises Conflict if another is."""
    fields = {"language": get_language() or "en", "requested": timezone.now(), "made_by": by}
    try:
        with transaction.atomic():
            job = GoldJob.objects.create(project=project, action=action, **parts, **fields)
            ended = GoldJob.objects.filter(project=project).exclude(status__in=ACTIVE_JOB).order_by("-pk")
            GoldJob.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[JOBS_KEPT:])).delete()
            transaction.on_commit(lambda: notify(GOLD.name))
            return job
    except IntegrityError:
        same = GoldJob.objects.filter(project=project, status__in=ACTIVE_JOB, action=action, **parts).first()
        if same is not None:
            return same
        raise Conflict(
            _("A worker is already creating gold for this project."),
            code="gold-in-progress",
            where=project.name,
            hint=_("Wait until it is ready, or cancel it on the Adjudication page."),
        ) from None


def _perform(job: GoldJob, heartbeat: Heartbeat) -> None:
    reported = 0.0

    def on_progress(done: int, total: int) -> None:
        nonlocal reported
        heartbeat.check()
        if time.monotonic() - reported > PROGRESS_SECONDS:
            reported = time.monotonic()
            claim_renew(job, done=done, total=total)

    def written(version: GoldVersion) -> None:
        claim_finish(job, status=JobStatus.DONE, version=version.number, problem="")

    if job.action == GoldJob.CLOSE:
        draft_close(draft=_draft_of(job), by=job.made_by, on_progress=on_progress, written=written)
        return
    make = gold_create if job.action == GoldJob.CREATE else draft_open
    make(
        project=job.project,
        rule=job.rule,
        phase=job.phase,
        settings=job.parameters,
        by=job.made_by,
        on_progress=on_progress,
        written=written,
    )


GOLD = JobKind(
    name="gold",
    unfinished=lambda: (
        GoldJob.objects.filter(status__in=ACTIVE_JOB).select_related("project", "made_by").order_by("pk")
    ),
    perform=_perform,
    failed=lambda job, problem: {"status": JobStatus.FAILED, "problem": problem},
    claimed={"status": JobStatus.RUNNING, "done": 0},
    released={"status": JobStatus.QUEUED},
    language=lambda job: job.language,
)


def gold_jobs_stop(project: Project) -> int:
    """Cancel the gold of a project that is being archived or deleted; returns how many jobs."""
    return GoldJob.objects.filter(project=project, status__in=ACTIVE_JOB).delete()[0]
