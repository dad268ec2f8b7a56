"""Which rows of a model are seen unless something else is asked for."""

from __future__ import annotations

from typing import Any

from django.db import models


class ProjectManager(models.Manager[Any]):
    """Projects that people know of: not the ones in which an import gathers its rows."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(staged=False)
