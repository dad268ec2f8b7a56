"""Uploads of glossary files: read and compared before any lock is taken, then written with their history in bulk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connections, transaction
from django.db.models import BigIntegerField, CharField, DateTimeField, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.glossaries.entries import TermEntry, alphabetical
from annotation.glossaries.files import GlossaryFileError, ParsedGlossary, RejectedRow
from annotation.glossaries.formats import read
from annotation.models import Project, User
from annotation.models.glossary import GlossaryEntry
from annotation.selectors.glossary import Languages, glossary_last_change, glossary_last_deletion
from annotation.services.archive_check import changes_project
from annotation.services.glossary import check_size, checked_languages, glossary_lock

BATCH = 500


@dataclass(frozen=True, slots=True)
class UploadReport:
    """What an upload did, or would do: the file's entries, how many are new, changed or the same, and rejected rows.

    `removed` are the terms of the same languages that the file lacks, if it replaces them. `rejected` holds the
    first rejected rows, `rejections` counts all. `written`: whether it was done.
    """

    entries: list[TermEntry]
    new: int
    changed: int
    same: int
    removed: list[str]
    rejected: list[RejectedRow] = field(default_factory=list)
    rejections: int = 0
    written: bool = False


@dataclass(frozen=True, slots=True)
class _Changes:
    """What a file changes in a glossary, compared when its newest change was `last_change`; nothing is saved yet."""

    last_change: tuple[int, datetime] | None
    new: list[GlossaryEntry]
    changed: list[GlossaryEntry]
    removed: list[GlossaryEntry]
    size: int


@changes_project()
def glossary_upload(
    *,
    project: Project,
    name: str,
    data: bytes,
    term_language: str,
    translation_language: str,
    replace: bool = False,
    deletes: int = 0,
    dry_run: bool = False,
    by: User | None = None,
) -> UploadReport:
    """Add the entries of a file, whose `name` shows its format, to the glossary; rejected rows are skipped.

    A term that the glossary already has gets the file's translations and note. `replace`: entries of these languages
    that the file lacks are deleted, if they are `deletes`, as many as the person has agreed to: if not, nothing is
    written, and the report names them. Raises Invalid if the file can't be read, has no valid entry, or
    the glossary would become too large; then nothing is changed.
    """
    languages = checked_languages(term_language, translation_language)
    parsed = _read(name, data, languages)
    changes = _compared(project, languages, parsed.entries, replace)
    check_size(changes.size)
    if dry_run:
        return _report(parsed, changes)
    if not parsed.entries:
        raise Invalid(
            _("The file has no valid row. The first error: line %(line)s, %(reason)s.")
            % {"line": parsed.rejected[0].line, "reason": parsed.rejected[0].reason.text(_)},
            code="glossary-file",
            where="file",
        )
    if len(changes.removed) not in (0, deletes):
        return _report(parsed, changes)
    with transaction.atomic():
        glossary_lock(project)
        if glossary_last_change(project.pk) != changes.last_change:
            changes = _compared(project, languages, parsed.entries, replace)
            check_size(changes.size)
            if len(changes.removed) not in (0, deletes):
                return _report(parsed, changes)
        _write(changes, by)
    return _report(parsed, changes, written=True)


@changes_project()
@transaction.atomic
def glossary_deletion_undo(*, project: Project, by: User | None = None) -> list[GlossaryEntry]:
    """Restore the entries that were deleted last, as they were. A term that was added again since stays as it is.

    Raises NotFound if there are none, Invalid for too many.
    """
    glossary_lock(project)
    deletion = glossary_last_deletion(project)
    if deletion is None:
        raise NotFound(_("There are no deleted entries to restore."), where=project.name)
    for row in deletion.entries:
        # Pages from before the deletion must not save over what was restored.
        row.revision += 1
    size = GlossaryEntry.objects.filter(project=project).count() + len(deletion.entries)
    check_size(size)
    _write(_Changes(None, deletion.entries, [], [], size), by)
    return deletion.entries


def _read(name: str, data: bytes, languages: Languages) -> ParsedGlossary:
    try:
        return read(name, data, *languages)
    except GlossaryFileError as error:
        raise Invalid(
            _("The file can't be read: %(reason)s.") % {"reason": error.phrase.text(_)},
            code="glossary-file",
            where="file",
        ) from error


def _compared(project: Project, languages: Languages, entries: Sequence[TermEntry], replace: bool) -> _Changes:
    """Compare a file with the glossary as it is now."""
    last_change = glossary_last_change(project.pk)
    rows = GlossaryEntry.objects.filter(project=project)
    existing = {row.term: row for row in rows.filter(term_language=languages[0], translation_language=languages[1])}
    new, changed = [], []
    for entry in entries:
        row = existing.get(entry.word)
        if row is None:
            new.append(_row(project, languages, entry))
        elif (tuple(row.translations), row.note) != (entry.translations, entry.note):
            changed.append(_row(project, languages, entry, row))
    words = {entry.word for entry in entries}
    removed = [row for term, row in existing.items() if term not in words] if replace else []
    return _Changes(last_change, new, changed, removed, rows.count() + len(new) - len(removed))


def _row(
    project: Project, languages: Languages, entry: TermEntry, before: GlossaryEntry | None = None
) -> GlossaryEntry:
    """A row to be saved, in place of `before` if there is one."""
    return GlossaryEntry(
        project=project,
        term_language=languages[0],
        translation_language=languages[1],
        term=entry.word,
        translations=list(entry.translations),
        note=entry.note,
        revision=before.revision + 1 if before else 1,
    )


def _write(changes: _Changes, by: User | None) -> None:
    """Write entries and their history in few statements: SQLite's lock is held meanwhile, and all other saves wait."""
    now = timezone.now()
    for rows in _batches(changes.removed):
        _keep_history(rows, "-", by, now)
        # Nothing else refers to an entry, and its history is kept already.
        rows._raw_delete(rows.db)
    GlossaryEntry.objects.bulk_create(
        [*changes.new, *changes.changed],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["project", "term_language", "translation_language", "term"],
        update_fields=["translations", "note", "revision"],
    )
    for kind, written in (("+", changes.new), ("~", changes.changed)):
        for rows in _batches(written):
            _keep_history(rows, kind, by, now)


def _batches(rows: Sequence[GlossaryEntry]) -> Iterator[QuerySet[GlossaryEntry]]:
    for start in range(0, len(rows), BATCH):
        yield GlossaryEntry.objects.filter(pk__in=[row.pk for row in rows[start : start + BATCH]]).order_by()


def _keep_history(rows: QuerySet[GlossaryEntry], kind: str, by: User | None, now: datetime) -> None:
    """Copy rows into the history as they are now, within the database.

    The library's bulk functions build each row in Python, which takes most of the time for which the lock is held, and
    have none for deleted rows.
    """
    history = GlossaryEntry.history.model
    names = [each.attname for each in history.tracked_fields]
    constants = {
        "history_date": Value(now, DateTimeField()),
        "history_type": Value(kind, CharField()),
        "history_user_id": Value(by.pk if by else None, BigIntegerField()),
    }
    select, params = rows.values_list(*names).annotate(**constants).query.sql_with_params()
    connection = connections[rows.db]
    columns = ", ".join(connection.ops.quote_name(name) for name in (*names, *constants))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {connection.ops.quote_name(history._meta.db_table)} ({columns}) {select}", params)


def _report(parsed: ParsedGlossary, changes: _Changes, *, written: bool = False) -> UploadReport:
    entries = parsed.entries
    return UploadReport(
        entries,
        len(changes.new),
        len(changes.changed),
        len(entries) - len(changes.new) - len(changes.changed),
        sorted((row.term for row in changes.removed), key=alphabetical),
        parsed.rejected,
        parsed.rejections,
        written,
    )
