"""Choosing an encoder from the browser: a lead names candidates, and a worker compares them.

They are compared on the rows and samples that the lead sends, or on those that come with the project, and on the
project's own gold. Files are checked while they are sent, and kept until they are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, Project, User
from annotation.selectors.gold_scorer import gold_scorer
from annotation.services.archive_check import changes_project
from annotation.services.jobs import jobs_run
from annotation.settings_model import SettingError, check_web
from assist.encoder_choice.embedding import packages_missing
from assist.encoder_choice.settings import ComparisonSettings
from assist.encoder_choice.tables import TableError
from assist.encoder_comparisons.comparing import PARSERS, comparison_perform
from assist.methods.diffalign import DiffAlignSettings
from assist.methods.encoder.pretrained import unavailable
from assist.models import EncoderComparison
from assist.requested_jobs.jobs import ENDED_EARLY, cancel_jobs, job_kind, newest_jobs, requeue, stop_jobs, web_settings
from assist.requested_jobs.uploaded_tables import uploaded_text
from assist.runs.services import has_local_workers

MAX_ENCODERS = 8
MAX_ROWS = 20_000
"""Rows of a file from the browser; the command takes any number."""
ROWS_KEPT = timedelta(days=30)
"""How long the sentences in a result, and the files of a comparison that failed, are kept; figures stay."""


@changes_project()
def comparison_request(
    *,
    project: Project,
    encoders: Sequence[str],
    files: Mapping[str, UploadedFile[Any]],
    settings: Mapping[str, object],
    by: User,
) -> EncoderComparison:
    """Have a worker compare encoders. `files` are by task; for a task without one the project's own rows are taken.

    If the same waits or runs already, that is returned.

    Raises Invalid for a setting, an encoder or a file that can't be used, and if there is nothing to compare on.
    """
    chosen = _settings(settings)
    names = _encoders(encoders)
    tasks = [task for task in PARSERS if getattr(chosen, task)]
    if chosen.gold and not gold_scorer(project).pairs():
        if not tasks:
            raise Invalid(_("There is no gold to score pre-labels against."), code="no-gold", where="gold")
        chosen = chosen.model_copy(update={"gold": False})
    if not tasks and not chosen.gold:
        raise Invalid(_("Choose what the encoders are compared on."), code="no-task")
    tables = {task: _table(task, file) for task, file in files.items() if task in tasks}
    parts: dict[str, Any] = {"encoders": names, "tables": tables, "settings": chosen.model_dump()}
    with transaction.atomic():
        # One at a time in a project, so that of two requests at once the second sees the first.
        Project.objects.select_for_update().get(pk=project.pk)
        if (existing := _unfinished(project, parts)) is not None:
            return existing
        row = EncoderComparison.objects.create(
            project=project,
            requested_by=by,
            file_names=[files[task].name for task in tables],
            **parts,
        )
        transaction.on_commit(lambda: notify(COMPARISONS.name))
    return row


def _unfinished(project: Project, parts: Mapping[str, Any]) -> EncoderComparison | None:
    """A waiting or running comparison with the same encoders, tables and settings; None if there is none."""
    # Compared here: databases differ in which JSON values they take as equal.
    for row in EncoderComparison.objects.filter(project=project, status__in=ACTIVE_JOB):
        if all(getattr(row, name) == value for name, value in parts.items()):
            return row
    return None


def _settings(values: Mapping[str, object]) -> ComparisonSettings:
    chosen = web_settings(ComparisonSettings, values)
    if chosen.translation_model and not (chosen.source_language and chosen.target_language):
        raise Invalid(_("Specify the languages of the translation."), code="setting", where="translation_model")
    return chosen


def _encoders(lines: Sequence[str]) -> list[str]:
    """The names, checked as a method's setting is."""
    names = [each.strip() for each in lines if each.strip()]
    if not names:
        raise Invalid(_("Enter at least one encoder."), code="encoders", where="encoders")
    if len(names) > MAX_ENCODERS:
        text = _("At most %(most)s encoders can be compared.") % {"most": MAX_ENCODERS}
        raise Invalid(text, code="encoders", where="encoders")
    if has_local_workers() and (absent := packages_missing()):
        raise Invalid(absent.text(_), code="packages", where="encoders")
    for index, name in enumerate(names):
        if name in names[:index]:
            text = _("The encoder “%(name)s” is named twice.") % {"name": name}
            raise Invalid(text, code="encoders", where="encoders")
        check_encoder(name, "encoders")
    return names


def check_encoder(name: str, where: str) -> None:
    """Raises Invalid for an encoder that can't be named on the web, or that is not here if workers run here."""
    try:
        check_web(DiffAlignSettings.read({"model": name}))
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="encoders", where=where) from error
    if has_local_workers() and (missing := unavailable(name, None)):
        raise Invalid(missing.text(_), code="model", where=where)


def _table(task: str, file: UploadedFile[Any]) -> str:
    """The text of a file, which is checked."""
    name = str(file.name)
    text = uploaded_text(file, task)
    try:
        rows = PARSERS[task](text, name)
    except TableError as error:
        raise Invalid(error.phrase.text(_), code="file", where=task) from error
    if len(rows) > MAX_ROWS:
        told = _("%(file)s has %(n)s rows; at most %(most)s are compared here.")
        raise Invalid(told % {"file": name, "n": len(rows), "most": MAX_ROWS}, code="file", where=task)
    return text


def comparison_list(project: Project) -> QuerySet[EncoderComparison]:
    """The newest ones of a project, without files and results."""
    return newest_jobs(EncoderComparison.objects.filter(project=project), "result", "rows", "tables")


def comparison_get(project: Project, pk: int) -> EncoderComparison:
    """Raises NotFound."""
    rows = EncoderComparison.objects.filter(project=project, pk=pk).defer("tables")
    row = rows.select_related("requested_by", "project").first()
    if row is None:
        raise NotFound(_("There is no such comparison in this project."), where=project.name)
    return row


def comparison_cancel(*, row: EncoderComparison) -> None:
    """Cancel a waiting or running comparison. Raises Conflict if it has ended."""
    if not cancel_jobs(EncoderComparison.objects.filter(pk=row.pk)):
        raise Conflict(_("This comparison has already ended."), where=str(row))


@changes_project("row.project_id")
def comparison_retry(*, row: EncoderComparison) -> None:
    """Run a comparison again that failed or was cancelled. Raises Conflict for any other, and if its files are gone."""
    rows = EncoderComparison.objects.filter(pk=row.pk)
    if row.file_names and rows.filter(tables={}, status__in=ENDED_EARLY).exists():
        raise Conflict(_("The files of this comparison are no longer available. Upload them again."), where=str(row))
    with transaction.atomic():
        if not requeue(rows):
            raise Conflict(_("Only a comparison that failed or was cancelled can be tried again."), where=str(row))
        transaction.on_commit(lambda: notify(COMPARISONS.name))


def comparisons_run(until: Callable[[], bool] = lambda: False) -> int:
    """Run the waiting jobs; returns how many ended. Any worker may call it at any time."""
    comparisons_clean()
    return jobs_run(COMPARISONS, until)


def comparisons_clean() -> None:
    """Remove sentences that were compared long ago; the figures stay with the project."""
    old = EncoderComparison.objects.filter(finished__lt=Now() - ROWS_KEPT)
    old.filter(rows__isnull=False).update(rows=None)
    old.exclude(tables={}).update(tables={})


def comparisons_stop(project: Project) -> int:
    """Cancel the comparisons of a project that is being archived or deleted; returns how many."""
    return stop_jobs(EncoderComparison.objects.filter(project=project), lambda row: comparison_cancel(row=row))


COMPARISONS = job_kind(EncoderComparison, "comparisons", comparison_perform)
