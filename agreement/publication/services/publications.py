"""Publications: requested by a lead, written by any free worker, kept as one file each in the database.

So a worker on any machine can write one, and web processes on any machine can send it. It is written in parts, in the
transaction that finishes the publication: there is either the whole file or none.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.models import Publication, PublicationPart
from agreement.publication.card import Terms
from agreement.publication.export import (
    CARD,
    KEEP_SPLITS,
    check_scheme,
    check_splits,
    content_digest,
    export,
    export_format,
)
from agreement.publication.facts import check_description, check_licence, facts_of
from agreement.publication.services.facts import check_publishable
from agreement.publication.splits import Splits
from agreement.selectors import gold_newest, withdrawals
from annotation.errors import Conflict, DomainError, Invalid
from annotation.formats.base import Format
from annotation.formats.safe_paths import files_inside
from annotation.job_notifications import notify
from annotation.models import ACTIVE_JOB, JobStatus, Pair, Project, User
from annotation.models.webhooks import EventType
from annotation.services.claims import WORKER, Heartbeat, claim_finish
from annotation.services.jobs import JobKind, job_fail, job_language, job_perform, jobs_run
from annotation.services.webhook_events import events_write
from annotation.temporary_folders import leftovers_remove, temporary_folder

MAX_SYNC_PAIRS = 200
"""Up to this many pairs, a publication is written while the page waits."""
DOUBLE_CLICK = timedelta(seconds=10)
"""An identical request within this time returns the first publication: a double click, or a request sent twice."""
TEMPORARY_PREFIX = "diptych-publication-"
PART_BYTES = 1024 * 1024


def publication_file(publication: Publication) -> Iterator[bytes]:
    """The bytes of a ready publication's file, in parts. Raises Conflict, at once, if it is not ready or missing."""
    parts = PublicationPart.objects.filter(publication=publication).order_by("number")
    if publication.status != JobStatus.DONE or not parts.exists():
        raise Conflict(_("This publication is not ready."), where=str(publication), hint=_("Publish again."))
    numbers = list(parts.values_list("number", flat=True))
    # One at a time: a client that reads slowly must not keep a query open.
    return (bytes(parts.values_list("data", flat=True).get(number=number)) for number in numbers)


def publication_request(
    *, project: Project, to: str, terms: Terms, by: User | None, splits: Splits = KEEP_SPLITS, preview: bool = False
) -> Publication:
    """Request an export in the format `to`. A small one is written at once, a large one by a worker.

    An identical request while the first is unfinished, or as quick as a double click, returns the first. Raises Invalid
    for an unknown format or licence, for a dataset whose card lacks something that has to be stated and, for a small
    project, if the format doesn't support it. A `preview` takes the place of the last one; all that is kept of it is
    the card.
    """
    chosen = export_format(to)
    total = _check_request(project, chosen, terms, splits, preview)
    small = total <= MAX_SYNC_PAIRS
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        gold = gold_newest(project)
        parts: dict[str, Any] = {
            "format": to,
            "licence": terms.licence,
            "description": terms.description,
            "gold": gold,
            "splits": str(splits),
            "seed": splits.seed,
        }
        if preview:
            Publication.objects.filter(project=project, number=Publication.PREVIEW).delete()
        elif same := _same_in_progress(project, parts):
            return same
        last = Publication.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        publication = Publication.objects.create(
            project=project,
            number=Publication.PREVIEW if preview else last + 1,
            total=total,
            made_by=by,
            **parts,
            **(_claimed_by_this_process() if small else {}),
        )
    try:
        return _begin(publication, small)
    except DomainError:
        publication.delete()
        raise


def _check_request(project: Project, chosen: Format, terms: Terms, splits: Splits, preview: bool) -> int:
    """Raises Invalid for what can't be published; returns the number of pairs."""
    dataset = chosen.dataset
    check_splits(chosen, splits)
    check_scheme(chosen, project)
    check_licence(terms.licence)
    check_description(terms.description)
    if preview and dataset is None:
        raise Invalid(_("Only a dataset has a card."), where="format", hint=_("Choose the Hugging Face dataset."))
    total = Pair.objects.filter(project=project).count()
    if not total:
        raise Invalid(_("There are no pairs to publish."), where="format", hint=_("Import some first."))
    if dataset is not None and not preview:
        facts = facts_of(project)[0]
        check_publishable(project, facts=facts, licence=terms.licence, description=terms.description)
    return total


def _same_in_progress(project: Project, parts: dict[str, Any]) -> Publication | None:
    same = Publication.objects.filter(project=project, **parts).exclude(number=Publication.PREVIEW)
    if withdrawn := withdrawals(project):
        same = same.filter(made__gt=max(withdrawn.values()))
    unfinished = Q(status__in=ACTIVE_JOB)
    now = timezone.now()
    just_now = Q(status=JobStatus.DONE, made__range=(now - DOUBLE_CLICK, now + DOUBLE_CLICK))
    return same.filter(unfinished | just_now).order_by("-number").first()


def _claimed_by_this_process() -> dict[str, Any]:
    """The fields of a publication that this process writes immediately."""
    return {"status": JobStatus.RUNNING, "claimed_by": WORKER, "heartbeat": Now(), "attempts": 1}


def _begin(publication: Publication, small: bool) -> Publication:
    """Write a small publication now; notify workers of a large one. Raises DomainError for a small one."""
    if not small:
        transaction.on_commit(lambda: notify(PUBLICATIONS.name))
        return publication
    publication.refresh_from_db()
    job_perform(PUBLICATIONS, publication, refusals=True)
    publication.refresh_from_db()
    return publication


def publication_retry(*, publication: Publication) -> Publication:
    """Retry a failed publication. Raises Conflict for any other, Invalid if its card lacks something, DomainError
    if it fails again at once.

    It contains the project's current content, and the gold version that was requested.
    """
    _check_card(publication)
    total = Pair.objects.filter(project=publication.project).count()
    small = total <= MAX_SYNC_PAIRS
    requeued: dict[str, Any] = {"done": 0, "total": total, "problem": "", "status": JobStatus.QUEUED, "attempts": 0}
    failed = Publication.objects.filter(pk=publication.pk, status=JobStatus.FAILED)
    if not failed.update(**requeued | (_claimed_by_this_process() if small else {})):
        raise Conflict(_("Only a failed publication can be tried again."), where=str(publication))
    publication.refresh_from_db()
    try:
        return _begin(publication, small)
    except DomainError as error:
        job_fail(PUBLICATIONS, publication, str(error))
        raise


def _check_card(publication: Publication) -> None:
    """Raises Invalid if a dataset's card has become incomplete since it was requested."""
    if publication.number != Publication.PREVIEW and export_format(publication.format).dataset is not None:
        facts = facts_of(publication.project)[0]
        terms = {"licence": publication.licence, "description": publication.description}
        check_publishable(publication.project, facts=facts, **terms)


def publication_delete(*, publication: Publication) -> None:
    """Delete a publication that is not ready; a worker that is writing it stops. Raises Conflict for a ready one."""
    if not Publication.objects.filter(pk=publication.pk).exclude(status=JobStatus.DONE).delete()[0]:
        raise Conflict(
            _("A publication that is ready can't be deleted."),
            where=str(publication),
            hint=_("Published files are kept so that they can be downloaded again."),
        )


def publications_run(stop: Callable[[], bool] = lambda: False) -> int:
    """Write requested publications, one after another; returns how many. Any worker may call it at any time."""
    leftovers_remove(TEMPORARY_PREFIX, Path(gettempdir()))
    return jobs_run(PUBLICATIONS, stop)


def _build(publication: Publication, heartbeat: Heartbeat) -> None:
    """Write the export in a temporary folder, pack it, and store the file with the row that says that it exists."""
    name = f"{publication.project.slug}-{publication.number}"

    def on_progress(done: int) -> None:
        heartbeat.check()
        heartbeat.progress = {"done": done}

    with temporary_folder(TEMPORARY_PREFIX) as folder:
        out = folder / name
        if ending := export_format(publication.format).ending:  # the other files next to it are packed too
            out = out / f"{name}{ending}"
        terms = Terms(publication.licence, publication.description)
        omitted: Counter[str] = Counter()
        export(
            project=publication.project,
            to=publication.format,
            out=out,
            terms=terms,
            gold=publication.gold,
            splits=Splits.parse(publication.splits, publication.seed),
            on_progress=on_progress,
            omitted=omitted,
        )
        card = (out / CARD).read_text(encoding="utf-8") if (out / CARD).is_file() else ""
        if publication.number == Publication.PREVIEW:
            claim_finish(publication, status=JobStatus.DONE, done=publication.total, problem="", card=card)
            return
        digest = content_digest(folder / name)
        packed = _pack(folder / name)
        heartbeat.check()
        _store(publication, packed, omitted=dict(omitted), card=card, digest=digest)


def _store(publication: Publication, packed: Path, **fields: Any) -> None:
    """`fields` are the other fields that are known now."""
    with transaction.atomic(), packed.open("rb") as file:
        size = packed.stat().st_size
        # First: whoever has lost the claim writes nothing.
        ready = {"status": JobStatus.DONE, "done": publication.total, "problem": "", **fields}
        claim_finish(publication, **ready, file=packed.name, size=size)
        PublicationPart.objects.filter(publication=publication).delete()
        for number, data in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
            PublicationPart.objects.create(publication=publication, number=number, data=data)
        about = {"publication": publication.number, "format": publication.format, "gold": publication.gold}
        events_write(project=publication.project, events={EventType.PUBLICATION: about})


def _failed(publication: Publication, problem: str) -> dict[str, str]:
    return {"status": JobStatus.FAILED, "problem": problem}


PUBLICATIONS = JobKind(
    name="publications",
    unfinished=lambda: Publication.objects.filter(status__in=ACTIVE_JOB).select_related("project").order_by("pk"),
    perform=_build,
    failed=_failed,
    claimed={"status": JobStatus.RUNNING},
    released={"status": JobStatus.QUEUED},
    language=lambda publication: job_language(publication.made_by),
)


def _pack(folder: Path) -> Path:
    if [path.suffix for path in folder.iterdir()] == [".zip"]:  # an archive, which is imported as it is
        return next(folder.iterdir())
    archive = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path, name in files_inside(folder):
            file.write(path, f"{folder.name}/{name}")
    return archive
