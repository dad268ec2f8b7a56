"""Mining from the browser: a lead sends articles, a worker compares them, and what is kept is imported.

The articles are read, and checked, while they are sent; they are stored until a worker has compared them. All
matches are stored, so that bounds can be changed without comparing again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.formats import jsonl
from annotation.formats.fields import json_text, record_json
from annotation.formats.interruption import check_regularly
from annotation.job_notifications import notify
from annotation.models import JobStatus, Project, User
from annotation.models.imports import Import
from annotation.services.archive_check import changes_project
from annotation.services.claims import Heartbeat, claim_finish
from annotation.services.import_jobs import import_request
from annotation.services.import_report import ImportRefused
from annotation.services.jobs import jobs_run
from annotation.services.uploads import SentFile, unpacked_uploads
from assist.mining.articles import Article, LanguagesError, languages_of
from assist.mining.mine import MiningResult
from assist.mining.records import mined_source, pair_id
from assist.mining.settings import MiningSettings
from assist.mining_requests.importing import ArticlesRefused, mining_articles, mining_matches, mining_settings
from assist.models import Mining, MiningArticle
from assist.requested_jobs.jobs import (
    StoredProgress,
    cancel_jobs,
    job_failed,
    job_kind,
    newest_jobs,
    stop_jobs,
    web_settings,
)

RESULT_KEPT = timedelta(days=30)
"""How long what one found, with the paragraphs themselves, can be looked at and imported."""
_BATCH = 100


@changes_project()
def mining_request(
    *, project: Project, files: Sequence[UploadedFile[Any]], settings: Mapping[str, object], by: User
) -> Mining:
    """Read the articles in the files, and have a worker compare them.

    Raises ArticlesRefused, naming all that is wrong with the files, and Invalid for settings, and for articles that are
    not in two languages.
    """
    chosen = web_settings(MiningSettings, settings)
    try:
        with unpacked_uploads([cast(SentFile, file) for file in files]) as paths:
            articles = mining_articles(paths)
    except ImportRefused as error:  # of an archive, or of the articles
        raise ArticlesRefused(error.rejections) from error
    try:
        languages_of(articles, chosen.language_a, chosen.language_b)
    except LanguagesError as error:
        raise Invalid(error.phrase.text(_), code="languages") from error
    with transaction.atomic():
        row = Mining.objects.create(
            project=project,
            requested_by=by,
            file_names=[file.name for file in files],
            settings=chosen.model_dump(),
            total=sum(len(each.paragraphs) for each in articles),
        )
        MiningArticle.objects.bulk_create(
            [
                MiningArticle(
                    mining=row,
                    name=each.id,
                    language=each.language,
                    paragraphs=list(each.paragraphs),
                    where=each.where[:1000],
                    url=each.url,
                )
                for each in articles
            ],
            batch_size=_BATCH,
        )
        transaction.on_commit(lambda: notify(MINING_JOBS.name))
    return row


def mining_list(project: Project) -> QuerySet[Mining]:
    """The newest ones of a project, without what they found."""
    return newest_jobs(Mining.objects.filter(project=project), "result")


def mining_get(project: Project, pk: int) -> Mining:
    """Raises NotFound."""
    row = Mining.objects.filter(project=project, pk=pk).select_related("requested_by", "project").first()
    if row is None:
        raise NotFound(_("There is no such search for pairs in this project."), where=project.name)
    return row


def mining_cancel(*, row: Mining) -> None:
    """Cancel a waiting or running job and remove its articles. Raises Conflict if it has ended."""
    with transaction.atomic():
        if not cancel_jobs(Mining.objects.filter(pk=row.pk)):
            raise Conflict(_("This search for pairs has already ended."), where=str(row))
        MiningArticle.objects.filter(mining=row).delete()


def mining_preview(row: Mining, bounds: Mapping[str, object]) -> tuple[MiningResult, MiningSettings]:
    """What a finished one found, under these bounds (settings by name), and all settings.

    Raises Invalid for a bound, and Conflict if it isn't finished, or that is too long ago.
    """
    if row.result is None and row.status == JobStatus.DONE:
        raise Conflict(
            _("The results of this search have been deleted."), where=str(row), hint=_("Compare the articles again.")
        )
    if row.result is None:
        raise Conflict(_("The articles haven't been compared yet."), where=str(row), hint=_("Wait until that is done."))
    chosen = mining_settings({**row.settings, **bounds})
    return MiningResult.from_json(row.result).with_settings(chosen), chosen


@changes_project("row.project_id")
def mining_import(*, row: Mining, bounds: Mapping[str, object], left_out: Collection[str], by: User) -> Import:
    """Import the pairs that are kept under these bounds, without those `left_out` (by their ids), in a worker.

    Raises Invalid if none is left.
    """
    mined, chosen = mining_preview(row, bounds)
    selected = replace(mined, matches=[match for match in mined.kept_matches if pair_id(match) not in left_out])
    if not selected.matches:
        raise Invalid(_("There are no pairs to import."), where=str(row), hint=_("Change the limits."))
    lines = [json_text(record_json(record)) for record in mined_source(selected, chosen).records]
    file = SimpleUploadedFile(f"mined-{row.pk}{jsonl.FORMAT.ending}", "\n".join(lines).encode())
    return import_request(project=row.project, files=[file], format=jsonl.FORMAT.name, dry_run=False, by=by)


def mining_jobs_run(until: Callable[[], bool] = lambda: False) -> int:
    """Run the waiting jobs; returns how many ended. Any worker may call it at any time."""
    mining_jobs_clean()
    return jobs_run(MINING_JOBS, until)


def mining_jobs_clean() -> None:
    """Remove what was found long ago. That it was searched, and with which settings, stays with the project."""
    Mining.objects.filter(finished__lt=Now() - RESULT_KEPT, result__isnull=False).update(result=None)


def _perform(row: Mining, heartbeat: Heartbeat) -> None:
    """Compare the articles of a claimed row, and store all matches."""
    stored_progress = StoredProgress(row, heartbeat)
    articles = [
        Article(each.name, each.language, tuple(each.paragraphs), each.where, each.url)
        for each in MiningArticle.objects.filter(mining=row).order_by("pk").iterator(chunk_size=_BATCH)
    ]
    with check_regularly(heartbeat.check):
        mined = mining_matches(
            articles, mining_settings(row.settings), lambda done, total, _: stored_progress.report("", done, total)
        )
    with transaction.atomic():
        claim_finish(row, status=JobStatus.DONE, finished=Now(), result=mined.to_json(), done=row.total)
        MiningArticle.objects.filter(mining=row).delete()


def _failed(row: Mining, problem: str) -> dict[str, Any]:
    MiningArticle.objects.filter(mining=row).delete()
    return job_failed(row, problem)


MINING_JOBS = job_kind(Mining, "minings", _perform, _failed)


def mining_jobs_stop(project: Project) -> int:
    """Cancel the mining of a project that is being archived or deleted; returns how many."""
    return stop_jobs(Mining.objects.filter(project=project), lambda row: mining_cancel(row=row))
