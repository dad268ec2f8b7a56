"""Pushes of publications to a hub.

The token is never written anywhere: it stays in the memory of the process that was given it, which pushes in a thread
of its own, so that the page need not wait. A push whose process dies is interrupted, and its lead pushes again.
"""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

from django.db import connections, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from agreement.models import Publication, Push
from agreement.publication.hub_push import PushTarget, check_target, check_token, push
from agreement.publication.services.publications import publication_file
from agreement.selectors import push_list
from annotation.errors import Conflict, DomainError
from annotation.formats import dataset_formats
from annotation.models import JobStatus, User
from annotation.security_events import security_event
from annotation.services.claims import WORKER, Heartbeat, claim_finish
from annotation.services.jobs import JobKind, job_language, job_perform
from annotation.temporary_folders import leftovers_remove, temporary_folder

TEMPORARY_PREFIX = "diptych-push-"


def in_thread(call: Callable[[], None]) -> None:
    """Do the work in a thread of its own, with database connections of its own."""

    def run() -> None:
        try:
            call()
        finally:
            connections.close_all()

    threading.Thread(target=run, name="push", daemon=True).start()


@sensitive_variables("token")
def push_request(
    *,
    publication: Publication,
    target: PushTarget,
    token: str,
    by: User | None,
    start: Callable[[Callable[[], None]], None] | None = None,
) -> Push:
    """Push a ready dataset to the site's hub; `start` does it, in a thread unless something else is given.

    Raises Invalid for a bad repository, tag or token, Conflict if the publication is not ready or is being pushed.
    """
    check_target(target)
    check_token(token)
    preview = publication.number == Publication.PREVIEW
    if preview or publication.format not in dataset_formats() or publication.status != JobStatus.DONE:
        raise Conflict(_("Only a dataset that is ready can be pushed to a hub."), where=str(publication))
    with transaction.atomic():
        Publication.objects.select_for_update().get(pk=publication.pk)
        running = push_list(publication).filter(status=JobStatus.RUNNING)
        if any(not each.interrupted for each in running):
            raise Conflict(_("This publication is being pushed."), where=str(publication), code="pushing")
        push = Push.objects.create(
            publication=publication,
            repository=target.repository,
            tag=target.tag,
            private=target.private,
            made_by=by,
            claimed_by=WORKER,
            heartbeat=Now(),
            attempts=1,
        )
    push.refresh_from_db()
    project = publication.project_id
    security_event("publication pushed", project=project, publication=publication.number, push=push.pk)

    @sensitive_variables("token")
    def perform(row: Push, heartbeat: Heartbeat) -> None:
        _perform(row, token, heartbeat)

    kind = JobKind(
        name="pushes",
        unfinished=Push.objects.none,
        perform=perform,
        failed=lambda row, problem: {"status": JobStatus.FAILED, "problem": problem},
        language=lambda row: job_language(row.made_by),
    )
    (start or in_thread)(lambda: ignore_result(job_perform(kind, push)))
    return push


def ignore_result(_result: bool) -> None:
    """Nobody needs the result: the push's row records whether it succeeded."""


@sensitive_variables("token")
def _perform(row: Push, token: str, heartbeat: Heartbeat) -> None:
    leftovers_remove(TEMPORARY_PREFIX, Path(gettempdir()))
    with temporary_folder(TEMPORARY_PREFIX) as folder:
        packed = folder / "packed.zip"
        with packed.open("wb") as file:
            file.writelines(publication_file(row.publication))
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder / "unpacked")
        heartbeat.check()
        name = row.publication.file.removesuffix(".zip")
        target = PushTarget(row.repository, row.tag, row.private)
        try:
            url = push(folder=folder / "unpacked" / name, target=target, token=token)
        except DomainError as error:
            error.where = ""  # the field of a form that is no longer there
            raise
    claim_finish(row, status=JobStatus.DONE, problem="", url=url)
