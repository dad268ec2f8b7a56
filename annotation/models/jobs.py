"""Jobs of workers: what their rows have in common, their statuses, and the workers. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class JobStatus(models.TextChoices):
    """The status of a job of any kind, and of a run of pre-labels as a whole, whose lots are the jobs.

    Only some kinds can be CANCELLED by a person, and only a run can be PAUSED. An import has two more
    (`imports.ImportStatus`). The status of a lot (`assist.models.LotStatus`) and of a delivery
    (`webhooks.DeliveryStatus`) say something else.
    """

    QUEUED = "queued", _("waiting for a worker")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    DONE = "done", pgettext_lazy("run", "done")
    FAILED = "failed", pgettext_lazy("run", "failed")
    CANCELLED = "cancelled", _("cancelled")


ACTIVE_JOB = (JobStatus.QUEUED, JobStatus.RUNNING)
"""The statuses of a job that waits for a worker, or that one is doing."""
CANCELLABLE_JOB_CHOICES = [(each.value, each.label) for each in JobStatus if each != JobStatus.PAUSED]
"""The statuses of a job that can be cancelled."""
JOB_CHOICES = [(value, label) for value, label in CANCELLABLE_JOB_CHOICES if value != JobStatus.CANCELLED]
"""The statuses of a job that always ends as done or failed."""


class Job(models.Model):
    """Base of rows that describe a job, which one worker does at a time.

    A worker holds a job while `claimed_by` names it and its `heartbeat` is recent; `attempts` counts the claims that
    were not released. Only `annotation.services.claims` writes these fields.
    """

    claimed_by = models.CharField(max_length=200, blank=True)
    claimed = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True


class Worker(models.Model):
    """A running worker process, shown to leads so that they can see whether there is one."""

    name = models.CharField(max_length=200, unique=True)
    queues = models.JSONField(default=list)
    version = models.CharField(max_length=80, blank=True)
    seen = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
