"""Excluding parallel documents from the gold in all their pairs of languages, and including them again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.models import Exclusion
from annotation.errors import Invalid, NotFound
from annotation.models import Pair, Project, User
from annotation.models.lifecycle import ProjectEventType
from annotation.selectors.parallel_documents import with_parallel_document
from annotation.services.archive_check import changes_project
from annotation.services.audit_events import event_record

MAX_DOCUMENTS = 500
"""Documents of one request."""
DOCUMENTS_NAMED = 20
"""Documents that the record of the change names."""


@dataclass(frozen=True, slots=True)
class ExclusionResult:
    """How many documents were named, and how many of their pairs changed."""

    documents: int
    pairs: int


@changes_project()
def parallel_documents_exclude(
    *, project: Project, documents: Collection[str], reason: str, by: User | None
) -> ExclusionResult:
    """Exclude all pairs of these documents from all gold created from now on; those already excluded keep their reason.

    Raises Invalid without a reason or a document, NotFound for a document that the project lacks; nothing changes then.
    """
    documents = set(documents)
    if not reason.strip():
        raise Invalid(_("Give a reason for excluding the documents."), code="reason", where="reason")
    with transaction.atomic():
        pairs = _pairs(project, documents)
        already_excluded = set(Exclusion.objects.filter(pair__in=pairs).values_list("pair_id", flat=True))
        new = [
            Exclusion(pair=pair, reason=reason.strip(), made_by=by) for pair in pairs if pair.pk not in already_excluded
        ]
        excluded = {each.pair_id for each in Exclusion.objects.bulk_create(new, batch_size=400, ignore_conflicts=True)}
        return _record_change(project, documents, len(excluded), ProjectEventType.EXCLUDED, by)


@changes_project()
def parallel_documents_include(*, project: Project, documents: Collection[str], by: User | None) -> ExclusionResult:
    """Include all pairs of these documents again. Raises as `parallel_documents_exclude`."""
    documents = set(documents)
    with transaction.atomic():
        count, _models = Exclusion.objects.filter(pair__in=_pairs(project, documents)).delete()
        return _record_change(project, documents, count, ProjectEventType.INCLUDED, by)


def _pairs(project: Project, documents: Collection[str]) -> list[Pair]:
    if not documents:
        raise Invalid(_("Choose at least one document."), code="documents", where="documents")
    if len(documents) > MAX_DOCUMENTS:
        raise Invalid(
            _("At most %(most)s documents at once.") % {"most": MAX_DOCUMENTS}, code="documents", where="documents"
        )
    rows = with_parallel_document(Pair.objects.filter(project=project)).filter(document__in=list(documents))
    pairs = list(rows.only("external_id", "position", "project_id").order_by("position", "pk"))
    names = {pair.document for pair in pairs}
    for name in sorted(documents):
        if name not in names:
            raise NotFound(_("There is no document “%(name)s”.") % {"name": name[:80]}, where=project.name)
    return pairs


def _record_change(
    project: Project, documents: Collection[str], pairs: int, what: ProjectEventType, by: User | None
) -> ExclusionResult:
    if pairs:
        names = sorted(documents)[:DOCUMENTS_NAMED]
        event_record(project=project, what=what, by=by, documents=len(documents), pairs=pairs, names=names)
    return ExclusionResult(len(documents), pairs)
