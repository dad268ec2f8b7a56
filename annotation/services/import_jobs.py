"""Imports from the browser: requested by a lead, run by a worker, their result stored for the page.

The files are stored in the database, in parts, so that a worker on any machine has them. They are removed when the
import has ended; those of a dry run, or of an import for which another scheme is proposed, are kept for a day for the
import itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import formats
from annotation.errors import Conflict
from annotation.formats.columns import ColumnMapping
from annotation.formats.interruption import check_regularly
from annotation.formats.record import FormatError, PairRecord, ParsedSource
from annotation.formats.rejection_groups import select_rejections
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, JobStatus, Pair, Project, User
from annotation.models.imports import Import, ImportFile, ImportFilePart, ImportStage, ImportStatus
from annotation.models.lifecycle import ProjectDeletion
from annotation.progress import OnProgress
from annotation.services.archive_check import changes_project
from annotation.services.archive_imports import archive_perform, is_archive
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.import_preview import build_preview, remembered_options
from annotation.services.import_progress import progress_saver
from annotation.services.import_report import MAX_REJECTIONS_SHOWN, ImportRefused
from annotation.services.import_staging import staging_discard
from annotation.services.imports import import_check, import_perform, import_read
from annotation.services.jobs import JobKind, job_language, jobs_run
from annotation.services.uploads import unpacked_uploads, upload_check, uploads_clean

PART_BYTES = 1024 * 1024
FILE_RETENTION = timedelta(days=1)
COMMAND_TIMEOUT = timedelta(minutes=10)
"""A command that has not reported its import's progress for this long was killed."""


_RESET_FIELDS: Mapping[str, Any] = {
    "status": JobStatus.QUEUED,
    "attempts": 0,
    "report": None,
    "warnings": {},
    "better_scheme": "",
    "rejections": [],
    "rejected": 0,
    "problem": "",
    "finished": None,
    "done": 0,
}
"""The fields of an import that a worker is to read again."""


@changes_project()
def import_request(
    *,
    project: Project,
    files: Sequence[UploadedFile[Any]],
    format: str = "",
    options: Mapping[str, str] | None = None,
    dry_run: bool,
    by: User,
) -> Import:
    """Store the files and have a worker import them, or report what an import would do (`dry_run`).

    Repeating a request before its import has ended, as by a double click, returns that import. Raises ImportRefused at
    once for an unknown format or option.
    """
    started = timezone.now()
    names = [_file_name(file) for file in files]
    stored = [_StoredFile(name, file.size or 0, None) for name, file in zip(names, files, strict=True)]
    try:
        upload_check(stored)
        formats.check_request(format, names, options or {})
    except FormatError as error:
        raise ImportRefused(error.rejections) from error
    requested = {
        "project": project,
        "made_by": by,
        "names": names,
        "format": format,
        "options": dict(options or {}),
        "dry_run": dry_run,
        "digest": _digest(files),
    }
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        if same := _already_requested(requested, started):
            return same
        row = Import.objects.create(slug=project.slug, status=ImportStatus.SENDING, **requested)
    _store_files(row, list(zip(names, files, strict=True)))
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        # Of uploads sent at once, whichever is stored first is the import.
        if same := _already_requested(requested, started):
            row.delete()
            return same
        row.status = JobStatus.QUEUED
        row.save(update_fields=["status"])
        transaction.on_commit(lambda: notify(IMPORTS.name))
    return row


def _store_files(row: Import, files: Sequence[tuple[str, UploadedFile[Any]]]) -> None:
    """Store the named files of an import, which is deleted if that fails."""
    try:
        # Each part is a separate transaction, so that nobody waits while 50 MB are written.
        for name, file in files:
            file_row = ImportFile.objects.create(to_import=row, name=name, size=file.size or 0)
            for number, data in enumerate(file.chunks(PART_BYTES)):
                ImportFilePart.objects.create(file=file_row, number=number, data=data)
    except BaseException:
        # On a full disk this may fail too; `imports_clean` deletes the row then.
        with suppress(DatabaseError):
            row.delete()
        raise


def _digest(files: Sequence[UploadedFile[Any]]) -> str:
    """SHA-256 of the files' contents."""
    whole = hashlib.sha256()
    for file in files:
        own = hashlib.sha256()
        for data in file.chunks(PART_BYTES):
            own.update(data)
        whole.update(own.digest())
    return whole.hexdigest()


def _already_requested(requested: Mapping[str, Any], started: datetime) -> Import | None:
    """Another request for the same import, stored completely, that had not ended when this request `started`."""
    ended = Q(status__in=(JobStatus.DONE, ImportStatus.REFUSED), finished__gte=started)
    same = Import.objects.filter(Q(status__in=ACTIVE_JOB) | ended, scheme="", **requested)
    return same.order_by("-pk").first()


@changes_project("row.project_id")
def import_start(*, row: Import, scheme: str = "") -> Import:
    """Import the files of a dry run; `scheme`: a preset that a project without pairs changes to first.

    With a scheme, an import that was refused for its labels can be started too. Raises Conflict if there is no such
    import, or its files are gone.
    """
    checked = Q(dry_run=True, status=JobStatus.DONE)
    if scheme:
        checked |= Q(status=ImportStatus.REFUSED, better_scheme=scheme)
    startable = Import.objects.filter(checked, pk=row.pk)
    startable = startable.filter(Exists(ImportFile.objects.filter(to_import=OuterRef("pk"))))
    with transaction.atomic():
        if scheme and Pair.objects.filter(project=row.project).exists():
            raise Conflict(
                _("The scheme can't be changed once pairs exist."),
                where=row.slug,
                hint=_("Create a new project with the other scheme and import there."),
            )
        started = startable.update(
            dry_run=False,
            scheme=scheme,
            **_RESET_FIELDS,
        )
    if not started:
        raise _unavailable(row)
    transaction.on_commit(lambda: notify(IMPORTS.name))
    row.refresh_from_db()
    return row


def _file_name(file: UploadedFile[Any]) -> str:
    """What a file is called; one called by its ending alone ('.xlsx') has none for the readers."""
    name = Path(file.name or "file").name
    return name if Path(name).suffix else f"file{name}" if name.startswith(".") else name


@changes_project("row.project_id")
def import_recheck(*, row: Import, format: str, options: Mapping[str, str]) -> Import:
    """Read the files of a dry run again, as another format or with other options, without a second upload.

    Raises ImportRefused for an unknown format or option, Conflict if the files are gone or the import has started.
    """
    try:
        formats.check_request(format, row.names, options)
    except FormatError as error:
        raise ImportRefused(error.rejections) from error
    checked = Import.objects.filter(pk=row.pk, dry_run=True, status__in=(JobStatus.DONE, ImportStatus.REFUSED))
    checked = checked.filter(Exists(ImportFile.objects.filter(to_import=OuterRef("pk"))))
    if not checked.update(format=format, options=dict(options), **_RESET_FIELDS):
        raise _unavailable(row)
    transaction.on_commit(lambda: notify(IMPORTS.name))
    row.refresh_from_db()
    return row


def _unavailable(row: Import) -> Conflict:
    """Why a preview's files can't be imported or read again."""
    row.refresh_from_db()
    if row.dry_run:
        problem, hint = _("The files of this preview are no longer available."), _("Choose the files again.")
    else:
        problem, hint = _("The import of these files was started already."), _("Its page shows the result.")
    return Conflict(problem, where=str(row), hint=hint)


def import_cancel(*, row: Import) -> None:
    """End a waiting or running import; nothing of it is kept. Raises Conflict if it has ended."""
    waiting = Import.objects.filter(pk=row.pk, status__in=ACTIVE_JOB, foreground=False)
    with transaction.atomic():
        if not waiting.update(status=JobStatus.CANCELLED, claimed_by="", heartbeat=None, finished=Now()):
            raise Conflict(_("This import has already finished."), where=str(row))
        ImportFile.objects.filter(to_import=row).delete()


def imports_run(stop: Callable[[], bool] = lambda: False) -> int:
    """Run the waiting imports one after another; returns how many ended. Any worker may call it at any time."""
    imports_clean()
    return jobs_run(IMPORTS, stop)


def imports_clean() -> None:
    """Remove what killed imports left behind, and files that no import needs any more."""
    silent = Import.objects.filter(foreground=True, status=JobStatus.RUNNING, heartbeat__lt=Now() - COMMAND_TIMEOUT)
    silent.delete()
    Import.objects.filter(status=ImportStatus.SENDING, requested__lt=Now() - FILE_RETENTION).delete()
    ended = ImportFile.objects.exclude(to_import__status__in=(ImportStatus.SENDING, *ACTIVE_JOB))
    ended.filter(to_import__requested__lt=Now() - FILE_RETENTION).delete()
    running = Import.objects.filter(staging=OuterRef("pk"), status=JobStatus.RUNNING)
    deleted = ProjectDeletion.objects.filter(hidden=OuterRef("pk"))
    for project in Project.with_staged.filter(staged=True).exclude(Exists(running)).exclude(Exists(deleted)):
        staging_discard(project=project)
    uploads_clean()


def _perform(row: Import, heartbeat: Heartbeat) -> None:
    """Import the files of a claimed row, or check them, and store the result with the row."""
    preview: dict[str, Any] = {}
    format = row.format
    if row.staging is not None:  # left behind by a killed worker
        staging_discard(project=row.staging)
    on_progress = progress_saver(row, heartbeat.check)
    try:
        on_progress(0, 0, ImportStage.READING)
        with check_regularly(lambda: on_progress(0, 0, ImportStage.READING)), _files(row) as paths:
            format = _detect_format(row, paths)
            if is_archive(format, paths, row.options, from_web=True):
                _perform_archive(row, paths, on_progress)
                return
            parsed, preview = _read_with_preview(row, paths, format)
        heartbeat.check()
        Import.objects.filter(pk=row.pk).update(preview=preview, options=row.options)
        if row.dry_run:
            report = import_check(slug=row.slug, parsed=parsed, scheme=None, on_progress=on_progress)
            count = len(parsed.records)
            claim_finish(row, status=JobStatus.DONE, done=count, total=count, finished=Now(), **report.stored_fields())
            return
        import_perform(row=row, slug=row.slug, parsed=parsed, scheme=None, on_progress=on_progress)
        ImportFile.objects.filter(to_import=row).delete()
    except ImportRefused as error:
        preview = preview or _preview(row, error.records, error.table, format)
        claim_finish(
            row,
            status=ImportStatus.REFUSED,
            finished=Now(),
            problem=error.message,
            rejections=select_rejections(error.rejections, MAX_REJECTIONS_SHOWN),
            rejected=len(error.rejections),
            better_scheme=error.better_scheme,
            preview=preview,
            options=row.options,
        )
        # With the better scheme, or read in another way, the same files can be imported.
        if not error.better_scheme and not row.dry_run:
            ImportFile.objects.filter(to_import=row).delete()


def _perform_archive(row: Import, paths: Sequence[Path], on_progress: OnProgress) -> None:
    report = archive_perform(row=row, paths=paths, options=row.options, dry_run=row.dry_run, on_progress=on_progress)
    if row.dry_run:
        claim_finish(row, status=JobStatus.DONE, done=F("total"), finished=Now(), **report.stored_fields())
    else:
        ImportFile.objects.filter(to_import=row).delete()


def _detect_format(row: Import, paths: Sequence[Path]) -> str:
    """The format that was requested, or else the one that the files have. Raises ImportRefused."""
    try:
        return formats.choose(row.format, paths, from_web=True).name
    except FormatError as error:
        raise ImportRefused(error.rejections) from error


def _read_with_preview(row: Import, paths: Sequence[Path], format: str) -> tuple[ParsedSource, dict[str, Any]]:
    """What the files hold, and the preview. A table without options is read with those last chosen for such a table."""
    row.preview = {**(row.preview or {}), "remembered": False}
    try:
        parsed = import_read(row.slug, paths, format, row.options, from_web=True)
        refused, table = None, parsed.table
    except ImportRefused as error:
        refused, table = error, error.table
    if not row.options:
        remembered = remembered_options(row, table) if table is not None else {}
        row.preview = {"plain": table.columns if table is not None else [], "remembered": bool(remembered)}
        if remembered:
            row.options = remembered
            parsed, refused = import_read(row.slug, paths, format, row.options, from_web=True), None
    if refused is not None:
        raise refused
    return parsed, _preview(row, parsed.records, parsed.table, format)


def _preview(row: Import, records: Sequence[PairRecord], table: ColumnMapping | None, format: str) -> dict[str, Any]:
    """The preview, with the columns of the table as it is read without options, by which choices are remembered."""
    preview = build_preview(records, table, format=format, scheme=row.project.labels if row.project else None)
    stored = row.preview or {}
    return {**preview, "plain": stored.get("plain", []), "remembered": stored.get("remembered", False)}


@dataclass(frozen=True, slots=True)
class _StoredFile:
    """A file from the database with the interface of an upload."""

    name: str
    size: int
    row: ImportFile | None

    def chunks(self) -> Iterator[bytes]:
        parts = ImportFilePart.objects.filter(file=self.row).order_by("number")
        for part in parts.values_list("data", flat=True).iterator(chunk_size=1):
            yield bytes(part)


@contextmanager
def _files(row: Import) -> Iterator[list[Path]]:
    stored = [
        _StoredFile(file.name, file.size, file) for file in ImportFile.objects.filter(to_import=row).order_by("pk")
    ]
    with unpacked_uploads(stored) as paths:
        yield paths


def _failed(row: Import, problem: str) -> dict[str, Any]:
    ImportFile.objects.filter(to_import=row).delete()
    return {"status": JobStatus.FAILED, "problem": problem, "finished": Now()}


IMPORTS: JobKind[Import] = JobKind(
    name="imports",
    unfinished=lambda: (
        Import.objects.filter(status__in=ACTIVE_JOB, foreground=False)
        .select_related("project", "staging", "made_by")
        .order_by("pk")
    ),
    perform=_perform,
    failed=_failed,
    claimed={"status": JobStatus.RUNNING},
    released={"status": JobStatus.QUEUED},
    language=lambda row: job_language(row.made_by),
)
