"""A new project like an existing one: its scheme, settings, guidelines and glossary, without texts and people."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Guideline, Project, User
from annotation.models.glossary import GlossaryEntry
from annotation.models.lifecycle import ProjectEventType
from annotation.project_options import LATEST
from annotation.selectors.projects import guideline_current, options_of
from annotation.services.audit_events import event_record
from annotation.services.projects import project_create

MAX_SLUG_LENGTH = 80
MAX_NAME_LENGTH = 200
NOT_COPIED_SETTINGS = ("closed_phases", "card")
"""Settings that are about the work in the old project: phases that are over, and what its datasets' cards state."""


def duplicate_names(project: Project) -> tuple[str, str]:
    """A name and a slug for a copy: 'Towns (2)' and 'towns-2', or the next number whose slug is free."""
    number = 2
    while Project.with_staged.filter(slug=_slug(project, number)).exists():
        number += 1
    end = f" ({number})"
    return project.name[: MAX_NAME_LENGTH - len(end)] + end, _slug(project, number)


def _slug(project: Project, number: int) -> str:
    end = f"-{number}"
    return project.slug[: MAX_SLUG_LENGTH - len(end)] + end


@transaction.atomic
def project_duplicate(
    *, project: Project, name: str, slug: str = "", glossary: bool = False, lead: User | None = None
) -> Project:
    """Create a project with the scheme, the settings and the current guidelines of `project`, led by `lead`.

    With `glossary`, also with its entries. Texts, people, work, runs and gold are not copied; every phase is open.
    Raises as `project_create`.
    """
    settings = {key: value for key, value in project.settings.items() if key not in NOT_COPIED_SETTINGS}
    if options_of(project).highlights_run not in (LATEST, ""):
        settings["highlights_run"] = LATEST
    copy = project_create(name=name, slug=slug, scheme=project.scheme, lead=lead, settings=settings)
    current = guideline_current(project)
    if current is not None:
        Guideline.objects.create(project=copy, version=1, text=current.text)
    entries = 0
    if glossary:
        rows = [
            GlossaryEntry(
                project=copy,
                term_language=row.term_language,
                translation_language=row.translation_language,
                term=row.term,
                translations=row.translations,
                note=row.note,
            )
            for row in GlossaryEntry.objects.filter(project=project).order_by("pk")
        ]
        entries = len(GlossaryEntry.objects.bulk_create(rows, batch_size=500))
    event_record(project=copy, what=ProjectEventType.DUPLICATED, by=lead, of=project.slug, glossary=entries)
    return copy
