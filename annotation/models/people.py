"""Invitations to a project, and the languages its people read. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Annotator, Project, Role, User
from annotation.vocabulary import ReadingLevel


class Mailing(models.TextChoices):
    """Whether an invitation was sent by e-mail; NONE: the lead passes on its link."""

    NONE = "", "by link"
    WAITING = "waiting", "waiting"
    SENT = "sent", "sent"
    FAILED = "failed", "failed"


class Invitation(models.Model):
    """A link with which one person joins a project, once, until it expires.

    The link's secret is not stored: it is derived from the site's key and `nonce`, so that a copy of the database opens
    nothing. `mails` were sent on the day `mailed`. `name` is the name in the project that the lead chose, '' for the
    next free one. `membership` is the membership without an account that whoever accepts takes over; `accepted_as` the
    one they got. Once it is accepted, name and address are cleared: the account has them.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    name = models.CharField(max_length=80, blank=True)
    email = models.EmailField(max_length=254, blank=True)
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.ANNOTATOR.value)
    membership = models.ForeignKey(Annotator, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    nonce = models.CharField(max_length=64)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    expires = models.DateTimeField()
    mailing = models.CharField(max_length=7, choices=Mailing.choices, default=Mailing.NONE, blank=True)
    mails = models.PositiveIntegerField(default=0)
    mailed = models.DateField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    accepted = models.DateTimeField(null=True, blank=True)
    accepted_as = models.ForeignKey(Annotator, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("project", "pk")

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.project}"


class ReadingSkill(models.Model):
    """How well a person reads a language, by the levels of the Common European Framework (CEFR)."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="reading")
    language = models.CharField(max_length=35)
    level = models.CharField(max_length=6, choices=ReadingLevel.choices)

    class Meta:
        ordering = ("annotator", "pk")
        constraints = (models.UniqueConstraint(fields=("annotator", "language"), name="reading_skill_once"),)

    def __str__(self) -> str:
        return f"{self.language} {self.level}"
