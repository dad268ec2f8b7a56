"""Imports of archives, from a command or from the page. Other files are imported as records (`imports`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from annotation import formats
from annotation.formats.columns import ColumnMapping
from annotation.formats.project_archive import FORMAT as ARCHIVE
from annotation.formats.record import FormatError, PairRecord
from annotation.formats.source import display_name, refusal
from annotation.formats.zip_files import unpack
from annotation.models import JobStatus, Project, User
from annotation.models.imports import Import
from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.services.claims import WORKER, claim_finish
from annotation.services.import_progress import progress_saver
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.import_staging import staging_discard
from annotation.services.imports import import_files
from annotation.services.project_archive.load import Archive, check_empty
from annotation.services.project_archive.tables import TEXTS
from annotation.services.texts import texts_remove_unused
from annotation.services.uploads import UPLOADS
from annotation.temporary_folders import temporary_folder

MAX_UNPACKED_BYTES = 64 * 1024 * 1024 * 1024
"""What a zip file given to the command may unpack to, in bytes; the ratio of its size is limited too."""


def import_sources(
    *,
    slug: str,
    paths: Sequence[Path],
    format: str = "",
    options: Mapping[str, str] | None = None,
    scheme: Mapping[str, Any] | None = None,
    dry_run: bool = False,
    by: User | None = None,
    on_read: Callable[[Sequence[PairRecord], ColumnMapping | None, str], None] | None = None,
) -> ImportReport:
    """Import files of any format in this process. Raises ImportRefused, and changes nothing; Conflict for an archive
    and a project that is not empty. `on_read` gets what was read of files that are records.
    """
    with temporary_folder(UPLOADS) as folder:
        unpacked = _unpacked(paths, folder, every=format == ARCHIVE.name)
        if is_archive(format, unpacked, options):
            return _import_archive(slug, unpacked, options or {}, dry_run=dry_run, by=by)
        return import_files(
            slug=slug,
            paths=unpacked,
            format=format,
            options=options,
            scheme=scheme,
            dry_run=dry_run,
            by=by,
            on_read=on_read,
        )


def _import_archive(
    slug: str, paths: Sequence[Path], options: Mapping[str, str], *, dry_run: bool, by: User | None
) -> ImportReport:
    row = Import.objects.create(
        slug=slug[:80],
        made_by=by,
        foreground=True,
        format=ARCHIVE.name,
        status=JobStatus.RUNNING,
        claimed_by=WORKER,
        heartbeat=Now(),
        attempts=1,
    )
    try:
        return archive_perform(row=row, paths=paths, options=options, dry_run=dry_run, on_progress=progress_saver(row))
    finally:
        if not connection.needs_rollback:
            Import.objects.filter(pk=row.pk).exclude(status=JobStatus.DONE).delete()


def is_archive(
    format: str, paths: Sequence[Path], options: Mapping[str, str] | None, *, from_web: bool = False
) -> bool:
    """Whether the files are an archive of a project. Raises ImportRefused for an unknown format or option."""
    try:
        return formats.choose(format, paths, options, from_web=from_web).project
    except FormatError as error:
        raise ImportRefused(error.rejections) from error


def _unpacked(paths: Sequence[Path], folder: Path, *, every: bool) -> list[Path]:
    """The paths, with zip files (or every file) replaced by folders of what is in them."""

    def one(number: int, path: Path) -> Path:
        if not path.is_file() or not (every or path.suffix.lower() == ".zip"):
            return path
        # Refusals name the zip file, which `display_name` finds in the path.
        return unpack(path, folder / str(number) / path.name / path.stem, max_bytes=MAX_UNPACKED_BYTES)

    try:
        return [one(number, path) for number, path in enumerate(paths)]
    except FormatError as error:
        raise ImportRefused(error.rejections) from error


def archive_perform(
    *, row: Import, paths: Sequence[Path], options: Mapping[str, str], dry_run: bool, on_progress: OnProgress
) -> ImportReport:
    """Import the unpacked archive for the claimed `row`, which is finished with it, unless in a dry run.

    Raises ImportRefused, Conflict if the project is not empty, ClaimLost if it was cancelled; nothing is left then.
    """
    target = row.project or Project.objects.filter(slug=row.slug).first()
    if target is not None:
        check_empty(target)
    try:
        archive = Archive(_folder(paths), row, _people(options), on_progress)
        if target is None:
            archive.new_slug()
        keep_staged = False
        try:
            archive.stage()
            archive.check()
            report = archive.report(is_new=target is None, dry_run=dry_run)
            if dry_run:
                return report
            with transaction.atomic():
                project = archive.activate(target, row.made_by)
                report.project = project.slug
                finished = {"project": project, "staging": None, "done": F("total"), "finished": Now()}
                claim_finish(row, status=JobStatus.DONE, **finished, **report.stored_fields())
            keep_staged = target is None
            return report
        finally:
            if not keep_staged and archive.staged.pk is not None and not connection.needs_rollback:
                staging_discard(project=archive.staged)
                # All texts come before the first pair, so that some have none yet.
                texts_remove_unused(texts=archive.keys[TEXTS])
    except FormatError as error:
        raise ImportRefused(error.rejections) from error


def _folder(paths: Sequence[Path]) -> Path:
    if len(paths) != 1 or not paths[0].is_dir():
        raise refusal(", ".join(map(display_name, paths)), Phrase("one archive is expected"))
    return paths[0]


def _people(options: Mapping[str, str]) -> dict[str, str]:
    """'1:anna, account2:ben' -> accounts by the archive's usernames."""
    accounts: dict[str, str] = {}
    for part in filter(None, map(str.strip, options.get("people", "").split(","))):
        name, colon, username = part.partition(":")
        if not colon or not name.strip() or not username.strip():
            raise refusal("option people", Phrase("name:username is expected, not '%(part)s'", {"part": part[:80]}))
        accounts[name.strip()] = username.strip()
    return accounts
