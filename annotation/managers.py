"""Default managers: which rows of a model are visible."""

from __future__ import annotations

from typing import Any

from django.db import models


class ProjectManager(models.Manager[Any]):
    """Projects without the staged ones, in which imports collect their rows."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(staged=False)
