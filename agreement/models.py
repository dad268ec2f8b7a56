"""The results of adjudication: gold versions, excluded pairs, reports, publications. Rows only."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models import JOB_CHOICES, Annotator, Job, JobStatus, Pair, Phase, Project


class GoldVersion(models.Model):
    """A version of a project's gold; its spans are annotations of source 'gold' with this `number`, from 1.

    While it is `open` it is a draft: people decide pairs manually, none of it counts as gold, and `made` is when it was
    opened. A project has at most one draft.

    `inputs` is a digest of everything it was made from; making gold from the same inputs again returns this version.

    `counts` is what `Outcome.to_json` counts: pairs, tokens and spans by label, unsure, manual. `excluded` maps a
    pair's external id to the reason for excluding it (`adjudication.reasons`).
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="gold_versions")
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    phase = models.CharField(max_length=13, choices=Phase.choices)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    counts = models.JSONField(default=dict)
    excluded = models.JSONField(default=dict)
    inputs = models.CharField(max_length=64, blank=True)
    open = models.BooleanField(default=False)

    class Meta:
        ordering = ("project", "number")
        constraints = (
            models.UniqueConstraint(fields=("project", "number"), name="gold_version_number"),
            models.UniqueConstraint(fields=("project",), condition=models.Q(open=True), name="one_draft_of_the_gold"),
        )

    def __str__(self) -> str:
        return f"gold {self.number} of {self.project}"


class Exclusion(models.Model):
    """A pair excluded from the gold, with the reason; including it again deletes the row."""

    pair = models.OneToOneField(Pair, on_delete=models.CASCADE, related_name="exclusion")
    reason = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pair",)

    def __str__(self) -> str:
        return f"{self.pair} excluded"


ANALYSES = "analyses"
"""The `view` of the stored analyses of a project; that of a list behind one of their figures has more after it."""
IS_ANALYSES = models.Q(view__startswith=ANALYSES)
"""The stored analyses, and the lists behind their figures."""


MAX_VIEW_LENGTH = 600
"""Characters of what a stored report is of."""


class CachedReport(Job):
    """A report as shown on its page, in one language of the interface, and the work that it is based on.

    `view` is the requested part of the work, as in URLs: 'phase=main&languages=EN-DE'. `fingerprint` is that of the
    work when it was computed; a report of older work is shown as outdated. `requested_fingerprint` is that of the work
    that workers are to compute it for, '' if none, and `requested` when that was requested; `failed` is the one for
    which it could not be computed, and `problem` says why. A `view` that
    begins with ANALYSES is the page of analyses or one of its lists.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    view = models.CharField(max_length=MAX_VIEW_LENGTH)
    language = models.CharField(max_length=8, default="en")
    fingerprint = models.CharField(max_length=64, blank=True)
    body = models.JSONField(null=True)
    made = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    requested_fingerprint = models.CharField(max_length=64, blank=True)
    requested = models.DateTimeField(null=True)
    failed = models.CharField(max_length=64, blank=True)
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ("project", "view", "language")
        constraints = (models.UniqueConstraint(fields=("project", "view", "language"), name="cached_report_once"),)

    def __str__(self) -> str:
        return f"report {self.view} of {self.project}"


class ReportData(models.Model):
    """What a worker computed with a report, for other pages: `work` are its annotations and disputes
    (`report.compute.serialized`), `files` its downloads by ending ('json'), if the report is in English.
    """

    report = models.OneToOneField(CachedReport, on_delete=models.CASCADE, related_name="data")
    work = models.BinaryField()
    files = models.JSONField(default=dict)

    class Meta:
        ordering = ("report",)

    def __str__(self) -> str:
        return f"data of {self.report}"


class ComputationStatus(models.TextChoices):
    """How far figures are that a worker may have to compute, as the API says it. Not stored, and not the status of a
    job: they may be there without one.
    """

    DONE = "done", "done"
    COMPUTING = "computing", "computing"
    FAILED = "failed", "failed"


class DryRun(Job):
    """What a rule would decide, as a worker has found out for a phase with much work.

    `inputs` is a digest of everything that it depends on. `result`, `decided` and `others` are what
    `agreement.gold.rule_previews` writes, as JSON: the rule's decisions in numbers and pair by pair, then those of the
    other rules. `problem` says why there is no result, in the language of who asked.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    inputs = models.CharField(max_length=64)
    rule = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    phase = models.CharField(max_length=13, choices=Phase.choices)
    language = models.CharField(max_length=8, default="en")
    status = models.CharField(max_length=8, choices=JOB_CHOICES, default=JobStatus.QUEUED)
    requested = models.DateTimeField()
    result = models.TextField(blank=True)
    decided = models.TextField(blank=True)
    others = models.TextField(blank=True)
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ("project", "-requested")
        constraints = (models.UniqueConstraint(fields=("project", "inputs"), name="dry_run_once"),)

    def __str__(self) -> str:
        return f"dry run of {self.rule} on {self.project}"


class GoldJob(Job):
    """Gold that a worker makes, because there is much work. A project has at most one that is unfinished.

    `action` is what was asked for: a version by a rule, a draft opened (or continued by another rule), or `draft`
    closed (empty once it is gone). `done` of `total` pairs are decided; `total` is 0 until they are counted. `version`
    is the number of the version or draft that it made. `problem` says why there is none, in the language of who asked.
    """

    Status = JobStatus

    CREATE, OPEN, CLOSE = "create", "open", "close"
    ACTIONS = ((CREATE, CREATE), (OPEN, OPEN), (CLOSE, CLOSE))

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    action = models.CharField(max_length=6, choices=ACTIONS)
    draft = models.ForeignKey(GoldVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    rule = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    phase = models.CharField(max_length=13, choices=Phase.choices)
    language = models.CharField(max_length=8, default="en")
    status = models.CharField(max_length=8, choices=JOB_CHOICES, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(null=True, blank=True)
    problem = models.TextField(blank=True)
    requested = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("project", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("project",),
                condition=models.Q(status__in=(JobStatus.QUEUED.value, JobStatus.RUNNING.value)),
                name="one_unfinished_gold_job",
            ),
        )

    def __str__(self) -> str:
        return f"gold of {self.project}"


class Publication(Job):
    """An export of a project that a lead requested, kept as a file so that it can be downloaded again.

    Number PREVIEW is no publication but a card that a lead looks at first; it has no file, and the next replaces it.
    `card` is the dataset's card. `gold` is the version of the gold in it (None: none). `splits` are those to draw with
    `seed` ('train=80, test=20'), '' for the pairs' own. `done` of `total` pairs are written. `file` is the name of its
    file and `size` its bytes, which `PublicationPart` has; `digest` is that of its content (`export.content_digest`).
    """

    Status = JobStatus

    PREVIEW = 0

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="publications")
    number = models.PositiveIntegerField()
    format = models.CharField(max_length=20)
    licence = models.CharField(max_length=80, default="unknown")
    description = models.TextField(blank=True)
    gold = models.PositiveIntegerField(null=True, blank=True)
    splits = models.CharField(max_length=200, blank=True)
    seed = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=8, choices=JOB_CHOICES, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    omitted = models.JSONField(default=dict)
    card = models.TextField(blank=True)
    digest = models.CharField(max_length=64, blank=True)
    file = models.CharField(max_length=200, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("project", "-number")
        constraints = (models.UniqueConstraint(fields=("project", "number"), name="publication_number"),)

    def __str__(self) -> str:
        return f"publication {self.number} of {self.project}"


class Push(Job):
    """A publication pushed to a hub, as `tag` of `repository`. The process that pushes it alone has the token.

    So no worker can take it over: one whose process died is interrupted, and is pushed again. `url` is where it is.
    """

    Status = JobStatus

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="pushes")
    repository = models.CharField(max_length=200)
    tag = models.CharField(max_length=60)
    private = models.BooleanField(default=True)
    status = models.CharField(max_length=8, choices=JOB_CHOICES, default=JobStatus.RUNNING)
    problem = models.TextField(blank=True)
    url = models.CharField(max_length=500, blank=True)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("publication", "-pk")

    @property
    def interrupted(self) -> bool:
        """Whether its process has not been heard of for as long as a lease lasts."""
        if self.status != JobStatus.RUNNING:
            return False
        lease = timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self.heartbeat is None or self.heartbeat < timezone.now() - lease

    def __str__(self) -> str:
        return f"push of {self.publication} to {self.repository}"


class Withdrawal(models.Model):
    """A person's consent withdrawn: what they annotated is in no later publication. Deleted if they consent again."""

    annotator = models.OneToOneField(Annotator, on_delete=models.CASCADE, related_name="withdrawal")
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("annotator",)

    def __str__(self) -> str:
        return f"withdrawal of {self.annotator}"


class PublicationPart(models.Model):
    """A part of a publication's file: in the database, which the web processes and workers of all machines reach."""

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ("publication", "number")
        constraints = (models.UniqueConstraint(fields=("publication", "number"), name="publication_part"),)

    def __str__(self) -> str:
        return f"{self.publication}, part {self.number}"
