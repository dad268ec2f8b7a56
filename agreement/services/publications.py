"""Publications: asked for by a lead, written by whichever worker is free, kept as one file each."""

from __future__ import annotations

import logging
import tempfile
import zipfile
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement.card import Terms
from agreement.models import Building, Publication
from agreement.publishing import FILES, export
from agreement.selectors import gold_newest
from annotation.errors import Conflict, DomainError, Invalid
from annotation.formats import FORMATS
from annotation.models import Pair, Project, User

logger = logging.getLogger(__name__)

AT_ONCE = 200
"""Up to so many pairs a publication is written while the page waits."""
STALE_CLAIM = timedelta(minutes=5)
ENDINGS = {"jsonl": "jsonl", "csv": "csv", "rsd": "jsonl"}


def publications_folder() -> Path:
    folder: Path = settings.DATA_DIR / "publications"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def publication_file(publication: Publication) -> Path:
    """The file of a publication that is ready. Raises Conflict where it is not, or is gone."""
    path = publications_folder() / publication.file
    if publication.status != Building.DONE or not path.is_file():
        raise Conflict(_("This publication is not ready."), where=str(publication), hint=_("Publish again."))
    return path


def publication_request(*, project: Project, to: str, terms: Terms, by: User | None) -> Publication:
    """Ask for an export in the format `to`. A small one is there at once; else a worker is to be told.

    Raises Invalid for an unknown format, and for a small project where the format cannot hold it.
    """
    if to not in FORMATS:
        raise Invalid(_("There is no format “%(to)s”.") % {"to": to}, where="format", hint=", ".join(FORMATS))
    total = Pair.objects.filter(project=project).count()
    if not total:
        raise Invalid(_("There are no pairs to publish."), where="format", hint=_("Import some first."))
    small = total <= AT_ONCE
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        last = Publication.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        publication = Publication.objects.create(
            project=project,
            number=last + 1,
            format=to,
            licence=terms.licence,
            description=terms.description,
            gold=gold_newest(project),
            total=total,
            made_by=by,
            status=Building.RUNNING if small else Building.QUEUED,
            claimed=timezone.now() if small else None,
        )
    if small:
        try:
            _build(publication)
        except DomainError:
            publication.delete()
            raise
    return publication


def publications_work() -> int:
    """Write what was asked for, one after another; returns how many. Any worker may call it at any time.

    A claim without a sign of life for some minutes is that of a worker that died, and is taken over.
    """
    done = 0
    while (publication := _claim()) is not None:
        try:
            _build(publication)
        except Exception as error:
            if not isinstance(error, DomainError):
                logger.exception("%s", publication)
            problem = str(error) if isinstance(error, DomainError) else f"{type(error).__name__}: {error}"
            Publication.objects.filter(pk=publication.pk).update(status=Building.FAILED, problem=problem)
        done += 1
    return done


@transaction.atomic
def _claim() -> Publication | None:
    dead = timezone.now() - STALE_CLAIM
    waiting = Q(status=Building.QUEUED) | Q(status=Building.RUNNING, claimed__lt=dead)
    found = Publication.objects.select_for_update(of=("self",)).filter(waiting).select_related("project").order_by("pk")
    publication = found.first()
    if publication is not None:
        publication.status, publication.claimed = Building.RUNNING, timezone.now()
        publication.save(update_fields=["status", "claimed"])
    return publication


def _build(publication: Publication) -> None:
    """Write the export, pack it, and put the file in its place before the row says that it is there."""
    name = f"{publication.project.slug}-{publication.number}"
    rows = Publication.objects.filter(pk=publication.pk)

    def progress(done: int) -> None:
        rows.update(done=done, claimed=timezone.now())

    with tempfile.TemporaryDirectory(dir=publications_folder(), prefix=".making-") as folder:
        out = Path(folder) / name
        if publication.format in FILES:  # what stands beside the file is packed with it
            out = out / f"{name}.{ENDINGS[publication.format]}"
        terms = Terms(publication.licence, publication.description)
        export(
            project=publication.project,
            to=publication.format,
            out=out,
            terms=terms,
            gold=publication.gold,
            progress=progress,
        )
        made = _packed(Path(folder) / name)
        file = publications_folder() / made.name
        made.replace(file)
    publication.status, publication.done, publication.problem = Building.DONE, publication.total, ""
    publication.file, publication.size = file.name, file.stat().st_size
    publication.save(update_fields=["status", "done", "problem", "file", "size"])


def _packed(folder: Path) -> Path:
    archive = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder.parent))
    return archive
