"""Imports: parsed files become rows, all or nothing, and without duplicates if they are imported again.

An import never holds a lock for long. Its rows are prepared outside any transaction and collected in an invisible
project (`import_staging`), a few at a time; then they move to their project in one short transaction
(`import_activation`). Until then nothing of it is visible, and if it ends early, nothing is left behind.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation import formats
from annotation.errors import Conflict, NotFound
from annotation.formats.columns import ColumnMapping
from annotation.formats.record import FormatError, PairRecord, ParsedSource, Rejection
from annotation.formats.source_warnings import CHANGED_TEXTS
from annotation.models import Annotator, Guideline, JobStatus, User
from annotation.models.imports import Import, ImportStage
from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.selectors.references import KnownReferences, known_references
from annotation.services.archive_check import check_not_archived
from annotation.services.claims import WORKER, claim_finish
from annotation.services.import_activation import TargetChanged, staging_activate
from annotation.services.import_assignments import AnnotationContext, aliases_of, better_preset, warn_of_merged_labels
from annotation.services.import_changed_texts import rename_changed_pairs
from annotation.services.import_checks import mirror_problems, project_problems, record_problems
from annotation.services.import_prepare import Preparation, batch_end, prepare
from annotation.services.import_progress import progress_saver
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.import_staging import (
    Staging,
    staging_begin,
    staging_discard,
    staging_link_mirrors,
    staging_write,
)
from annotation.services.import_target import ImportTarget, import_target

logger = logging.getLogger(__name__)

FIRST_BATCH = 20
MIN_BATCH = 10
MAX_BATCH = 400
LOCK_SECONDS = 0.1
"""How long a batch should hold SQLite's write lock; the batch size is adapted to it."""
MAX_PAUSE_SECONDS = 0.5
TRIES = 3


def import_files(
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
    """Read `paths` and import them. Raises ImportRefused, and changes nothing, naming everything that is wrong.

    `on_read` gets what was read, and the format.
    """
    parsed = import_read(slug, paths, format, options)
    if on_read is not None:
        on_read(parsed.records, parsed.table, format or formats.format_of(paths))
    return import_pairs(slug=slug, parsed=parsed, scheme=scheme, dry_run=dry_run, by=by, format=format)


def import_read(
    slug: str, paths: Sequence[Path], format: str, options: Mapping[str, str] | None, *, from_web: bool = False
) -> ParsedSource:
    """Parse `paths`; `from_web`: only the formats and options that a browser may use.

    Raises ImportRefused, which also names conflicts with the project `slug`.
    """
    try:
        return formats.read(format, paths, options, from_web=from_web)
    except FormatError as error:
        # A text in a language that is not sure can't be compared with the project's.
        unsure = error.table is not None and error.table.unsure
        rejections = [*error.rejections, *project_problems("" if unsure else slug, error.records, error.rejections)]
        raise ImportRefused(rejections, records=error.records, table=error.table) from error


def import_pairs(
    *,
    slug: str,
    parsed: ParsedSource,
    scheme: Mapping[str, Any] | None = None,
    dry_run: bool = False,
    by: User | None = None,
    format: str = "",
) -> ImportReport:
    """Import parsed files into the project `slug` in this process; `dry_run` gives the same report but writes nothing.

    If the project does not exist, it is created, led by `by`, with `scheme` or else the format's. A pair that exists
    under its id with the same texts is kept, and gets the annotations, gold and translations that it lacks; existing
    data is not changed. A pair whose texts have changed becomes a new pair, with a warning. Raises ImportRefused for a
    pair that exists with other languages or tokens, for a duplicate id, and for spans that labels or texts forbid.
    """
    if dry_run:
        return import_check(slug=slug, parsed=parsed, scheme=scheme)
    row = Import.objects.create(
        slug=slug[:80],
        made_by=by,
        foreground=True,
        format=format,
        status=JobStatus.RUNNING,
        claimed_by=WORKER,
        heartbeat=Now(),
        attempts=1,
    )
    try:
        return import_perform(row=row, slug=slug, parsed=parsed, scheme=scheme, on_progress=progress_saver(row))
    except BaseException:
        if not connection.needs_rollback:
            row.delete()
        raise


def import_check(
    *, slug: str, parsed: ParsedSource, scheme: Mapping[str, Any] | None, on_progress: OnProgress | None = None
) -> ImportReport:
    """What an import would do. Only reads the database. Raises ImportRefused."""
    target = import_target(slug, scheme, parsed)
    _rename_changed(target, parsed)
    _check_records(target, parsed, on_progress)
    return _Attempt(target, parsed, None, on_progress).run(dry_run=True)


def import_perform(
    *, row: Import, slug: str, parsed: ParsedSource, scheme: Mapping[str, Any] | None, on_progress: OnProgress
) -> ImportReport:
    """Import parsed files for the claimed `row`, which is finished in the transaction that makes the import visible.

    Raises ImportRefused, or ClaimLost if the import was cancelled; nothing is left behind then.
    """
    into: int | None = None
    for _try in range(TRIES):
        target = import_target(slug, scheme, parsed, change_to=row.scheme)
        if not target.is_new:
            check_not_archived(target.project.pk)
        if into not in (None, target.project.pk):
            raise NotFound(
                _("This project was deleted during the import. Nothing was imported."), where=slug, code="deleted"
            )
        into = target.project.pk
        _rename_changed(target, parsed)
        unlinked = _check_records(target, parsed, on_progress)
        staging = staging_begin(
            row=row, target=target, aliases=aliases_of(parsed.records), guidelines=parsed.guidelines
        )
        try:
            attempt = _Attempt(target, parsed, staging, on_progress)
            report = attempt.run(dry_run=False)
            mirrored = [record for record in parsed.records if record.id not in unlinked]
            staging_link_mirrors(staging=staging, target=target, records=mirrored)
            on_progress(len(parsed.records), len(parsed.records), ImportStage.SWITCHING)
            with transaction.atomic():
                project = staging_activate(staging=staging, target=target, lead=row.made_by)
                report.project = project.slug
                count = len(parsed.records)
                ended = {"project": project, "done": count, "total": count, "finished": Now()}
                claim_finish(row, status=JobStatus.DONE, **ended, **report.stored_fields())
            return report
        except TargetChanged as changed:
            logger.info("%s: %s; preparing it again", row, changed)
        finally:
            _discard(staging)
    raise Conflict(
        _("Someone else changed the project during this import. Nothing was imported."),
        where=slug,
        hint=_("Import again when no other import is running."),
    )


def _discard(staging: Staging) -> None:
    """Remove what is left in staging; what can't be removed now is removed later by `imports_clean`."""
    if connection.needs_rollback:
        return  # within a failed transaction, which is rolled back
    try:
        staging_discard(project=staging.project)
    except DatabaseError as error:
        logger.warning("%s: not removed yet: %s", staging.project, error)


@dataclass
class _Attempt:
    """One preparation of an import for a given state of its project."""

    target: ImportTarget
    parsed: ParsedSource
    staging: Staging | None
    on_progress: OnProgress | None

    def run(self, *, dry_run: bool) -> ImportReport:
        """Prepare every record, and stage it unless something is wrong. Raises ImportRefused with all problems."""
        target, parsed = self.target, self.parsed
        records = parsed.records
        report = ImportReport(target.project.slug, target.is_new, dry_run, source_warnings=parsed.warnings.copy())
        report.documents = parsed.documents.to_json() if parsed.documents is not None else None
        people = aliases_of(records)
        report.annotators_new = [alias for alias in people if alias not in target.people]
        keys = target.scheme.keys
        merged_labels = {label: to for label, to in parsed.merged_labels.items() if label not in keys and to in keys}
        rejections: list[Rejection] = []
        start, size = 0, FIRST_BATCH
        locked_for, released = 0.0, time.monotonic()

        def on_annotation() -> None:
            if self.on_progress is not None:
                self.on_progress(start, len(records), ImportStage.CHECKING if dry_run else ImportStage.STAGING)

        context = self._context(people, report)
        context.on_annotation = on_annotation
        preparation = Preparation(target, context, merged_labels, self.staging is not None)
        while start < len(records):
            end = batch_end(records, start, size)
            batch, wrong = prepare(preparation, records[start:end])
            rejections += wrong
            if self.staging is not None and not rejections:
                _let_others_write(locked_for - (time.monotonic() - released))
                began = time.monotonic()
                staging_write(staging=self.staging, batch=batch)
                released = time.monotonic()
                locked_for = released - began
                size = _next_size(end - start, locked_for)
            start = end
            on_annotation()
        better = better_preset(records, target.scheme, merged_labels, preparation.lost.keys())
        if rejections:
            raise ImportRefused(rejections, better_scheme=better)
        report.better_scheme = better
        warn_of_merged_labels(preparation.lost, merged_labels, report)
        return report

    def _context(self, people: Sequence[str], report: ImportReport) -> AnnotationContext:
        keys = {alias: person.pk for alias, person in self.target.people.items()}
        references = KnownReferences() if self.target.is_new else known_references(self.target.project)
        if self.staging is not None:
            return AnnotationContext(self.staging.people, self.staging.guidelines, report, keys, references)
        guidelines = self.target.guidelines or {
            version: Guideline(version=version, text=text) for version, text in self.parsed.guidelines.items()
        }
        named = {alias: self.target.people.get(alias) or Annotator(alias=alias) for alias in people}
        return AnnotationContext(named, guidelines, report, keys, references)


def _next_size(size: int, locked_for: float) -> int:
    """How many records to write next, after `size` held the lock for `locked_for` seconds; only SQLite has it."""
    if connection.vendor != "sqlite":
        return MAX_BATCH
    factor = min(max(LOCK_SECONDS / max(locked_for, 0.001), 0.25), 2.0)
    return min(max(int(size * factor), MIN_BATCH), MAX_BATCH)


def _let_others_write(seconds: float) -> None:
    """Wait, on SQLite, until the lock has been free for as long as the last batch held it.

    `seconds` remain of that; usually none, since a batch takes longer to prepare than to write.
    """
    if seconds > 0 and connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(min(seconds, MAX_PAUSE_SECONDS))


def _rename_changed(target: ImportTarget, parsed: ParsedSource) -> None:
    """Give records whose texts differ from those in the project new ids, and warn of them."""
    parsed.records, changed = rename_changed_pairs(target.project, parsed.records)
    if changed:
        parsed.warnings[CHANGED_TEXTS.text()] += changed


def _check_records(target: ImportTarget, parsed: ParsedSource, on_progress: OnProgress | None) -> set[str]:
    """The ids of pairs whose derived mirror does not exist.

    Raises ImportRefused for records that no row can hold, or that contradict each other. Faults of the other records
    are named in the same error.
    """
    rejections = record_problems(parsed.records)
    mirrors = mirror_problems(parsed.records, target.project)
    rejections += [
        Rejection(
            record.where,
            Phrase("pair '%(id)s', mirror: %(mirrors)s", {"id": str(record.id[:80]), "mirrors": mirrors[record.id]}),
        )
        for record in parsed.records
        if record.id in mirrors and not record.mirror_derived
    ]
    if not rejections:
        return set(mirrors)
    wrong = {rejection.where for rejection in rejections}
    fine = [record for record in parsed.records if record.where not in wrong]
    try:
        _Attempt(target, replace(parsed, records=fine), None, on_progress).run(dry_run=True)
    except ImportRefused as error:
        rejections += error.rejections
    raise ImportRefused(rejections)
