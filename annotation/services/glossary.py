"""Writes of a project's glossary: one entry, or a file of them. Every change is kept as history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from annotation.errors import Conflict, Invalid, NotFound
from annotation.glossaries.entries import MOST_ENTRIES, Entry, entry_problem, merged, plain
from annotation.glossaries.formats import read
from annotation.glossaries.reading import GlossaryFileError, Rejected
from annotation.models import GlossaryEntry, Project, User
from annotation.text.languages import language_problem

BATCH = 500


@dataclass(frozen=True, slots=True)
class UploadReport:
    """What an upload did, or would do: the file's entries, how many are new, changed or the same, and rejected rows.

    `removed` counts entries of the same languages that the file lacks, if it replaces them. `rejected` holds the
    first rejected rows, `rejections` counts all.
    """

    entries: list[Entry]
    new: int
    changed: int
    same: int
    removed: int
    rejected: list[Rejected] = field(default_factory=list)
    rejections: int = 0


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
) -> GlossaryEntry:
    """Add an entry, or change `entry`.

    Raises Invalid naming the field, Conflict if another entry has the same term in the same languages, and NotFound
    if the entry was deleted meanwhile.
    """
    _locked(project)
    if entry is not None:
        entry = _current(entry)
    languages = _languages(term_language, translation_language)
    kept = tuple(dict.fromkeys(filter(None, map(plain, translations))))
    checked = Entry(plain(term), kept, note.strip())
    name, reason = entry_problem(checked)
    if reason:
        raise Invalid(_("This can't be saved: %(reason)s.") % {"reason": reason}, where=name)
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
        _check_size(GlossaryEntry.objects.filter(project=project).count() + 1)
        entry = GlossaryEntry(project=project)
    entry.term_language, entry.translation_language = languages
    entry.term, entry.translations, entry.note = checked.word, list(checked.translations), checked.note
    entry.save()
    return entry


@transaction.atomic
def glossary_entry_delete(*, entry: GlossaryEntry) -> None:
    """Delete an entry; its history stays. Raises NotFound if it was deleted meanwhile."""
    _locked(entry.project)
    _current(entry).delete()


def glossary_upload(
    *,
    project: Project,
    name: str,
    data: bytes,
    term_language: str,
    translation_language: str,
    replace: bool = False,
    dry_run: bool = False,
    by: User | None = None,
) -> UploadReport:
    """Add the entries of a file, whose `name` shows its format, to the glossary; rejected rows are skipped.

    A term that the glossary already has gets the file's translations and note. `replace`: entries of these languages
    that the file lacks are deleted. Raises Invalid if the file can't be read, has no valid entry, or the glossary would
    become too large; then nothing is changed.
    """
    languages = _languages(term_language, translation_language)
    try:
        reading = read(name, data, *languages)
    except GlossaryFileError as error:
        raise Invalid(
            _("The file can't be read: %(reason)s.") % {"reason": str(error)}, code="glossary-file", where="file"
        ) from error
    entries = merged(reading.entries)
    with transaction.atomic():
        _locked(project)
        known = {
            row.term: row
            for row in GlossaryEntry.objects.filter(
                project=project, term_language=languages[0], translation_language=languages[1]
            )
        }
        new = [each for each in entries if each.word not in known]
        changed = [row for each in entries if (row := known.get(each.word)) and _take(row, each)]
        words = {each.word for each in entries}
        removed = [row.pk for term, row in known.items() if term not in words] if replace else []
        report = UploadReport(
            entries,
            len(new),
            len(changed),
            len(entries) - len(new) - len(changed),
            len(removed),
            reading.rejected,
            reading.rejections,
        )
        _check_size(GlossaryEntry.objects.filter(project=project).count() + len(new) - len(removed))
        if dry_run:
            return report
        if not entries:
            raise Invalid(
                _("The file has no valid row. The first error: line %(line)s, %(reason)s.")
                % {"line": reading.rejected[0].line, "reason": reading.rejected[0].reason},
                code="glossary-file",
                where="file",
            )
        for start in range(0, len(removed), BATCH):
            GlossaryEntry.objects.filter(pk__in=removed[start : start + BATCH]).delete()
        rows = [
            GlossaryEntry(
                project=project,
                term_language=languages[0],
                translation_language=languages[1],
                term=each.word,
                translations=list(each.translations),
                note=each.note,
            )
            for each in new
        ]
        bulk_create_with_history(rows, GlossaryEntry, batch_size=BATCH, default_user=by)
        bulk_update_with_history(changed, GlossaryEntry, ["translations", "note"], batch_size=BATCH, default_user=by)
    return report


def _locked(project: Project) -> None:
    """Lock the project, so that writes wait for each other and its size and terms stay as they were checked."""
    Project.objects.select_for_update().get(pk=project.pk)


def _current(entry: GlossaryEntry) -> GlossaryEntry:
    """The entry as it is now that its project is locked. Raises NotFound if it was deleted meanwhile."""
    found = GlossaryEntry.objects.filter(pk=entry.pk).first()
    if found is None:
        raise NotFound(_("There is no such entry in this glossary."), where=entry.project.name)
    return found


def _take(row: GlossaryEntry, entry: Entry) -> bool:
    """Update a row from a file's entry without saving it; returns whether that changed it."""
    if tuple(row.translations) == entry.translations and row.note == entry.note:
        return False
    row.translations, row.note = list(entry.translations), entry.note
    return True


def _languages(term_language: str, translation_language: str) -> tuple[str, str]:
    languages = term_language.strip(), translation_language.strip()
    for where, language in zip(("term_language", "translation_language"), languages, strict=True):
        if problem := language_problem(language):
            raise Invalid(
                _("This can't be saved: %(reason)s.") % {"reason": problem}, where=where, hint=_("For example: de")
            )
    if len(max(languages, key=len)) > 35:
        raise Invalid(_("A language tag can have at most 35 characters."), where="term_language")
    if languages[0].lower() == languages[1].lower():
        raise Invalid(_("The two languages must differ."), where="translation_language")
    return languages


def _check_size(size: int) -> None:
    if size > MOST_ENTRIES:
        raise Invalid(
            _("A glossary can have at most %(most)s entries; this would be %(n)s.") % {"most": MOST_ENTRIES, "n": size},
            code="glossary-size",
            hint=_("Delete entries that the project's texts don't need."),
        )
