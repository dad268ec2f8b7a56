"""Removing what an archive staged, beyond what every import stages."""

from __future__ import annotations

from typing import Any

from django.db import models, transaction

from annotation.models import Pair, Project, User
from annotation.services.project_archive.tables import ANNOTATORS, PAIRS, TABLES, TEXTS

_OF_EVERY_IMPORT = (
    *(TEXTS, PAIRS, ANNOTATORS, "annotation.guideline", "annotation.assignment", "annotation.annotation"),
    "annotation.revision",
)


@transaction.atomic
def staged_rows_remove(*, project: Project) -> None:
    """Remove the rows that refer to those of every import, and accounts made for an archive's people."""
    assert project.staged
    Pair.objects.filter(project=project, mirror__isnull=False).update(mirror=None)
    for table in reversed(TABLES):
        if table.label not in _OF_EVERY_IMPORT:
            rows: models.QuerySet[Any] = table.rows(project).order_by()
            rows._raw_delete(rows.db)
    accounts = User.objects.filter(made_in=project, is_active=False)
    if accounts.exists():
        # Memberships and revisions name them; those go next, and an account may only go after them.
        for table in TABLES:
            if table.label in (ANNOTATORS, "annotation.annotation", "annotation.revision"):
                for field in table.fields:
                    if field.related_model is User:
                        table.rows(project).order_by().update(**{field.name: None})
        accounts.delete()
