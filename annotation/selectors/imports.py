"""Reads of imports: requests, progress, and warnings about deviations from the source."""

from __future__ import annotations

from collections import Counter

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import JobStatus, Project
from annotation.models.imports import Import, ImportFile, ImportStatus


def import_list(project: Project) -> QuerySet[Import]:
    """The imports of a project whose upload is complete, the newest first."""
    rows = Import.objects.filter(project=project).exclude(status=ImportStatus.SENDING)
    return rows.select_related("made_by").order_by("-pk")


def import_get(project: Project, pk: int) -> Import:
    """An import, with `has_files`: whether its files are still stored. Raises NotFound, also during the upload."""
    rows = Import.objects.filter(project=project, pk=pk).exclude(status=ImportStatus.SENDING)
    rows = rows.select_related("made_by")
    row = rows.annotate(has_files=Exists(ImportFile.objects.filter(to_import=OuterRef("pk")))).first()
    if row is None:
        raise NotFound(_("There is no such import in this project."), where=project.name)
    return row


def import_warnings(project: Project) -> dict[str, int]:
    """Warnings and their counts over all imports that changed the project."""
    counts: Counter[str] = Counter()
    rows = Import.objects.filter(project=project, status=JobStatus.DONE, dry_run=False)
    for report, warnings in rows.order_by("pk").values_list("report", "warnings"):
        if any((report or {}).get(name) for name in ("pairs_new", "annotations_new", "gold_new")):
            counts.update(warnings)
    return dict(sorted(counts.items()))
