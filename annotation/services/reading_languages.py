"""Writes of the languages that people read."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotator
from annotation.models.people import ReadingSkill
from annotation.phrases import PhraseError
from annotation.reading_languages import Skills, checked_skills
from annotation.services.archive_check import changes_project


@changes_project("annotator.project_id")
@transaction.atomic
def reading_skills_set(*, annotator: Annotator, skills: Skills) -> dict[str, str]:
    """Replace the languages that a person reads. Raises Invalid, and changes nothing, for an unknown tag or level."""
    try:
        checked = checked_skills(skills)
    except PhraseError as error:
        raise Invalid(error.phrase.text(_), where="languages") from error
    Annotator.objects.select_for_update().get(pk=annotator.pk)
    ReadingSkill.objects.filter(annotator=annotator).delete()
    ReadingSkill.objects.bulk_create(
        ReadingSkill(annotator=annotator, language=language, level=level) for language, level in checked.items()
    )
    return checked
