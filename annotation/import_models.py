"""Imports: what was asked for and what came of it, the files that wait, and how staged rows are tied to those there.

Rows only, beside `annotation.models`: what may be written is decided in `services`.
"""

from __future__ import annotations

from django.db import models

from annotation.models import Job, Project, User


class ImportStatus(models.TextChoices):
    SENDING = "sending", "sending"
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    REFUSED = "refused", "refused"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class ImportStage(models.TextChoices):
    READING = "reading", "reading"
    CHECKING = "checking", "checking"
    STAGING = "staging", "staging"
    SWITCHING = "switching", "switching"


class Import(Job):
    """One import, or its dry run: what was asked for, how far it is, and what came of it.

    `foreground`: a command does it in its own process, so that no worker may. `slug` names the project, which may not
    be there before. `digest` is of what the files hold. `staging` is the project that holds the rows until they are
    switched. `scheme` is the preset that an empty project is to change to first. `done` and `total` count pairs.
    `warnings` maps what came in otherwise than the source says to how often; `better_scheme` is the preset that has the
    source's labels, where some were changed or the import was refused for them.
    """

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
    status = models.CharField(max_length=9, choices=ImportStatus.choices, default=ImportStatus.QUEUED)
    stage = models.CharField(max_length=9, choices=ImportStage.choices, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=dict)
    better_scheme = models.CharField(max_length=80, blank=True)
    rejections = models.JSONField(default=list)
    rejected = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    asked = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"import {self.pk} into {self.slug}"


class ImportFile(models.Model):
    """A file that was sent to be imported. It waits in the database, which every worker reaches, in parts."""

    to_import = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name


class ImportFilePart(models.Model):
    """Some of a file's bytes."""

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
    """What becomes of a staged row at the switch, by the keys of two rows.

    'pair': the work on the staged pair goes to the pair that is there; 'assignment': the staged assignment's work goes
    to the assignment that is there; 'translations': the pair that is there gets the staged pair's translations;
    'mirror': the first pair gets the second as its mirror.
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
