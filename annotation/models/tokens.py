"""Tokens with which programs use the API in a person's name. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Project, Role, User


class TokenAccess(models.TextChoices):
    READ = "read", "read"
    WRITE = "write", "write"


class ApiToken(models.Model):
    """A secret that identifies its owner in the API, until it expires or is revoked, and never for more than its owner.

    Only the secret's SHA-256 `digest` is stored, and its `ending`, by which people recognise it. `role` is the highest
    role in which it acts, '' for each project's own; `project` the only project it can reach, None for all of them.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=4)
    access = models.CharField(max_length=5, choices=TokenAccess.choices, default=TokenAccess.READ)
    role = models.CharField(max_length=12, choices=Role.choices, blank=True)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("user", "pk")

    def __str__(self) -> str:
        return self.name
