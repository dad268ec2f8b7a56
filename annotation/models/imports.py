"""Imports: requests and their results, uploaded files, and how staged rows are linked to existing ones.

Rows only, as in `core`: `services` decide what may be written.
"""

from __future__ import annotations

from django.db import models

from annotation.models.core import Project, User
from annotation.models.jobs import Job, JobStatus


class ImportStatus(models.TextChoices):
    """The statuses that an import has besides those of every job.

    SENDING: its files are being uploaded, so no worker may have it yet. REFUSED: it was done, but some of its rows are
    invalid, so nothing was changed.
    """

    SENDING = "sending", "sending"
    REFUSED = "refused", "refused"


IMPORT_CHOICES = [
    (ImportStatus.SENDING.value, ImportStatus.SENDING.label),
    (JobStatus.QUEUED.value, JobStatus.QUEUED.label),
    (JobStatus.RUNNING.value, JobStatus.RUNNING.label),
    (JobStatus.DONE.value, JobStatus.DONE.label),
    (ImportStatus.REFUSED.value, ImportStatus.REFUSED.label),
    (JobStatus.FAILED.value, JobStatus.FAILED.label),
    (JobStatus.CANCELLED.value, JobStatus.CANCELLED.label),
]
"""All statuses of an import."""


class ImportStage(models.TextChoices):
    READING = "reading", "reading"
    CHECKING = "checking", "checking"
    STAGING = "staging", "staging"
    SWITCHING = "switching", "switching"


class Import(Job):
    """One import or dry run: what was requested, its progress and its result.

    `foreground`: run by a command in its own process, so that no worker may take it. `slug` names the project, which
    may not exist yet. `digest` is that of the files' contents. `staging` is the project that holds the rows until the
    import takes effect. `scheme` is the preset that an empty project changes to first. `done` and `total` count pairs.
    `warnings` maps each kind of deviation from the source to its count; `better_scheme` is the preset that has the
    source's labels, if some were changed or the import was refused because of them. `preview` is what was understood
    of the files (`services.import_preview`).
    """

    Status = JobStatus
    OwnStatus = ImportStatus
    Stage = ImportStage

    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, blank=True, related_name="imports")
    staging = models.ForeignKey(Project, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    slug = models.CharField(max_length=80)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    foreground = models.BooleanField(default=False)
    names = models.JSONField(default=list)
    format = models.CharField(max_length=40, blank=True)
    options = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True, editable=False)
    scheme = models.CharField(max_length=80, blank=True)
    dry_run = models.BooleanField(default=False)
    status = models.CharField(max_length=9, choices=IMPORT_CHOICES, default=JobStatus.QUEUED)
    stage = models.CharField(max_length=9, choices=ImportStage.choices, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=dict)
    better_scheme = models.CharField(max_length=80, blank=True)
    preview = models.JSONField(null=True, blank=True)
    rejections = models.JSONField(default=list)
    rejected = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    requested = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"import {self.pk} into {self.slug}"


class ImportFile(models.Model):
    """An uploaded file. It is stored in parts in the database, which every worker can reach, until it is imported."""

    to_import = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name


class ImportFilePart(models.Model):
    """A part of a file's bytes."""

    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ("file", "number")
        constraints = (models.UniqueConstraint(fields=("file", "number"), name="import_file_part"),)

    def __str__(self) -> str:
        return f"{self.file}, part {self.number}"


class LinkKind(models.TextChoices):
    PAIR = "pair", "pair"
    ASSIGNMENT = "assignment", "assignment"
    TRANSLATIONS = "translations", "translations"
    MIRROR = "mirror", "mirror"


class StagedLink(models.Model):
    """What happens to a staged row when the import takes effect, by the keys of two rows.

    'pair': the work on the staged pair moves to the existing pair; 'assignment': the staged assignment's work moves to
    the existing assignment; 'translations': the existing pair gets the staged pair's translations; 'mirror': the first
    pair gets the second as its mirror.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=LinkKind.choices)
    staged = models.BigIntegerField()
    target = models.BigIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("project", "kind", "staged"), name="staged_link_once"),
            models.UniqueConstraint(fields=("project", "kind", "target"), name="staged_link_to_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.staged} to {self.target}"
