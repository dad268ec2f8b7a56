"""Writes of single entries of a project's glossary. Every change is kept as history."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.glossaries.entries import MAX_ENTRIES, TermEntry, entry_problem, normalise_spaces
from annotation.models import Project
from annotation.models.glossary import GlossaryEntry
from annotation.selectors.glossary import Languages, glossary_entry_json
from annotation.services.archive_check import changes_project
from annotation.text.languages import language_problem


@changes_project()
@transaction.atomic
def glossary_entry_save(
    *,
    project: Project,
    term_language: str,
    translation_language: str,
    term: str,
    translations: Sequence[str],
    note: str = "",
    entry: GlossaryEntry | None = None,
    base: int = 0,
) -> GlossaryEntry:
    """Add an entry, or change `entry` as it was at revision `base`.

    Raises Invalid naming the field, Conflict if another entry has the same term in the same languages or someone
    changed the entry since (with what it is now), and NotFound if it was deleted meanwhile. What is saved already is
    no conflict, and no change.
    """
    glossary_lock(project)
    languages = checked_languages(term_language, translation_language)
    cleaned = tuple(dict.fromkeys(filter(None, map(normalise_spaces, translations))))
    checked = TermEntry(normalise_spaces(term), cleaned, note.strip())
    if problem := entry_problem(checked):
        raise Invalid(_("This can't be saved: %(reason)s.") % {"reason": problem.reason.text(_)}, where=problem.field)
    if entry is not None:
        entry = _current(entry)
        if _content(entry) == (languages, checked):
            return entry
        _check_base(entry, base)
    same = GlossaryEntry.objects.filter(
        project=project, term_language=languages[0], translation_language=languages[1], term=checked.word
    )
    if (same.exclude(pk=entry.pk) if entry else same).exists():
        raise Conflict(
            _("“%(term)s” is already in the glossary.") % {"term": checked.word},
            code="term-exists",
            where="term",
            hint=_("Add the translation to that entry."),
        )
    if entry is None:
        check_size(GlossaryEntry.objects.filter(project=project).count() + 1)
        entry = GlossaryEntry(project=project, revision=0)
    entry.term_language, entry.translation_language = languages
    entry.term, entry.translations, entry.note = checked.word, list(checked.translations), checked.note
    entry.revision += 1
    entry.save()
    return entry


@changes_project("entry.project_id")
@transaction.atomic
def glossary_entry_delete(*, entry: GlossaryEntry, base: int | None = None) -> None:
    """Delete an entry as it was at revision `base` (None: whatever it is); its history stays.

    Raises Conflict if someone changed it since, NotFound if it was deleted meanwhile.
    """
    glossary_lock(entry.project)
    entry = _current(entry)
    if base is not None:
        _check_base(entry, base)
    entry.delete()


def glossary_lock(project: Project) -> None:
    """Lock the project, so that writes wait for each other and its size and terms stay as they were checked."""
    Project.objects.select_for_update().get(pk=project.pk)


def _current(entry: GlossaryEntry) -> GlossaryEntry:
    """The entry as it is now that its project is locked. Raises NotFound if it was deleted meanwhile."""
    row = GlossaryEntry.objects.filter(pk=entry.pk).first()
    if row is None:
        raise NotFound(_("There is no such entry in this glossary."), where=entry.project.name)
    return row


def _content(row: GlossaryEntry) -> tuple[Languages, TermEntry]:
    languages = row.term_language, row.translation_language
    return languages, TermEntry(row.term, tuple(row.translations), row.note)


def _check_base(entry: GlossaryEntry, base: int) -> None:
    if base != entry.revision:
        raise Conflict(
            _("“%(term)s” was changed by someone else in the meantime.") % {"term": entry.term},
            where=_("revision %(number)s") % {"number": entry.revision},
            hint=_("Review both versions and choose one."),
            payload={"entry": glossary_entry_json(entry)},
        )


def checked_languages(term_language: str, translation_language: str) -> Languages:
    """Two different languages, as tags. Raises Invalid."""
    languages = term_language.strip(), translation_language.strip()
    for where, language in zip(("term_language", "translation_language"), languages, strict=True):
        if problem := language_problem(language):
            raise Invalid(
                _("This can't be saved: %(reason)s.") % {"reason": problem.text(_)},
                where=where,
                hint=_("For example: de"),
            )
    if len(max(languages, key=len)) > 35:
        raise Invalid(_("A language tag can have at most 35 characters."), where="term_language")
    if languages[0].lower() == languages[1].lower():
        raise Invalid(_("The two languages must differ."), where="translation_language")
    return languages


def check_size(size: int) -> None:
    """Raises Invalid for more entries than a glossary may have."""
    if size > MAX_ENTRIES:
        raise Invalid(
            _("A glossary can have at most %(most)s entries; this would be %(n)s.") % {"most": MAX_ENTRIES, "n": size},
            code="glossary-size",
            hint=_("Delete entries that the project's texts don't need."),
        )
