"""What workers have to do, by kind: read from the database, the source of truth for jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agreement.gold.rule_previews import DRY_RUNS
from agreement.gold.services.jobs import GOLD
from agreement.models import IS_ANALYSES, CachedReport, DryRun, GoldJob, Publication
from agreement.prelabel_eval.analyses_jobs import ANALYSES_JOBS
from agreement.publication.services.publications import PUBLICATIONS
from agreement.report.jobs import REPORTS
from annotation.display_names import DELIVERY_PROBLEMS
from annotation.models import ACTIVE_JOB, JobStatus, Project
from annotation.models.imports import Import
from annotation.models.lifecycle import ProjectDeletion
from annotation.models.webhooks import DeliveryStatus, WebhookDelivery
from annotation.services.deletion import DELETIONS
from annotation.services.import_jobs import IMPORTS
from annotation.services.webhook_deliveries import DELIVERIES, WORKER
from assist.encoder_comparisons.jobs import COMPARISONS
from assist.item_requests.jobs import GENERATION_JOBS
from assist.mining_requests.jobs import MINING_JOBS
from assist.models import EncoderComparison, ItemMaking, Lot, LotStatus, Mining, Queue, Run, WordListCoverage
from assist.runs.lots import OPEN_STATUSES
from assist.runs.word_lists import WORD_LISTS

RATE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class MonitoredJobs:
    """A kind of job: its unfinished rows, the field that says when they were requested, those that failed, and the
    column of the project, if there still is one.
    """

    name: str
    title: Any
    unfinished: Callable[[], QuerySet[Any]]
    requested: str
    failed: Callable[[], QuerySet[Any]]
    owner: tuple[str, ...] = ("project",)


@dataclass(frozen=True, slots=True)
class Load:
    """How much there is of a kind. `oldest` is when the job that waits longest was requested."""

    kind: MonitoredJobs
    waiting: int
    running: int
    failed: int
    oldest: datetime | None

    @property
    def age(self) -> float | None:
        return max(0.0, (timezone.now() - self.oldest).total_seconds()) if self.oldest else None


@dataclass(frozen=True, slots=True)
class JobFailure:
    """A job that failed, and the message that its lead sees."""

    kind: MonitoredJobs
    project: Project | None
    name: str
    when: datetime | None
    problem: str


def _reports_failed() -> QuerySet[Any]:
    return CachedReport.objects.exclude(failed="")


def _lots(queue: str) -> Callable[[], QuerySet[Any]]:
    return lambda: Lot.objects.filter(run__queue=queue, run__status__in=ACTIVE_JOB, status__in=OPEN_STATUSES)


def _runs(queue: str) -> Callable[[], QuerySet[Any]]:
    return lambda: Run.objects.filter(queue=queue, status=JobStatus.FAILED)


KINDS = (
    MonitoredJobs(
        "imports",
        _("Imports"),
        IMPORTS.unfinished,
        "requested",
        lambda: Import.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs(
        "reports", _("Reports"), REPORTS.unfinished, "requested", lambda: _reports_failed().exclude(IS_ANALYSES)
    ),
    MonitoredJobs(
        "analyses",
        _("Analyses"),
        ANALYSES_JOBS.unfinished,
        "requested",
        lambda: _reports_failed().filter(IS_ANALYSES),
    ),
    MonitoredJobs(
        "dry-runs",
        _("Dry runs of rules"),
        DRY_RUNS.unfinished,
        "requested",
        lambda: DryRun.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs(
        "gold", _("Gold"), GOLD.unfinished, "requested", lambda: GoldJob.objects.filter(status=JobStatus.FAILED)
    ),
    MonitoredJobs(
        "publications",
        _("Publications"),
        PUBLICATIONS.unfinished,
        "made",
        lambda: Publication.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs(
        "deletions",
        _("Deletions of projects"),
        DELETIONS.unfinished,
        "made",
        lambda: ProjectDeletion.objects.filter(status=JobStatus.FAILED),
        owner=(),
    ),
    MonitoredJobs(
        "webhooks",
        _("Deliveries to webhooks"),
        DELIVERIES.unfinished,
        "due",
        # What receivers refuse is for their leads.
        lambda: WebhookDelivery.objects.filter(status=DeliveryStatus.FAILED, problem=WORKER),
        owner=(),
    ),
    MonitoredJobs(
        "word-lists",
        _("Word lists"),
        WORD_LISTS.unfinished,
        "requested",
        lambda: WordListCoverage.objects.exclude(failed=""),
    ),
    MonitoredJobs(
        "minings",
        _("Mining"),
        MINING_JOBS.unfinished,
        "requested",
        lambda: Mining.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs(
        "comparisons",
        _("Comparisons of encoders"),
        COMPARISONS.unfinished,
        "requested",
        lambda: EncoderComparison.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs(
        "makings",
        _("Items to rate"),
        GENERATION_JOBS.unfinished,
        "requested",
        lambda: ItemMaking.objects.filter(status=JobStatus.FAILED),
    ),
    MonitoredJobs("runs-cpu", _("Pre-labels, CPU"), _lots(Queue.CPU), "run__requested", _runs(Queue.CPU)),
    MonitoredJobs("runs-gpu", _("Pre-labels, GPU"), _lots(Queue.GPU), "run__requested", _runs(Queue.GPU)),
)


def loads() -> list[Load]:
    """One query for each kind, and one for its failures."""
    result = []
    for kind in KINDS:
        waits = Q(claimed_by="")
        counts = (
            kind.unfinished()
            .order_by()
            .aggregate(
                waiting=Count("pk", filter=waits),
                running=Count("pk", filter=~waits),
                oldest=Min(kind.requested, filter=waits),
            )
        )
        result.append(Load(kind, counts["waiting"], counts["running"], kind.failed().count(), counts["oldest"]))
    return result


def pairs_per_minute() -> float:
    """How many pairs the workers finished a minute, in the last five."""
    recent = Lot.objects.filter(status=LotStatus.DONE, finished__gte=Now() - RATE)
    return sum(len(pairs) for pairs in recent.values_list("pairs", flat=True)) / (RATE.total_seconds() / 60)


def failures(limit: int) -> list[JobFailure]:
    """The newest failed jobs of each kind, at most so many."""
    result = []
    for kind in KINDS:
        for row in kind.failed().select_related(*kind.owner).order_by("-pk")[:limit]:
            when = next(
                (
                    value
                    for name in ("finished", "made", "requested")
                    if isinstance(value := getattr(row, name, None), datetime)
                ),
                None,
            )
            problem = row.error if isinstance(row, Run) else str(DELIVERY_PROBLEMS.get(row.problem, row.problem))
            result.append(JobFailure(kind, getattr(row, "project", None), str(row), when, problem))
    return result
