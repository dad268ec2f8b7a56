"""What happened to a project that no other table says, and projects that were deleted. Rows only."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Annotator, Project, User
from annotation.models.jobs import JOB_CHOICES, Job, JobStatus


class ProjectEventType(models.TextChoices):
    """What a `ProjectEvent` records."""

    DUPLICATED = "duplicated", "duplicated"
    ARCHIVED = "archived", "archived"
    UNARCHIVED = "unarchived", "unarchived"
    PLANNED = "planned", "planned"
    REPLANNED = "replanned", "replanned"
    SHARED = "shared", "shared"
    REASSIGNED = "reassigned", "reassigned"
    RETESTS = "retests", "retests"
    REOPENED = "reopened", "reopened"
    EXPORTED = "exported", "exported"
    WEBHOOK = "webhook", "webhook"
    EXCLUDED = "excluded", "excluded"
    INCLUDED = "included", "included"


class ProjectEvent(models.Model):
    """Something that a person did to a project and that leaves no row of its own elsewhere.

    `person` is the membership that it was about; `details` are numbers, phases, names of rules and formats: no names of
    people, so that nothing in it has to be found when a person is removed.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="events")
    what = models.CharField(max_length=12, choices=ProjectEventType.choices)
    person = models.ForeignKey(Annotator, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    details = models.JSONField(default=dict, blank=True)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("project", "-made", "-pk")
        indexes = (models.Index(fields=("project", "made"), name="project_event_when"),)

    def __str__(self) -> str:
        return f"{self.what} in {self.project}"


class ProjectDeletion(Job):
    """A project that a lead deleted: what remains of it.

    `hidden` is the project until all its rows are gone. `counts` are those of what was deleted, by name.
    """

    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=200)
    hidden = models.ForeignKey(Project, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    counts = models.JSONField(default=dict)
    status = models.CharField(max_length=8, choices=JOB_CHOICES, default=JobStatus.QUEUED)
    problem = models.TextField(blank=True)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"deletion of {self.slug}"
